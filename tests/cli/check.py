#!/usr/bin/env python3
"""check.py - bespoke check: verdicts, mistakes, reasons, what is written, limits."""
import sys
sys.dont_write_bytecode = True
import bz2
import gzip
import os
import kit

MODEL = """des (0, 6, 5)
(0, "a", 1)
(0, "b", 2)
(1, i, 1)
(1, "SEND !1", 3)
(2, "c", 4)
(3, "a", 0)
"""
VERDICTS = [
    ("true", True), ("false", False),
    ("[ true* ] < true > true", False),
    ("< true* > [ true ] false", True),
    ("< true* . \"i\" > @", True),
    ("< \"i\" > @", False),
    ("[ \"b\" . true* . \"a\" ] false", True),
    ("mu X . (< 'SEND.*' > true or < true > X)", True),
    ("nu X . (< true > X and [ \"c\" ] false)", True),
    ("[ (\"a\" | \"SEND !1\")+ ] -|", False),
    ("[ (\"b\" . \"c\")+ ] -|", True),
    ("< \"b\" . \"c\" > [ true ] false and not < \"c\" > true", True),
]
KEYS = """verdict status algorithm dtd transport ranks threads distribution model property vertices
edges blocks cross_edges seconds memory_bytes messages counters diagnostic seed version
commit""".split()
STANDARD = "library standard.mcl end_library "


def said(r, verdict):
    return r.status == (0 if verdict else 1) and r.out == ("TRUE\n" if verdict else "FALSE\n")


def check_verdicts(t):
    kit.write("m.aut", MODEL)
    for formula, verdict in VERDICTS:
        r = t.run("check", "-f", formula, "m.aut")
        t.check("%s is %s" % (formula, verdict), said(r, verdict) and r.err == "", r)
    kit.write("f.mcl", "(* two\nlines *)\n< true* . \"c\" >\n true\n")
    t.check("-F reads a file", said(t.run("check", "-F", "f.mcl", "m.aut"), True))
    for name, pack in ("f.mcl.gz", gzip.compress), ("f.mcl.bz2", bz2.compress):
        with open("f.mcl", "rb") as f, open(name, "wb") as to:
            to.write(pack(f.read()))
        t.check("a compressed formula, %s" % name, said(t.run("check", "-F", name, "m.aut"), True))
    t.run("convert", "m.aut", "m.plts")
    t.check("a .plts", said(t.run("check", "-F", "f.mcl", "m.plts"), True))
    with open("m.aut") as f:
        t.check("a model from stdin", said(t.run("check", "-f", "< \"b\" > true", "-", stdin=f), True))
    r = t.run("check", "-f", VERDICTS[2][0], "--exhaustive", "m.aut")
    t.check("--exhaustive changes nothing", said(r, False), r)


def check_usage(t):
    rows = [
        (["m.aut"], "what is to be checked?"),
        (["-f", "true", "-F", "f.mcl", "m.aut"], "-f and -F at once"),
        (["-f", "true"], "too few arguments"),
        (["-f", "true", "m.aut", "m.aut"], "is too much; usage"),
        (["-F", "none.mcl", "m.aut"], "none.mcl: cannot be opened"),
        (["-f", "true", "none.aut"], "none.aut"),
        (["-f", "true", "m.aut", "--diagnostic", "x.xyz"], "must end in .aut, .dot, .seq, .plts or .cert"),
        (["-f", "true", "m.aut", "--shortest"], "--shortest is for --diagnostic or --certify"),
        (["-f", "true", "m.aut", "--algorithm", "a9"], "no algorithm 'a9'"),
        (["-f", "[ true* ] < true > true", "m.aut", "--algorithm", "a3"], "a3 does not accept"),
        (["-f", "< true* . \"a\" > @", "m.aut", "--algorithm", "a1"], "a1 does not accept"),
        (["-f", "true", "m.aut", "--dump-bes", "x.foo"], "must end in .bes"),
        (["-f", "true", "m.aut", "--dump-bes", "-"], "must end in .bes"),
        (["-f", "true", "m.aut", "--dump-bes", "none/x.bes"], "none"),
        (["-f", "true", "m.aut", "--diagnostic", "none/x.aut"], "none"),
        (["-f", "true", "m.aut", "--diagnostic", "-"], "must end in"),
        (["-f", "true", "m.aut", "--diagnostic", "m.aut"], "is read; expected another file"),
        (["-f", "true", "-", "--diagnostic", "x.cert"], "needs a file to speak of"),
        (["-f", "true", "/dev/stdin", "--diagnostic", "x.cert"], "needs a file to speak of"),
    ]
    r = t.run("check", "-f", "< true* . \"a\" > @", "m.aut", "--dump-bes", "x.bes")
    t.check("equations that cannot be written leave the verdict alone", r.status == 0
            and "kind buchi, which a .bes file cannot" in r.err and not os.path.exists("x.bes"), r)
    for args, words in rows:
        r = t.run("check", *args)
        t.check("refused: " + " ".join(args), r.status == 2 and words in r.err and r.out == "", r)
        r = t.run("check", "--json", *args)
        t.check("  and with --json too", r.status == 2 and words in r.err and r.out == "", r)
    t.check("nothing was left behind", not os.path.exists("x.cert") and not os.path.exists("x.bes"))


