#!/usr/bin/env python3
"""compare_mb.py - MB-DSOLVE beside the sequential solvers, on networks, and on simulated machines.

    bench/compare_mb.py [--rounds N] [--small] BUILD

Three tables: bench/mb_ratio on the surrogate of cwi_7838_59101 (made under /tmp if it is not there);
a network of some 5 million states, solved on the fly by 1, 2 and 8 threads in turns; and what the
simulator predicts for 1 to 1024 workers, with a machine file that netbench has measured and the
cost of an edge that one worker has.  --small: a tenth of the sizes.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile


def run(exe, *args):
    p = subprocess.run([exe, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                       text=True)
    if p.returncode > 1:
        raise SystemExit("%s: %s" % (" ".join(args), p.stderr))
    return p.stdout


def solve(exe, *args):
    return json.loads(run(exe, *args, "--json"))


def graph(exe, folder, small):
    path = os.path.join(folder, "graph.plts")
    scale = ["--scale", "0.1"] if small else []
    run(exe, "gen", "vlts", "cwi_7838_59101", *scale, "-q", "-o", path)
    return path


def network(exe, folder, rounds, small):
    path = os.path.join(folder, "net.exp")
    run(exe, "gen", "philosophers", "--n", "11" if small else "13", "-q", "-o", path)
    question = ["check", "-F", path.replace(".exp", ".exclusive.mcl"), path]
    threads = ["1", "2", "8"]
    seconds = {n: [] for n in threads}
    for _ in range(rounds):
        for n in threads:
            x = solve(exe, *question, "--algorithm", "mb-dsolve", "--threads", n)
            seconds[n].append(x["seconds"]["solve"])
    base = statistics.median(seconds["1"])
    for n in threads:
        t = statistics.median(seconds[n])
        print("network        %2s workers %8.3f s, %.2f of one" % (n, t, t / base))


def simulated(exe, path, folder):
    machine = os.path.join(folder, "here.machine")
    run(exe, "netbench", "--threads", "2", "--seconds", "3", "-o", machine)
    question = ["check", "-f", "[ true* ] < true > true", path, "--algorithm", "mb-dsolve"]
    one, two = (statistics.median(solve(exe, *question, "--threads", n)["seconds"]["solve"]
                                  for _ in range(5)) for n in ("1", "2"))
    edges = solve(exe, *question)["edges"]
    with open(machine, encoding="ascii") as f:
        kept = [line for line in f if not line.startswith("work_ps")]
    with open(machine, "w", encoding="ascii") as f:
        f.writelines(kept + ["work_ps %d # an edge, as one worker took\n" % (one / edges * 1e12)])
    sim = ["--transport", "sim", "--machine", machine, "--distribution", "hash"]
    times = {}
    for n in [1 << i for i in range(11)]:
        times[n] = solve(exe, *question, *sim, "--workers", str(n))["seconds"]["simulated"]
        print("simulated    %4d workers %10.6f s, speed-up %.2f" % (n, times[n], times[1] / times[n]))
    print("two threads: measured speed-up %.2f, predicted %.2f" % (one / two, times[1] / times[2]))


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--small", action="store_true")
    p.add_argument("build")
    o = p.parse_args()
    exe = os.path.join(o.build, "tools", "bespoke")
    with tempfile.TemporaryDirectory() as folder:
        path = graph(exe, folder, o.small)
        print(run(os.path.join(o.build, "bench", "mb_ratio"), path, str(o.rounds)), end="")
        network(exe, folder, o.rounds, o.small)
        simulated(exe, path, folder)


main()
