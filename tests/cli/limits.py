#!/usr/bin/env python3
"""limits.py - a limit is status 3, and --json still says what is known."""
import sys
sys.dont_write_bytecode = True
import os
import kit

STATES = 200000


def check_limit(t, claim, args, word):
    r = t.run("info", "--json", *args)
    x = r.object()
    t.check(claim + ": status 3, told on stderr", r.status == 3 and word in r.err
            and r.err.startswith("bespoke: "), r)
    t.check(claim + ": an object with status limit", x and x["status"] == "limit", r)
    t.check(claim + ": what is not known is null", x and x["livelock"] is None
            and x["branching"]["max"] is None, r)
    return x


def main():
    t = kit.Test()
    with open("chain.aut", "w") as f:
        f.write("des (0, %d, %d)\n" % (STATES - 1, STATES))
        f.writelines("(%d, i, %d)\n" % (s, s + 1) for s in range(STATES - 1))
    check_limit(t, "memory", ["--memory-limit", "64K", "chain.aut"], "chain: memory limit of 0.06 MiB")
    check_limit(t, "time", ["--timeout", "0.000001", "chain.aut"], "time limit of 1e-06 s")
    r = t.run("info", "--memory-limit", "64K", "chain.aut")
    t.check("people are told too, with a remedy", r.status == 3
            and "memory limit" in r.err and "--memory-limit can allow more\n" in r.err, r)
    t.check("stdout says so and nothing half", r.out
            == "model            chain\nstatus           limit reached\n", r)
    r = t.run("info", "--memory-limit", "64K", "chain.aut", "chain.aut")
    t.check("several: the failures are counted", r.status == 3
            and r.err.endswith("bespoke: 2 of 2 models could not be described in full\n"), r)
    r = t.run("info", "--json", "--memory-limit", "1G", "--timeout", "60", "chain.aut")
    x = r.object()
    t.check("limits that suffice change nothing", r.status == 0 and x["status"] == "ok"
            and x["states"] == STATES and x["levels"] == STATES, r)
    r = t.run("info", "--json", "--memory-limit", str(x["memory_bytes"]["peak_total"] * 2), "chain.aut")
    t.check("twice the peak suffices", r.status == 0, r)
    r = t.run("convert", "--memory-limit", "64K", "chain.aut", "never.plts")
    t.check("convert at a limit leaves nothing behind",
            r.status == 3 and sorted(os.listdir()) == ["chain.aut"], r, os.listdir())
    slurm = dict(os.environ, SLURM_MEM_PER_NODE="1")
    r = t.run("info", "chain.aut", env=slurm)
    t.check("a Slurm job's limit holds by itself",
            r.status == 3 and "memory limit of 1.00 MiB" in r.err, r)
    r = t.run("info", "--memory-limit", "1G", "chain.aut", env=slurm)
    t.check("unless --memory-limit says otherwise", r.status == 0, r)
    x = t.run("list", "--topology", "--json", env=slurm).object()
    t.check("the topology shows it", x and x["topology"]["memory_allowed"] == 1048576, x)
    r = t.run("convert", "chain.aut", "chain.plts")
    t.check("converted", r.status == 0, r)
    x = check_limit(t, "memory after loading", ["--memory-limit", "1M", "chain.plts"], "memory limit")
    t.check("stopped after loading, the counts are known", x and x["states"] == STATES
            and x["transitions"] == STATES - 1 and x["labels"] == 1
            and x["tau_transitions"] is None, x)
    r = t.run("info", "--load-threads", "100000", "chain.aut")
    t.check("too many threads are a warning", r.status == 0 and "warning" in r.err, r)
    r = t.run("info", "--load-threads", "100000", "-q", "chain.aut")
    t.check("which -q leaves out", r.status == 0 and r.err == "", r)
    t.finish()


main()