# The mistakes of docs/MCL.md: formula, place, words.
MISTAKES = [
    ("X", "1:1", "the variable X is not bound"),
    ("(mu X . X) or\n X", "2:2", "the variable X is not bound"),
    ("mu X . not X", "1:12", "odd number of negations"),
    ("nu X . [ \"a\" ] (X implies true)", "1:17", "odd number of negations"),
    ("mu X . (X equ true)", "1:9", "under equ"),
    ("NEVER (\"a\")", "1:1", "unknown macro NEVER"),
    (STANDARD + "NEVR (\"a\")", "1:34", "unknown macro NEVR"),
    (STANDARD + "NEVER (\"a\", \"b\")", "1:34", "has 2 arguments here; expected 1"),
    ("macro M () = M () end_macro M ()", "1:14", "macro M uses itself"),
    ("< \"a\" > (true", "1:14", "the formula ends here"),
    ("< \"a\" > true )", "1:14", "expected"),
    ("< \"a > true", "1:3", "expected"),
    ("< 'a\\(' > true", "1:3", "expected"),
    ("true and", "1:9", "expected"),
    ("< X > true", "1:3", "expected"),
    ("", "1:1", "expected"),
    ("library none.mcl end_library true", "1:9", "no library none.mcl"),
    ("not " * 6000 + "true", "1:4001", "nested more than 5000 deep"),
]
ALTERNATING = [
    ("nu X . mu Y . (< \"a\" > Y or < \"b\" > X)", "1:8", ["mu Y (", "nu X ("]),
    ("mu X . nu Y . ([ \"a\" ] Y and [ \"b\" ] X)", "1:8", ["mu X (", "nu Y ("]),
    ("nu X . < \"a\"* . \"b\" > X", "1:10", ["repetition *", "nu X ("]),
]


def check_mistakes(t):
    rows = [(f, place, [words]) for f, place, words in MISTAKES]
    rows += [(f, place, words + ["alternation of depth two"]) for f, place, words in ALTERNATING]
    for formula, place, words in rows:
        r = t.run("check", "-f", formula, "m.aut")
        t.check("%s: %s" % (place, formula[:60]), r.status == 2 and r.out == ""
                and r.err.startswith("formula:%s: " % place) and all(w in r.err for w in words), r)
        kit.write("bad.mcl", formula)
        r = t.run("check", "-F", "bad.mcl", "m.aut")
        t.check("  and in a file", r.status == 2 and r.err.startswith("bad.mcl:%s: " % place), r)
    r = t.run("check", "-f", "X", "none.aut")
    t.check("the formula is looked at before the model", "not bound" in r.err, r)


