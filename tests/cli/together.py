#!/usr/bin/env python3
"""together.py - several workers give the verdicts of one: threads, ranks and simulated ones, in many shapes.

Expected verdicts are those of ../shared (cases with known ones, real VLTS instances), those that the
families of networks promise, or the sequential solvers' own.  Options that must not matter are drawn
(BESPOKE_SEED); what fails is told with its command line.
"""
import sys
sys.dont_write_bytecode = True
import concurrent.futures
import csv
import glob
import json
import os
import random
import subprocess
import kit
from runs import SEED, Run

ORACLE = os.path.join(kit.SHARED, "oracle", "mucalculus.jsonl")
FORMULAS = {"deadlock": "< true* > [ true ] false", "livelock": "< true* > < \"i\" > @"}
MESSAGES = {"expand", "evaluate", "control", "batches", "bytes"}


# ---- shapes --------------------------------------------------------------------------------------

def threads(n):
    return ["--algorithm", "mb-dsolve", "--threads", str(n)]


def sim(n, seed):
    return ["--transport", "sim", "--workers", str(n), "--seed", str(seed)]


def ranks(n, each=1):
    return ["--algorithm", "mb-dsolve", "--ranks", str(n)] + (["--threads", str(each)] if each > 1 else [])


class Together(kit.Test):
    def __init__(self):
        super().__init__()
        self.slow = "-fsanitize" in self.run("--version").out
        self.random = random.Random(SEED)
        self.pool = concurrent.futures.ThreadPoolExecutor(max_workers=2)

    def drawn(self, buffer=None):
        """Options that change how, and never what; buffers have to suit workers and blocks."""
        r = self.random
        words = ["--dtd", r.choice(["four-counter", "ring", "wave"]), "--policy", r.choice(["eager", "batch"]),
                 "--priority", r.choice(["last", "first"]), "--distribution", r.choice(["hash", "block", "locality"])]
        words += r.choice([[], ["--all-dependencies"]]) + r.choice([[], ["--two-hops"]])
        return words + (["--buffer", buffer] if buffer and r.random() < 0.3 else [])

    def few(self, cases, share):
        """All of them; where all is slow, some."""
        return self.random.sample(cases, max(1, len(cases) // share)) if self.slow else cases

    def runs(self, commands):
        """Results of independent command lines, two at a time."""
        return list(self.pool.map(lambda c: self.run(*c), commands))


def said(r, verdict):
    return r.status == (0 if verdict else 1) and r.out == ("TRUE\n" if verdict else "FALSE\n")


def counts(r):
    x = r.object()
    return x and (x["verdict"], x["vertices"], x["edges"])


def check_all(t, claim, commands, fine):
    """One claim about many command lines; those that are wrong are shown."""
    wrong = [r for r in t.runs(commands) if not fine(r)]
    t.check("%s: %d runs" % (claim, len(commands)), commands and not wrong, *wrong[:3])


def check_same_counts(t, claim, command, shapes):
    """Everything is solved: by a1 alone, and by workers in these shapes."""
    alone = t.run(*command, "--algorithm", "a1", "--exhaustive", "--json")
    want = counts(alone)
    t.check("%s: a1 answers" % claim, want and want[1] > 0, alone)
    check_all(t, "%s: the verdict, vertices and edges of a1" % claim,
              [[*command, "--exhaustive", "--json", *shape, *t.drawn()] for shape in shapes],
              lambda r: counts(r) == want and r.status == (0 if want[0] else 1) and r.err == "")


# ---- cases with known verdicts -------------------------------------------------------------------

def read_cases(t):
    """[(model, formula, verdict)] of what the sequential solvers accept."""
    with open(ORACLE) as f:
        rows = [json.loads(line) for line in f]
    found = []
    for x in t.few(rows, 6):
        name = kit.write("case%d.aut" % x["id"], x["aut"])
        found.append((name, x["formula"], x["verdict"]))
    alone = t.runs([["check", "-f", formula, name] for name, formula, _ in found])
    kept = [x for x, r in zip(found, alone) if r.status in (0, 1)]
    t.check("%d of %d cases are accepted by auto" % (len(kept), len(found)), len(kept) > len(found) / 2)
    return kept


def check_oracle(t):
    cases = read_cases(t)
    shapes = [lambda: threads(1), lambda: threads(2), lambda: threads(4),
              lambda: sim(3, t.random.choice([1, 2])), lambda: sim(7, t.random.choice([1, 2]))]
    expected, commands = [], []
    for name, formula, verdict in cases:
        for shape in shapes:
            commands.append(["check", "-f", formula, name, *shape(), *t.drawn("256K")])
            expected.append(verdict)
    for shape in ranks(1), ranks(2), ranks(3), ranks(5), ranks(2, 2):
        for name, formula, verdict in t.random.sample(cases, 1 if t.slow else 3):
            commands.append(["check", "-f", formula, name, *shape, *t.drawn()])
            expected.append(verdict)
    wrong = [r for r, want in zip(t.runs(commands), expected) if not said(r, want)]
    t.check("known verdicts by several workers: %d runs" % len(commands), commands and not wrong, *wrong[:3])


def check_refused(t):
    kit.write("small.aut", 'des (0, 3, 3)\n(0, "a", 1)\n(1, "b", 0)\n(1, i, 2)\n')
    for formula in '< "a" . "b"* > @', '[ "a"* . "b" ] -|':
        t.check("alone: " + formula, t.run("check", "-f", formula, "small.aut").status in (0, 1))
        for shape in threads(1), threads(2), sim(3, 1), ranks(2), ["--algorithm", "dsolve"]:
            r = t.run("check", "-f", formula, "small.aut", *shape)
            t.check("refused: %s with %s" % (formula, " ".join(shape)), r.status == 2 and r.out == ""
                    and "does not accept" in r.err and r.err.startswith("bespoke: ") and r.err.count("\n") == 1, r)
    r = t.run("check", "-f", '< "none" > true', "small.aut", *ranks(3))
    t.check("a warning about the formula comes once", said(r, False) and r.err.count("warning: ") == 1, r)


# ---- real instances ------------------------------------------------------------------------------

def check_instances(t):
    with open(os.path.join(kit.VLTS, "manifest.csv"), newline="") as f:
        rows = {row["name"]: row for row in csv.DictReader(f)}
    files = sorted(glob.glob(os.path.join(kit.VLTS, "*.aut.gz")))
    t.check("there are instances to check", len(files) >= 6, files)
    for path in t.few(files, 2):
        name = os.path.basename(path)[:-len(".aut.gz")]
        for command in FORMULAS:
            verdict = rows[name][command] == "yes"
            shapes = [threads(1), threads(2), threads(3), threads(4), sim(3, 1), sim(16, 2)]
            check_all(t, "%s of %s is %s" % (command, name, verdict),
                      [[command, path, *shape, *t.drawn()] for shape in t.few(shapes, 2) + [ranks(2)]],
                      lambda r, verdict=verdict: said(r, verdict) and r.err == "")
            shapes += [sim(7, 3), sim(64, 4), ranks(2), ranks(3), ranks(2, 2)]
            check_same_counts(t, "%s of %s" % (command, name), [command, path], t.few(shapes, 3))


# ---- networks and plug-ins -----------------------------------------------------------------------

FAMILIES = ["philosophers --n 5", "philosophers --n 3 --deadlock-free", "abp --messages 2",
            "brp --packets 3 --retries 2", "election --n 4", "cycles --n 3 --length 4 --deadlock-depth 5",
            "peterson --n 2", "fifo --n 2 --messages 3 --capacity 2"]


def check_network(t, arguments):
    words = arguments.split()
    made = t.run("gen", *words, "-o", words[0] + ".exp", "--json").object()
    properties = made["properties"] if made else []
    plain = t.drawn()
    commands, expected = [], []
    for p in t.few(properties, 4):
        for shape in threads(2), threads(3), ranks(2):
            commands.append(["check", "-F", p["file"], made["file"], *shape, *plain])
            expected.append(p["expected"])
    wrong, refused = [], 0
    for r, want in zip(t.runs(commands), expected):
        nested = r.status == 2 and "does not accept fixed points within each other" in r.err
        refused += nested
        wrong += [] if nested or said(r, want) else [r]
    t.check("%s: %d properties as promised, %d refused" % (arguments, len(commands), refused),
            commands and not wrong and (t.slow or refused < len(commands) / 2), *wrong[:3])
    for formula in FORMULAS["deadlock"], 'nu X . (< true > true and [ not "i" ] X)':
        check_same_counts(t, "%s: %s" % (arguments, formula), ["check", "-f", formula, made["file"]],
                          [threads(1), threads(2), threads(3), sim(5, 1), ranks(2)])


def check_plugin(t):
    source = os.path.join(kit.ROOT, "docs", "examples", "token_ring.c")
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-I", os.path.join(kit.ROOT, "include"),
                    "-o", "ring.so", source], check=True)
    for more in [], ["--model-arg", "lossy"]:
        ask = ["./ring.so", "--model-arg", "7", *more]
        check_all(t, "deadlock of a ring of 7 %s" % " ".join(more),
                  [["deadlock", *ask, *shape, *t.drawn()] for shape in (threads(2), threads(3), ranks(2))],
                  lambda r, want=bool(more): said(r, want) and r.err == "")
        for formula in FORMULAS["deadlock"], '[ true* . "WANT" ] < true* . "WORK" > true':
            check_same_counts(t, "ring %s: %s" % (" ".join(more), formula), ["check", "-f", formula, *ask],
                              [threads(2), threads(3), sim(4, 1), ranks(2)])


