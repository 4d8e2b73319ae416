#!/usr/bin/env python3
"""gen_full.py - all forty surrogates at full size, each column as info finds it.  A soak."""
import sys
sys.dont_write_bytecode = True
import os
import kit


def main():
    t = kit.Test()
    for row in t.run("gen", "vlts", "--json").object()["instances"]:
        made = t.run("gen", "vlts", row["name"], "--json", "--memory-limit", "16M", "-o",
                     "full.plts", timeout=600).object()
        found = t.run("info", "--json", "full.plts", timeout=600).object()
        t.check("%s: every column is the row's" % row["name"], found
                and all(found[k] == row[k] for k in ("states", "transitions", "tau_transitions",
                                                     "labels", "livelock", "deterministic"))
                and found["branching"]["min"] == row["branching"]["min"]
                and found["branching"]["max"] == row["branching"]["max"]
                and (found["deadlock_states"] > 0) == row["deadlock"], row, found)
        t.check("%s: levels and reachable states as planned" % row["name"], made and found
                and found["levels"] == made["levels"]
                and found["unreachable_states"] == made["unreachable_states"]
                and (made["unreachable_states"] > 0) == (row["name"] == "vasy_720_390"), made, found)
        t.check("%s: under 60 s, in 16 MB" % row["name"], made and made["seconds"]["total"] < 60, made)
        os.remove("full.plts")
    t.finish()


main()
