#!/usr/bin/env python3
"""output.py - stdout holds the answer and nothing else; what cannot be written is status 4."""
import sys
sys.dont_write_bytecode = True
import os
import kit

MODEL = 'des (0, 3, 3)\n(0, a, 1)\n(1, i, 2)\n(2, i, 1)\n'
BAD = 'des (0, 1, 2)\n(0, a 1)\n'
ANSWERS = [["--help"], ["--version"], ["help"], ["help", "--man"], ["info", "--help"], ["list"],
           ["list", "--json"], ["list", "--topology"], ["list", "--topology", "--json"],
           ["info", "m.aut"], ["info", "m.aut", "--json"], ["info", "m.aut", "m.aut"]]
INFO_KEYS = {"name", "file", "kind", "status", "states", "transitions", "tau_transitions", "labels",
             "initial", "branching", "deadlock_states", "deadlock_states_reachable", "livelock",
             "deterministic", "unreachable_states", "levels", "surrogate", "seconds",
             "memory_bytes"}


def check_lost_answers(t):
    for args in ANSWERS:
        with open("/dev/full", "w") as full:
            r = t.run(*args, stdout=full)
        t.check("full disk: bespoke " + " ".join(args),
                r.status == 4 and "cannot write the answer: No space left" in r.err, r)
    r = t.run("info", "m.aut", preexec_fn=lambda: os.close(1), stdout=None)
    t.check("closed stdout is status 4", r.status == 4 and "cannot write" in r.err, r)
    r = t.run("convert", "m.aut", "closed.aut", preexec_fn=lambda: (os.close(1), os.close(0)),
              stdout=None)
    t.check("a file written with stdin and stdout closed is whole",
            "closed.aut" in os.listdir() and "(1, i, 2)" in open("closed.aut").read().replace(
                '"i"', "i").replace(",", ", ").replace("  ", " "), r)


def check_info_object(t):
    r = t.run("info", "--json", "m.aut")
    x = r.object()
    t.check("info --json is one object on one line", r.status == 0 and x and r.err == "", r)
    t.check("info --json has exactly its keys", set(x) == INFO_KEYS, sorted(x))
    t.check("the parts have their keys", set(x["branching"]) == {"average", "min", "max"}
            and set(x["seconds"]) == {"load", "total"}
            and set(x["memory_bytes"]) == {"peak_per_rank", "peak_total", "resident_after_load"}, x)
    t.check("the values are right", (x["name"], x["file"], x["kind"], x["status"]) == ("m", "m.aut", "lts", "ok")
            and (x["states"], x["transitions"], x["tau_transitions"]) == (3, 3, 2)
            and x["livelock"] is True and x["surrogate"] is False
            and x["branching"] == {"average": 1.0, "min": 1, "max": 1}, x)
    t.check("times are sane", 0 < x["seconds"]["load"] <= x["seconds"]["total"] < 10, x)
    r = t.run("info", "--json", "m.aut", "m.aut")
    t.check("several models: one object per line", r.status == 0 and len(r.objects() or []) == 2, r)


def check_names(t):
    names = {"dir/x.y.aut": "x.y", "plain.aut": "plain", ".aut": ".aut", "a b.aut": "a b",
             "b\udcff.aut": "b\ufffd", "\u00e9.aut": "\u00e9", "-m.aut": "-m"}
    os.makedirs("dir", exist_ok=True)
    for path, name in names.items():
        kit.write(path, MODEL)
        r = t.run("info", "--json", "--", path)
        x = r.object()
        t.check("the name of %a is %a" % (path, name), x and x["name"] == name, r)


def check_written_to_stdout(t):
    for args in ("convert", "m.aut", "-"), ("gen", "vlts", "vasy_18_73", "-q", "-o", "-"):
        r = t.run(*args)
        t.check("stdout is AUT text: " + " ".join(args), r.status == 0 and r.err == ""
                and r.out.startswith("des (0, ") and r.out.endswith(")\n"), r)
        with open("/dev/full", "w") as full:
            r = t.run(*args, stdout=full)
        t.check("a full disk is status 4", r.status == 4 and "stdout: writing failed" in r.err, r)
        reader, writer = os.pipe()
        os.close(reader)
        r = t.run(*args, stdout=writer)
        os.close(writer)
        t.check("a reader that is gone is status 4", r.status == 4 and "Broken pipe" in r.err, r)
    with open("m.aut", "rb") as f:
        r = t.run("convert", "-", "-", stdin=f)
    t.check("a filter", r.status == 0 and r.out == MODEL, r)


