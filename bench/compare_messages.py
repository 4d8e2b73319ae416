#!/usr/bin/env python3
"""compare_messages.py - the figures of docs/MESSAGES.md: messages against what MPI allows, and the
simulated machine against the measured one.

    bench/compare_messages.py [--rounds N] [--seconds S] [--yardstick PROGRAM] [--mpiexec PROGRAM]
                              [--markdown] [--update FILE.md] BUILD_DIR

Every round runs everything once, one after the other; medians and spread of all rounds are printed,
because machines are noisy and drift.  The yardstick is bench/yardstick_messages.c, which a build
with -DBESPOKE_BENCH=ON has; any program that takes a number of messages and prints a rate in
millions per second as its last number but one, or its only one, can stand in for it.
--update replaces what is between the two marks of a document.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
sys.dont_write_bytecode = True
from document import around_marks, table

MESSAGES = {2: 10000000, 8: 2500000}  # of each rank of the yardstick
WITHIN = 0.25


def options():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--seconds", type=float, default=4, help="of each netbench; default 4")
    p.add_argument("--yardstick", metavar="PROGRAM")
    p.add_argument("--mpiexec", metavar="PROGRAM", help="default: that of the build")
    p.add_argument("--markdown", action="store_true", help="tables for a document")
    p.add_argument("--update", metavar="FILE", help="put these tables into a document")
    p.add_argument("build", metavar="BUILD_DIR")
    return p.parse_args()


def mpiexec_of(build):
    with open(os.path.join(build, "CMakeCache.txt")) as f:
        found = re.search(r"^MPIEXEC_EXECUTABLE:\w+=(.+)$", f.read(), re.M)
    return found.group(1) if found else "mpiexec"


class Bench:
    """Runs programs and keeps what they say: {name: [a number per round]}."""

    def __init__(self, o, folder):
        self.o, self.folder, self.seen = o, folder, {}
        self.bespoke = os.path.abspath(os.path.join(o.build, "tools/bespoke"))
        self.yardstick = os.path.abspath(
            o.yardstick or os.path.join(o.build, "bench/yardstick_messages"))
        self.mpiexec = o.mpiexec or mpiexec_of(o.build)

    def run(self, *args):
        r = subprocess.run(args, capture_output=True, text=True, cwd=self.folder)
        if r.returncode != 0:
            sys.exit("compare_messages: %s: %s" % (" ".join(args), r.stderr))
        return r.stdout

    def note(self, name, x):
        self.seen.setdefault(name, []).append(x)

    def median(self, name):
        return statistics.median(self.seen[name])

    def measure_yardstick(self, ranks):
        said = self.run(self.mpiexec, "-n", str(ranks), self.yardstick, str(MESSAGES[ranks]))
        numbers = [float(x) for x in said.split()]
        self.note("yardstick %d" % ranks, numbers[-2 if len(numbers) > 1 else -1])

    def netbench(self, *args):
        return json.loads(self.run(self.bespoke, "netbench", "--json", "--seconds",
                                   str(self.o.seconds), *args))

    def measure(self, name, *args):
        """A netbench: the rate that is compared, and how soon detectors notice an end."""
        x = self.netbench(*args)
        self.note(name, rates(x)["uniform", 16])
        for d in x["detectors"]:
            self.note("%s %s" % (name, d["name"]), d["delay_us_median"])
        return x

    def measure_simulated(self, ranks):
        """Measure a machine, simulate it: the ratio of all rates and of the latency."""
        machine = os.path.join(self.folder, "m.machine")
        real = self.measure("%d ranks" % ranks, "--ranks", str(ranks), "-o", machine)
        sim = self.netbench("--transport", "sim", "--workers", str(ranks), "--machine", machine)
        for key, rate in rates(real).items():
            self.note(("real", ranks) + key, rate)
            self.note(("sim", ranks) + key, rates(sim)[key] / rate)
        self.note(("real", ranks, "latency, us", ""), real["latency_us"])
        self.note(("sim", ranks, "latency, us", ""), sim["latency_us"] / real["latency_us"])

    def round(self):
        self.measure_yardstick(2)
        self.measure_simulated(2)
        self.measure("2 threads", "--threads", "2")
        self.measure_simulated(1)
        self.measure_yardstick(8)
        self.measure("8 ranks", "--ranks", "8")


def rates(x):
    """{(pattern, bytes): million messages per second}."""
    return {(r["pattern"], r["bytes"]): r["messages_per_second"] / 1e6 for r in x["rates"]}


# ---- what is printed ----------------------------------------------------------------------

def span(x, form="%.2f"):
    return form % min(x) + " to " + form % max(x)


def ratio_row(b, title, name, to, wanted):
    each = [x / y for x, y in zip(b.seen[name], b.seen[to])]
    ratio = statistics.median(each)
    return [title, "%.0f" % b.median(name), "%.0f" % b.median(to), "%.2f" % ratio, span(each),
            "%.1f" % wanted, "yes" if ratio >= wanted else "NO"]


def rate_lines(b, markdown):
    heads = ["16-byte messages to random workers, M/s", "ours", "yardstick or other", "ratio",
             "spread", "wanted", "met"]
    rows = [ratio_row(b, "2 ranks, of the yardstick", "2 ranks", "yardstick 2", 0.5),
            ratio_row(b, "8 ranks, of the yardstick", "8 ranks", "yardstick 8", 0.4),
            ratio_row(b, "2 threads, of 2 ranks", "2 threads", "2 ranks", 1.0)]
    return table(heads, rows, markdown)


def delay_lines(b, markdown):
    heads = ["an end is noticed after, us", "2 threads", "2 ranks", "8 ranks", "spread", "wanted"]
    rows = []
    for d in "four-counter", "wave", "ring":
        at = ["%s %s" % (n, d) for n in ("2 threads", "2 ranks", "8 ranks")]
        rows.append([d] + ["%.1f" % b.median(x) for x in at] +
                    [span(b.seen[at[2]], "%.0f"), "1000" if d == "four-counter" else ""])
    return table(heads, rows, markdown)


def simulated_lines(b, ranks, markdown):
    heads = ["%d rank%s" % (ranks, "s" * (ranks > 1)), "bytes", "measured, M/s",
             "simulated / measured", "spread", "within 25 %"]
    rows = []
    for key in b.seen:
        if key[0] != "sim" or key[1] != ranks:
            continue
        ratio = b.median(key)
        rows.append([key[2], key[3], "%.3g" % b.median(("real",) + key[1:]), "%.2f" % ratio,
                     span(b.seen[key]), "yes" if abs(ratio - 1) <= WITHIN else "NO"])
    return table(heads, rows, markdown)


def main():
    o = options()
    before, behind = around_marks(o.update, "messages") if o.update else ("", "")
    with tempfile.TemporaryDirectory(prefix="bespoke-messages-") as folder:
        b = Bench(o, folder)
        for _ in range(o.rounds):
            b.round()
    markdown = o.markdown or o.update is not None
    parts = [rate_lines(b, markdown), delay_lines(b, markdown),
             simulated_lines(b, 1, markdown), simulated_lines(b, 2, markdown)]
    text = "\n\n".join("\n".join(p) for p in parts) + "\n"
    if o.update:
        with open(o.update, "w") as f:
            f.write(before + text + behind)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
