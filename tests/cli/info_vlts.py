#!/usr/bin/env python3
"""info_vlts.py - six real instances of the VLTS suite against its manifest, column by column."""
import sys
sys.dont_write_bytecode = True
import csv
import glob
import os
import kit
import oracle

NUMBERS = {"states": lambda x: x["states"], "transitions": lambda x: x["transitions"],
           "tau_transitions": lambda x: x["tau_transitions"], "labels": lambda x: x["labels"],
           "branching_min": lambda x: x["branching"]["min"],
           "branching_max": lambda x: x["branching"]["max"]}
ANSWERS = {"deadlock": lambda x: x["deadlock_states"] > 0, "livelock": lambda x: x["livelock"],
           "deterministic": lambda x: x["deterministic"]}


def check_instance(t, row, path):
    import gzip
    plts, aut = row["name"] + ".plts", row["name"] + ".aut"
    t.run("convert", path, plts)
    t.run("convert", plts, aut)
    r = t.run("info", "--json", path, plts, aut)
    found = r.objects() or []
    t.check("%s: described from .aut.gz, .plts and .aut" % row["name"],
            r.status == 0 and len(found) == 3, r)
    with gzip.open(path, "rt") as f:
        want = oracle.facts(*oracle.parse(f.read(), {"i"}))
    for x in found:
        for column, get in NUMBERS.items():
            t.check("%s: %s is %s" % (x["file"], column, row[column]),
                    get(x) == int(row[column]), x)
        for column, get in ANSWERS.items():
            t.check("%s: %s is %s" % (x["file"], column, row[column]),
                    get(x) is (row[column] == "yes"), x)
        t.check("%s: all states reachable, no surrogate" % x["file"],
                x["unreachable_states"] == 0 and x["surrogate"] is False, x)
        t.check("%s: and all else as the oracle says" % x["file"],
                oracle.difference(want, x) is None, oracle.difference(want, x))


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
        check_instance(t, rows[os.path.basename(path)[:-len(".aut.gz")]], path)
    t.finish()


main()
