#!/usr/bin/env python3
"""vlts.py - vlts:NAME is the real file where one was imported, otherwise a cached surrogate."""
import sys
sys.dont_write_bytecode = True
import os
import kit

REAL = 'des (0, 1, 2)\n(0, a, 1)\n'
FACTS = {"vasy_0_1": (289, 1224, 0, 2, 4, 8, False, False, False),
         "cwi_1_2": (1952, 2387, 2215, 26, 1, 16, False, False, False),
         "vasy_5_9": (5486, 9676, 2094, 31, 0, 6, True, False, False),
         "vasy_8_38": (8921, 38424, 2916, 81, 0, 10, True, False, True),
         "vasy_52_318": (52268, 318126, 130752, 17, 1, 17, False, True, False)}


def columns(x):
    return (x["states"], x["transitions"], x["tau_transitions"], x["labels"], x["branching"]["min"],
            x["branching"]["max"], x["deadlock_states"] > 0, x["livelock"], x["deterministic"])


def main():
    t = kit.Test()
    here = os.getcwd()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("BESPOKE_", "XDG_"))}
    env.update(XDG_CACHE_HOME=here + "/cache", XDG_DATA_HOME=here + "/data", HOME=here)
    for name, want in FACTS.items():
        r = t.run("info", "--json", "vlts:" + name, env=env)
        x = r.object()
        t.check("vlts:%s has the columns of the manifest" % name, x and columns(x) == want, r)
        t.check("vlts:%s says that it is a surrogate" % name,
                x and x["surrogate"] is True and x["name"] == name
                and name + ": a surrogate, not the real instance; generated in" in r.err, r)
    files = {f: os.stat("cache/bespoke/" + f).st_mtime_ns for f in os.listdir("cache/bespoke")}
    r = t.run("info", *("vlts:" + name for name in FACTS), env=env)
    again = {f: os.stat("cache/bespoke/" + f).st_mtime_ns for f in os.listdir("cache/bespoke")}
    t.check("the second time they come from the cache", r.status == 0 and len(files) == len(FACTS)
            and files == again and r.err.count("instance; from the cache\n") == len(FACTS) and r.out.count("surrogate") == len(FACTS), r, files, again)
    r = t.run("convert", "vlts:vasy_0_1", "copy.aut.gz", env=env)
    x = t.run("info", "--json", "copy.aut.gz").object()
    t.check("convert takes it too, and the copy is still a surrogate",
            r.status == 0 and x and x["surrogate"] is True and x["states"] == 289, r)
    os.makedirs("data/bespoke/vlts")
    os.symlink(kit.write(here + "/somewhere.aut", REAL), "data/bespoke/vlts/vasy_0_1.aut")
    r = t.run("info", "--json", "vlts:vasy_0_1", env=env)
    x = r.object()
    t.check("an imported file goes first", r.err == "" and x and x["states"] == 2 and x["surrogate"] is False
            and x["name"] == "vasy_0_1", x)
    os.remove("somewhere.aut")
    r = t.run("info", "vlts:vasy_0_1", env=env)
    t.check("an imported file that is gone is told, not replaced", r.status == 2 and r.out == "", r)
    r = t.run("info", "vlts:vasy_1_1", env=env)
    t.check("an unknown name gets a suggestion", r.status == 2 and "did you mean vasy_" in r.err, r)
    x = t.run("list", "--json").object()
    t.check("list names all forty, and the families", x and len(x["vlts"]) == 40
            and [f["name"] for f in x["families"]] ==
            ["vlts", "bes", "philosophers", "abp", "brp", "election", "cycles", "peterson", "fifo"], x)
    t.finish()


main()