# ---- equation systems ----------------------------------------------------------------------------

def chain(blocks):
    """One equation per block, which asks the next block; the last is true."""
    rows = ["block %s B%d is X0 = %s end block\n" % (("mu", "nu")[i % 2], i, "X0_%d" % (i + 1) if i + 1 < blocks
                                                     else "true") for i in range(blocks)]
    return kit.write("chain%d.bes" % blocks, "".join(rows))


def check_systems(t):
    commands, expected = [], []
    for i in range(4 if t.slow else 24):
        name, variables = "random%d.bes" % i, t.random.choice([50, 400, 2000])
        made = t.run("gen", "bes", "--seed", str(SEED + i), "--variables", str(variables),
                     "--blocks", str(t.random.choice([1, 2, 5, 12, 50])), "-o", name,
                     "--shape", t.random.choice(["general", "acyclic", "disjunctive", "conjunctive"]))
        alone = t.run("solve", name)
        if not t.check("%s has a verdict alone" % name, alone.status in (0, 1), made, alone):
            continue
        check_same_counts(t, name, ["solve", name], [threads(1), threads(3), sim(5, i), sim(40, i)])
        for shape in [threads(1), threads(2), threads(4), sim(3, i), sim(9, i)] + [ranks(1 + i % 4)] * (i % 4 == 0):
            commands.append(["solve", name, *shape, *t.drawn()])
            expected.append(alone.status == 0)
    wrong = [r for r, want in zip(t.runs(commands), expected) if not said(r, want) or r.err]
    t.check("random systems: %d runs as alone" % len(commands), commands and not wrong, *wrong[:3])
    shapes = [threads(2), sim(5, 1), ranks(2)]
    for blocks in 12, 120:
        name = chain(blocks)
        check_same_counts(t, name, ["solve", name], shapes)
        check_all(t, name, [["solve", name, *shape, *t.drawn()] for shape in shapes], lambda r: said(r, True))
    for blocks in 121, 500:
        name = chain(blocks)
        check_all(t, name + " has too many blocks", [["solve", name, *shape] for shape in shapes],
                  lambda r: r.status == 2 and r.out == ""
                  and r.err == "bespoke: mb-dsolve does not accept more than 120 blocks\n")
    one = t.run("solve", chain(1), "--algorithm", "dsolve", "--threads", "2", "--json")
    t.check("dsolve takes one block", one.status == 0 and one.object()["algorithm"] == "dsolve", one)


