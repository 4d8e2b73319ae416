#!/usr/bin/env python3
"""table5.py - table 5 of the CAESAR_SOLVE paper, asked again of bespoke; see docs/TABLE5.md.

    bench/table5.py [--bespoke PATH] [--scale F] [--seed N] [--timeout S] [--csv FILE]
                    [--markdown] [--update FILE.md] [--paper FILE.csv]

Series 1: depth of diagnostics, a2 against a1, on surrogates of the VLTS suite.
Series 2: memory of the solver, a3 against a1, on traces, trees and lattices.
Series 3: memory of the solver, a4 against a1, on questions that need the whole model.
The paper's figures are read from a file that is not ours to distribute; without it their
columns stay empty.  --update replaces what is between the two table5 marks of a document.
"""
import argparse
import csv
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
sys.dont_write_bytecode = True
from document import around_marks, table

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TITLES = {1: "Series 1: depth of the diagnostic, a2 against a1",
          2: "Series 2: bytes of the solver, a3 against a1",
          3: "Series 3: bytes of the solver, a4 against a1"}
OTHER = {1: "a2", 2: "a3", 3: "a4"}
THIRD = {1: "a1 --shortest", 2: "auto", 3: "auto"}
MEASURE = {1: "depth", 2: "memory", 3: "memory"}

RESIDENT_LEAST = 4 << 20  # what loading leaves resident is known to some 2 MB only

INEVITABLE = 'mu X . (< true > true and [ not "%s" ] X)'
QUESTIONS = {
    "no deadlock": '[ true* ] < true > true',
    "no livelock": '[ true* ] [ "i" ] -|',
    "never SURROGATE": '[ true* . "SURROGATE" ] false',
    "ACT1 inevitable": INEVITABLE % "ACT1",
    "after ACT0 inevitably ACT1": '[ true* . "ACT0" ] ' + INEVITABLE % "ACT1",
    "ACT2 ACT1 ACT2 possible": '< true* . "ACT2" . "ACT1" . "ACT2" > true',
    "no ACT0 twice without ACT1": '[ true* . "ACT0" . (not "ACT1")* . "ACT0" ] false',
    "never ERROR": '[ true* . "ERROR" ] false',
    "END inevitable": INEVITABLE % "END",
    "after PUT inevitably GET": '[ true* . "PUT" ] ' + INEVITABLE % "GET",
    "after PUT inevitably END": '[ true* . "PUT" ] ' + INEVITABLE % "END",
    "no PUT twice without GET": '[ true* . "PUT" . (not "GET")* . "PUT" ] false',
    "after ACT0 no ERROR before ACT1": '[ true* . "ACT0" . (not "ACT1")* . "ERROR" ] false',
    "after ACT0 ACT1 stays possible": '[ true* . "ACT0" ] < true* . "ACT1" > true',
}
# May have either verdict: solved wholly, so that both solvers have the same to do.
EXHAUSTIVE = {"after ACT0 ACT1 stays possible"}

# Model, its size (a scale for surrogates, transitions for the others), questions.
REACH = ["never SURROGATE", "ACT2 ACT1 ACT2 possible", "no ACT0 twice without ACT1"]
DEAD = ["no deadlock", "ACT1 inevitable", "after ACT0 inevitably ACT1"] + REACH
TRACE = ["never ERROR", "END inevitable", "after PUT inevitably GET", "no PUT twice without GET"]
TREE = ["never ERROR", "END inevitable", "after PUT inevitably END"]
WHOLE = ["no deadlock", "no livelock", "never ERROR", "after ACT0 no ERROR before ACT1",
         "after ACT0 ACT1 stays possible"]
