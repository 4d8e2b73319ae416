#!/usr/bin/env python3
"""explore.py - bespoke explore against a naive explorer, on random models; traces, limits, files.

A failing model stays in the folder of the test as seed-N.aut.
"""
import sys
sys.dont_write_bytecode = True
import os
import random
import explorer
import kit
import oracle

MODEL = 'des (0, 5, 5)\n(0, a, 1)\n(1, b, 2)\n(2, i, 0)\n(1, "c d", 3)\n(4, e, 4)\n'
SEEDS = 60

# Arguments after `explore`, a text that must stand on stderr: status 2, nothing on stdout.
WRONG = [
    ([], "explore: too few arguments"),
    (["m.aut", "m.aut"], "is too much"),
    (["missing.aut"], "missing.aut: cannot be opened"),
    (["missing.exp"], "missing.exp"),
    (["m.aut", "--order", "random"], "--order: 'random' is unknown; expected bfs or dfs"),
    (["m.aut", "--order", "dfs", "--threads", "2"], "--order dfs is for one thread"),
    (["m.aut", "--threads", "0"], "--threads: 0 is out of range"),
    (["m.aut", "--max-states", "0"], "--max-states: 0 is out of range"),
    (["m.aut", "--stop-at", "bb"], "no label 'bb'; expected a label or deadlock"),
    (["m.aut", "--stop-at", "c e"], "did you mean c d?"),
    (["m.aut", "--stop-at", "dedlock"], "did you mean deadlock?"),
    (["m.aut", "--stop-at", '"deadlock"'], "the model has no label"),
    (["m.aut", "--stop-at", "a", "-o", "x.aut"], "expected one of them"),
    (["m.aut", "--trace", "x.seq"], "--trace is for --stop-at"),
    (["m.aut", "--stop-at", "a", "--trace", "x.xyz"], "must end in"),
    (["m.aut", "--stop-at", "a", "--trace", "-"], "stdout is for the answer"),
    (["m.aut", "-o", "x.xyz"], "must end in"),
    (["m.aut", "-o", "-"], "stdout is for the answer"),
    (["m.aut", "-o", "no/folder/x.aut"], "the directory no/folder cannot be opened"),
    (["m.aut", "-o", "m.aut"], "m.aut is read; expected another file to write to"),
    (["m.aut", "-o", "./m.aut"], "is read"),
    (["m.aut", "-o", "link.aut"], "is read"),
    (["m.aut", "--stop-at", "a", "--trace", "link.aut"], "is read"),
    (["m.aut", "--model-arg", "1"], "m.aut takes no arguments"),
    (["rubbish"], "networks (.exp) and plug-ins (.so)"),
]
KEYS = {"name", "file", "kind", "status", "order", "threads", "states", "transitions", "labels",
        "depth", "deadlock_states", "frontier", "stop_at", "found", "trace", "trace_length",
        "trace_file", "seconds", "memory_bytes", "version", "commit"}


def check_usage(t):
    kit.write("rubbish", "rubbish\n")
    os.symlink("m.aut", "link.aut")
    for args, text in WRONG:
        r = t.run("explore", *args)
        t.check("refused: explore " + " ".join(args), r.status == 2 and r.out == "" and text in r.err
                and all(x.startswith("bespoke: ") for x in r.err.splitlines()), r)
    t.check("nothing was written", open("m.aut").read() == MODEL and not os.path.exists("x.aut"))


def check_answers(t):
    r = t.run("explore", "m.aut")
    t.check("a list for people", r.status == 0 and r.err == "" and [x.split()[0] for x in r.out.splitlines()]
            == ["model", "kind", "states", "transitions", "labels", "deadlock", "depth", "explored",
                "memory"], r)
    r = t.run("explore", "--json", "m.aut")
    x = r.object()
    t.check("one object with exactly its keys", r.status == 0 and r.err == "" and x and set(x) == KEYS, r)
    t.check("the unreachable is not counted", (x["states"], x["transitions"], x["labels"], x["depth"],
            x["deadlock_states"], x["frontier"]) == (4, 4, 4, 2, 1, 0), x)
    t.check("memory and times as elsewhere", set(x["memory_bytes"]) ==
            {"peak_per_rank", "peak_total", "accounted"} and x["memory_bytes"]["peak_total"] > 0
            and 0 < x["seconds"]["explore"] <= x["seconds"]["total"] < 10
            and x["seconds"]["write"] is None, x)
    t.check("nothing was looked for", x["found"] is None and x["trace"] is None, x)
    with open("m.aut", "rb") as f:
        r = t.run("explore", "-", stdin=f)
    t.check("a model as stdin", r.status == 0 and "states           4\n" in r.out, r)
    with open("/dev/full", "w") as full:
        r = t.run("explore", "m.aut", stdout=full)
    t.check("a lost answer is status 4", r.status == 4, r)
    r = t.run("explore", "m.aut", "--threads", "100000")
    t.check("too many threads are a warning", r.status == 0 and "warning: --threads 100000" in r.err, r)
    r = t.run("explore", "-v", "--hidden", "a", "--hidden", "b", "m.aut", "--json")
    t.check("hidden labels are one", r.object()["labels"] == 2, r)