# ---- what the object says ------------------------------------------------------------------------

def check_fields(t):
    t.run("gen", "vlts", "vasy_1_4", "-o", "some.aut")
    t.run("gen", "cycles", "--n", "4", "--length", "10", "-o", "scattered.exp")
    t.run("explore", "scattered.exp", "-o", "scattered.aut")
    rows = [(threads(1), "threads", 1, 1), (threads(4), "threads", 1, 4), (sim(7, 5), "sim", 1, 7),
            (ranks(1), "mpi", 1, 1), (ranks(3), "mpi", 3, 1), (ranks(2, 2), "mpi", 2, 2)]
    for shape, transport, processes, each in rows:
        detector, place = t.random.choice(["ring", "wave"]), t.random.choice(["block", "locality"])
        r = t.run("deadlock", "some.aut", "--json", *shape, "--dtd", detector, "--distribution", place)
        x = r.object()
        title = " ".join(shape)
        if not t.check("%s: an object" % title, x and r.err == "", r):
            continue
        t.check("%s: who solved" % title, (x["algorithm"], x["dtd"], x["transport"], x["ranks"], x["threads"],
                x["distribution"]) == ("mb-dsolve", detector, transport, processes, each, place), r)
        t.check("%s: a seed where one was given" % title, x["seed"] == (5 if transport == "sim" else None), r)
        peaks = x["memory_bytes"]["peak_per_rank"]
        t.check("%s: peaks of all ranks" % title, len(peaks) == processes and min(peaks) > 10000
                and sum(peaks) == x["memory_bytes"]["peak_total"], r)
        sent = x["messages"]
        alone = processes * each == 1
        t.check("%s: messages" % title, MESSAGES <= set(sent) and (sent["expand"] > 0) == (not alone)
                and (sent["batches"] > 0) == (not alone) and sent["bytes"] >= 4 * sent["expand"]
                and (not alone or (x["cross_edges"] == 0 and sent["bytes"] == 0)), r)
        t.check("%s: counters only when asked for" % title, x["counters"] is None, r)
        check_share(t, "scattered.exp", shape, processes * each)
        if processes > 1 and each == 1:
            check_share(t, "scattered.aut", shape, processes)
    for shape in threads(2), ranks(2):
        known = t.run("deadlock", "some.aut", "--json", *shape, "--counters").object()["counters"]
        t.check("counters with %s" % " ".join(shape), known and "perf::PAGE-FAULTS" in known
                and all(x is None or x >= 0 for x in known.values()), known)
    check_alone(t)
    check_seeds(t)


