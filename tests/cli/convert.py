#!/usr/bin/env python3
"""convert.py - what a conversion keeps, what it changes, and that files appear whole."""
import sys
sys.dont_write_bytecode = True
import gzip
import lzma
import os
import kit
import oracle

MODEL = 'des (2, 6, 4)\n(0, tau, 1)\n(3, "G !"x", 1", 2)\n(1, i, 0)\n(2, a, 0)\n(2, a, 0)\n(2, b, 3)\n'
FORMS = ["o.aut", "o.aut.gz", "o.aut.zst", "o.aut.bz2", "o.plts"]


def transitions(t, path):
    """(initial, states, transitions) of any model, read back through plain AUT."""
    r = t.run("convert", path, "back.aut")
    if r.status != 0:
        return None, None, []
    with open("back.aut") as f:
        return oracle.parse(f.read(), {"i"})


def check_round_trips(t):
    want = oracle.parse(MODEL, {"i"})
    want = (want[0], want[1], sorted(want[2], key=lambda x: x[0]))  # order within a state kept
    for first in FORMS:
        for second in FORMS:
            a = t.run("convert", "-q", "m.aut", first)
            b = t.run("convert", "-q", first, "again-" + second)
            t.check("m.aut to %s to %s" % (first, second), a.status == b.status == 0
                    and (a.out, a.err, b.out, b.err) == ("", "", "", "")
                    and transitions(t, "again-" + second) == want, a, b)


def check_renumber(t):
    r = t.run("convert", "--renumber", "m.aut", "r.plts")
    swap = {0: 2, 2: 0}
    _, states, found = oracle.parse(MODEL, {"i"})
    want = sorted(((swap.get(a, a), x, swap.get(b, b)) for a, x, b in found))
    initial, count, have = transitions(t, "r.plts")
    t.check("--renumber exchanges the initial state and 0",
            r.status == 0 and (initial, count, sorted(have)) == (0, states, want), r, have)


def check_hidden(t):
    r = t.run("convert", "--hidden", "tau", "--hidden", "a", "m.aut", "h.aut")
    labels = {x for _, x, _ in transitions(t, "h.aut")[2]}
    t.check("--hidden names become i", r.status == 0 and labels == {"i", 'G !"x", 1', "b"}, r)
    r = t.run("convert", "m.aut", "m.plts")
    x = t.run("info", "--json", "--hidden", "tau", "m.plts").object()
    t.check("--hidden works on a .plts too", x and x["tau_transitions"] == 2 and x["labels"] == 4, x)


HINT = 'label "tau" occurs and is not hidden; --hidden tau makes it so'
NONE = "--hidden %s: no label is called so"
# A label of the model, options, texts on stderr.
WARNINGS = [("tau", [], [HINT]), ("tau", ["-q"], []), ("tau", ["--hidden", "tau"], []),
            ("TAU", [], []), ("i", [], []), ("a", ["--hidden", "tau"], [NONE % "tau"]),
            ("tau", ["--hidden", "tua"], [HINT, NONE % "tua"]), ("i", ["--hidden", "i"], []),
            ("i", ["--hidden", "tau"], [NONE % "tau"]),
            ("b", ["--hidden", "a", "--hidden", "b", "--hidden", "c"], [NONE % "a", NONE % "c"])]


def check_warnings(t):
    for label, options, texts in WARNINGS:
        kit.write("w.aut", "des (0, 1, 2)\n(0, %s, 1)\n" % label)
        t.run("convert", "-q", "w.aut", "w.plts")
        for args in ["info", "w.aut"], ["info", "w.plts"], ["convert", "w.aut", "w2.aut"]:
            r = t.run(*args, *options)
            t.check("label %s: %s" % (label, " ".join(args + options)), r.status == 0
                    and r.err.count("\n") == len(texts) and all(x in r.err for x in texts), r)


# A name, its content, exit status, a text on stderr.
MISNAMED = [("a.aut", "plts", 0, "this is a .plts"), ("b.plts", "aut", 0, "this is AUT text"),
            ("c.plts", "gz", 0, "this is AUT text"), ("d.aut.gz", "aut", 0, "not gzip data"),
            ("e.aut.gz", "rubbish", 2, "the name ends in .gz, but the data are not gzip"),
            ("f.aut.xz", "xz", 2, "xz -d"), ("g.aut", "xz", 2, "xz -d"), ("h", "plts", 0, ""),
            ("i.aut.bz2", "gz", 0, "not bzip2 data"), ("j.plts", "rubbish", 2, "not a .plts")]


def check_misnamed(t):
    t.run("convert", "-q", "m.aut", "content.plts")
    with open("content.plts", "rb") as f:
        content = {"plts": f.read(), "aut": MODEL.encode(), "rubbish": b"rubbish\n",
                   "gz": gzip.compress(MODEL.encode()), "xz": lzma.compress(MODEL.encode())}
    for name, kind, status, text in MISNAMED:
        with open(name, "wb") as f:
            f.write(content[kind])
        r = t.run("info", "--json", "--hidden", "tau", name)
        x = r.object()
        t.check("%s holding %s" % (name, kind), r.status == status and text in r.err and x
                and x["states"] == (4 if status == 0 else None), r)
    with open("content.plts", "rb") as f:
        x = t.run("info", "--json", "-", stdin=f).object()
    t.check("a .plts as stdin", x and x["states"] == 4, x)


def check_files(t):
    kit.write("self.aut", MODEL)
    r = t.run("convert", "--hidden", "tau", "self.aut", "self.aut")
    t.check("OUT may be IN", r.status == 0 and transitions(t, "self.aut")[1] == 4
            and "tau" not in open("self.aut").read(), r)
    r = t.run("convert", "m.aut", "m.plts")
    r = t.run("convert", "m.plts", "m.plts")
    t.check("also where it is mapped", r.status == 0 and transitions(t, "m.plts")[1] == 4, r)
    kit.write("old.aut", "precious")
    r = t.run("convert", "missing.aut", "old.aut")
    t.check("a failure leaves the old file", r.status == 2 and open("old.aut").read() == "precious", r)
    r = t.run("convert", "m.aut", "m.dot")
    t.check("a picture", r.status == 0 and open("m.dot").read().startswith("digraph"), r)
    r = t.run("convert", "m.dot", "m2.aut")
    t.check("which cannot be read back", r.status == 2 and not os.path.exists("m2.aut"), r)
    r = t.run("convert", "-v", "m.aut", "o.aut")
    t.check("-v tells what was written", r.status == 0 and "4 states, 6 transitions" in r.err, r)
    left = [f for f in os.listdir() if f.startswith(".") or ".tmp" in f]
    t.check("no temporary file is left", not left, left)


def main():
    t = kit.Test()
    kit.write("m.aut", MODEL)
    check_round_trips(t)
    check_renumber(t)
    check_hidden(t)
    check_warnings(t)
    check_misnamed(t)
    check_files(t)
    t.finish()


main()
