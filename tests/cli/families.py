#!/usr/bin/env python3
"""families.py - the networks of `bespoke gen` are as docs/FAMILIES.md says.

The tables of that page are read from it.  Networks up to COMPOSED states are composed by compose.py,
which shares nothing with bespoke, and properties are checked of the result and of the network itself;
networks up to EXPLORED states are compared with `bespoke explore`, and all with the formulas, where
there are any.
"""
import sys
sys.dont_write_bytecode = True
import glob
import os
import re
import compose
import kit

COMPOSED, EXPLORED = 15000, 500000
LETTER = {"n": "N", "messages": "M", "packets": "P", "retries": "R", "length": "K",
          "capacity": "C", "deadlock-depth": "D"}


# ---- the page ------------------------------------------------------------------------------

def sections():
    """Family to (text, [table]); a table is a list of rows, a row a list of cells."""
    with open(os.path.join(kit.ROOT, "docs", "FAMILIES.md")) as f:
        parts = re.split(r"^## (.*)$", f.read(), flags=re.M)
    found = {}
    for name, text in zip(parts[1::2], parts[2::2]):
        tables, last = {}, None
        for line in text.splitlines():
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            if not line.startswith("|"):
                last = None
            elif last is None:
                last = tables.setdefault(cells[0], [])
            elif not set(line) <= set("|- "):
                last.append(cells)
        found[name] = text, tables
    return found


def values(arguments):
    """Letters to numbers, from a row's options."""
    words = arguments.split()
    return {LETTER[w[2:]]: int(words[i + 1]) for i, w in enumerate(words) if w[2:] in LETTER}


def recurrence(text):
    """The functions that a page defines by two values and X(n) = a X(n-1) + X(n-2)."""
    step = re.search(r"X\(n\) = (\d+) X\(n-1\) \+ X\(n-2\)", text)
    found = {}
    for name in set(re.findall(r"\b([A-Z])\(0\) =", text)) if step else ():
        start = [int(re.search(r"\b%s\(%d\) = (\d+)" % (name, i), text).group(1)) for i in (0, 1)]

        def f(n, a=start[0], b=start[1]):
            for _ in range(n):
                a, b = b, int(step.group(1)) * b + a
            return a
        found[name] = f
    return found


def formulas(text, tables, arguments, states):
    """states and transitions, as far as the page has formulas for them."""
    names = dict(recurrence(text), states=states, **values(arguments))
    if "S = " in text:
        names["S"] = sum(names["M"] ** j for j in range(names["C"] + 1))
    found = {}
    for head, expression in tables.get("formula", ()):
        what, _, option = head.partition(" with ")
        if not option or option.strip("`") in arguments.split():
            found[what] = expression    # a later row is about a special case
    for what in "states", "transitions":
        if what in found:
            found[what] = round(eval(found[what].replace("^", "**"), {}, dict(names, **found)))
    return found


def expected(cell, arguments):
    """TRUE, FALSE, TRUE with `--option`, FALSE with `--option`, TRUE if X = 1."""
    value = cell.split()[0] == "TRUE"
    option = re.search(r"with `(.*)`", cell)
    if option:
        return value == (option.group(1) in arguments.split())
    letter = re.search(r"if (.) = (\d+)", cell)
    return value and (letter is None or values(arguments)[letter.group(1)] == int(letter.group(2)))


# ---- the networks --------------------------------------------------------------------------

def generate(t, family, arguments, name="net"):
    for old in glob.glob("net.*"):
        os.remove(old)
    r = t.run("gen", family, *arguments.split(), "-o", name + ".exp", "--json")
    return r, r.object() or {"components": [], "properties": []}


def check_size(t, title, size, known, row):
    """Against the row and the formulas."""
    for what, have, cell in zip(("states", "transitions", "deadlocks"), size, row):
        t.check("%s: %d %s, as in the table" % (title, have, what), have == int(cell), cell)
        if what in known:
            t.check("%s: %d %s, as by the formula" % (title, have, what), have == known[what], known)


def check_row_and_formula(t, title, known, row):
    for what, cell in zip(("states", "transitions"), row):
        if what in known:
            t.check("%s: %s of the table are those of the formula" % (title, what),
                    known[what] == int(cell), known)


