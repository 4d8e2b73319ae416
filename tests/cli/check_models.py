#!/usr/bin/env python3
"""check_models.py - questions about models on the fly, and about the LTS that exploring them gives.

Random networks, families and a plug-in: verdicts, counts, reasons, certificates, limits.  A failing
network stays in the folder of the test as seed-N.exp with its components.
"""
import sys
sys.dont_write_bytecode = True
import os
import random
import re
import subprocess
import explore_networks
import kit

SEEDS = 16
FORMULAS = [
    "[ true* ] < true > true",
    '< true* . "A" > true',
    '[ true* . "B" ] < true* . "A" > true',
    "< true* > < \"i\" > @",
    "mu X . (< true > true and [ not 'C.*' ] X)",
    'nu X . (< "A" | "B" > true or < true > X)',
    '< true* . \'C.*\' . (not "A")* . "B" > true',
]
CC = os.environ.get("CC", "cc")


# ---- XXH64, so that what was changed has the right checksum --------------------------------------

P = [0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5]
MASK = (1 << 64) - 1


def rotate(x, n):
    return ((x << n) | (x >> (64 - n))) & MASK


def turn(acc, word):
    return rotate((acc + word * P[1]) & MASK, 31) * P[0] & MASK


def xxh64(data):
    words = [int.from_bytes(data[i:i + 8], "little") for i in range(0, len(data) // 8 * 8, 8)]
    whole = len(data) // 32 * 4
    acc = P[4]
    if whole:
        lanes = [(P[0] + P[1]) & MASK, P[1], 0, -P[0] & MASK]
        for i in range(whole):
            lanes[i % 4] = turn(lanes[i % 4], words[i])
        acc = sum(rotate(x, n) for x, n in zip(lanes, (1, 7, 12, 18))) & MASK
        for x in lanes:
            acc = ((acc ^ turn(0, x)) * P[0] + P[3]) & MASK
    acc = (acc + len(data)) & MASK
    for w in words[whole:]:
        acc = (rotate(acc ^ turn(0, w), 27) * P[0] + P[3]) & MASK
    tail = data[len(words) * 8:]
    if len(tail) >= 4:
        acc = (rotate(acc ^ int.from_bytes(tail[:4], "little") * P[0] & MASK, 23) * P[1] + P[2]) & MASK
        tail = tail[4:]
    for b in tail:
        acc = rotate(acc ^ b * P[4] & MASK, 11) * P[0] & MASK
    for shift, p in (33, P[1]), (29, P[2]), (32, 1):
        acc = (acc ^ acc >> shift) * p & MASK
    return acc


def seal(lines):
    body = "".join(x + "\n" for x in lines)
    return body + "end %016x\n" % xxh64(body.encode())


# ---- on the fly and explored -----------------------------------------------------------------------

def check_question(t, name, net, lts, formula, solvers):
    ask = ["--json", "--exhaustive", "-f", formula]
    a, b = t.run("check", net, *ask), t.run("check", lts, *ask)
    x, y = a.object(), b.object()
    fine = t.check(name, x and y and x["verdict"] == y["verdict"] and a.status == b.status
                   and (x["vertices"], x["edges"]) == (y["vertices"], y["edges"])
                   and x["model"]["states"] is None and x["model"]["states_met"] <= y["model"]["states"], a, b)
    for solver in solvers:
        r = t.run("check", net, "-f", formula, "--algorithm", solver, "--certify", "--json",
                  "--diagnostic", "why.cert")
        if r.status == 2 and "does not accept" in r.err:
            continue
        c = t.run("certify", "why.cert")
        x = r.object()
        fine &= t.check("  %s: the same, certified twice" % solver, r.status == b.status == c.status and x
                        and x["diagnostic"]["certified"] and c.out == ("TRUE\n" if c.status == 0 else "FALSE\n"),
                        r, c)
    r = t.run("check", net, "-f", formula, "--diagnostic", "part.aut")
    c = t.run("check", "part.aut", "-f", formula)
    return fine & t.check("  and so on its diagnostic", r.status == b.status == c.status, r, c)


def check_networks(t):
    solvers = t.solvers()
    for seed in range(SEEDS):
        r = random.Random(1000 + seed)
        files = ["seed-%d-%d.aut" % (seed, k) for k in range(r.choice([2, 3, 3, 4]))]
        net = kit.write("seed-%d.exp" % seed, explore_networks.expression(r, files) + "\n")
        lts = "seed-%d.lts.aut" % seed
        t.run("explore", net, "-o", lts)
        fine = True
        for formula in r.sample(FORMULAS, 4):
            fine &= check_question(t, "seed %d: %s" % (seed, formula), net, lts, formula, solvers)
        for f in files + [net, lts] if fine else []:
            os.unlink(f)


def check_families(t):
    for args in ["philosophers", "--n", "3"], ["peterson", "--n", "2"], ["abp", "--messages", "2"], \
            ["cycles", "--n", "3", "--length", "4", "--deadlock-depth", "5"]:
        made = t.run("gen", *args, "-o", "f.exp", "--json").object()
        for p in made["properties"]:
            r = t.run("check", "f.exp", "-F", p["file"], "--certify", "--json")
            x = r.object()
            t.check("%s: %s" % (" ".join(args), p["file"]), x and x["verdict"] == p["expected"]
                    and x["diagnostic"]["certified"], r)


# ---- certificates ------------------------------------------------------------------------------------

def check_spoilt(t):
    t.run("gen", "cycles", "--n", "3", "--length", "4", "--deadlock-depth", "5", "-o", "c.exp")
    t.run("deadlock", "c.exp", "--diagnostic", "c.cert")
    text = open("c.cert").read()
    lines = text.splitlines()[:-1]
    t.check("our checksum is theirs", seal(lines) == text, seal(lines)[-30:], text[-30:])
    at = lines.index("states 6")
    spoilt = [("FALSE", lines.index("verdict TRUE"), "verdict FALSE", "no proof"),
              ("fewer states", at, "states 5", "expected vertices"),
              ("a state after it", at + 1, "1 0", "expected a state before this one"),
              ("far too many", at + 2, "1 99", "is said to be reached over transition 99")]
    for k in range(1, 6):
        parent, step = map(int, lines[at + k].split())
        spoilt += [("another step to state %d" % k, at + k, "%d %d" % (parent, step + 1), "no proof")]
        if k > 1:
            spoilt += [("another parent of state %d" % k, at + k, "%d %d" % (parent - 1, step), "no proof")]
    for name, line, new, says in spoilt:
        kit.write("s.cert", seal(lines[:line] + [new] + lines[line + 1:]))
        r = t.run("certify", "s.cert")
        t.check("refused: " + name, r.status == 2 and r.out == "" and says in r.err, r)
    listed = [x for i, x in enumerate(lines) if not at <= i <= at + 5]
    kit.write("s.cert", seal(listed))
    r = t.run("certify", "s.cert")
    t.check("refused: no list of states", r.status == 2 and "lists no states; expected" in r.err, r)
    t.run("explore", "c.exp", "-o", "c.aut")
    t.run("deadlock", "c.aut", "--diagnostic", "e.cert")
    t.check("numbers are enough for an LTS", "\nstates " not in open("e.cert").read())
    e = open("e.cert").read().splitlines()[:-1]
    v = next(i for i, x in enumerate(e) if x.startswith("vertices "))
    kit.write("s.cert", seal(e[:v] + ["states 1"] + e[v:]))
    r = t.run("certify", "s.cert")
    t.check("refused: a list for an LTS", r.status == 2 and "lists its states; expected" in r.err, r)


def check_provenance(t):
    part = next(f for f in sorted(os.listdir(".")) if re.match(r"c\..*\.aut$", f))
    before = open(part).read()
    kit.write(part, before + "\n")
    r = t.run("certify", "c.cert")
    t.check("a component has changed", r.status == 2 and "has changed" in r.err, r)
    kit.write(part, before)
    r = t.run("certify", "c.cert")
    t.check("and has not", r.status == 0 and r.out == "TRUE\n", r)
    r = t.run("certify", "c.cert", "--model", "./c.exp")
    t.check("--model", r.status == 0, r)
    for option in "--diagnostic", "--dump-bes":
        if option == "--dump-bes":
            os.rename(part, "moved"), os.symlink("moved", part), os.symlink("moved", "x.bes")
        out = part if option == "--diagnostic" else "x.bes"
        r = t.run("deadlock", "c.exp", option, out)
        t.check("%s does not fall upon a component" % option, r.status == 2 and "is read" in r.err
                and open(part).read() == before, r)


def check_plugin(t):
    source = os.path.join(kit.ROOT, "docs", "examples", "token_ring.c")
    subprocess.run([CC, "-shared", "-fPIC", "-I", os.path.join(kit.ROOT, "include"), "-o", "ring.so", source],
                   check=True)
    r = t.run("explore", "./ring.so", "--model-arg", "3", "-o", "ring.aut")
    t.check("a plug-in is explored", r.status == 0, r)
    for formula in FORMULAS[:4]:
        args = ["--model-arg", "3", "-f", formula]
        a, b = t.run("check", "./ring.so", *args, "--diagnostic", "r.cert"), t.run("check", "ring.aut", "-f", formula)
        c, d = t.run("certify", "r.cert"), t.run("certify", "r.cert", "--model", "./ring.so")
        t.check("plug-in: " + formula, a.status == b.status == d.status and a.out == d.out, a, b, d)
        t.check("  which certify runs only when told to", c.status == 2 and "is a program" in c.err, c)
    text = open("r.cert").read()
    kit.write("s.cert", seal([x.replace("model-arg 3", "model-arg 4") for x in text.splitlines()[:-1]]))
    r = t.run("certify", "s.cert", "--model", "./ring.so")
    t.check("arguments are part of the model", "model-arg 3" in text and r.status == 2
            and "has changed" in r.err, r)


# ---- limits --------------------------------------------------------------------------------------------

# Arguments N, EVERY, WIDTH: a circle of N states, every EVERY-th step a C; or (WIDTH) N states that all lead
# to the same WIDTH others.
SHAPES = """
#include <bespoke_model.h>
#include <stdlib.h>
static uint32_t n[3], first[1];
static const char *const labels[] = { "A", "C" };
static void *open_shape(bespoke_shape *s, size_t count, const char *const *text)
{
    for (size_t i = 0; i < count && i < 3; i++) n[i] = (uint32_t)atoi(text[i]);
    *s = (bespoke_shape){ .key_words = 1, .initial = first, .label_count = 2, .labels = labels };
    return n;
}
static int moves(const void *model, void *context, const uint32_t *key, bespoke_out *out)
{
    uint32_t next = (*key + 1) % n[0];
    (void)model, (void)context;
    if (*key < n[0]) bespoke_emit(out, *key % n[1] == n[1] - 1, &next);
    for (uint32_t i = 0; *key < n[0] && i < n[2]; i++) next = n[0] + i, bespoke_emit(out, 0, &next);
    return 0;
}
const bespoke_plugin bespoke_model = { BESPOKE_PLUGIN_HEAD, .name = "shapes", .open = open_shape, .moves = moves };
"""


def shape(*numbers):
    return ["./shapes.so"] + [x for n in numbers for x in ("--model-arg", str(n))]


def is_watched(t):
    """Sanitizers are slow, and keep memory of their own."""
    return "-fsanitize" in t.run("--version").out


def check_shapes(t):
    """Formulas of which a position is met at one state in hundreds; rows that are long."""
    kit.write("shapes.c", SHAPES)
    subprocess.run([CC, "-O2", "-shared", "-fPIC", "-I", os.path.join(kit.ROOT, "include"), "-o", "shapes.so",
                    "shapes.c"], check=True)
    slow = is_watched(t)
    far = '[ true* . "C"' + 120 * " . true" + ' . "C" ] false'
    for mib, *more in (12,), (48, "--algorithm", "a1"), (48, "--algorithm", "a2"), (48, "--certify"), \
            (16, "--exhaustive"), (16, "--certify", "--shortest"), (16, "--dump-bes", "x.bes"):
        limit = mib << 20
        r = t.run("check", *shape(100000, 900), "-f", far, "--json", "--memory-limit", str(limit), *more)
        x = r.object()
        t.check("scattered vertices keep to the limit: " + " ".join(more), x and r.status == 3
                and "memory limit" in r.err and (slow or x["memory_bytes"]["peak_total"] < 1.3 * limit), r)
    x = t.run("check", *shape(100000, 900), "-f", far, "--json", "--certify", "--diagnostic", "far.cert").object()
    t.check("and without one there is an answer", x and x["verdict"] and x["diagnostic"]["certified"], x)
    limit = 48 << 20
    r = t.run("certify", "far.cert", "--model", "./shapes.so", "--memory-limit", str(limit), "--json")
    x = r.object()
    t.check("whose certificate keeps to it too", x and r.status in (0, 3) and (slow
            or x["memory_bytes"]["peak_total"] < 1.3 * limit), r)
    r = t.run("check", *shape(20000, 10, 4000), "-f", "[ true* ] true", "--timeout", "0.5", "--json")
    x = r.object()
    t.check("time is up in the middle of long rows", r.status == 3 and "time limit" in r.err
            and x["seconds"]["total"] < (10 if slow else 1.5), r)


def check_limits(t):
    watched = is_watched(t)
    t.run("gen", "cycles", "--n", "9", "--length", "10", "--deadlock-depth", "10", "-o", "big.exp")
    r = t.run("deadlock", "big.exp", "--json", "--certify")
    x = r.object()
    t.check("a near deadlock in 10^9 states", r.status == 0 and x["diagnostic"]["depth"] == 10
            and x["memory_bytes"]["peak_total"] < 100 << 20, r)
    t.run("gen", "cycles", "--n", "9", "--length", "10", "-o", "big.exp")
    for solver in "auto", "a1", "a2", "a4":
        r = t.run("deadlock", "big.exp", "--json", "--memory-limit", "40M", "--algorithm", solver)
        x = r.object()
        t.check("%s: out of memory, with what was done" % solver, r.status == 3 and x
                and x["verdict"] is None and x["status"] == "limit" and x["vertices"] > 10000
                and x["model"]["states_met"] > 10000 and "memory limit" in r.err
                and (watched or x["memory_bytes"]["peak_total"] < 60 << 20), r)
    r = t.run("deadlock", "big.exp", "--timeout", "0.3")
    t.check("out of time", r.status == 3 and "states of the model" in r.err, r)


def main():
    t = kit.Test()
    check_networks(t)
    check_families(t)
    check_spoilt(t)
    check_provenance(t)
    check_plugin(t)
    check_shapes(t)
    check_limits(t)
    t.finish()


main()
