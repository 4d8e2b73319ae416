#!/usr/bin/env python3
"""plugin.py - models in C: the example against a ring in Python, and what misbehaves.

Every plug-in of plugin_case.c is wrong in its own way: it gets its sentence and status 2.
"""
import sys
sys.dont_write_bytecode = True
import os
import re
import shutil
import subprocess
import kit

CC = os.environ.get("CC", "cc")
INCLUDE = os.path.join(kit.ROOT, "include")
EXAMPLE = os.path.join(kit.ROOT, "docs", "examples", "token_ring.c")
CASES = os.path.join(kit.ROOT, "tests", "cli", "plugin_case.c")
STRICT = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"]

# A name in plugin_case.c, how the sentence goes on after the file's name.
WRONG = [
    ("NO_SYMBOL", "defines no bespoke_model"),
    ("OTHER_ABI", "speaks version 7 of bespoke_model.h, this bespoke version 1; build it again"),
    ("SHORT_TABLE", "bespoke_model has 24 bytes; expected"),
    ("NO_NAME", "bespoke_model.name is NULL"),
    ("NO_OPEN", "bespoke_model.open is NULL; expected a function"),
    ("NO_MOVES", "bespoke_model.moves is NULL; expected a function"),
    ("HALF_CONTEXT", "bespoke_model.context_close is NULL; expected both or none"),
    ("NULL_MODEL", "open returned NULL and gives no reason"),
    ("NULL_MODEL_WHY", "no moon\n"),
    ("ENDLESS_WHY", "x" * 255 + "\n"),
    ("NO_WORDS", "open says key_words 0; expected 1 to 256"),
    ("MANY_WORDS", "open says key_words 1000; expected 1 to 256"),
    ("NO_INITIAL", "open says no initial key"),
    ("MANY_LABELS", "open says label_count 4294967295; expected at most 16777216"),
    ("NO_LABELS", "open says label_count 2, but no labels"),
    ("NULL_LABEL", "label 1 is NULL; expected a text"),
    ("EMPTY_LABEL", "label 1 is empty"),
    ("NEWLINE_LABEL", "label 1 has an unprintable character (byte 0x0a)"),
    ("SAME_LABELS", 'labels 0 and 1 are both "a"'),
    ("SAME_HIDDEN", 'labels 0 and 1 are both "i"'),
    ("BAD_LABEL", "emits label 2; there are 2, from 0 on, in state '4 0'"),
    ("NULL_KEY", "emits NULL for a key, in state '4 0'"),
    ("MANY_MOVES", "emits more than 16777216 moves, in state '4 0'"),
    ("FAILING", "moves failed and gives no reason, in state '4 0'"),
    ("FAILING_WHY", "the fifth state is out of order, in state '4 0'"),
    ("UNRESOLVED", "cannot be loaded: undefined symbol: nobody_has_this_function"),
]


def build(out, source, *flags):
    command = [CC, "-shared", "-fPIC", "-O1", *flags, "-o", out, source]
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if p.returncode != 0:
        print(" ".join(command), p.stdout.decode(), sep="\n")
    return p.returncode == 0


def case_numbers():
    with open(CASES) as f:
        names = re.search(r"enum \{(.*?)\}", f.read(), re.S).group(1)
    return {name.strip(): i for i, name in enumerate(names.split(","))}


def build_case(name, number):
    more = ["-DUNKNOWN_FUNCTION"] if name == "UNRESOLVED" else []
    return build(name.lower() + ".so", CASES, "-I", INCLUDE, "-DCASE=%d" % number, *more)


def check_wrong(t, numbers):
    for name, text in WRONG:
        if not t.check("%s builds" % name, build_case(name, numbers[name])):
            continue
        path = name.lower() + ".so"
        for args in ["explore"], ["explore", "--threads", "3"], ["info"]:
            r = t.run(*args, path)
            t.check("%s: %s" % (name, " ".join(args)), r.status == 2 and r.out == ""
                    and r.err.startswith("bespoke: %s: %s" % (path, text))
                    and r.err.count("\n") == 1, r)
        r = t.run("convert", path, "out.aut")
        t.check("%s: convert writes nothing" % name, r.status == 2 and not os.path.exists("out.aut"), r)