ROWS = {
    1: [("vasy_8_38", 1, DEAD), ("vasy_83_325", 1, DEAD), ("vasy_157_297", 1, DEAD),
        ("cwi_214_684", 1, DEAD), ("cwi_371_641", 1, REACH + ["ACT1 inevitable"]),
        ("vasy_164_1619", 1, REACH + ["ACT1 inevitable"])],
    2: [("trace", 100000, TRACE), ("trace", 2000000, TRACE), ("tree", 1000000, TREE),
        ("lattice", 1000000, TREE)],
    3: [("vasy_116_368", 1, WHOLE), ("vasy_164_1619", 1, WHOLE), ("vasy_386_1171", 1, WHOLE),
        ("vasy_1112_5290", 1, WHOLE)],
}


def options():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--bespoke", default=os.path.join(ROOT, "build/release/tools/bespoke"))
    p.add_argument("--scale", type=float, default=1, help="of all models; default 1")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--timeout", type=float, default=120, help="seconds per run")
    p.add_argument("--csv", metavar="FILE", help="all rows, for a machine")
    p.add_argument("--markdown", action="store_true", help="tables for a document")
    p.add_argument("--update", metavar="FILE", help="put these tables into a document")
    p.add_argument("--paper", metavar="FILE", help="the paper's figures",
                   default=os.path.join(ROOT, "../shared/reference/caesar_solve.csv"))
    return p.parse_args()


# ---- models -------------------------------------------------------------------------------

def trace(n, draw):
    """One sequence: PUT and GET in turn, noise between them, END at last."""
    sent = False
    for k in range(n):
        label = "ACT%d" % draw.randrange(10)
        if k == n - 1:
            label = "END"
        elif k == n - 2 or draw.random() < 0.25:
            label = "GET" if sent else "ACT0" if k == n - 2 else "PUT"
            sent = label == "PUT"
        yield k, label, k + 1


def noise(draw):
    return "PUT" if draw.random() < 0.1 else "ACT%d" % draw.randrange(10)


def tree(n, draw):
    """One to three children each; the last step to every leaf is END."""
    children, total = [], 0
    while total < n:
        children.append(min(draw.randint(1, 3), n - total))
        total += children[-1]
    child = 1
    for k, count in enumerate(children):
        for _ in range(count):
            yield k, noise(draw) if child < len(children) else "END", child
            child += 1


