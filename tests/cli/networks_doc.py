#!/usr/bin/env python3
"""networks_doc.py - what docs/NETWORKS.md shows is what happens.

The page is read from top to bottom in an empty folder.
    | `p.aut` | 0 A 1, 1 B 0 |      a row of its table of components: the file is written
    ```console                      commands and all they print; `cat` of a file that is not
                                    there yet shows what it shall hold, so it is written
    ```exp                          networks, each with a comment that says what becomes of it:
        -- 0 A 1, 1 B 0             these transitions in this order, or `nothing`
        -- warned: TEXT             opened, with TEXT on stderr
        -- refused: TEXT            status 2, with TEXT on stderr
                                    a line that begins with a blank belongs to the one before
"""
import sys
sys.dont_write_bytecode = True
import os
import re
import subprocess
import kit

MEASURED = "explored in ", "memory "    # lines that differ from run to run
STEP = re.compile(r"(\d+) (.+) (\d+)$")


def page():
    with open(os.path.join(kit.ROOT, "docs", "NETWORKS.md")) as f:
        return f.read()


def parts(text):
    """(kind, lines) in the order of the page; kind is console, exp or component."""
    kind, lines = None, []
    for line in text.splitlines():
        row = re.match(r"\| `([\w.]+\.aut)` \| (\d.*) \|$", line)
        if line.startswith("```"):
            if kind:
                yield kind, lines
            kind, lines = (None if kind else line[3:]), []
        elif kind:
            lines.append(line)
        elif row:
            yield "component", row.groups()


def write_component(name, steps):
    found = [STEP.match(s).groups() for s in steps.split(", ")]
    states = 1 + max(int(s) for a, _, b in found for s in (a, b))
    kit.write(name, "des (0, %d, %d)\n" % (len(found), states) +
              "".join('(%s, "%s", %s)\n' % step for step in found))


# ---- commands ------------------------------------------------------------------------------

def commands(lines):
    """(command, its output) of a console block."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def settled(lines):
    return [next((m for m in MEASURED if line.startswith(m)), line) for line in lines]


def run_command(t, command, shown):
    word, _, name = command.partition(" ")
    if word == "cat" and not os.path.exists(name):
        kit.write(name, "".join(line + "\n" for line in shown))
        return
    path = os.path.dirname(t.exe) + os.pathsep + os.environ["PATH"]
    p = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, timeout=60, check=False,
                       env=dict(os.environ, PATH=path))
    printed = p.stdout.decode().splitlines()
    t.check("$ " + command, settled(printed) == settled(shown), *printed)


# ---- networks ------------------------------------------------------------------------------

def networks(lines):
    """(text, what its comments say) of a block of networks."""
    entries = []
    for line in lines:
        if line.startswith(" ") and entries:
            entries[-1] += "\n" + line
        elif line:
            entries.append(line)
    return [(e, " ".join(re.findall(r"-- (.*)", e))) for e in entries]


def transitions(aut):
    found = [re.match(r'\((\d+), (.*), (\d+)\)$', line).groups() for line in aut.splitlines()[1:]]
    return ", ".join("%s %s %s" % (a, label.strip('"'), b) for a, label, b in found)


def run_network(t, text, said):
    kit.write("n.exp", text + "\n")
    r = t.run("convert", "n.exp", "-")
    what, _, words = said.partition(": ")
    if what == "refused":
        right = r.status == 2 and words in r.err
    elif what == "warned":
        right = r.status == 0 and "warning" in r.err and words in r.err
    else:
        right = r.status == 0 and transitions(r.out) == ("" if said == "nothing" else said)
    t.check(" ".join(text.split()), right, r)


def main():
    t = kit.Test()
    count = {"component": 0, "console": 0, "exp": 0}
    for kind, lines in parts(page()):
        count[kind] += 1
        if kind == "component":
            write_component(*lines)
        elif kind == "console":
            for command, shown in commands(lines):
                run_command(t, command, shown)
        else:
            for text, said in networks(lines):
                run_network(t, text, said)
    t.check("the page was read: %s" % count, min(count.values()) >= 3, count)
    t.finish()


main()