def check_verdicts(t, title, made, model):
    for p in made["properties"]:
        with open(p["file"]) as f:
            head = f.readline()
        r = t.run("check", "-q", "-F", p["file"], model)
        want = "TRUE" if p["expected"] else "FALSE"
        t.check("%s: %s is %s of %s" % (title, p["file"], want, model),
                head.startswith("(* expected %s: " % want) and r.out == want + "\n", r, head)


def check_properties_listed(t, title, made, table, arguments):
    told = {"net.%s.mcl" % name.strip("`"): expected(cell, arguments) for name, cell, _ in table}
    have = {p["file"]: p["expected"] for p in made["properties"]}
    t.check("%s: the properties are those of the page" % title, told == have, told, have)


def check_network(t, family, arguments, row, page):
    text, tables = page
    title = "%s %s" % (family, arguments)
    r, made = generate(t, family, arguments)
    t.check("%s is generated" % title, r.status == 0 and " component" in r.err, r)
    t.check("%s: every file is there and no other" % title,
            sorted(glob.glob("net.*")) == sorted(
                [made.get("file")] + made["components"] + [p["file"] for p in made["properties"]]))
    check_properties_listed(t, title, made, tables["property"], arguments)
    known = formulas(text, tables, arguments, int(row[0]))
    check_row_and_formula(t, title, known, row)
    if int(row[0]) <= COMPOSED:
        count, edges = compose.compose("net.exp", COMPOSED)
        size = count, len(edges), count - len({a for a, _, _ in edges})
        check_size(t, title, size, known, row)
        compose.write("composed.aut", count, edges)
        check_verdicts(t, title, made, "composed.aut")
        check_verdicts(t, title, made, "net.exp")
        if "D" in values(arguments):
            check_depth(t, title, edges, values(arguments)["D"])
    if int(row[0]) <= EXPLORED:
        check_explore(t, title, row)


def check_explore(t, title, row):
    r = t.run("explore", "--json", "net.exp")
    x = r.object() or {}
    have = [x.get(k) for k in ("states", "transitions", "deadlock_states")]
    t.check("%s: explore finds what the table has, and warns of nothing" % title,
            have == [int(c) for c in row] and "warning" not in r.err, r)


def check_depth(t, title, edges, depth):
    """The deadlock is as far away as promised."""
    distance = compose.oracle.reach(0, [(a, b) for a, _, b in edges])
    dead = set(distance) - {a for a, _, _ in edges}
    t.check("%s: the deadlock is at distance %d" % (title, depth),
            [distance[s] for s in dead] == [depth], dead)


def check_pages(t):
    listed = {x["name"] for x in t.run("gen", "--json").object()["families"]} - {"vlts", "bes"}
    pages = sections()
    t.check("the page has every family", listed == set(pages), listed, set(pages))
    for family, page in pages.items():
        for parameters, *row in page[1]["parameters"]:
            check_network(t, family, parameters.strip("`"), row, page)


# ---- the command line ----------------------------------------------------------------------

def everything(name):
    """All files of a network, with what they hold and the network's own name taken out."""
    found = {}
    for path in glob.glob(name + ".*"):
        with open(path) as f:
            found[path[len(name):]] = f.read().replace('"%s.' % os.path.basename(name), '"')
    return found


def check_determinism(t):
    os.makedirs("folder", exist_ok=True)
    for family in sections():
        for name in "one", "folder/two":
            t.run("gen", family, "-o", name + ".exp")
        t.check("%s: the same bytes again, in another folder too" % family,
                everything("one") == everything("folder/two") and len(everything("one")) > 4)
        for path in glob.glob("one.*") + glob.glob("folder/two.*"):
            os.remove(path)


