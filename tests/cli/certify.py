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


def main():
    t = kit.Test()
    check_random_systems(t)
    check_tampering(t)
    check_provenance(t)
    t.finish()


main()