def check_macros(t):
    rows = [("NEVER (\"SEND !1\" . \"a\")", False), ("SOME ('SEND.*')", True), ("DEADLOCK ()", True),
            ("LIVELOCK ()", True), ("INEVITABLE (\"c\")", False), ("NO_2_BEFORE_1 (\"b\", \"c\")", True)]
    for text, verdict in rows:
        r = t.run("check", "-f", STANDARD + text, "m.aut")
        t.check("standard.mcl: %s" % text, said(r, verdict), r)
    r = t.run("check", "-f", "library ctl.mcl, actl.mcl end_library EF (AX (false)) and "
              "EF_A (true, < \"c\" > true)", "m.aut")
    t.check("ctl.mcl and actl.mcl", said(r, True), r)
    os.makedirs("lib/more", exist_ok=True)
    kit.write("lib/own.mcl", "macro OWN (A) = < true* . (A) > true end_macro\n")
    own = "library own.mcl end_library OWN (\"c\")"
    r = t.run("check", "-f", own, "m.aut")
    t.check("a library of one's own is not found by itself", r.status == 2 and "no library own.mcl" in r.err, r)
    r = t.run("check", "-f", own, "--library-path", "lib/more", "--library-path", "lib", "m.aut")
    t.check("but with --library-path", said(r, True) and r.err == "", r)
    kit.write("lib/uses.mcl", own)
    r = t.run("check", "-F", "lib/uses.mcl", "m.aut")
    t.check("or beside the file that names it", said(r, True), r)
    r = t.run("check", "-F", "lib/uses.mcl", "--diagnostic", "own.cert", "m.aut")
    c = t.run("certify", "own.cert")
    t.check("a certificate needs no library", said(r, True) and said(c, True), r, c)


def check_warnings(t):
    r = t.run("check", "-f", "< \"SEND !2\" > true or < 'q.*' > true or < \"i\" > true", "m.aut")
    t.check("labels that do not occur", said(r, False) and r.err.count("warning") == 2
            and "formula:1:3: no label of m is \"SEND !2\"; did you mean \"SEND !1\"?" in r.err
            and "no label of m matches 'q.*'" in r.err, r)
    r = t.run("check", "-q", "-f", "< \"SEND !2\" > true", "m.aut")
    t.check("which -q leaves out", said(r, False) and r.err == "", r)
    r = t.run("check", "-f", "< true* > @", "m.aut")
    t.check("what holds everywhere", said(r, True) and "warning: formula:1:" in r.err, r)


def check_json(t):
    for formula, verdict in VERDICTS:
        r = t.run("check", "--json", "--certify", "-f", formula, "m.aut")
        x = r.object()
        t.check("JSON for " + formula, x and sorted(x) == sorted(KEYS) and x["verdict"] is verdict
                and x["status"] == "ok" and r.status == (0 if verdict else 1) and r.err == "", r)
        t.check("  what was asked, and of what", x["property"] == formula and x["model"] == {
                "name": "m", "states": 5, "transitions": 6, "labels": 5, "surrogate": False}, x)
        t.check("  what it took", x["vertices"] >= 1 and x["edges"] >= 0 and x["blocks"] >= 1
                and all(x["seconds"][k] >= 0 for k in
                        "load encode solve diagnostic certify total".split())
                and x["memory_bytes"]["peak_per_rank"] == [x["memory_bytes"]["peak_total"]]
                and x["algorithm"] == "auto" and x["ranks"] == 1 and x["threads"] == 1, x)
        t.check("  and the reason", x["diagnostic"]["certified"] is True
                and x["diagnostic"]["vertices"] >= 1 and x["diagnostic"]["depth"] >= 0, x)
    x = t.run("check", "--json", "-f", "true", "m.aut").object()
    t.check("no reason asked for, none told", x and x["diagnostic"] is None
            and x["seconds"]["certify"] is None, x)


def check_explain(t):
    r = t.run("check", "--explain", "-f", "[ true* ] < true > true", "m.aut")
    t.check("equations, shapes and solvers", said(r, False) and "block 0: nu\n" in r.err
            and "R'0 = <true> true and [true] R'0" in r.err
            and "block 0: nu, 5 vertices, conjunctive, pure, single-entry; a4-bfs: " in r.err, r)
    r = t.run("check", "--explain", "-f", "< true* . \"a\" > @", "m.aut")
    t.check("nested blocks too", said(r, True) and "block 0: buchi, 10 vertices" in r.err
            and "L'0 (outer) = R'1" in r.err, r)


