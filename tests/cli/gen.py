#!/usr/bin/env python3
"""gen.py - surrogates by command line: what is said, where it goes, what info then finds."""
import sys
sys.dont_write_bytecode = True
import csv
import os
import kit
import oracle

COUNTS = ("states", "transitions", "tau_transitions", "labels")


def agree(made, found):
    """Does `info` find what `gen --json` promised?"""
    return (all(made[k] == found[k] for k in COUNTS)
            and made["branching"]["min"] == found["branching"]["min"]
            and made["branching"]["max"] == found["branching"]["max"]
            and made["deadlock"] == (found["deadlock_states"] > 0)
            and made["livelock"] == found["livelock"]
            and made["deterministic"] == found["deterministic"]
            and made["unreachable_states"] == found["unreachable_states"]
            and made["levels"] == found["levels"] and found["surrogate"] is True)


def check_every_row(t, env):
    x = t.run("gen", "vlts", "--json").object()
    t.check("forty instances are listed", x and len(x["instances"]) == 40, x)
    table = os.path.join(kit.VLTS, "manifest.csv")
    if os.path.exists(table):
        with open(table, newline="") as f:
            for row, mine in zip(csv.DictReader(f), x["instances"]):
                flat = dict(mine, branching_min=mine["branching"]["min"],
                            branching_max=mine["branching"]["max"])
                flat = {k: {True: "yes", False: "no"}.get(v, str(v)) if isinstance(v, bool)
                        else str(v) for k, v in flat.items()}
                t.check("%s is as published" % row["name"],
                        all(flat[k] == v for k, v in row.items()), row, mine)
    else:
        print("skipped: no ../shared/vlts/manifest.csv to compare the table with")
    for row in x["instances"]:
        scale = min(1.0, 3e4 / row["transitions"])
        r = t.run("gen", "vlts", row["name"], "--json", "--scale", "%.9f" % scale, env=env)
        made = r.object()
        found = t.run("info", "--json", made["file"]).object() if made else None
        t.check("%s at scale %.4g: info finds what gen says" % (row["name"], scale),
                made and found and agree(made, found), r, found)


def check_small_by_oracle(t):
    for name in ("vasy_0_1", "cwi_1_2", "vasy_5_9", "vasy_8_38"):
        r = t.run("gen", "vlts", name, "--scale", "0.3", "-o", "o.aut")
        with open("o.aut") as f:
            want = oracle.facts(*oracle.parse(f.read(), {"i"}))
        found = t.run("info", "--json", "o.aut").object()
        t.check("%s: the oracle agrees with info" % name,
                r.status == 0 and oracle.difference(want, found) is None, want, found)


def check_words(t, env):
    r = t.run("gen")
    t.check("alone it lists the families", r.status == 0 and "vlts NAME" in r.out, r)
    r = t.run("gen", "vlts", "vasy_5_9", env=env)
    path = r.out.strip()
    t.check("without -o the path in the cache is the answer",
            r.status == 0 and os.path.exists(path) and path.startswith(env["XDG_CACHE_HOME"]), r)
    t.check("stderr says surrogate, levels and the first deadlock",
            "a surrogate, not the real instance" in r.err and "53 levels" in r.err
            and "first deadlock at level 35" in r.err, r)
    again = t.run("gen", "vlts", "vasy_5_9", env=env)
    t.check("a second time it comes from the cache",
            again.out == r.out and "instance; from the cache\n" in again.err, again)
    with open(path, "r+b") as f:
        f.seek(5000)
        byte = f.read(1)
        f.seek(5000)
        f.write(bytes([byte[0] ^ 1]))
    again = t.run("gen", "vlts", "vasy_5_9", env=env)
    t.check("a damaged one is generated again",
            again.status == 0 and "generated again" in again.err
            and t.run("info", path).status == 0, again)
    r = t.run("gen", "-q", "vlts", "vasy_5_9", "--cache", "own", env=env)
    t.check("--cache and -q", r.status == 0 and r.err == "" and len(os.listdir("own")) == 1, r)


def check_wishes(t):
    r = t.run("gen", "vlts", "vasy_8_38", "--levels", "20", "--deadlock-depth", "3", "--json",
              "-o", "w.plts")
    x = r.object()
    found = t.run("info", "--json", "w.plts").object()
    t.check("levels and depth as wished", x and x["levels"] == 20 and x["deadlock_depth"] == 3
            and found["levels"] == 20, r, found)
    same = []
    for out, more in (("a.aut", ()), ("b.aut", ()), ("c.aut", ("--seed", "2"))):
        t.run("gen", "vlts", "cwi_1_2", "-o", out, *more)
        with open(out, "rb") as f:
            same.append(f.read())
    t.check("the same seed gives the same bytes", same[0] == same[1] and same[0])
    t.check("another seed gives others", same[0] != same[2])