WRONG = [
    (["philosophers"], "-o OUT.exp is missing"),
    (["philosophers", "-o", "x.aut"], "expected NAME.exp"),
    (["philosophers", "-o", ".exp"], "expected NAME.exp"),
    (["philosophers", "-o", "folder/.exp"], "expected NAME.exp"),
    (["philosophers", "-o", "-"], "expected NAME.exp"),
    (["philosophers", "-o", 'a"b.exp'], "a quote"),
    (["philosophers", "-o", "none/x.exp"], "the directory none cannot"),
    (["philosophers", "5", "-o", "x.exp"], "'5' is too much"),
    (["philosophers", "--n", "1", "-o", "x.exp"], "--n: 1 is out of range for philosophers; expected 2 to 1000"),
    (["philosophers", "--n", "1001", "-o", "x.exp"], "--n: 1001 is out of range"),
    (["philosophers", "--seed", "1", "-o", "x.exp"], "--seed belongs to bespoke gen vlts, bes"),
    (["philosophers", "--capacity", "2", "-o", "x.exp"], "--capacity belongs to bespoke gen fifo"),
    (["philosohpers", "-o", "x.exp"], "did you mean philosophers?"),
    (["abp", "--n", "3", "-o", "x.exp"], "--n belongs to bespoke gen philosophers, election, cycles"),
    (["abp", "--messages", "10001", "-o", "x.exp"], "expected 1 to 10000"),
    (["brp", "--packets", "1000", "--retries", "1000", "-o", "x.exp"],
     "the sender would have 4e+06 states, and a component has at most 1000000; lower --packets"),
    (["fifo", "--messages", "10", "--capacity", "6", "-o", "x.exp"],
     "a queue would have 1.11e+06 states, and a component has at most 1000000; lower --messages"),
    (["fifo", "--messages", "1000000", "--capacity", "1000", "-o", "x.exp"], "a queue would have"),
    (["cycles", "--n", "3", "--length", "4", "--deadlock-depth", "11", "-o", "x.exp"],
     "--deadlock-depth: 11 is out of range; expected 1 to 10, for"),
    (["cycles", "--n", "300", "--length", "100000", "-o", "x.exp"],
     "300 cycles of 100000 states need more than 256 words of 32 bits in a state; at most 256 fit"),
    (["cycles", "--n", "513", "--length", "65536", "-o", "x.exp"], "at most 512 fit"),
    (["cycles", "--n", "300", "--length", "65536", "--deadlock-depth", "3", "-o", "x.exp"], "at most 256 fit"),
    (["fifo", "--n", "1000", "--messages", "100000", "-o", "x.exp"], "1000 queues of 100001 states need more"),
    (["cycles", "--deadlock-depth", "0", "-o", "x.exp"], "--deadlock-depth: 0 is out of range"),
    (["cycles", "--deadlock-free", "-o", "x.exp"], "--deadlock-free belongs to bespoke gen philosophers"),
    (["vlts", "vasy_0_1", "--n", "3", "-o", "x.aut"], "--n belongs to bespoke gen philosophers"),
    (["--n", "3"], "--n is about one model"),
]


def check_refusals(t):
    for args, words in WRONG:
        r = t.run("gen", *args)
        t.check("refused: gen %s" % " ".join(args), r.status == 2 and words in r.err and r.out == "", r)
    t.check("nothing was left behind", not glob.glob("x.*"), glob.glob("x.*"))
    r = t.run("gen", "abp", "--messages", "10000", "--memory-limit", "1M", "-o", "x.exp")
    t.check("a memory limit ends it with status 3 and no network",
            r.status == 3 and not os.path.exists("x.exp"), r)


def check_early_answer(t):
    """A thousand million states, a deadlock ten steps away."""
    generate(t, "cycles", "--n 9 --length 10 --deadlock-depth 10")
    r = t.run("explore", "--json", "--stop-at", "deadlock", "net.exp")
    x = r.object() or {}
    t.check("ten steps to the deadlock of a thousand million states",
            x.get("found") is True and x.get("trace_length") == 10 and x["states"] < 10 ** 6
            and x["trace"][-1] == "STOP", r)
    r = t.run("deadlock", "net.exp")
    t.check("deadlock finds it", r.status == 0 and r.out == "TRUE\n", r)


def check_words(t):
    r = t.run("gen")
    t.check("families are listed with ranges and defaults",
            "--n 2 to 1000, default 5\n" in r.out and "--deadlock-depth 1 to 100000000\n" in r.out, r)
    r = t.run("gen", "abp", "-o", "quiet.exp", "-q")
    t.check("-q is quiet, and stdout is for --json", r.status == 0 and r.out == "" and r.err == "", r)
    for path in glob.glob("quiet.*"):
        os.remove(path)


def main():
    t = kit.Test()
    check_words(t)
    check_refusals(t)
    check_determinism(t)
    check_pages(t)
    check_early_answer(t)
    t.finish()


main()
