#!/usr/bin/env python3
"""check_vlts.py - deadlock and livelock of the real VLTS instances, by every solver, certified."""
import sys
sys.dont_write_bytecode = True
import csv
import glob
import os
import kit

FORMULAS = {"deadlock": "< true* > [ true ] false", "livelock": "< true* > < \"i\" > @"}


def said(r, verdict):
    return r.status == (0 if verdict else 1) and r.out == ("TRUE\n" if verdict else "FALSE\n")


def is_path(name):
    with open(name) as f:
        rows = f.read().splitlines()[1:]
    return all(row.startswith("(%d, " % i) and row.endswith(", %d)" % (i + 1))
               for i, row in enumerate(rows))


def check_question(t, command, name, path, verdict):
    solved = []
    for solver in t.solvers():
        if solver == "hello" and name == "vasy_25_25":
            continue    # one long path, and a round over all of it for every step
        args = [command, "--algorithm", solver, path]
        r = t.run(*args, "--certify", "--json")
        if r.status == 2 and "does not accept" in r.err:
            continue
        x = r.object()
        solved.append(solver)
        t.check("%s of %s by %s is %s, certified" % (command, name, solver, verdict),
                x and x["verdict"] is verdict and x["diagnostic"]["certified"] is True
                and r.status == (0 if verdict else 1), r)
        t.check("  and the same without a reason", said(t.run(*args), verdict))
    t.check("%s of %s: solved by %s" % (command, name, " ".join(solved)), len(solved) >= 4)


def check_reason(t, command, name, path, verdict):
    r = t.run(command, path, "--diagnostic", "why.cert")
    c = t.run("certify", "why.cert")
    t.check("%s of %s: the certificate is accepted" % (command, name),
            said(r, verdict) and said(c, verdict), r, c)
    r = t.run(command, path, "--diagnostic", "why.aut")
    again = t.run("check", "-f", FORMULAS[command], "why.aut")
    t.check("  and on the diagnostic it is the same", said(r, verdict) and said(again, verdict), r, again)
    if command == "deadlock" and verdict:
        t.run(command, path, "--diagnostic", "why.seq")
        t.check("  which is a path", is_path("why.aut") and os.path.exists("why.seq"))
        shorter = t.run(command, path, "--algorithm", "a1", "--shortest", "--diagnostic", "short.seq")
        t.check("  as short as a1's shortest", said(shorter, verdict)
                and len(open("short.seq").readlines()) == len(open("why.seq").readlines()), shorter)


def main():
    t = kit.Test()
    manifest = os.path.join(kit.VLTS, "manifest.csv")
    if not os.path.exists(manifest):
        kit.skip("no ../shared/vlts beside the project: the real VLTS instances are not checked")
    with open(manifest, newline="") as f:
        rows = {row["name"]: row for row in csv.DictReader(f)}
    files = sorted(glob.glob(os.path.join(kit.VLTS, "*.aut.gz")))
    t.check("there are instances to check", len(files) >= 6, files)
    for path in files:
        name = os.path.basename(path)[:-len(".aut.gz")]
        for command in FORMULAS:
            verdict = rows[name][command] == "yes"
            check_question(t, command, name, path, verdict)
            check_reason(t, command, name, path, verdict)
    # none of the six has a livelock: with the labels of a cycle hidden there is one
    path = os.path.join(kit.VLTS, "vasy_0_1.aut.gz")
    labels = sorted({line.split(",", 1)[1].rsplit(",", 1)[0].strip().strip('"')
                     for line in t.run("convert", path, "-").out.splitlines()[1:]})
    every = [x for label in labels for x in ("--hidden", label)]
    r = t.run("livelock", path, "--diagnostic", "why.cert", *every)
    c = t.run("certify", "why.cert")
    t.check("vasy_0_1 with all labels hidden has a livelock", said(r, True) and said(c, True), r, c)
    t.finish()


main()