def lattice(n, draw):
    """Layers; two successors each in the next one, so states are reached in many ways."""
    width = max(2, math.isqrt(n // 2))
    layers = max(1, n // (2 * width))
    last = 1 + layers * width
    for k in range(width):
        yield 0, noise(draw), 1 + k
    for k in range(1, last):
        if k + width >= last:
            yield k, "END", last
            continue
        straight, aside = k + width, (k - 1) // width * width + width + 1
        yield k, noise(draw), straight
        yield k, noise(draw), aside + draw.randrange(width)


# ---- runs ---------------------------------------------------------------------------------

def full_pipe():
    """A pipe in which a writer must wait: whoever answers into it can be looked at before
    it ends."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"\n" * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    return reading, writing


def most_resident(p):
    """Greatest resident memory, in bytes, of a process that will answer into a full pipe;
    None where /proc does not tell."""
    while p.poll() is None:
        try:
            with open("/proc/%d/syscall" % p.pid) as f:
                waits = f.read().split()[1:2] == ["0x1"]  # in a call about stdout
            with open("/proc/%d/status" % p.pid) as f:
                high = [x.split()[1] for x in f if x.startswith("VmHWM")]
        except OSError:
            return None
        if waits and high:
            return int(high[0]) * 1024
        time.sleep(0.002)
    return None


class Bench:
    """Runs bespoke in a folder of its own."""

    def __init__(self, o, folder):
        self.o, self.folder, self.floors = o, folder, {}

    def run(self, *args):
        """The JSON answer, with the resident memory; None when a limit was reached."""
        reading, writing = full_pipe()
        with tempfile.TemporaryFile() as said, open(reading, "rb") as answer:
            p = subprocess.Popen([self.o.bespoke, *args], stdout=writing, stderr=said)
            os.close(writing)
            resident = most_resident(p)
            text = answer.read().strip()
            said.seek(0)
            if p.wait() == 3:
                return None
            if p.returncode not in (0, 1):
                sys.exit("table5: bespoke %s: %s" % (" ".join(args), said.read().decode()))
        return dict(json.loads(text), resident=resident) if text[:1] == b"{" else {}

    def write(self, name, steps):
        """Transitions as a .plts: mapped, so that its rows are on nobody's account."""
        steps = list(steps)
        text, path = [os.path.join(self.folder, name + x) for x in (".aut", ".plts")]
        with open(text, "w") as f:
            f.write("des (0, %d, %d)\n" % (len(steps), 1 + max(t for _, _, t in steps)))
            f.writelines('(%d, "%s", %d)\n' % step for step in steps)
        self.run("convert", "-q", text, path)
        os.remove(text)
        return path

    def model(self, name, size):
        """The path of a model."""
        kind = {"trace": trace, "tree": tree, "lattice": lattice}.get(name)
        if kind:
            n = max(20, round(size * self.o.scale))
            return self.write("%s_%d" % (name, n), kind(n, random.Random(self.o.seed)))
        path = os.path.join(self.folder, name + ".plts")
        self.run("gen", "vlts", name, "--scale", "%.9f" % (size * self.o.scale), "--seed",
                 str(self.o.seed), "-q", "-o", path)
        return path

    def idle(self, path):
        """Of a run that has nothing to solve: account, resident memory, labels."""
        r = self.run("check", "-f", "true", path, "--algorithm", "a4", "--json", "-q")
        return r["memory_bytes"]["accounted"], r["resident"], r["model"]["labels"]

    def account_floor(self, labels):
        """The account of a run that has these many labels and one state."""
        if labels not in self.floors:
            one = self.write("one_%d" % labels, [(0, "ACT%d" % k, 0) for k in range(labels)])
            self.floors[labels] = self.idle(one)[0]
        return self.floors[labels]

    def ask(self, series, algorithm, question, path):
        """The answer of one run; None when it took too long."""
        args = ["check", "-f", QUESTIONS[question], path, "--json", "-q",
                "--timeout", str(self.o.timeout), "--algorithm", *algorithm.split()]
        if series == 1:
            args += ["--diagnostic", os.path.join(self.folder, "x.cert")]
        if series == 2:
            args += ["--acyclic"]
        if question in EXHAUSTIVE:
            args += ["--exhaustive"]
        return self.run(*args)

    def row(self, series, name, question, path, idle):
        """Ask three solvers.  Memory is what is there beyond a run with nothing to solve."""
        found = [self.ask(series, a, question, path)
                 for a in ("a1", OTHER[series], THIRD[series])]
        known = [r for r in found if r]
        if len({r["verdict"] for r in known}) > 1:
            sys.exit("table5: the solvers disagree: %s on %s" % (question, name))
        floor = self.account_floor(idle[2])
        m = known[0]["model"] if known else {"states": None, "transitions": None}
        return {"series": series, "model": name, "states": m["states"],
                "transitions": m["transitions"], "question": question,
                "verdict": known[0]["verdict"] if known else None,
                "file": os.path.getsize(path),
                "figures": [r and (r["diagnostic"]["depth"] if series == 1 else
                                   r["memory_bytes"]["accounted"] - floor) for r in found],
                "resident": [r["resident"] - idle[1] if series != 1 and r and r["resident"]
                             and idle[1] else None for r in found[:2]]}

    def rows(self):
        for series, models in ROWS.items():
            for name, size, questions in models:
                path = self.model(name, size)
                idle = self.idle(path)
                for question in questions:
                    yield self.row(series, name, question, path, idle)
                os.remove(path)


# ---- what is printed ----------------------------------------------------------------------

def factor(a, b):
    """How many times less b is; None when one is missing.  Nothing to save is 1."""
    if a is None or b is None:
        return None
    return a / b if b else 1.0 if a == 0 else None


def resident_factor(r):
    """The same of the pages touched; None where they are too few to tell."""
    a, b = r["resident"]
    return a / b if a and b and b >= RESIDENT_LEAST else None


def paper_factors(path):
    """{(series, tool): [A1 / other]} of the paper; empty without its figures."""
    found = {}
    if os.path.exists(path):
        with open(path) as f:
            for r in csv.DictReader(x for x in f if not x.startswith("#")):
                key = int(r["series"]), r["tool"]
                found.setdefault(key, []).append(int(r["A1"]) / int(r["other"]))
    return found


def number(x):
    return "" if x is None else "%.1f" % x if isinstance(x, float) else "{:,}".format(x)


def span(factors):
    """Least, middle and greatest."""
    f = [x for x in factors if x is not None]
    return "%.1f / %.1f / %.1f" % (min(f), statistics.median(f), max(f)) if f else ""


def series_text(series, rows, markdown):
    heads = ["model", "states", "transitions", "question", "verdict", "a1", OTHER[series],
             "a1 / " + OTHER[series], THIRD[series]]
    body = [[r["model"], number(r["states"]), number(r["transitions"]), r["question"],
             {True: "TRUE", False: "FALSE", None: "time"}[r["verdict"]],
             number(r["figures"][0]), number(r["figures"][1]),
             number(factor(*r["figures"][:2])), number(r["figures"][2])] for r in rows]
    if MEASURE[series] == "memory":
        heads.append("touched, a1 / " + OTHER[series])
        for cells, r in zip(body, rows):
            cells.append(number(resident_factor(r)))
    title = ("### " if markdown else "") + TITLES[series]
    return [title, ""] + table(heads, body, markdown) + [""]


def with_model(r):
    """The factor if the model's file counted on both sides; of memory only."""
    a, b = r["figures"][:2]
    if r["series"] == 1 or a is None or b is None:
        return None
    return (a + r["file"]) / (b + r["file"])


def summary_text(rows, paper, markdown):
    heads = ["a1 / other: least / median / greatest", "ours", "ours, touched",
             "ours, model counted too",
             "paper, Evaluator", "paper, Bisimulator"]
    body = []
    for s in TITLES:
        mine = [r for r in rows if r["series"] == s]
        body.append(["%s, %s" % (OTHER[s], MEASURE[s]),
                     span(factor(*r["figures"][:2]) for r in mine),
                     span(map(resident_factor, mine)), span(map(with_model, mine)),
                     span(paper.get((s, "evaluator"), [])),
                     span(paper.get((s, "bisimulator"), []))])
    return [("### " if markdown else "") + "Against the paper", ""] + table(heads, body, markdown)


def write_csv(path, rows, paper):
    with open(path, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["series", "model", "states", "transitions", "question", "measure", "verdict",
                    "A1", "other", "other_algorithm", "third", "third_algorithm", "A1_resident",
                    "other_resident", "model_bytes", "paper_factor_least", "paper_factor_greatest"])
        for r in rows:
            s, known = r["series"], paper.get((r["series"], "evaluator"), [""])
            w.writerow([s, r["model"], r["states"], r["transitions"], r["question"], MEASURE[s],
                        r["verdict"], *r["figures"][:2], OTHER[s], r["figures"][2], THIRD[s],
                        *r["resident"], r["file"], min(known), max(known)])


def main():
    o = options()
    o.bespoke = os.path.abspath(o.bespoke)
    before, behind = around_marks(o.update, "table5") if o.update else ("", "")
    with tempfile.TemporaryDirectory(prefix="bespoke-table5-") as folder:
        rows = list(Bench(o, folder).rows())
    paper = paper_factors(o.paper)
    markdown = o.markdown or o.update is not None
    lines = []
    for s in TITLES:
        lines += series_text(s, [r for r in rows if r["series"] == s], markdown)
    text = "\n".join(lines + summary_text(rows, paper, markdown)) + "\n"
    if o.csv:
        write_csv(o.csv, rows, paper)
    if o.update:
        with open(o.update, "w") as f:
            f.write(before + text + behind)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