def check_good(t, numbers):
    for name in "GOOD", "BARE":
        t.check("%s builds" % name, build_case(name, numbers[name]))
        x = t.run("explore", "--json", name.lower() + ".so").object()
        t.check("%s: ten states in a row" % name, x and (x["states"], x["transitions"], x["depth"],
                x["deadlock_states"], x["labels"]) == (10, 9, 9, 1, 1), x)
    build_case("NO_CONTEXT", numbers["NO_CONTEXT"])
    r = t.run("explore", "no_context.so")
    t.check("no memory for a context is a limit", r.status == 3 and "no memory" in r.err, r)
    r = t.run("explore", "good.so", "--hidden", "nobody")
    t.check("a hidden name that is none is a warning", r.status == 0
            and "--hidden nobody: no label is called so" in r.err, r)
    r = t.run("explore", "good.so", "--stop-at", "c")
    t.check("nor can one stop at it", r.status == 2 and "no label 'c'" in r.err, r)
    r = t.run("explore", "good.so", "--stop-at", "b")
    t.check("a label that never occurs is not reached", r.status == 0
            and "b cannot be reached" in r.err, r)


def check_paths(t):
    os.makedirs("folder", exist_ok=True)
    os.makedirs("elsewhere", exist_ok=True)
    shutil.copy("good.so", "folder/bare_name.so")
    shutil.copy("good.so", "elsewhere/only_here.so")
    path = dict(os.environ, LD_LIBRARY_PATH=os.path.abspath("elsewhere"))
    for name, where, status in (("bare_name.so", "folder", 0), ("./bare_name.so", "folder", 0),
                                ("folder/bare_name.so", ".", 0), ("only_here.so", "folder", 2),
                                ("libc.so", ".", 2)):
        r = t.run("explore", name, cwd=where, env=path)
        t.check("%s in %s" % (name, where), r.status == status, r)
    kit.write("text.so", "this is no shared object\n" * 10)
    for name in "text.so", "missing.so", "folder/.so":
        r = t.run("explore", name)
        t.check("refused: " + name, r.status == 2 and r.out == ""
                and r.err.startswith("bespoke: %s: cannot be " % name) and r.err.count("\n") == 1, r)
    r = t.run("explore", "good.so", "-o", "good.so")
    t.check("a plug-in is not written over", r.status == 2 and r.out == "", r)
    os.symlink("good.so", "link.aut")
    for args in ["explore", "good.so", "-o", "link.aut"], ["convert", "good.so", "link.aut"]:
        r = t.run(*args)
        t.check("nor by another name: " + args[0], r.status == 2 and "is read" in r.err, r)
    kit.write("plain.aut", "des (0, 1, 2)\n(0, a, 1)\n")
    r = t.run("info", "plain.aut", "--model-arg", "7")
    t.check("an LTS takes no arguments", r.status == 2 and "takes no arguments" in r.err, r)


# ---- the example, once more in Python ---------------------------------------------------

def ring(n, lossy):
    """(states, set of transitions, depth) of a ring of n stations."""
    def moves(s):
        holder, wants = s
        for k in range(n):
            if not wants >> k & 1:
                yield "WANT", (holder, wants | 1 << k)
        if holder == n:
            return
        if wants >> holder & 1:
            yield "WORK", (holder, wants ^ 1 << holder)
        yield "i", ((holder + 1) % n, wants)
        if lossy:
            yield "LOSE", (n, wants)
    level, seen, found, depth = [(0, 0)], {(0, 0)}, set(), -1
    while level:
        depth, after = depth + 1, []
        for s in level:
            for label, to in moves(s):
                found.add((s, label, to))
                if to not in seen:
                    seen.add(to)
                    after.append(to)
        level = after
    return seen, found, depth


def check_example(t, path):
    for n in 1, 2, 5, 9:
        for lossy in False, True:
            states, found, depth = ring(n, lossy)
            args = ["--model-arg", str(n)] + (["--model-arg", "lossy"] if lossy else [])
            want = (len(states), len(found), len({x[1] for x in found}), depth, int(lossy))
            x = t.run("explore", "--json", path, *args).object()
            have = x and (x["states"], x["transitions"], x["labels"], x["depth"], x["deadlock_states"])
            t.check("a ring of %d%s" % (n, ", lossy" if lossy else ""), have == want, have, want)
            x = t.run("info", "--json", path, *args).object()
            t.check("info says the same", x and (x["states"], x["transitions"], x["labels"],
                    x["levels"] - 1, x["deadlock_states"]) == want, x, want)
    r = t.run("explore", path, "--model-arg", "32")
    t.check("its own refusal reaches the user", r.status == 2
            and r.err == "bespoke: %s: expected 1 to 31 stations\n" % path, r)