def check_share(t, model, shape, workers):
    """Where each state lives by itself, an edge stays with its worker once in as many as there are."""
    x = t.run("deadlock", model, "--json", *shape, "--exhaustive", "--distribution", "hash").object()
    share = x["cross_edges"] / x["edges"] if x else -1
    t.check("%s, %s: %.3f of the edges lead to others" % (model, " ".join(shape), share),
            abs(share - (workers - 1) / workers) < 0.015 and x["distribution"] == "hash", x)


def check_alone(t):
    """--ranks 1 and --threads 1 are no question for several workers."""
    for words, algorithm in ([], "auto"), (["--algorithm", "a2"], "a2"):
        r = t.run("deadlock", "some.aut", "--json", "--ranks", "1", "--threads", "1", *words)
        x = r.object()
        t.check("one rank, one thread: %s" % algorithm, x and x["algorithm"] == algorithm and x["transport"] is None
                and x["messages"] is None and x["dtd"] is None, r)


def check_seeds(t):
    def sent(seed, *more):
        x = t.run("deadlock", "some.aut", "--json", *sim(9, seed), *more).object()
        return x and (x["messages"], x["vertices"], x["edges"], x["verdict"])
    x = t.run("deadlock", "some.aut", "--json", "--transport", "sim", "--workers", "9").object()
    t.check("no chance, no seed", x and x["seed"] is None and x["threads"] == 9, x)
    for more in [], ["--exhaustive", "--policy", "batch"]:
        first = sent(1, *more)
        t.check("the same seed, the same messages", first and first == sent(1, *more), first)
        t.check("other seeds, others", any(first != sent(seed, *more) for seed in (2, 3, 4)), first)


