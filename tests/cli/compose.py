"""compose.py - networks composed naively: the .exp of `bespoke gen` and its .aut files, by
hand, sharing nothing with bespoke.

Read: "file", ( ), |||, |[G, ...]|, par [G, ... in] ... || ... end par, gate hide, total and gate
rename.  The rest of the language is refused.
"""
import functools
import itertools
import os
import re
import oracle

TOKEN = re.compile(r'\s+|\(\*.*?\*\)|"(?:[^"\\]|\\.)*"|\|\|\||\|\[|\]\||\|\||->|[A-Za-z_0-9]+|[(),]',
                   re.S)


def tokens(text):
    found, at = [], 0
    while at < len(text):
        m = TOKEN.match(text, at)
        if m is None:
            raise ValueError("what is %r?" % text[at:at + 20])
        if not m.group().isspace() and not m.group().startswith("(*"):
            found.append(m.group())
        at = m.end()
    return found + [None]


def gate(label):
    return re.match(r"[^!?( \t]*", label).group()


def plain(token):
    return token[1:-1].replace('\\"', '"') if token[0] == '"' else token


class Part:
    """An automaton: `moves(s)` are pairs of label and state; states can be hashed."""

    def __init__(self, initial, moves):
        self.initial, self.moves = initial, moves

    def relabelled(self, new):
        seen = {}

        def name(label):
            if label not in seen:
                seen[label] = label if label == "i" else new(label)
            return seen[label]
        return Part(self.initial, lambda s: [(name(a), t) for a, t in self.moves(s)])


def automaton(path):
    with open(path) as f:
        initial, _, edges = oracle.parse(f.read(), {"i"})
    rows = {}
    for a, label, b in edges:
        rows.setdefault(a, []).append((label, b))
    return Part(initial, lambda s: rows.get(s, ()))


def together(parts, joint):
    """All parts at once on the gates of `joint`, each alone otherwise."""
    parts = [Part(p.initial, functools.cache(p.moves)) for p in parts]

    def moves(state):
        offers, found = {}, []
        for k, part in enumerate(parts):
            for label, to in part.moves(state[k]):
                if label == "i" or gate(label) not in joint:
                    found.append((label, state[:k] + (to,) + state[k + 1:]))
                else:
                    offers.setdefault(label, [[] for _ in parts])[k].append(to)
        for label, targets in offers.items():
            found.extend((label, to) for to in itertools.product(*targets))
        return found
    return Part(tuple(p.initial for p in parts), moves)


class Reader:
    def __init__(self, path):
        with open(path) as f:
            self.at, self.rest = 0, tokens(f.read())
        self.folder = os.path.dirname(path)

    def take(self, *expected):
        token = self.rest[self.at]
        if expected and token not in expected:
            raise ValueError("%r where %r was expected" % (token, expected))
        self.at += 1
        return token

    def see(self, token):
        return self.rest[self.at] == token

    def gates(self, end):
        """A list of gates and its end."""
        found = {plain(self.take())}
        while self.take(",", end) == ",":
            found.add(plain(self.take()))
        return found

    def expression(self):
        left = self.operand()
        if self.see("|||"):
            self.take()
            return together([left, self.expression()], set())
        if self.see("|["):
            self.take()
            joint = self.gates("]|")
            return together([left, self.expression()], joint)
        return left

    def operand(self):
        token = self.take()
        if token == "(":
            inner = self.expression()
            self.take(")")
            return inner
        if token[0] == '"':
            return automaton(os.path.join(self.folder, plain(token)))
        if token == "par":
            return self.par()
        kind = self.take("hide", "rename")
        return self.hide(token) if kind == "hide" else self.rename(token)

    def par(self):
        named = self.rest[self.at + 1] in (",", "in")
        joint, parts = self.gates("in") if named else set(), [self.expression()]
        while self.see("||"):
            self.take()
            parts.append(self.expression())
        self.take("end"), self.take("par")
        return together(parts, joint)

    def hide(self, mode):
        if mode != "gate":
            raise ValueError("%s hide" % mode)
        hidden, inner = self.gates("in"), self.expression()
        self.take("end"), self.take("hide")
        return inner.relabelled(lambda label: "i" if gate(label) in hidden else label)

    def rename(self, mode):
        rules = []
        while not rules or self.take(",", "in") == ",":
            pattern = plain(self.take()).replace("\\(", "(").replace("\\)", ")")
            self.take("->")
            rules.append((re.compile(pattern), plain(self.take())))
        inner = self.expression()
        self.take("end"), self.take("rename")

        def new(label):
            word = gate(label) if mode == "gate" else label
            for pattern, to in rules:
                m = pattern.fullmatch(word)
                if m:
                    return m.expand(to) + label[len(word):]
            return label
        if mode not in ("gate", "total"):
            raise ValueError("%s rename" % mode)
        return inner.relabelled(new)


def compose(path, most=10 ** 7):
    """All states breadth-first: (number of states, set of (from, label, to))."""
    reader = Reader(path)
    net = reader.expression()
    if not reader.see(None):
        raise ValueError("%r is left" % reader.rest[reader.at])
    number, queue, edges = {net.initial: 0}, [net.initial], set()
    for state in queue:
        here = number[state]
        for label, to in net.moves(state):
            there = number.setdefault(to, len(number))
            if there == len(queue):
                queue.append(to)
            edges.add((here, label, there))
        if len(queue) > most:
            raise ValueError("%s: more than %d states" % (path, most))
    return len(number), edges


def write(path, states, edges):
    with open(path, "w") as f:
        f.write("des (0, %d, %d)\n" % (len(edges), states))
        for a, label, b in sorted(edges):
            f.write('(%d, "%s", %d)\n' % (a, label, b))
