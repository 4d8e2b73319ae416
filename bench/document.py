"""document.py - tables of figures, as text or in a document between two marks."""
import sys


def table(heads, rows, markdown):
    cells = [heads] + [[str(c) for c in r] for r in rows]
    if markdown:
        lines = ["| " + " | ".join(r) + " |" for r in cells]
        return [lines[0], "|" + "---|" * len(heads)] + lines[1:]
    wide = [max(len(r[k]) for r in cells) for k in range(len(heads))]
    return ["  ".join(c.ljust(w) for c, w in zip(r, wide)).rstrip() for r in cells]


def around_marks(path, name):
    """A document's text before and behind what lies between the marks of this name."""
    begin, end = ["<!-- %s %s -->\n" % (name, x) for x in ("begin", "end")]
    with open(path) as f:
        old = f.read()
    if old.count(begin) != 1 or old.count(end) != 1:
        sys.exit("%s: %s: the marks '%s' and '%s' are wanted once each"
                 % (name, path, begin.strip(), end.strip()))
    return old.split(begin)[0] + begin, end + old.split(end)[1]
