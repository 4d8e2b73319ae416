"""explorer.py - a naive explorer, and everything bespoke explore says of a model held against it."""
import os
import oracle

THREADS = [1, 2, 3, 8]


def naive(initial, moves):
    """(numbers, distances, set of transitions) of what can be reached; `moves` of a state are pairs."""
    order, distance = [initial], {initial: 0}
    for s in order:
        for _, to in moves(s):
            if to not in distance:
                distance[to] = distance[s] + 1
                order.append(to)
    number = {s: i for i, s in enumerate(order)}
    return number, distance, {(number[s], label, number[to]) for s in order for label, to in moves(s)}


def replay(number, found, trace):
    """The states that a trace can lead to, by the transitions of a naive exploration."""
    now = {0}
    for label in trace:
        now = {b for a, x, b in found if x == label and a in now}
    return now


def is_same(found, rows, exact):
    """The same transitions; or, where numbers may differ, as many states in each class of strong
    bisimulation."""
    if exact:
        return found == rows
    edges = [("f", a, x, b) for a, x, b in found] + [("r", a, x, b) for a, x, b in rows]
    states = {("f", 0), ("r", 0)} | {(k, s) for k, a, _, b in edges for s in (a, b)}
    block, count = dict.fromkeys(states, 0), 1
    while True:
        mark = {s: set() for s in states}
        for k, a, x, b in edges:
            mark[k, a].add((x, block[k, b]))
        names = {}
        block = {s: names.setdefault((block[s], frozenset(mark[s])), len(names)) for s in states}
        if len(names) == count:
            sizes = [sorted(block[s] for s in states if s[0] == k) for k in "fr"]
            return sizes[0] == sizes[1] and block["f", 0] == block["r", 0]
        count = len(names)


def wrong_counts(x, number, distance, found, order):
    dead = len(number) - len({a for a, _, _ in found})
    want = (len(number), len(found), len({x for _, x, _ in found}), dead, 0, "ok")
    have = (x["states"], x["transitions"], x["labels"], x["deadlock_states"], x["frontier"], x["status"])
    if have != want:
        return "%r instead of %r" % (have, want)
    deepest = max(distance.values())
    good = x["depth"] == deepest if order == "bfs" else deepest <= x["depth"] < len(number)
    return None if good else "depth %d, %d" % (x["depth"], deepest)


def wrong_trace(t, args, number, distance, found, label):
    """None, or what is wrong with the way to the first deadlock (None) or label."""
    near = {number[s]: d for s, d in distance.items()}
    busy = {a for a, _, _ in found}
    ends = [near[a] + 1 for a, x, _ in found if x == label] if label else \
        [near[s] for s in near if s not in busy]
    for order in "bfs", "dfs":
        for threads in THREADS if order == "bfs" else [1]:
            r = t.run("explore", "--json", *args, "--order", order, "--threads", str(threads),
                      "--stop-at", label or "deadlock")
            x = r.object()
            if not x or x["found"] != bool(ends):
                return "found? %s" % r
            if not ends:
                continue
            after = replay(number, found, x["trace"])
            fits = x["trace"][-1:] == [label] if label else any(s not in busy for s in after)
            short = len(x["trace"]) == min(ends) if order == "bfs" else True
            if not after or not fits or not short or x["trace_length"] != len(x["trace"]):
                return "%s: the trace %s" % (order, r)
    return None


def take_file(files, r, faults):
    """What was written to out.aut, if it was."""
    if r.status != 0:
        faults.append(str(r))
        return
    with open("out.aut") as f:
        files.add(f.read())
    os.unlink("out.aut")


def check_model(t, claim, args, number, distance, found, exact=True):
    """Everything about one model, whatever its kind; True if it held.  `exact`: the order of moves
    is known, so numbers are."""
    files, faults = set(), []
    ways = [["--threads", str(n)] for n in THREADS] + [["--order", "dfs"]]
    for way in ways:
        r = t.run("explore", "--json", *args, *way, "-o", "out.aut")
        x = r.object()
        faults.append(wrong_counts(x, number, distance, found, x["order"]) if x else str(r))
        take_file(files, r, faults)
    if not args[0].endswith(".aut"):   # which would be copied as it is
        take_file(files, t.run("convert", "-q", *args, "out.aut", "--threads", "2"), faults)
    if len(files) != 1:
        faults.append("there are %d different files" % len(files))
    initial, states, rows = oracle.parse(files.pop(), {"i"}) if files else (None, 0, [])
    if (initial, states, len(rows)) != (0, len(number), len(found)) or \
            not is_same(found, set(rows), exact):
        faults.append("the file is not what was expected")
    for label in [None] + sorted({x for _, x, _ in found}):
        faults.append(wrong_trace(t, args, number, distance, found, label))
    faults = [f for f in faults if f]
    return t.check(claim, not faults, *faults)
