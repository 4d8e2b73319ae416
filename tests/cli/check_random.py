#!/usr/bin/env python3
"""check_random.py - random formulas on random models: with a reason or without, dumped or not, by
every solver, on the diagnostic and from the certificate, the verdict is the same."""
import sys
sys.dont_write_bytecode = True
import os
import random
import kit

CASES, FIRST_SEED = 50, 1
LABELS = ["a", "b", "i", "SEND !1"]
ACTIONS = ["true", '"a"', '"b"', '"i"', "'SEND.*'", 'not "i"', '"a" or "b"', "false"]


def regular(r, depth):
    k = r.randrange(6) if depth else 0
    if k <= 2:
        return r.choice(ACTIONS)
    if k == 3:
        return "(%s)%s" % (regular(r, depth - 1), r.choice("*+?"))
    return "(%s) %s (%s)" % (regular(r, depth - 1), r.choice(".|"), regular(r, depth - 1))


def formula(r, depth, scope):
    k = r.randrange(12) if depth else 0
    if k <= 1:
        return r.choice(scope + ["true", "false", "< true > true", "[ true ] false"])
    if k <= 5:
        left, right = r.choice(("<>", "[]"))
        return "%s %s %s (%s)" % (left, regular(r, 2), right, formula(r, depth - 1, scope))
    if k <= 7:
        return "(%s) %s (%s)" % (formula(r, depth - 1, scope), r.choice(("and", "or")),
                                 formula(r, depth - 1, scope))
    if k == 8:
        return r.choice(("< %s > @", "[ %s ] -|")) % regular(r, 2)
    if k == 9:
        return "not (%s)" % formula(r, depth - 1, [])    # closed: no variable under it
    name = "X%d" % len(scope)
    return "%s %s . (%s)" % (r.choice(("mu", "nu")), name, formula(r, depth - 1, scope + [name]))


def model(r):
    states = r.randrange(1, 12)
    rows = sorted((r.randrange(states), r.choice(LABELS), r.randrange(states))
                  for _ in range(r.randrange(3 * states + 1)))
    return "des (%d, %d, %d)\n" % (r.randrange(states), len(rows), states) + \
        "".join('(%d, "%s", %d)\n' % row for row in rows)


def check_one(t, seed, solvers, seen):
    r = random.Random(seed)
    text = formula(r, 5, [])
    kit.write("m.aut", model(r))
    ask = ["check", "-q", "-f", text]
    plain = t.run(*ask, "m.aut")
    if plain.status == 2 and "alternation of depth two" in plain.err:
        seen["refused"] += 1
        return
    claim = "seed %d: %s" % (seed, text[:100])
    if not t.check(claim, plain.status in (0, 1) and plain.err == "", plain):
        return
    seen[plain.out.strip()] += 1
    same = []
    for solver in solvers:
        x = t.run(*ask, "--algorithm", solver, "--certify", "--json", "m.aut")
        if x.status == 2 and "does not accept" in x.err:
            continue
        seen[solver] += 1
        same.append(x.status == plain.status and x.object()["diagnostic"]["certified"] is True)
    t.check("  every solver that accepts it agrees, certified", len(same) >= 1 and all(same), same)
    if os.path.exists("m.bes"):
        os.remove("m.bes")
    dumped = t.run(*ask, "--dump-bes", "m.bes", "m.aut")
    if not os.path.exists("m.bes"): # blocks within each other; -q keeps the warning back
        seen["nested"] += 1
        t.check("  and without equations", dumped.out == plain.out, dumped)
    else:
        solved = t.run("solve", "m.bes")
        t.check("  so does the system of equations", dumped.out == solved.out == plain.out
                and dumped.status == solved.status == plain.status, dumped, solved)
    why = t.run(*ask, "--diagnostic", "why.aut", "--certify", "m.aut")
    again = t.run(*ask, "why.aut")
    t.check("  and the diagnostic", why.out == again.out == plain.out, why, again)
    proof = t.run(*ask, "--diagnostic", "why.cert", "--shortest", "m.aut")
    again = t.run("certify", "why.cert")
    t.check("  and the certificate", proof.out == again.out == plain.out
            and proof.status == again.status == plain.status, proof, again)


def main():
    t = kit.Test()
    solvers = t.solvers()
    seen = dict.fromkeys(["TRUE", "FALSE", "refused", "nested"] + solvers, 0)
    for seed in range(FIRST_SEED, FIRST_SEED + CASES):
        check_one(t, seed, solvers, seen)
    print("seeds %d to %d:" % (FIRST_SEED, FIRST_SEED + CASES - 1), seen)
    t.check("both verdicts, nested blocks and every solver had their share",
            all(seen[k] > CASES // 50 for k in seen if k != "refused"), seen)
    t.finish()


main()