def check_found(t):
    r = t.run("explore", "m.aut", "--stop-at", "deadlock")
    t.check("the trace follows the list, as a .seq", r.status == 0
            and r.out.endswith('at most\n"a"\n"c d"\n')
            and r.err == "bespoke: m: a deadlock after 2 steps\n", r)
    x = t.run("explore", "--json", "m.aut", "--stop-at", "deadlock").object()
    t.check("in JSON it is a list", x["found"] is True and x["trace"] == ["a", "c d"]
            and x["trace_length"] == 2 and x["stop_at"] == "deadlock", x)
    r = t.run("explore", "--json", "m.aut", "--stop-at", '"c d"', "--trace", "way.seq")
    x = r.object()
    t.check("or in a file", x["trace"] is None and x["trace_file"] == "way.seq" and x["trace_length"] == 2
            and open("way.seq").read() == '"a"\n"c d"\n', r)
    r = t.run("explore", "m.aut", "--stop-at", "b", "--trace", "way.aut")
    t.check("which may be an LTS", r.out.endswith("at most\n")
            and oracle.parse(open("way.aut").read(), {"i"}) == (0, 3, [(0, "a", 1), (1, "b", 2)]), r)
    r = t.run("explore", "--json", "m.aut", "--stop-at", "e")
    x = r.object()
    t.check("what cannot be reached is not found, status 0", r.status == 0 and x["found"] is False
            and x["trace"] is None and x["states"] == 4 and "e cannot be reached" in r.err, r)
    kit.write("q.aut", 'des (0, 2, 3)\n(0, G !"x", 1)\n(1, deadlock, 2)\n')
    r = t.run("explore", "q.aut", "--stop-at", '"deadlock"', "--trace", "q.seq")
    t.check("a trace that has no such form is a warning", r.status == 0 and not os.path.exists("q.seq")
            and "no trace written" in r.err and r.out.endswith('"deadlock"\n'), r)
    kit.write("one.aut", "des (0, 0, 1)\n")
    x = t.run("explore", "--json", "one.aut", "--stop-at", "deadlock").object()
    t.check("the initial state may be the deadlock", x["found"] and x["trace"] == []
            and x["trace_length"] == 0 and x["states"] == 1, x)


# ---- random models ------------------------------------------------------------------------

def random_model(seed):
    r = random.Random(seed)
    states = r.choice([1, 2, 5, 30, 400])
    labels = ["i", "a", "b", "SEND !1", "x y"][:r.randint(1, 5)]
    count = int(states * r.choice([0.5, 1, 1.2, 2, 4]))
    rows = [(r.randrange(states), r.choice(labels), r.randrange(states)) for _ in range(count)]
    rows += [r.choice(rows) for _ in range(count // 5)]
    initial = r.randrange(states)
    text = "des (%d, %d, %d)\n" % (initial, len(rows), states)
    text += "".join('(%d, "%s", %d)\n' % row for row in sorted(rows, key=lambda x: x[0]))
    return text, initial, sorted(rows, key=lambda x: x[0])


def check_random(t):
    for seed in range(SEEDS):
        text, initial, rows = random_model(seed)
        path = kit.write("seed-%d.aut" % seed, text)
        after = {}
        for a, label, b in rows:
            after.setdefault(a, []).append((label, b))
        number, distance, found = explorer.naive(initial, lambda s: after.get(s, ()))
        if explorer.check_model(t, "random model, seed %d: %d states" % (seed, len(number)), [path],
                                number, distance, found):
            os.unlink(path)


# ---- limits -------------------------------------------------------------------------------

def check_limits(t):
    states = 20000
    with open("chain.aut", "w") as f:
        f.write("des (0, %d, %d)\n" % (states - 1, states))
        f.writelines("(%d, i, %d)\n" % (s, s + 1) for s in range(states - 1))
    for order in "bfs", "dfs":
        for most, status in (states, 0), (states - 1, 3), (100, 3), (1, 3):
            r = t.run("explore", "--json", "chain.aut", "--order", order, "--max-states", str(most))
            x = r.object()
            t.check("%s, at most %d states of %d" % (order, most, states), r.status == status and x
                    and x["status"] == ("limit" if status else "ok")
                    and (x["states"] > most if status else x["states"] == states)
                    and (status == 0 or "chain: " in r.err and str(most) in r.err), r)
    r = t.run("explore", "--json", "chain.aut", "--stop-at", "deadlock", "--max-states", "100")
    t.check("what a limit kept from being found is not said to be absent", r.status == 3
            and r.object()["found"] is None, r)
    r = t.run("explore", "chain.aut", "--max-states", "100", "-o", "never.aut")
    t.check("people are told too, and nothing is written", r.status == 3
            and "status           limit reached\nkind" in r.out and not os.path.exists("never.aut"), r)
    r = t.run("explore", "--json", "chain.aut", "--timeout", "0.000001")
    x = r.object()
    t.check("time is a limit", r.status == 3 and "time limit of 1e-06 s" in r.err and x
            and x["status"] == "limit" and x["states"] is None, r)
    r = t.run("explore", "--json", "chain.aut", "--memory-limit", "64K")
    t.check("memory is a limit", r.status == 3 and "--memory-limit can allow more" in r.err
            and r.object()["status"] == "limit", r)


def main():
    t = kit.Test()
    kit.write("m.aut", MODEL)
    check_usage(t)
    check_answers(t)
    check_found(t)
    check_limits(t)
    check_random(t)
    t.finish()


main()
