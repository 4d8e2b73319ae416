"""kit.py - what the tests of the command line share: run bespoke, compare, count.

A script does
    t = kit.Test()                      # the executable is argv[1]
    r = t.run("info", "x.aut")          # r.status, r.out, r.err
    t.check("a claim in words", r.status == 0, r)
    t.finish()                          # exit status 1 when a claim was false
"""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.environ.get("BESPOKE_SHARED", os.path.join(os.path.dirname(ROOT), "shared"))
VLTS = os.path.join(SHARED, "vlts")
SKIPPED = 77


class Result:
    def __init__(self, args, status, out, err):
        self.args, self.status, self.out, self.err = args, status, out, err

    def __str__(self):
        return "    command: bespoke %s\n    status:  %d\n    stdout:  %r\n    stderr:  %r" % (
            " ".join(map(repr, self.args)), self.status, self.out[:2000], self.err[:2000])

    def objects(self):
        """The JSON objects of stdout, one per line; None when a line is no object."""
        try:
            found = [json.loads(line) for line in self.out.splitlines()]
        except ValueError:
            return None
        whole = self.out == "" or self.out.endswith("\n")
        return found if whole and all(isinstance(x, dict) for x in found) else None

    def object(self):
        """The one JSON object that stdout is, or None."""
        found = self.objects()
        return found[0] if found and len(found) == 1 else None


class Test:
    def __init__(self):
        if len(sys.argv) < 2:
            sys.exit("usage: %s BESPOKE" % sys.argv[0])
        self.exe = os.path.abspath(sys.argv[1])
        self.cases = self.failed = 0

    def run(self, *args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=60, **more):
        p = subprocess.run([self.exe, *args], stdin=stdin, stdout=stdout,
                           stderr=subprocess.PIPE, timeout=timeout, check=False, **more)
        out = (p.stdout or b"").decode("utf-8", "surrogateescape")
        return Result(args, p.returncode, out, p.stderr.decode("utf-8", "surrogateescape"))

    def check(self, claim, holds, *details):
        self.cases += 1
        print("%s %s" % ("ok    " if holds else "FAILED", claim), flush=True)
        if not holds:
            self.failed += 1
            for d in details:
                print(d, flush=True)
        return bool(holds)

    def solvers(self):
        """The names of all solvers, auto first."""
        return [x["name"] for x in self.run("list", "--json").object()["algorithms"]]

    def finish(self):
        print("%d cases, %d failed" % (self.cases, self.failed))
        sys.exit(1 if self.failed or self.cases == 0 else 0)


def write(path, text):
    with open(path, "w", newline="") as f:
        f.write(text)
    return path


def skip(why):
    print("skipped: " + why)
    sys.exit(SKIPPED)
