#!/usr/bin/env python3
"""explore_networks.py - random networks explored by bespoke and by a naive composer.

A failing network stays in the folder of the test as seed-N.exp with its components.
"""
import sys
sys.dont_write_bytecode = True
import os
import random
import compose
import explorer
import kit

SEEDS = 40
LABELS = ["A", "B", "C !1", "C !2", "i"]


def component(r, path):
    states = r.choice([1, 3, 4, 5])
    rows = sorted({(r.randrange(states), r.choice(LABELS), r.randrange(states))
                   for _ in range(r.randint(states, 3 * states))})
    text = "des (%d, %d, %d)\n" % (r.randrange(states), len(rows), states)
    kit.write(path, text + "".join('(%d, "%s", %d)\n' % row for row in rows))
    return '"%s"' % path


def gates(r):
    return ", ".join(r.sample(["A", "B", "C"], r.choice([1, 1, 1, 2])))


def expression(r, files):
    """A random expression over all of the files."""
    if len(files) == 1:
        text = component(r, files[0])
    elif r.random() < 0.3:
        parts = [expression(r, [f]) for f in files]
        text = "par %sin %s end par" % (gates(r) + " ", " || ".join(parts))
    else:
        cut = r.randint(1, len(files) - 1)
        join = r.choice(["|||", "|[%s]|" % gates(r)])
        text = "(%s %s %s)" % (expression(r, files[:cut]), join,
                               expression(r, files[cut:]))
    return "gate hide %s in %s end hide" % (gates(r), text) if r.random() < 0.2 else text


def main():
    t = kit.Test()
    for seed in range(SEEDS):
        r = random.Random(seed)
        files = ["seed-%d-%d.aut" % (seed, k) for k in range(r.choice([1, 2, 3, 3, 4]))]
        path = kit.write("seed-%d.exp" % seed, expression(r, files) + "\n")
        net = compose.Reader(path).expression()
        number, distance, found = explorer.naive(net.initial, net.moves)
        if explorer.check_model(t, "random network, seed %d: %d states" % (seed, len(number)), [path],
                                number, distance, found, exact=False):
            for f in files + [path]:
                os.unlink(f)
    component(random.Random(1), "a.aut")
    kit.write("net.exp", '"a.aut" ||| "a.aut"\n')
    before = open("a.aut").read()
    for args in ["explore", "net.exp", "-o", "a.aut"], ["convert", "net.exp", "a.aut"], \
            ["explore", "net.exp", "--stop-at", "deadlock", "--trace", "a.aut"]:
        r = t.run(*args)
        t.check("a component is not written over: " + " ".join(args), r.status == 2
                and "a.aut is read" in r.err and open("a.aut").read() == before, r)
    r = t.run("info", "net.exp")
    t.check("info says what it is", r.status == 0 and "\nkind             network\n" in r.out, r)
    x, y = t.run("info", "net.exp", "--json").object(), t.run("explore", "net.exp", "--json").object()
    t.check("and so for programs, as explore does", x and y and x["kind"] == y["kind"] == "network", x, y)
    kit.write("once.aut", 'des (0, 1, 2)\n(0, "A !1", 1)\n')
    kit.write("never.exp", 'par using A * A -> B, C * _ -> D in cut A in "once.aut" end cut || "once.aut" end par\n')
    for label in '"A !1"', "D":
        r = t.run("explore", "--json", "never.exp", "--stop-at", label)
        x = r.object() or {}
        t.check("what operators block cannot be reached: " + label, r.status == 0 and x.get("found") is False
                and x["labels"] == 0 and x["states"] == 1 and "cannot be reached" in r.err, r)
    r = t.run("explore", "never.exp", "--stop-at", "A !2")
    t.check("what nobody says is a mistake", r.status == 2 and "did you mean A !1?" in r.err, r)
    r = t.run("check", "--json", "-f", '< "A !1" > true', "never.exp")
    t.check("check warns of what is blocked, and does not count it", "A !1" in r.err
            and r.object()["model"]["labels"] == 0, r)
    r = t.run("explore", "net.exp", "--model-arg", "1")
    t.check("a network takes no arguments", r.status == 2 and "takes no arguments" in r.err, r)
    t.finish()


if __name__ == "__main__":
    main()
