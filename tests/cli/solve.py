#!/usr/bin/env python3
"""solve.py - bespoke solve and bespoke gen bes: verdicts, statuses, messages, limits."""
import sys
sys.dont_write_bytecode = True
import gzip
import kit

SMALL = """block nu B0 is X0 = X1 and X0_1   X1 = X0 or X1 end block
block mu B1 mode 2 is X0 = X1 or X2  X1 = false  X2 = X0  X7 = true end block
"""
SOLVERS = ["auto", "a1", "a2", "a3", "a4", "a4-bfs", "hello"]
KEYS = """verdict status algorithm dtd transport ranks threads distribution model property vertices
edges blocks cross_edges seconds memory_bytes messages counters diagnostic seed version
commit""".split()


def check_verdicts(t):
    kit.write("small.bes", SMALL)
    for name, status in ("X0", 1), ("X1", 0), ("X1_0", 0), ("X0_1", 1), ("X7_1", 0), ("X07_01", 0):
        r = t.run("solve", "small.bes", "--variable", name)
        t.check("%s is %s" % (name, status == 0), r.status == status
                and r.out == ("TRUE\n" if status == 0 else "FALSE\n") and r.err == "", r)
    r = t.run("solve", "small.bes")
    t.check("X0 of B0 is asked for by itself", r.status == 1 and r.out == "FALSE\n", r)
    with gzip.open("small.bes.gz", "wt") as f:
        f.write(SMALL)
    t.check("compressed", t.run("solve", "small.bes.gz", "--variable", "X7_1").status == 0)
    with open("small.bes") as f:
        t.check("from stdin", t.run("solve", "-", "--variable", "X7_1", stdin=f).status == 0)


def check_json(t):
    r = t.run("solve", "small.bes", "--json")
    x = r.object()
    t.check("one object with all keys", r.status == 1 and x and sorted(x) == sorted(KEYS), r)
    t.check("which say what was done", x and x["verdict"] is False and x["status"] == "ok"
            and x["algorithm"] == "auto" and x["blocks"] == 2 and x["vertices"] >= 2
            and x["edges"] >= 1 and x["model"]["name"] == "small" and x["property"] == "X0_0"
            and x["seconds"]["solve"] >= 0 and x["seconds"]["total"] > 0
            and x["memory_bytes"]["peak_total"] > 0 and x["diagnostic"] is None, r)
    x = t.run("solve", "small.bes", "--json", "--variable", "X7_1").object()
    t.check("only blocks that can matter", x and x["verdict"] is True and x["blocks"] == 1, x)


def check_errors(t):
    rows = [
        (SMALL, ["--variable", "X3_1"], "there is no variable X3 in block B1; the first one is X0_0"),
        ("block mu B3 is X5 = true end block", [], "no variable X0 in block B0; the first one is X5_3"),
        ("block mu B3 is end block", [], "there are no equations"),
        (SMALL, ["--variable", "Y3"], "--variable: 'Y3' is not a variable such as X3_1 or X3"),
        (SMALL, ["--algorithm", "a3"], "a3 does not accept blocks that may have cycles (block B0)"),
        (SMALL, ["--algorithm", "a9"], "no algorithm 'a9'"),
        ("block mu B0 is\n X0 = X1 or X2 and X3", [], "bad.bes:2:16: 'and' in an equation with 'or'"),
        ("block mu B0 is X0 = X4 end block", [], "bad.bes:1:21: X4_0 is not defined; expected"),
        ("", [], "bad.bes:1:1: the text ends here; expected 'block'"),
    ]
    for text, args, message in rows:
        kit.write("bad.bes", text)
        r = t.run("solve", "bad.bes", *args)
        t.check(message, r.status == 2 and message in r.err and r.out == "", r)
        r = t.run("solve", "bad.bes", "--json", *args)
        t.check("  and with --json too", r.status == 2 and message in r.err and r.out == "", r)
    with open("cut.bes.gz", "wb") as f:
        f.write(gzip.compress(SMALL.encode())[:-12])
    r = t.run("solve", "cut.bes.gz")
    t.check("a truncated file has a place", r.status == 2 and "cut.bes.gz:" in r.err, r)
    t.check("no file", t.run("solve", "none.bes").status == 2)
    t.check("two files are too many", t.run("solve", "small.bes", "small.bes").status == 2)


def check_explain(t):
    r = t.run("solve", "small.bes", "--explain")
    t.check("blocks, shapes, solvers and reasons", r.status == 1 and r.out == "FALSE\n"
            and "block B0: nu, 2 vertices, " in r.err and "block B1: mu, 4 vertices, " in r.err
            and "single-entry; a4-bfs: one operator" in r.err, r)
    r = t.run("solve", "small.bes", "--explain", "--algorithm", "a1")
    t.check("a solver that was asked for", "; a1: asked for" in r.err, r)