def check_reasons(t):
    files = ["why" + s for s in (".aut", ".dot", ".seq", ".cert", ".plts", ".aut.gz", ".cert.zst")]
    for formula, verdict in VERDICTS:
        for name in files:
            if os.path.exists(name):
                os.remove(name)
            r = t.run("check", "--diagnostic", name, "-f", formula, "m.aut")
            t.check("%s: the verdict does not depend on %s" % (formula, name), said(r, verdict), r)
            told = "no diagnostic written: " + name in r.err
            t.check("  there is one, or it is said why not", os.path.exists(name) != told, r)
            t.check("  only a .seq may be missing", not told or name == "why.seq", r)
            if "cert" in name:
                c = t.run("certify", name)
                t.check("  it is accepted", said(c, verdict), c)
            elif name.endswith((".aut", ".plts", ".aut.gz")):
                again = t.run("check", "-q", "-f", formula, name)
                t.check("  on it the formula has the same value", said(again, verdict), again)
    t.run("check", "--diagnostic", "way.seq", "-f", "< true* . \"SEND !1\" > true", "m.aut")
    t.check("a sequence", open("way.seq").read() == "\"a\"\n\"SEND !1\"\n")
    t.run("check", "--diagnostic", "way.aut", "-f", "< true* . \"SEND !1\" > true", "m.aut")
    t.check("as an LTS", open("way.aut").read() == "des (0, 2, 3)\n(0, a, 1)\n(1, SEND !1, 2)\n"
            or open("way.aut").read() == "des (0, 2, 3)\n(0, a, 1)\n(1, \"SEND !1\", 2)\n",
            open("way.aut").read())
    r = t.run("check", "--diagnostic", "no/such/why.aut", "-f", "true", "m.aut")
    t.check("a folder that is not there", r.status == 2 and "no/such" in r.err, r)


def check_tampering(t):
    for formula, verdict in VERDICTS[2:6]:
        t.run("check", "-f", formula, "--diagnostic", "x.cert", "m.aut")
        text = open("x.cert").read()
        lines = text.splitlines(True)
        for i in range(len(lines)):
            kit.write("y.cert", "".join(lines[:i] + lines[i + 1:]))
            r = t.run("certify", "y.cert")
            t.check("%s: line %d left out" % (formula, i + 1), r.status == 2 and r.out == "", r)
        old = "verdict " + ("TRUE" if verdict else "FALSE")
        kit.write("y.cert", text.replace(old, "verdict " + ("FALSE" if verdict else "TRUE")))
        r = t.run("certify", "y.cert")
        t.check("the other verdict", r.status == 2 and r.out == "", r)
        for other in "< \"nothing\" > true", "X", "mu X . nu Y . ([ \"a\" ] Y and [ \"b\" ] X)":
            kit.write("y.cert", text.replace("property " + formula, "property " + other))
            r = t.run("certify", "y.cert")
            t.check("another formula, " + other, r.status == 2 and r.out == "", r)
    kit.write("n.aut", MODEL)
    t.run("check", "-f", "< \"b\" > true", "--diagnostic", "n.cert", "n.aut")
    t.check("a certificate of n.aut", said(t.run("certify", "n.cert"), True))
    kit.write("n.aut", MODEL.replace("(0, \"b\", 2)", "(0, \"a\", 2)"))
    r = t.run("certify", "n.cert")
    t.check("a changed model is refused", r.status == 2 and "has changed" in r.err, r)
    r = t.run("certify", "n.cert", "--model", "m.aut")
    t.check("a moved one is found with --model", said(r, True), r)


