"""oracle.py - AUT read naively and its facts recomputed, with other methods than bespoke's."""


def parse(text, hidden):
    """(initial, states, [(from, label, to)]); every hidden name becomes i."""
    lines = [line.strip() for line in text.split("\n")]
    lines = [line for line in lines if line]
    head = lines[0][lines[0].index("(") + 1:lines[0].rindex(")")].split(",")
    initial, _, states = (int(x) for x in head)
    found = []
    for line in lines[1:]:
        inner = line[line.index("(") + 1:line.rindex(")")]
        first, last = inner.index(","), inner.rindex(",")
        label = inner[first + 1:last].strip()
        if len(label) >= 2 and label[0] == '"' and label[-1] == '"':
            label = label[1:-1]
        found.append((int(inner[:first]), "i" if label in hidden else label, int(inner[last + 1:])))
    return initial, states, found


def reach(initial, edges):
    """State to distance."""
    after = {}
    for a, b in edges:
        after.setdefault(a, set()).add(b)
    distance, front, level = {initial: 0}, {initial}, 0
    while front:
        level += 1
        front = {b for a in front for b in after.get(a, ()) if b not in distance}
        distance.update((b, level) for b in front)
    return distance


def has_cycle(nodes, edges):
    """Colours by depth-first search."""
    after, state = {}, {}
    for a, b in edges:
        after.setdefault(a, []).append(b)
    for start in nodes:
        if start in state:
            continue
        stack = [(start, iter(after.get(start, ())))]
        state[start] = "open"
        while stack:
            node, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                state[node] = "done"
                stack.pop()
            elif state.get(step) == "open":
                return True
            elif step not in state:
                state[step] = "open"
                stack.append((step, iter(after.get(step, ()))))
    return False


def facts(initial, states, transitions):
    degree = [0] * states
    for a, _, _ in transitions:
        degree[a] += 1
    distance = reach(initial, [(a, b) for a, _, b in transitions])
    dead = [s for s in range(states) if degree[s] == 0]
    pairs = {}
    for a, label, b in transitions:
        pairs.setdefault((a, label), set()).add(b)
    tau = [(a, b) for a, label, b in transitions if label == "i" and a in distance]
    return {
        "states": states,
        "transitions": len(transitions),
        "tau_transitions": sum(label == "i" for _, label, _ in transitions),
        "labels": len({label for _, label, _ in transitions}),
        "initial": initial,
        "branching": {"average": len(transitions) / states, "min": min(degree), "max": max(degree)},
        "deadlock_states": len(dead),
        "deadlock_states_reachable": sum(s in distance for s in dead),
        "livelock": has_cycle(sorted(distance), tau),
        "deterministic": all(len(to) == 1 for to in pairs.values()),
        "unreachable_states": states - len(distance),
        "levels": 1 + max(distance.values()),
        "surrogate": any(label == "SURROGATE" for _, label, _ in transitions),
    }


def difference(expected, found):
    """The first fact that differs, as a sentence, or None."""
    for key, want in expected.items():
        have = found.get(key)
        if key == "branching" and have:
            near = abs(have["average"] - want["average"]) <= 1e-8 * max(1.0, want["average"])
            if near and (have["min"], have["max"]) == (want["min"], want["max"]):
                continue
        elif have == want and isinstance(have, bool) == isinstance(want, bool):
            continue
        return "%s: expected %r, found %r" % (key, want, have)
    return None
