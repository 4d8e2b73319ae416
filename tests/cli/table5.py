#!/usr/bin/env python3
"""bench/table5.py at a tiny scale: all series are printed, a2 is never deeper than a1."""
import csv
import os
import subprocess
import sys

import kit

t = kit.Test()
SCRIPT = os.path.join(kit.ROOT, "bench", "table5.py")


def table5(*args):
    p = subprocess.run([sys.executable, "-B", SCRIPT, "--bespoke", t.exe, "--scale", "0.01",
                        *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return kit.Result(("table5.py", *args), p.returncode, p.stdout.decode(), p.stderr.decode())


r = table5("--csv", "t.csv", "--markdown", "--paper", "there-is-none.csv")
t.check("it runs without the paper's figures", r.status == 0, r)
for title in ("### Series 1", "### Series 2", "### Series 3", "### Against the paper"):
    t.check("it prints " + title, title in r.out, r)

with open("t.csv") as f:
    rows = list(csv.DictReader(f))
for series, other in (("1", "a2"), ("2", "a3"), ("3", "a4")):
    mine = [x for x in rows if x["series"] == series]
    t.check("series %s has rows of %s" % (series, other),
            mine and all(x["other_algorithm"] == other for x in mine), rows)
t.check("every figure was measured", all(x["A1"] and x["other"] and x["third"] for x in rows), rows)
t.check("the paper's columns are empty", all(x["paper_factor_least"] == "" for x in rows), rows)
deeper = [x for x in rows if x["series"] == "1" and int(x["other"]) > int(x["A1"])]
t.check("a2's diagnostics are never deeper than a1's", not deeper, deeper)
more = [x for x in rows if x["series"] != "1" and int(x["other"]) > int(x["A1"])]
t.check("a3 and a4 never need more memory than a1", not more, more)

kit.write("paper.csv", "# tiny\nseries,application,states,transitions,measure,tool,A1,other,"
          "other_algorithm\n1,x,1,1,depth,evaluator,30,4,A2\n")
kit.write("doc.md", "before\n<!-- table5 begin -->\nold\n<!-- table5 end -->\nafter\n")
r = table5("--update", "doc.md", "--paper", "paper.csv")
doc = open("doc.md").read()
t.check("--update replaces what is between the marks, and nothing else",
        r.status == 0 and doc.startswith("before\n<!-- table5 begin -->\n### Series 1")
        and doc.endswith("<!-- table5 end -->\nafter\n") and "\nold\n" not in doc, r, doc)
t.check("the paper's figures are beside ours", "7.5 / 7.5 / 7.5" in doc, doc)
kit.write("bare.md", "no marks\n")
r = table5("--update", "bare.md")
t.check("a document without marks is refused and left alone",
        r.status == 1 and "marks" in r.err and open("bare.md").read() == "no marks\n", r)
t.finish()
