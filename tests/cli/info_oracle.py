#!/usr/bin/env python3
"""info_oracle.py BESPOKE [FIRST_SEED [COUNT]] - random small LTSs, all facts against the oracle.

Each is written in a random dialect and described as .aut with 1, 2 and 5 threads, as .aut.gz,
.aut.zst, .aut.bz2 and .plts.  A failure prints its seed and leaves seed-N.aut behind.
"""
import sys
sys.dont_write_bytecode = True
import gzip
import random
import kit
import oracle

FAILURES_MAX = 5  # more would tell the same again
LABELS = ["i", '"i"', "a", '"a"', "b", "tau", '"tau"', '"SEND !1"', '"SEND !2"', '"x, y"', '"("',
          '"a "quoted" word"', '""', '" a"', "exit", '"i "', "SURROGATE", "I", '"' + "long" * 300 + '"',
          '"back\\slash"', '")"', '"1, 2)"']


def random_lts(rnd, states, transitions):
    labels = rnd.sample(LABELS, rnd.randint(1, 6))
    if rnd.random() < 0.5:
        labels.append("i")
    near = rnd.random() < 0.5
    found = []
    for _ in range(transitions):
        a = rnd.randrange(states)
        b = min(states - 1, a + rnd.randint(0, 3)) if near else rnd.randrange(states)
        found.append((a, rnd.choice(labels), b))
        if rnd.random() < 0.05:
            found.append(found[-1])
    if rnd.random() < 0.5:
        found.sort(key=lambda x: x[0])
    return found


def dialect(rnd, initial, states, transitions):
    """The text; blanks wherever they are free, LF or CRLF, last newline or not."""
    loose = rnd.random() < 0.5
    gap = (lambda: rnd.choice(["", "", " ", "  ", "\t"])) if loose else (lambda: "")
    end = rnd.choice(["\n", "\n", "\r\n"])
    head = ["des", gap(), " (", gap(), str(initial), gap(), ",", gap(), str(len(transitions)), gap(),
            ",", gap(), str(states), gap(), ")", gap()]
    lines = ["".join(head)]
    for a, label, b in transitions:
        lines.append("".join([gap(), "(", gap(), str(a), gap(), ",", gap(), label, gap(), ",", gap(),
                              str(b), gap(), ")", gap()]))
        if loose and rnd.random() < 0.02:
            lines.append(gap())
    return end.join(lines) + rnd.choice(["", end])


def describe(t, seed, text, hidden):
    """Every way to load it: [(how, Result)]."""
    aut = kit.write("seed-%d.aut" % seed, text)
    with gzip.open("x.aut.gz", "wb") as f:
        f.write(text.encode())
    names = [x for h in sorted(hidden - {"i"}) for x in ("--hidden", h)]
    for out in "x.aut.zst", "x.aut.bz2", "x.plts":
        r = t.run("convert", "-q", *names, aut, out)
        if r.status != 0 or r.err != "":
            return [("convert to " + out, r)]
    runs = []
    for threads in "1", "2", "5":
        more = ["x.aut.gz", "x.aut.zst", "x.aut.bz2", "x.plts"]
        runs.append(("%s threads" % threads, t.run("info", "-q", "--json", "--load-threads", threads,
                                                   *names, aut, *more)))
    return runs


def check(t, seed):
    rnd = random.Random(seed)
    big = seed % 100 == 99
    states = rnd.randint(2000, 30000) if big else rnd.choice([1, 2, 3, 8, 30, 300])
    count = rnd.randint(20000, 60000) if big else rnd.randint(0, states * rnd.choice([1, 2, 4]))
    transitions = random_lts(rnd, states, count)
    text = dialect(rnd, rnd.choice([0, rnd.randrange(states)]), states, transitions)
    hidden = {"i"} | ({"tau"} if rnd.random() < 0.4 else set())
    hidden |= {"SEND !1", "a"} if rnd.random() < 0.1 else set()
    want = oracle.facts(*oracle.parse(text, hidden))
    for how, r in describe(t, seed, text, hidden):
        found = r.objects() or []
        wrong = ["%s, %s: %s" % (how, x["file"], oracle.difference(want, x)) for x in found
                 if oracle.difference(want, x)]
        if r.status != 0 or r.err != "" or len(found) != 5 or wrong:
            return t.check("seed %d, %s: seed-%d.aut" % (seed, how, seed), False, r, *wrong)
    return True


def main():
    t = kit.Test()
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    right = 0
    for seed in range(first, first + count):
        right += check(t, seed)
        if t.failed == FAILURES_MAX:
            break
    t.check("seeds %d to %d: %d of %d LTSs as the oracle says, in 5 forms and with 1, 2, 5 threads"
            % (first, first + count - 1, right, count), right == count)
    t.finish()


main()