def check_comparison(t):
    t.run("gen", "vlts", "vasy_0_1", "-o", "s.aut")
    kit.write("tiny.aut", "des (0, 1, 1)\n(0, a, 0)\n")
    for path, columns in (("s.aut", ["surrogate"]),
                          ("tiny.aut", ["states", "transitions", "labels", "branching_min",
                                        "branching_max", "deterministic"])):
        r = t.run("gen", "vlts", "vasy_0_1", "--check", path)
        t.check("%s is not the instance: status 1" % path, r.status == 1
                and r.out == "vasy_0_1\tdiffers\t%s\n" % " ".join(columns)
                and "not the published vasy_0_1" in r.err and "_max" not in r.err, r)
        r = t.run("gen", "vlts", "vasy_0_1", "--check", path, "--json")
        t.check("the same as an object", r.status == 1 and r.object() == {
            "name": "vasy_0_1", "file": path, "status": "ok", "equal": False,
            "differs": columns}, r)
    r = t.run("gen", "vlts", "vasy_0_1", "--check", "missing.aut", "--json")
    t.check("a file that cannot be read is no verdict", r.status == 2 and r.out == "", r)
    real = os.path.join(kit.VLTS, "vasy_0_1.aut.gz")
    if os.path.exists(real):
        r = t.run("gen", "vlts", "vasy_0_1", "--check", real, "--json")
        t.check("the real one is equal", r.status == 0 and r.object()["equal"] is True
                and r.object()["differs"] == [], r)


def check_refusals(t):
    for args, word in (
            (("vasy_0_2",), "did you mean vasy_0_1"), (("x",), "no VLTS instance"),
            (("vasy_0_1", "--levels", "2"), "expected at least 4"),
            (("vasy_0_1", "--levels", "5000"), "expected at most"),
            (("vasy_0_1", "--deadlock-depth", "2"), "has no deadlock"),
            (("vasy_5_9", "--deadlock-depth", "0"), "expected 1 to 52"),
            (("vasy_0_1", "--scale", "0"), "--scale"), (("vasy_0_1", "--scale", "-1"), "--scale"),
            (("vasy_0_1", "-o", "x.txt"), ".plts"),
            (("vasy_0_1", "-o", "x.aut", "--cache", "d"), "--cache"),
            (("vasy_0_1", "-o", "none/x.aut"), "none/x.aut"),
            (("cwi_33949_165318", "--scale", "500", "-o", "x.plts"), "2^32 - 2")):
        r = t.run("gen", "vlts", *args)
        t.check("refused: gen vlts %s" % " ".join(args),
                r.status == 2 and word in r.err and r.out == "", r)
    t.check("nothing was left behind", not os.path.exists("x.aut") and not os.path.exists("x.plts"))
    r = t.run("gen", "vlts", "cwi_7838_59101", "--timeout", "0.05", "-o", "late.plts")
    t.check("a time limit ends it with status 3 and no file",
            r.status == 3 and not os.path.exists("late.plts")
            and "reached while generating cwi_7838_59101\n" in r.err, r)
    r = t.run("gen", "vlts", "cwi_7838_59101", "--timeout", "0.05", "-o", "late.plts", "--json")
    made = t.run("gen", "vlts", "vasy_0_1", "-o", "made.plts", "--json").object()
    x = r.object()
    t.check("with --json there is an object all the same", r.status == 3 and x
            and set(x) == set(made) and (x["status"], made["status"]) == ("limit", "ok")
            and x["file"] is None and x["states"] is None, r)
    r = t.run("gen", "vlts", "vasy_25_25", "--memory-limit", "100K", "-o", "full.plts")
    t.check("a memory limit too", r.status == 3 and not os.path.exists("full.plts"), r)


def main():
    t = kit.Test()
    here = os.getcwd()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("BESPOKE_", "XDG_"))}
    env.update(XDG_CACHE_HOME=here + "/cache", HOME=here)
    check_words(t, env)
    check_wishes(t)
    check_comparison(t)
    check_refusals(t)
    check_small_by_oracle(t)
    check_every_row(t, env)
    t.finish()


main()
