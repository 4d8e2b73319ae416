#!/usr/bin/env python3
"""certify.py - proofs written by bespoke solve and checked by bespoke certify."""
import sys
sys.dont_write_bytecode = True
import kit

SHAPES = ["general", "acyclic", "disjunctive", "conjunctive"]
SOLVERS = ["auto", "a1", "a2", "a3", "a4", "hello"]


def check_random_systems(t):
    proofs = 0
    for seed in range(1, 25):
        shape = SHAPES[seed % 4]
        t.run("gen", "bes", "--variables", "300", "--blocks", "3", "--shape", shape,
              "--seed", str(seed), "-o", "r.bes")
        verdicts = set()
        for solver in SOLVERS:
            r = t.run("solve", "r.bes", "--algorithm", solver, "--diagnostic", "r.cert.gz",
                      "--certify", "--json")
            if r.status == 2 and "does not accept" in r.err:
                continue
            x = r.object()
            c = t.run("certify", "r.cert.gz")
            verdicts.add(x and x["verdict"])
            proofs += 1
            t.check("seed %d, %s: certified twice, and the verdicts agree" % (seed, solver),
                    x and x["diagnostic"]["certified"] is True and x["diagnostic"]["vertices"] > 0
                    and c.status == r.status and c.out == ("TRUE\n" if x["verdict"] else "FALSE\n"),
                    r, c)
        plain = t.run("solve", "r.bes")
        t.check("seed %d: asking for a reason changes nothing" % seed,
                verdicts == {plain.out == "TRUE\n"}, plain)
    t.check("most solvers had their share", proofs > 24 * 4)


def check_tampering(t):
    kit.write("s.bes", "block mu B0 is X0 = X1 or X2  X1 = X0  X2 = X3 and X3  X3 = true end block\n")
    r = t.run("solve", "s.bes", "--diagnostic", "s.cert")
    text = open("s.cert").read()
    t.check("a proof on disk", r.out == "TRUE\n" and "\nverdict TRUE\n" in text, r)
    lines = text.splitlines(True)
    for i in range(len(lines)):
        kit.write("t.cert", "".join(lines[:i] + lines[i + 1:]))
        t.check("line %d left out is noticed" % (i + 1), t.run("certify", "t.cert").status == 2)
        kit.write("t.cert", "".join(lines[:i]))
        t.check("cut before line %d is noticed" % (i + 1), t.run("certify", "t.cert").status == 2)
    for old, new in ("TRUE", "FALSE"), ("certificate 1", "certificate 2"), ("problem bes", "problem x"):
        kit.write("t.cert", text.replace(old, new))
        r = t.run("certify", "t.cert")
        t.check("%s for %s is noticed" % (new, old), r.status == 2 and "t.cert" in r.err and r.out == "", r)


def check_provenance(t):
    r = t.run("certify", "s.cert", "--json")
    x = r.object()
    t.check("JSON", x and x["verdict"] is True and x["diagnostic"]["certified"] is True, r)
    kit.write("moved.bes", open("s.bes").read())
    kit.write("s.bes", open("s.bes").read() + " ")
    r = t.run("certify", "s.cert")
    t.check("a changed model is refused", r.status == 2 and "has changed" in r.err, r)
    r = t.run("certify", "s.cert", "--model", "moved.bes")
    t.check("a moved one is found with --model", r.status == 0 and r.out == "TRUE\n", r)
    with open("moved.bes") as f:
        r = t.run("solve", "-", "--diagnostic", "x.cert", stdin=f)
    t.check("a certificate about stdin is refused", r.status == 2 and "needs a file" in r.err, r)


PAPER = """block mu B0 is X0 = X1 or X2  X1 = X3 and X5  X2 = X6 and X7  X3 = X4 or X5  X4 = X5
X5 = true  X6 = true  X7 = true end block
"""


def check_shortest(t):
    kit.write("p.bes", PAPER)
    for solver, depth in ("a1", 4), ("a2", 3):
        args = ["solve", "p.bes", "--algorithm", solver, "--certify", "--json"]
        x = t.run(*args).object()["diagnostic"]
        t.check("%s by itself" % solver, x["height"] is None and x["certified"]
                and x["vertices"] == depth + 1, x)
        r = t.run(*args, "--shortest", "--diagnostic", "p.cert")
        x = r.object()["diagnostic"]
        t.check("%s: a tree of height 2" % solver, x == {"vertices": 4, "depth": 2, "height": 2,
                                                        "certified": True} and r.err == "", r)
        r = t.run("certify", "p.cert")
        t.check("%s: its certificate holds" % solver, r.status == 0 and r.out == "TRUE\n", r)
    kit.write("n.bes", "block nu B0 is X0 = X1  X1 = X0 end block\n")
    r = t.run("solve", "n.bes", "--certify", "--json", "--shortest")
    x = r.object()
    t.check("no tree: said so, and still certified", r.status == 0 and "is no tree" in r.err
            and x["diagnostic"]["height"] is None and x["diagnostic"]["certified"], r)
    r = t.run("solve", "p.bes", "--shortest")
    t.check("nothing to shorten", r.status == 2 and "--shortest is for --diagnostic" in r.err, r)


def check_shortest_at_random(t):
    lower = trees = 0
    for seed in range(1, 25):
        t.run("gen", "bes", "--variables", "2000", "--degree", "3", "--and", "0.7", "--seed", str(seed),
              "-o", "r.bes")
        found = {}
        for solver in "a1", "a2", "hello":
            plain = t.run("solve", "r.bes", "--algorithm", solver, "--certify", "--json")
            r = t.run("solve", "r.bes", "--algorithm", solver, "--shortest", "--certify",
                      "--diagnostic", "r.cert", "--json")
            c = t.run("certify", "r.cert")
            x, before = r.object(), plain.object()
            t.check("seed %d, %s: certified twice" % (seed, solver), r.status == plain.status == c.status
                    and x["verdict"] == before["verdict"] and x["diagnostic"]["certified"], plain, r, c)
            found[solver] = x["diagnostic"]["height"]
            t.check("seed %d, %s: a tree, or said not to be one" % (seed, solver),
                    ("is no tree" in r.err) == (found[solver] is None), r)
            if found[solver] is not None:
                trees += 1
                t.check("  and no vertex is deeper than the tree is high",
                        x["diagnostic"]["depth"] <= found[solver], r)
                lower += x["diagnostic"]["depth"] < before["diagnostic"]["depth"]
        t.check("seed %d: one block, so the same height from all" % seed, len(set(found.values())) == 1,
                found)
    t.check("some were trees, and some became lower", trees > 5 and lower > 0, trees, lower)


def main():
    t = kit.Test()
    check_random_systems(t)
    check_tampering(t)
    check_provenance(t)
    check_shortest(t)
    check_shortest_at_random(t)
    t.finish()


main()