# ---- limits --------------------------------------------------------------------------------------

def check_limit(t, command, word, far):
    """Status 3, one object that says so, soon, and nobody is left; `far`: it came to solve."""
    r = Run([t.exe, *command, "--json"]).end(60)
    try:
        x = json.loads(r.out) if r.out.count("\n") == 1 else None
    except ValueError:
        x = None
    claim = " ".join(command)
    t.check(claim + ": status 3, one object", r.status == 3 and x and x["verdict"] is None
            and x["status"] == "limit" and r.err.count("bespoke: ") == 1 and word in r.err, r)
    t.check(claim + ": soon, nobody is left", not r.left and r.seconds < (20 if t.slow else 6), r)
    if x and far:
        t.check(claim + ": how far it came", x["vertices"] > 0 and x["edges"] > 0 and x["seconds"]["solve"] > 0
                and len(x["memory_bytes"]["peak_per_rank"]) == x["ranks"], r)
    return x


def check_limits(t):
    t.run("gen", "cycles", "--n", "12", "--length", "10", "-o", "large.exp")
    ask = ["deadlock", "large.exp"]
    for shape in threads(1), threads(2), ranks(2):
        check_limit(t, [*ask, *shape, "--timeout", "0.01"], "time limit of 0.01 s", False)
    for shape in threads(1), threads(3), sim(4, 1), ranks(2), ranks(3), ranks(2, 2):
        x = check_limit(t, [*ask, *shape, "--timeout", "3" if t.slow else "1"], "time limit of ", True)
        t.check("  and who solved", x and x["algorithm"] == "mb-dsolve" and x["transport"] and x["dtd"], x)
    for shape in threads(2), sim(4, 1), ranks(2), ranks(3):
        check_limit(t, [*ask, *shape, "--memory-limit", "6M"], "memory limit of 6.00 MiB", True)
    kit.write("wide.aut", "des (0, 100000, 100001)\n" + "".join("(%d, a, %d)\n" % (i, i + 1) for i in range(100000)))
    for shape in threads(2), ranks(2), ranks(3):
        check_limit(t, ["deadlock", "wide.aut", *shape, "--memory-limit", "200K"], "memory limit", False)
    # when time is up while ranks are joined, for some before others
    for _ in range(2 if t.slow else 12):
        seconds = t.random.uniform(0.05, 0.3)
        check_limit(t, [*ask, *ranks(t.random.choice([2, 3, 5])), "--timeout", "%.3f" % seconds], "time limit", False)


# ---- wrong inputs --------------------------------------------------------------------------------

