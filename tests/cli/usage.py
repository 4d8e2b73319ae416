#!/usr/bin/env python3
"""usage.py - wrong command lines, and every way to ask for help.

A row: arguments, exit status, a text that must stand on stderr.  A wrong command line never
prints anything on stdout, and every line on stderr begins with "bespoke: ".
"""
import sys
sys.dont_write_bytecode = True
import kit

WRONG = [
    ([], 2, "no command given"),
    ([""], 2, "unknown command ''"),
    (["ifno", "m.aut"], 2, "unknown command 'ifno'; did you mean info?"),
    (["convrt"], 2, "did you mean convert?"),
    (["verify-everything"], 2, "unknown command 'verify-everything'"),
    (["--json", "info", "m.aut"], 2, "options stand behind the command: bespoke info --json"),
    (["-q", "info", "m.aut"], 2, "options stand behind the command"),
    (["--hlep"], 2, "did you mean --help?"),
    (["--help", "nothing"], 2, "unknown command 'nothing'"),
    (["-q"], 2, "no command given"),
    (["info"], 2, "info: too few arguments; usage: bespoke info MODEL..."),
    (["info", "--"], 2, "too few arguments"),
    (["info", "m.aut", "--hiden", "tau"], 2, "unknown option '--hiden'; did you mean --hidden?"),
    (["info", "m.aut", "--renumber"], 2, "unknown option '--renumber'"),
    (["info", "m.aut", "--seed", "3"], 2, "unknown option '--seed'"),
    (["info", "m.aut", "--json=yes"], 2, "option '--json' takes no argument"),
    (["info", "m.aut", "-json"], 2, "did you mean --json?"),
    (["info", "m.aut", "-x"], 2, "unknown option '-x'"),
    (["info", "m.aut", "--hidden"], 2, "option '--hidden' needs an argument: --hidden NAME"),
    (["info", "m.aut", "--load-threads", "0"], 2, "--load-threads: 0 is out of range"),
    (["info", "m.aut", "--load-threads", "two"], 2, "'two' is not a whole number"),
    (["info", "m.aut", "--load-threads", "2x"], 2, "'2x' is not a whole number"),
    (["info", "m.aut", "--load-threads", "-1"], 2, "-1 is negative; expected a whole number"),
    (["info", "m.aut", "--load-threads", "9" * 30], 2, "out of range; expected 1 to 1048576"),
    (["info", "m.aut", "--timeout", "-1"], 2, "--timeout: -1 is negative"),
    (["info", "m.aut", "--timeout", "0"], 2, "--timeout: 0 is out of range; expected above 0"),
    (["info", "m.aut", "--timeout", "1h"], 2, "'1h' is not a number"),
    (["info", "m.aut", "--memory-limit", "lots"], 2, "'lots' is not a size such as 512M"),
    (["info", "m.aut", "--memory-limit", "-1G"], 2, "-1G is negative; expected a size"),
    (["info", "m.aut", "--memory-limit", "0"], 2, "expected at least 1 byte"),
    (["info", "m.aut", "--memory-limit", "1.G"], 2, "'1.G' is not a size"),
    (["info", "m.aut", "--memory-limit", "1.5.G"], 2, "'1.5.G' is not a size"),
    (["info", "m.aut", "--memory-limit", "99999999999T"], 2, "more than any machine has"),
    (["info", "missing.aut"], 2, "missing.aut"),
    (["info", "."], 2, "."),
    (["info", "m.unknown"], 2, "m.unknown"),
    (["info", ""], 2, ""),
    (["info", "vlts:vasy_0_2"], 2, "vasy_0_2"),
    (["convert", "m.aut"], 2, "convert: too few arguments; usage: bespoke convert IN OUT"),
    (["convert", "m.aut", "a.aut", "b.aut"], 2, "'b.aut' is too much"),
    (["convert", "m.aut", "a.xyz"], 2, ".plts"),
    (["convert", "m.aut", "no/such/folder/a.aut"], 2, "the directory no/such/folder cannot"),
    (["convert", "m.aut", "a.aut", "--json"], 2, "unknown option '--json'"),
    (["gen", "vtls", "vasy_0_1"], 2, "did you mean vlts?"),
    (["gen", "vlts", "vasy_0_2", "-o", "x.aut"], 2, "did you mean vasy_0_1?"),
    (["gen", "vlts", "vasy_0_1", "-o", "x.xyz"], 2, ".plts"),
    (["gen", "vlts", "vasy_0_1", "x.aut"], 2, "'x.aut' is too much"),
    (["gen", "vlts", "vasy_0_1", "-o"], 2, "option '--output' needs an argument"),
    (["gen", "vlts", "vasy_0_1", "-o", "x.aut", "--scale", "0"], 2, "--scale: 0 is out of range"),
    (["gen", "vlts", "vasy_0_1", "-o", "x.aut", "--seed", "-3"], 2, "-3 is negative"),
    (["gen", "-o", "x.aut"], 2, "--output is about one model"),
    (["gen", "vlts", "-o", "x.aut"], 2, "--output is about one model"),
    (["gen", "vlts", "--check", "m.aut"], 2, "--check is about one model"),
    (["gen", "bes", "--scale", "1", "-o", "x.bes"], 2, "--scale belongs to bespoke gen vlts"),
    (["gen", "vlts", "vasy_0_1", "--shape", "acyclic"], 2, "--shape belongs to bespoke gen bes"),
    (["gen", "bes"], 2, "-o OUT is missing"),
    (["certify", "missing.cert"], 2, "missing.cert: cannot be opened"),
    (["solve", "m.aut", "--diagnostic", "x.dot"], 2, "must end in .cert"),
    (["gen", "vlts", "vasy_0_1", "--check", "m.aut", "-o", "x.aut"], 2, "--output is for generating"),
    (["gen", "vlts", "vasy_0_1", "--check", "m.aut", "--seed", "1"], 2, "--seed is for generating"),
    (["gen", "vlts", "vasy_0_1", "--check", "m.aut", "--scale", "1"], 2, "--scale is for"),
    (["gen", "vlts", "vasy_0_1", "--check", "m.aut", "--levels", "9"], 2, "--levels is for"),
    (["gen", "vlts", "vasy_0_1", "--check", "m.aut", "--deadlock-depth", "2"], 2, "--deadlock-depth is"),
    (["gen", "vlts", "vasy_0_1", "--check", "m.aut", "--cache", "c"], 2, "--cache is for"),
    (["gen", "vlts", "vasy_0_1", "-o", "-", "--json"], 2, "stdout has room for one"),
    (["gen", "vlts", "vasy_0_1", "--levels", "2"], 2, "bespoke: --levels: 2 are too few"),
    (["gen", "vlts", "vasy_0_1", "--deadlock-depth", "2"], 2, "bespoke: --deadlock-depth: vasy_0_1"),
    (["gen", "vlts", "vasy_0_1", "-o", "x.aut", "--levels", "0"], 2, "--levels: 0 is out of range"),
    (["list", "m.aut"], 2, "'m.aut' is too much"),
    (["list", "--workers", "2"], 2, "--workers is for --topology"),
    (["list", "--topology", "--bind", "core"], 2, "--bind needs --workers N"),
    (["list", "--toplogy"], 2, "did you mean --topology?"),
    (["help", "inof"], 2, "did you mean info?"),
    (["help", "info", "list"], 2, "'list' is too much"),
]

