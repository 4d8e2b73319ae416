#!/usr/bin/env python3
"""dtd_model.py - the termination detectors as a model, checked by bespoke itself.

The plug-in dtd_model.c holds the very sources of dtd/; states are tiny worlds with the detectors'
blocks.  For each detector and script: nothing is announced early, and the end always comes.  The same
questions about detectors with a mistake have the answer FALSE.
"""
import sys
sys.dont_write_bytecode = True
import os
import re
import subprocess
import kit

CC = os.environ.get("CC", "cc")
STRICT = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"]
SOURCES = ["tests/dtd_model.c", "tests/dtd_tiny.c", "tests/dtd_tiny_scripts.c", "dtd/dtd.c",
           "dtd/dtd_registry.c", "dtd/dtd_tree.c", "dtd/dtd_four_counter.c", "dtd/dtd_ring.c",
           "dtd/dtd_wave.c", "core/err.c"]

SAFE = '[ true* . ("EARLY" or "LATE" or "OVERFLOW") ] false'
LIVE = [
    ("while nothing is announced, it can be", '[ (not "ANNOUNCE")* ] < true* . "ANNOUNCE" > true'),
    ("all can be served, always", '[ true* ] < true* . "DONE" > true'),
    ("all are served, whatever happens", 'mu X . (< true > true and [ not "DONE" ] X)'),
]


def build(out, folder=None):
    """The plug-in; a source that is also in `folder` is taken from there."""
    sources = [os.path.join(folder if folder and os.path.exists(os.path.join(folder, s))
                            else kit.ROOT, s) for s in SOURCES]
    include = ["-I" + x for x in ([folder] if folder else []) + [kit.ROOT, kit.ROOT + "/include"]]
    command = [CC, "-std=c17", "-D_GNU_SOURCE", "-shared", "-fPIC", "-O2", "-fvisibility=hidden",
               *([] if folder else STRICT), *include, "-o", out, *sources]
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if p.returncode != 0:
        print(" ".join(command), p.stdout.decode(), sep="\n")
    return p.returncode == 0


def build_other(t, out, source, old, new):
    """The same with one piece of text replaced in one source."""
    folder = os.path.abspath(out + ".d")
    os.makedirs(os.path.join(folder, "dtd"), exist_ok=True)
    with open(os.path.join(kit.ROOT, source)) as f:
        text = f.read()
    t.check("%s: the text is there" % out, text.count(old) == 1)
    kit.write(os.path.join(folder, source), text.replace(old, new))
    return t.check("%s builds" % out, build(out, folder))


def scripts():
    with open(os.path.join(kit.ROOT, "tests", "dtd_tiny_scripts.c")) as f:
        return re.findall(r'\.name = "(.*?)",.*?\.workers = (\d)', f.read(), re.S)


def ask(t, plugin, detector, script, formula):
    return t.run("check", plugin, "--model-arg", detector, "--model-arg", script, "-f", formula)


def size(t, plugin, detector, script):
    x = t.run("explore", "--json", plugin, "--model-arg", detector, "--model-arg", script).object()
    return x["states"], x["transitions"]


def check_right(t, plugin, detector, what):
    for script, workers in scripts():
        title = "%s, %s workers, '%s'" % (what, workers, script)
        r = ask(t, plugin, detector, script, SAFE)
        t.check("%s (%d states, %d moves): never early" % ((title,) + size(t, plugin, detector, script)),
                r.status == 0 and r.out == "TRUE\n", r)
        for claim, formula in LIVE:
            r = ask(t, plugin, detector, script, formula)
            t.check("%s: %s" % (title, claim), r.status == 0 and r.out == "TRUE\n", r)


def check_wrong(t, plugin, detector, script, formula):
    r = ask(t, plugin, detector, script, formula)
    t.check("%s, %s, '%s': FALSE" % (plugin, detector, script), r.status == 1 and r.out == "FALSE\n", r)


t = kit.Test()
if t.check("the plug-in builds", build("dtd_model.so")):
    for name in "four-counter", "ring", "wave":
        check_right(t, "dtd_model.so", name, name)
    r = t.run("explore", "dtd_model.so", "--model-arg", "ring")
    t.check("arguments are checked", r.status == 2 and "expected a detector and a script" in r.err, r)
if build_other(t, "chain.so", "dtd/dtd_wave.c", "ARITY = 2", "ARITY = 1"):
    check_right(t, "chain.so", "wave", "wave on a chain")
if build_other(t, "uncompared.so", "dtd/dtd_confirm.h", "all_yes && sent == first_received", "all_yes"):
    check_wrong(t, "uncompared.so", "four-counter", "round three", SAFE)
    check_wrong(t, "uncompared.so", "ring", "woken while needed", SAFE)
if build_other(t, "unowed.so", "dtd/dtd_tree.c", "v->t->owes = !yes;", "v->t->owes = 0;"):
    check_wrong(t, "unowed.so", "wave", "nothing to do", LIVE[1][1])
if build_other(t, "restless.so", "dtd/dtd_tree.c", " || sum.sent != sum.received", ""):
    check_wrong(t, "restless.so", "four-counter", "there and back", LIVE[2][1])
t.finish()