def check_limits(t):
    """A limit while exploring: status 3, what is known so far on stderr, no file."""
    ring_of = ["token_ring.so", "--model-arg", "14"]
    for limit in ["--max-states", "1000"], ["--memory-limit", "2M"], ["--timeout", "0.01"]:
        r = t.run("info", "--json", *ring_of, *limit)
        x = r.object()
        t.check("info with %s %s" % tuple(limit), r.status == 3 and x and x["status"] == "limit"
                and x["states"] is None and re.search(r"so far \d+ states, \d+ of them to be "
                                                      r"looked at, and \d+ transitions", r.err), r)
        r = t.run("convert", *ring_of, "big.aut", *limit)
        t.check("convert with %s %s" % tuple(limit), r.status == 3 and "so far" in r.err
                and not os.path.exists("big.aut"), r)
        x = t.run("explore", "--json", *ring_of, *limit).object()
        t.check("explore with %s %s" % tuple(limit), x and x["status"] == "limit"
                and 0 < x["frontier"] < x["states"] < 14 << 14 and x["transitions"] > 0, x)
    r = t.run("info", "token_ring.so", "good.so")
    t.check("several models, as a table", r.status == 0 and len(r.out.splitlines()) == 3, r)
    r = t.run("info", "token_ring.so")
    t.check("info says what it is", r.status == 0 and "\nkind             plug-in\n" in r.out
            and "\nexplored in      " in r.out, r)
    r = t.run("convert", "good.so", "-")
    t.check("to stdout", r.status == 0 and r.out.startswith("des (0, 9, 10)\n"), r)
    r = t.run("convert", "good.so", "no/folder/x.aut")
    t.check("where nothing can be written nothing is explored", r.status == 2
            and "the directory no/folder cannot" in r.err, r)


def check_installed(t):
    """The header alone, away from the tree, in C and in C++."""
    os.makedirs("installed/include", exist_ok=True)
    shutil.copy(os.path.join(INCLUDE, "bespoke_model.h"), "installed/include")
    t.check("the example builds with the installed header, in C99 without a warning",
            build("installed.so", EXAMPLE, "-I", "installed/include", "-std=c99", "-pedantic", *STRICT))
    r = t.run("explore", "installed.so")
    t.check("and runs", r.status == 0 and "\nstates           24\n" in r.out, r)
    cxx = shutil.which("c++")
    if cxx is None:
        print("no C++ compiler here")
        return
    kit.write("model.cc", """#include <bespoke_model.h>
static void *open(bespoke_shape *s, size_t, const char *const *) {
    static const uint32_t zero = 0;
    static const char *const labels[] = { "up" };
    s->key_words = 1, s->initial = &zero, s->label_count = 1, s->labels = labels;
    return s;
}
static int moves(const void *, void *, const uint32_t *key, bespoke_out *out) {
    uint32_t next = (*key + 1) % 7;
    return bespoke_emit(out, 0, &next);
}
const bespoke_plugin bespoke_model = { BESPOKE_MODEL_ABI, sizeof(bespoke_plugin), "seven", open,
    nullptr, nullptr, nullptr, moves, nullptr };
""")
    p = subprocess.run([cxx, "-std=c++11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-shared",
                        "-fPIC", "-fvisibility=hidden", "-I", "installed/include", "-o", "cc.so",
                        "model.cc"], check=False)
    x = t.run("explore", "--json", "cc.so").object()
    t.check("a plug-in in C++11, with hidden visibility", p.returncode == 0 and x
            and (x["states"], x["transitions"]) == (7, 7), x)


def main():
    t = kit.Test()
    if shutil.which(CC) is None:
        kit.skip("no C compiler on this machine")
    t.check("the example builds as its head says",
            build("token_ring.so", EXAMPLE, "-I", INCLUDE, *STRICT))
    check_example(t, "token_ring.so")
    numbers = case_numbers()
    check_good(t, numbers)
    check_wrong(t, numbers)
    check_paths(t)
    check_limits(t)
    check_installed(t)
    t.finish()


main()