def check_stdin(t):
    for args in ["-"], ["/dev/stdin"]:
        with open("m.aut", "rb") as f:
            r = t.run("info", "--json", *args, stdin=f)
        x = r.object()
        t.check("%s is stdin" % args[0], x and x["name"] == "stdin" and x["states"] == 3, r)


def check_errors(t):
    kit.write("bad.aut", BAD)
    r = t.run("info", "bad.aut")
    t.check("a located error begins with its position", r.status == 2 and r.out == ""
            and r.err.startswith("bad.aut:2:") and r.err.count("\n") == 1, r)
    r = t.run("info", "--json", "bad.aut")
    x = r.object()
    t.check("bad input has an object too", r.status == 2 and x and set(x) == INFO_KEYS
            and (x["name"], x["file"], x["status"], x["states"], x["surrogate"])
            == ("bad", "bad.aut", "error", None, None), r)
    x = t.run("info", "--json", "vlts:none").object()
    t.check("also where there is no file", x and x["file"] is None and x["status"] == "error", x)
    r = t.run("convert", "bad.aut", "never.aut")
    t.check("bad input leaves no output", r.status == 2 and not os.path.exists("never.aut"), r)
    r = t.run("info", "--json", "m.aut", "bad.aut", "missing.aut", "m.aut")
    t.check("one object per model, whatever happens", r.status == 2
            and [x["status"] for x in r.objects() or []] == ["ok", "error", "error", "ok"]
            and "bad.aut:2:" in r.err and "missing.aut" in r.err, r)
    t.check("the last line on stderr counts the failures",
            r.err.endswith("\nbespoke: 2 of 4 models could not be described\n"), r)
    r = t.run("info", "bad.aut", "missing.aut")
    t.check("no row, no heading", r.status == 2 and r.out == "" and r.err.count("\n") == 3, r)
    r = t.run("info", "m.aut", "bad.aut")
    t.check("the table has a row for each good model",
            r.status == 2 and len(r.out.splitlines()) == 2, r)
    r = t.run("info", "-q", "missing.aut")
    t.check("-q still tells errors", r.status == 2 and r.err.startswith("bespoke: "), r)


def check_list(t):
    x = t.run("list", "--json").object()
    named = {e["name"] for e in x["distributions"]} if x else set()
    t.check("list --json names the distributions", named == {"hash", "block", "locality"}, x)
    formats = {e["name"]: (e["read"], e["written"]) for e in x["formats"]}
    t.check("and the formats", formats[".aut"] == formats[".plts"] == (True, True)
            and formats[".bcg"] == (True, False) and formats[".dot"] == (False, True), x)
    x = t.run("list", "--topology", "--json").object()
    allowed = len(os.sched_getaffinity(0))
    t.check("the topology knows the allowed cores", x["topology"]["allowed"] == allowed, x)
    r = t.run("list", "--topology", "--json", "--workers", "2", "--bind", "core")
    places = r.object()["places"]
    t.check("it tells where two workers would stand: apart, on allowed cores",
            len(places) == 2 and not set(places[0]) & set(places[1])
            and set(places[0] + places[1]) <= os.sched_getaffinity(0)
            and bool(places[0]) == (allowed > 1 and x["topology"]["source"] == "hwloc"), r)
    r = t.run("list", "--topology", "--workers", str(allowed + 1), "--bind", "core")
    t.check("or that more workers than hardware threads would not be bound",
            r.status == 0 and r.out.count("not bound") == allowed + 1, r)
    r = t.run("list", "--topology", "--json", preexec_fn=lambda: os.sched_setaffinity(0, {0}))
    t.check("and follows the affinity", r.object()["topology"]["allowed"] == 1
            and r.object()["topology"]["allowed_cpus"] == "0", r)


def check_version(t):
    r = t.run("--version")
    first, rest = r.out.splitlines()[0], r.out.splitlines()[1:]
    word = first.split()
    t.check("the first line is version and commit", len(word) == 3 and word[0] == "bespoke"
            and word[1].count(".") == 2 and word[2][0] == "(" and word[2][-1] == ")", r)
    t.check("then compiler and libraries, one line each",
            rest[0].startswith("compiler: ") and len(rest) >= 6
            and all(": " in line for line in rest), r)


def main():
    t = kit.Test()
    kit.write("m.aut", MODEL)
    check_lost_answers(t)
    check_info_object(t)
    check_names(t)
    check_written_to_stdout(t)
    check_stdin(t)
    check_errors(t)
    check_list(t)
    check_version(t)
    t.finish()


main()