def check_hidden(t):
    kit.write("tau.aut", "des (0, 3, 2)\n(0, \"tau\", 1)\n(1, \"tau\", 0)\n(1, \"a\", 1)\n")
    for formula, plain, hidden in [("< \"i\" > @", False, True), ("[ true ] < \"i\" > true", False, True),
                                   ("[ \"i\"+ ] -|", True, False)]:
        for args, verdict in ([], plain), (["--hidden", "tau"], hidden):
            r = t.run("check", "-q", "-f", formula, "--diagnostic", "h.cert", "--certify", *args, "tau.aut")
            c = t.run("certify", "h.cert")
            t.check("%s %s: right, and its certificate knows" % (formula, args),
                    said(r, verdict) and said(c, verdict), r, c)
            told = "\nhidden tau\n" in open("h.cert").read()
            t.check("  what was hidden", told == bool(args))
            t.check("  and says so", ("tau hidden" in c.err) == bool(args)
                    and "certified: %s of tau.aut" % formula in c.err, c)
            seen = t.run("certify", "--json", "h.cert").object()
            t.check("  in JSON too", seen.get("hidden") == (["tau"] if args else None), seen)
    text = open("h.cert").read()
    kit.write("h.cert", text.replace("hidden tau\n", ""))
    t.check("a certificate that forgot is refused", t.run("certify", "h.cert").status == 2)
    for args, verdict in ([], False), (["--hidden", "tau"], True):
        r = t.run("livelock", "--certify", *args, "tau.aut")
        t.check("livelock %s" % args, said(r, verdict), r)
    r = t.run("check", "-f", "true", "--hidden", "nothing", "tau.aut")
    t.check("a name that does not occur", said(r, True) and "nothing" in r.err, r)


def check_lenient(t):
    kit.write("len.aut", "des (0, 7, 2)\n(0, \"a\", 1)\n")
    r = t.run("deadlock", "--lenient", "--diagnostic", "l.cert", "len.aut")
    c = t.run("certify", "l.cert")
    t.check("a certificate of a model read leniently", said(r, True) and said(c, True), r, c)
    os.mkfifo("pipe.cert")
    r = t.run("certify", "pipe.cert")
    t.check("no certificate comes through a pipe", r.status == 2 and "expected a file" in r.err, r)


def check_shortest(t):
    lines = ["(%d, \"a\", %d)\n" % (s, s + 1) for s in range(40)]
    lines.insert(1, "(0, \"b\", 40)\n")    # behind (0, a, 1): the long way is tried first
    kit.write("long.aut", "des (0, 41, 41)\n" + "".join(lines))
    ways = {}
    for solver in "a1", "a2", "a4":
        for more in [], ["--shortest"]:
            r = t.run("check", "-f", "< true* > [ true ] false", "--algorithm", solver, "--certify", "--json",
                      "--diagnostic", "s.seq", *more, "long.aut")
            x = r.object()
            t.check("%s %s: certified" % (solver, more), x and x["verdict"] is True
                    and x["diagnostic"]["certified"], r)
            ways[solver, bool(more)] = len(open("s.seq").read().splitlines())
    t.check("the shortest way is one step, whoever solved it",
            all(ways[s, True] == 1 for s in ("a1", "a2", "a4")), ways)
    t.check("without --shortest somebody goes a long way", max(ways.values()) == 40, ways)


def check_acyclic(t):
    formula = "mu X . [ true ] X"
    r = t.run("check", "--acyclic", "-f", formula, "long.aut")
    t.check("--acyclic on what has no cycle", said(r, True) and r.err == "", r)
    r = t.run("check", "--acyclic", "--explain", "-f", formula, "long.aut")
    t.check("is solved by a3", said(r, True) and "; a3: " in r.err, r)
    for formula, verdict in VERDICTS + [("mu X . [ true ] X", False), ("nu X . [ true ] X", True),
                                        ("mu X . (< \"c\" > true or < true > X and [ true ] X)", False)]:
        for args in ["--certify"], ["--algorithm", "a3"], []:
            r = t.run("check", "-q", "--acyclic", *args, "-f", formula, "m.aut")
            t.check("%s %s: wrong to say, and right all the same" % (formula, args), said(r, verdict)
                    or (r.status == 2 and args[:1] == ["--algorithm"] and "does not accept" in r.err), r)
    r = t.run("check", "--acyclic", "-f", "mu X . [ true ] X", "m.aut")
    t.check("with a warning", said(r, False) and "though it was said to have none" in r.err, r)