WRONG = [
    (["--threads", "2", "--dtd", "rnig"], "no detector 'rnig'; did you mean ring?"),
    (["--threads", "2", "--dtd", "dijkstra"], "expected four-counter, ring or wave"),
    (["--threads", "2", "--policy", "eagre"], "--policy: there is no 'eagre'; did you mean eager?"),
    (["--threads", "2", "--policy", "lazy"], "expected batch or eager"),
    (["--threads", "2", "--priority", "frist"], "--priority: there is no 'frist'; did you mean first?"),
    (["--threads", "2", "--priority", "7"], "expected last or first"),
    (["--threads", "2", "--distribution", "hsah"], "no distribution 'hsah'; did you mean hash?"),
    (["--threads", "2", "--distribution", "random"], "expected hash, block or locality"),
    (["--transport", "thread"], "there is no transport 'thread'; did you mean threads?"),
    (["--transport", "tcp"], "expected mpi, threads or sim"),
    (["--ranks", "2", "--transport", "threads"], "--ranks is for --transport mpi"),
    (["--ranks", "2", "--transport", "sim", "--workers", "3"], "--ranks is not for --transport sim"),
    (["--hosts", "here", "--transport", "threads"], "--hosts is for --transport mpi"),
    (["--mpiexec", "mpiexec", "--threads", "2"], "--mpiexec is for --transport mpi"),
    (["--workers", "3"], "--workers is for --transport sim"),
    (["--workers", "3", "--threads", "2"], "--workers is for --transport sim"),
    (["--seed", "3"], "--seed is for --transport sim"),
    (["--machine", "x", "--ranks", "2"], "--machine is for --transport sim"),
    (["--transport", "sim"], "--transport sim needs --workers N"),
    (["--transport", "sim", "--workers", "0"], "--workers: 0 is out of range"),
    (["--transport", "sim", "--workers", "3", "--threads", "2"], "--threads is not for --transport sim"),
    (["--transport", "sim", "--workers", "3", "--machine", "none.machine"], "none.machine: cannot be read"),
    (["--algorithm", "a1", "--threads", "2"], "--threads is for mb-dsolve; a sequential solver has one worker"),
    (["--algorithm", "a1", "--ranks", "1", "--threads", "2"], "--threads is for mb-dsolve"),
    (["--algorithm", "a4", "--ranks", "2"], "--ranks is for mb-dsolve"),
    (["--algorithm", "a2", "--dtd", "ring"], "--dtd is for mb-dsolve"),
    (["--policy", "batch"], "--policy is for mb-dsolve; say --algorithm mb-dsolve, or how many --ranks or --threads"),
    (["--two-hops"], "--two-hops is for mb-dsolve; say"),
    (["--algorithm", "mb-dslove", "--threads", "2"], "no algorithm 'mb-dslove'; did you mean mb-dsolve?"),
    (["--algorithm", "bogus", "--ranks", "2"], "no algorithm 'bogus'; see bespoke list"),
    (["--threads", "0"], "--threads: 0 is out of range"),
    (["--ranks", "0"], "--ranks: 0 is out of range"),
    (["--threads", "2", "--buffer", "1K"], "1024 bytes of buffers per worker are too few for 2 workers"),
    (["--threads", "2", "--bind", "cores"], "did you mean core?"),
]


def check_wrong(t):
    kit.write("two.bes", "block mu B0 is X0 = X0_1 end block\nblock nu B1 is X0 = true end block\n")
    commands = [(["deadlock", "small.aut", *words], text) for words, text in WRONG]
    commands += [(["solve", "two.bes", *words], text) for words, text in WRONG]
    commands += [
        (["solve", "two.bes", "--algorithm", "dsolve"], "dsolve does not accept several blocks (there are 2); mb-dsolve"),
        (["solve", "two.bes", "--algorithm", "dsolve", "--ranks", "2"], "dsolve does not accept several blocks"),
        (["solve", "two.bes", "--variable", "X9", "--ranks", "2"], "there is no variable X9 in block B0"),
        (["solve", "none.bes", "--ranks", "3"], "none.bes"),
        (["deadlock", "none.aut", "--ranks", "3"], "none.aut"),
        (["deadlock", "none.aut", "--threads", "2"], "none.aut"),
        (["check", "-F", "none.mcl", "small.aut", "--ranks", "3"], "none.mcl"),
        (["check", "-f", "< true", "small.aut", "--ranks", "3"], "formula:1:7"),
        (["deadlock", "bad.aut", "--ranks", "3"], "bad.aut:2:8"),
        (["deadlock", "bad.exp", "--ranks", "2"], "bad.exp:1:"),
        (["deadlock", "bad.so", "--ranks", "2"], "bad.so"),
        (["deadlock", "small.aut", "--threads", "2", "--dump-bes", "x.bes"], "--dump-bes is for one worker"),
    ]
    kit.write("bad.aut", "des (0, 2, 2)\n(0, a, 7)\n(1, b, 0)\n")
    kit.write("bad.exp", "behaviour nothing\n")
    kit.write("bad.so", "no plug-in\n")
    for r, (words, text) in zip(t.runs([words for words, _ in commands]), commands):
        t.check("refused: " + " ".join(words), r.status == 2 and r.out == "" and r.err.count(text) == 1
                and all(line.startswith(("bespoke: ", "bad.", "formula:")) for line in r.err.splitlines()), r)
    t.check("nothing was written", not os.path.exists("x.bes"))
    check_pipes(t)
    check_explain(t)
    check_hidden(t)