# Arguments, a text that must stand on stdout; status 0 and nothing on stderr.
RIGHT = [
    (["--help"], "Usage: bespoke COMMAND"),
    (["-h"], "Usage: bespoke COMMAND"),
    (["help"], "Usage: bespoke COMMAND"),
    (["--version"], "bespoke 0."),
    (["--help", "info"], "Usage: bespoke info MODEL"),
    (["info", "--help"], "Usage: bespoke info MODEL"),
    (["info", "m.aut", "-h"], "Usage: bespoke info MODEL"),
    (["help", "info"], "Usage: bespoke info MODEL"),
    (["info", "--version"], "bespoke 0."),
    (["convert", "--help"], "Usage: bespoke convert IN OUT"),
    (["list", "--help"], "Usage: bespoke list"),
    (["gen", "--help"], "Usage: bespoke gen"),
    (["gen"], "Families of models"),
    (["gen"], "\n  vlts NAME  "),
    (["gen", "--json"], '"name":"vlts"'),
    (["list"], "\n  cwi_33949_165318  33949609 states"),
    (["info", "--help"], "  1   false (commands that give a verdict"),
    (["info", "--memory-limit", "1.5G", "m.aut"], "origin           no surrogate mark"),
    (["info", "--memory-limit", "2GiB", "m.aut"], "states"),
    (["gen", "--help"], "at least 1e-9"),
    (["help", "--man"], "\n.nh\n"),
    (["help"], "NETWORKS.md"),
    (["check", "--help"], "\nA model is an LTS, a network of LTSs (.exp) or a plug-in (.so)"),
    (["help", "--man", "convert"], "\nA model is an LTS, a network of LTSs (.exp) or a plug"),
    (["gen", "vlts"], "cwi_33949_165318"),
    (["help", "--help"], "Usage: bespoke help"),
    (["help", "--man"], ".TH \"BESPOKE\" 1"),
    (["help", "--man", "info"], ".TH \"BESPOKE-INFO\" 1"),
    (["info", "--load-threads", "3", "m.aut", "-q"], "states"),
    (["info", "--", "m.aut"], "states"),
]


def commands(t):
    """The names in the overview's list of commands."""
    text = t.run("--help").out.split("\nCommands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in text.splitlines() if line[2:3].strip()]


def check_every_command(t):
    names = commands(t)
    t.check("the overview lists the commands", {"info", "convert", "gen", "solve", "certify", "list", "help"}
            <= set(names))
    for name in names:
        ways = [t.run(name, "--help"), t.run("help", name), t.run("--help", name)]
        t.check("help of %s is the same by every way" % name,
                all(r.status == 0 and r.out == ways[0].out and r.out for r in ways), *ways)
        t.check("help of %s fits in 80 columns" % name,
                all(len(line) <= 80 for line in ways[0].out.splitlines()), ways[0])
        man = t.run("help", "--man", name)
        options = [w.strip(",") for w in ways[0].out.split() if w.startswith("--")]
        plain = man.out.replace("\\-", "-").replace("\\fR", "").replace("\\fB", "")
        t.check("the man page of %s has every option" % name,
                man.status == 0 and all(w in plain for w in options), man)
    r = t.run("--help")
    t.check("the overview fits in 80 columns", all(len(x) <= 80 for x in r.out.splitlines()), r)


def main():
    t = kit.Test()
    kit.write("m.aut", 'des (0, 1, 2)\n(0, a, 1)\n')
    for args, status, text in WRONG:
        r = t.run(*args)
        lines = r.err.splitlines()
        t.check("refused: bespoke " + " ".join(args),
                r.status == status and text in r.err and r.out == "" and lines
                and all(line.startswith("bespoke: ") for line in lines), r)
    for args, text in RIGHT:
        r = t.run(*args)
        t.check("understood: bespoke " + " ".join(args),
                r.status == 0 and text in r.out and r.err == "", r)
    check_every_command(t)
    t.finish()


main()