def check_limits(t):
    with open("big.aut", "w") as f:
        n = 200000
        f.write("des (0, %d, %d)\n" % (n - 1, n))
        f.writelines("(%d, a, %d)\n" % (s, s + 1) for s in range(n - 1))
    formula = "mu X . (< true > true and [ true ] X)"
    for args, word in (["--timeout", "0.000001"], "time limit"), (["--memory-limit", "100K"], "memory limit"):
        r = t.run("check", "-f", formula, *args, "big.aut")
        t.check("%s: status 3, told on stderr" % args, r.status == 3 and r.out == "" and word in r.err, r)
        r = t.run("check", "-f", formula, "--json", *args, "big.aut")
        x = r.object()
        t.check("  and JSON says limit", r.status == 3 and x and x["status"] == "limit"
                and x["verdict"] is None and sorted(x) == sorted(KEYS), r)
    peak = t.run("check", "-f", formula, "--json", "--algorithm", "a1", "big.aut").object()
    peak = peak["memory_bytes"]["accounted"]
    r = t.run("check", "-f", formula, "--json", "--algorithm", "a1", "--memory-limit", str(peak), "big.aut")
    t.check("the peak suffices", r.status == 1, r)
    t.run("convert", "big.aut", "big.plts")
    r = t.run("check", "-f", formula, "--json", "--algorithm", "a1", "--memory-limit", "1M", "big.plts")
    x = r.object()
    t.check("memory while solving: the model is known", r.status == 3 and x and x["status"] == "limit"
            and x["model"]["states"] == 200000, r)
    r = t.run("check", "-f", "mu X . < true > X", "--json", "--algorithm", "hello", "--timeout", "3", "big.aut")
    x = r.object()
    t.check("an end all the same", x and (r.status == 1 or (r.status == 3 and x["status"] == "limit")), r)
    r = t.run("check", "-f", formula, "--memory-limit", "100K", "--diagnostic", "never.cert", "big.aut")
    t.check("no diagnostic of nothing", r.status == 3 and not os.path.exists("never.cert"), r)


# Section 4.1 of Joubert and Mateescu on MB-DSOLVE: after a put, a livelock or a get will
# eventually be reached.
PUT_GET = """nu X . ([ "put" ] mu Y . ((nu Z . < "i" > Z)
                          or (< true > true and [ not "get" ] false)
                          or (< true > true and [ true ] Y))
        and [ true ] X)
"""
PUT_MODELS = [
    ("des (0, 5, 4)\n(0, put, 1)\n(1, work, 2)\n(1, fail, 3)\n(2, get, 0)\n(3, i, 3)\n", True),
    ("des (0, 5, 4)\n(0, put, 1)\n(1, work, 2)\n(1, fail, 3)\n(2, get, 0)\n(3, drop, 0)\n", False),
    ("des (0, 4, 4)\n(0, put, 1)\n(1, work, 2)\n(1, fail, 3)\n(2, get, 0)\n", False),
]


def check_put_get(t):
    kit.write("put.mcl", PUT_GET)
    for number, (model, verdict) in enumerate(PUT_MODELS):
        name = kit.write("put%d.aut" % number, model)
        solved = 0
        for solver in t.solvers():
            args = ["check", "-F", "put.mcl", "--algorithm", solver]
            r = t.run(*args, "--certify", "--json", "--diagnostic", "put.cert", name)
            if r.status == 2 and "does not accept" in r.err:
                continue
            solved += 1
            x, c = r.object(), t.run("certify", "put.cert")
            t.check("put, get or livelock: model %d, %s" % (number, solver), x and x["verdict"] is verdict
                    and x["diagnostic"]["certified"] is True and said(c, verdict), r, c)
            t.run(*args, "--diagnostic", "part.aut", name)
            again = t.run("check", "-q", "-F", "put.mcl", "part.aut")
            t.check("  and on its diagnostic", said(again, verdict), again)
        t.check("solved by most", solved >= 4, solved)


def main():
    t = kit.Test()
    for part in (check_verdicts, check_usage, check_mistakes, check_macros, check_warnings, check_json,
                 check_explain, check_reasons, check_tampering, check_hidden, check_lenient, check_shortest,
                 check_acyclic, check_limits, check_put_get):
        part(t)
    t.finish()


main()