def check_explain(t):
    for shape in threads(3)[2:], ranks(2)[2:]:
        r = t.run("solve", "two.bes", "--explain", *shape)
        t.check("--explain by %s" % " ".join(shape), said(r, True) and r.err.splitlines() == [
            "bespoke: block B%d: %s, pure, single-entry; mb-dsolve: there are %s workers" % (i, how, shape[1])
            for i, how in enumerate(["mu, acyclic, disjunctive", "nu, acyclic, conjunctive"])], r)
    x = t.run("list", "--json").object()
    have = {k: [y["name"] for y in x[k]] for k in ("detectors", "transports", "distributions", "algorithms")}
    t.check("list has every name that may be chosen", sorted(have["detectors"]) == ["four-counter", "ring", "wave"]
            and sorted(have["transports"]) == ["mpi", "sim", "threads"] and len(have["distributions"]) == 3
            and {"mb-dsolve", "dsolve"} <= set(have["algorithms"]), have)


def check_hidden(t):
    """What looks hidden and is not, or is not there, is told once; wherever in the file it stands."""
    kit.write("late.aut", "des (0, 301, 302)\n" + "".join("(%d, a, %d)\n" % (i, i + 1) for i in range(300))
              + "(300, tau, 301)\n")
    for shape in [], threads(2), sim(3, 1), ranks(2), ranks(3):
        r = t.run("deadlock", "late.aut", "--hidden", "a", "--hidden", "zork", *shape)
        t.check("warnings of labels by %s" % (" ".join(shape) or "one"), said(r, True) and r.err.splitlines() == [
            'bespoke: warning: late: label "tau" occurs and is not hidden; --hidden tau makes it so',
            "bespoke: warning: late: --hidden zork: no label is called so"], r)
        r = t.run("deadlock", "late.aut", "--hidden", "a", "--hidden", "tau", *shape)
        t.check("and none where all is there", said(r, True) and r.err == "", r)


def check_pipes(t):
    """One rank alone would have what comes through a pipe."""
    formula = kit.write("formula.mcl", FORMULAS["deadlock"] + "\n")
    one = "a pipe can be read by one rank only; expected a file"
    for name, words in ("two.bes", ["solve", "-"]), ("small.aut", ["deadlock", "-"]):
        for shape in threads(2), sim(3, 1):
            with open(name) as f:
                r = t.run(*words, *shape, stdin=f)
            t.check("%s from stdin by %s" % (name, " ".join(shape)), said(r, True), r)
        with open(name) as f:
            r = t.run(*words, *ranks(2), stdin=f)
        t.check("%s from stdin by ranks" % name, r.status == 2 and r.out == "" and r.err.count(one) == 1, r)
    with subprocess.Popen(["cat", formula], stdout=subprocess.PIPE) as p:
        r = t.run("check", "-F", "/dev/stdin", "small.aut", *ranks(2), stdin=p.stdout)
    t.check("nor a formula", r.status == 2 and r.out == "" and r.err.count(one) == 1, r)


def main():
    t = Together()
    print("seed %d (BESPOKE_SEED)" % SEED)
    check_refused(t)
    check_wrong(t)
    check_fields(t)
    check_limits(t)
    check_systems(t)
    for arguments in t.few(FAMILIES, 4):
        check_network(t, arguments)
    check_plugin(t)
    if os.path.exists(ORACLE) and os.path.exists(os.path.join(kit.VLTS, "manifest.csv")):
        check_oracle(t)
        check_instances(t)
    else:
        print("skipped: no ../shared beside the project: known verdicts and VLTS instances are not checked")
    t.finish()


main()