def check_gen(t):
    def make(name, *args):
        r = t.run("gen", "bes", "-o", name, *args)
        t.check("gen bes " + " ".join(args), r.status == 0 and r.out == "" and r.err == "", r)
        with open(name) as f:
            return f.read()
    a = make("a.bes", "--variables", "300", "--blocks", "7", "--seed", "5")
    t.check("the same seed, the same file", a == make("b.bes", "--variables", "300", "--blocks", "7",
                                                     "--seed", "5"))
    t.check("another seed, another file", a != make("b.bes", "--variables", "300", "--blocks", "7",
                                                    "--seed", "6"))
    t.check("as many variables and blocks as asked", a.count(" = ") == 300
            and a.count("end block") == 7)
    only = make("b.bes", "--and", "0", "--degree", "3")
    t.check("--and 0: disjunctions only", " and " not in only and " or " in only)
    only = make("b.bes", "--and", "1", "--degree", "3")
    t.check("--and 1: conjunctions only", " or " not in only and " and " in only)
    for shape, solver in ("acyclic", "a3"), ("disjunctive", "a4"), ("conjunctive", "a4"):
        make("c.bes", "--shape", shape, "--blocks", "4", "--variables", "2000", "--degree", "3")
        r, s = t.run("solve", "c.bes", "--algorithm", solver), t.run("solve", "c.bes", "--algorithm", "a1")
        t.check("%s is for %s" % (shape, solver), r.status in (0, 1) and r.status == s.status, r, s)
    bad = [["bse", "-o", "x"], ["bes"], ["bes", "more", "-o", "x"], ["bes", "-o", "x", "--shape", "round"],
           ["bes", "-o", "x", "--and", "2"], ["bes", "-o", "x", "--variables", "0"],
           ["bes", "-o", "x", "--variables", "2", "--blocks", "3"]]
    for args in bad:
        r = t.run("gen", *args)
        t.check("refused: gen " + " ".join(args), r.status == 2 and r.out == "", r)


def check_agreement(t):
    for seed in range(12):
        t.run("gen", "bes", "--variables", "400", "--blocks", str(1 + seed % 5), "--degree", "1.5",
              "--seed", str(seed), "-o", "g.bes.zst")
        results = [t.run("solve", "g.bes.zst", "--algorithm", s, "--json") for s in SOLVERS]
        accepted = [r for r in results if r.status != 2]
        t.check("seed %d: all who accept it agree" % seed, len(accepted) >= 4
                and len({r.status for r in accepted}) == 1, *results)
        results = [t.run("solve", "g.bes.zst", "--algorithm", s, "--json", "--exhaustive").object()
                   for s in ("auto", "a1", "a2", "hello")]
        t.check("seed %d: exhaustive counts do not depend on the solver" % seed,
                len({(x["vertices"], x["edges"], x["verdict"]) for x in results}) == 1, *results)


def check_limits(t):
    with open("chain.bes", "w") as f:
        f.write("block mu B0 is\n")
        f.writelines("X%d = X%d or X%d\n" % (i, i + 1, i) for i in range(300000))
        f.write("X300000 = true end block\n")
    for solver in "a1", "a2", "a4", "a4-bfs":
        r = t.run("solve", "chain.bes", "--algorithm", solver)
        t.check("a long chain under " + solver, r.status == 0 and r.out == "TRUE\n", r)
    r = t.run("solve", "chain.bes", "--json", "--memory-limit", "1M")
    x = r.object()
    t.check("memory while reading", r.status == 3 and x and x["verdict"] is None
            and x["status"] == "limit" and x["vertices"] is None, r)
    peak = t.run("solve", "chain.bes", "--json", "--algorithm", "a1").object()["memory_bytes"]["accounted"]
    r = t.run("solve", "chain.bes", "--json", "--memory-limit", str(peak))
    t.check("the peak suffices", r.status == 0, r)
    r = t.run("solve", "chain.bes", "--timeout", "0.000001")
    t.check("time", r.status == 3 and r.out == "" and "time limit" in r.err, r)
    # a system that takes hello minutes: it is stopped while it solves
    r = t.run("solve", "chain.bes", "--algorithm", "hello", "--timeout", "2", "--json")
    x = r.object()
    t.check("time while solving: the counts so far", r.status == 3 and x and x["verdict"] is None
            and x["vertices"] > 1000 and x["seconds"]["solve"] > 0.5, r)
    r = t.run("solve", "chain.bes", "--algorithm", "hello", "--timeout", "2")
    t.check("people are told too", r.status == 3 and r.out == "" and "so far 300001 vertices" in r.err, r)


def main():
    t = kit.Test()
    check_verdicts(t)
    check_json(t)
    check_errors(t)
    check_explain(t)
    check_gen(t)
    check_agreement(t)
    check_limits(t)
    t.finish()


main()
