#!/usr/bin/env python3
"""ranks.py - several ranks end: by signals, by deaths, by failures; and what is passed on meanwhile."""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
sys.dont_write_bytecode = True
import kit
from runs import SEED, SOON, Run, environment, send

LONG = ["--seconds", "60"]


class Ranks(kit.Test):
    def __init__(self):
        super().__init__()
        self.open_mpi = "Open MPI" in self.run("--version").out
        kind = "openmpi" if self.open_mpi else "mpich"
        self.mpiexec = shutil.which("mpiexec." + kind) or "mpiexec"
        self.random = random.Random(SEED)

    def start(self, ranks, *more, threads=1):
        return Run([self.exe, "netbench", "--ranks", str(ranks), "--threads", str(threads), *LONG, *more])

    def inside(self, ranks, *more):
        few = ["--oversubscribe"] if self.open_mpi else []
        return Run([self.mpiexec, "-n", str(ranks), *few, self.exe, "netbench", *LONG, *more])

    def ended(self, claim, r, line):
        """Soon, with one line that matches, and nothing as an answer."""
        self.check(claim, r.ended_soon() and r.status == 4 and r.out == ""
                   and re.fullmatch(line + "\n", r.err), r)


def check_deaths(t):
    """One of some ranks is killed at some moment: it is named, and all end."""
    for i in range(4 if t.open_mpi else 12):
        ranks, threads = t.random.choice([2, 3, 5]), t.random.choice([1, 2])
        which, number = [(0, 9), (0, t.random.choice([11, 6])), (0, 9), (1, 9)][i % 4]
        victim = t.random.randrange(ranks)
        r = t.start(ranks, threads=threads)
        found = r.wait_for_ranks(ranks)
        time.sleep(0.5 + t.random.random())
        if found:
            send([found[victim][which]], number)
        r.end()
        pid = found[victim][0] if found else 0
        t.ended("%d x %d: signal %d for %s of rank %d" %
                (ranks, threads, number, ["the process", "the keeper"][which], victim), r,
                r"bespoke: rank %d \(pid %d on \S+\) was killed by signal %d; the run is over" % (victim, pid, number))


def check_early_deaths(t):
    """In MPI_Init the library of another rank may end all before anybody can be named."""
    for _ in range(2 if t.open_mpi else 4):
        r = t.start(3)
        found = r.wait_for_ranks(3)
        time.sleep(0.05 * t.random.random())
        if found:
            send([found[1][0]], signal.SIGKILL)
        r.end()
        t.check("killed while MPI begins", r.ended_soon() and r.status == 4 and r.out == ""
                and r.err.endswith("; the run is over\n") and r.err.count("bespoke: ") == 1, r)


def everybody(r, found):
    return [p for p in r.processes()]


TARGETS = [
    ("the first process", lambda r, found: [r.p.pid]),
    ("one rank", lambda r, found: [found[1][0]]),
    ("one keeper", lambda r, found: [found[2][1]]),
    ("all ranks", lambda r, found: [x[0] for x in found.values()]),
    ("the group", lambda r, found: [-r.p.pid]),
    ("everybody", everybody),
]


def check_signals(t):
    for name, number in ("SIGTERM", signal.SIGTERM), ("SIGINT", signal.SIGINT), ("SIGHUP", signal.SIGHUP):
        for who, pids in TARGETS if name == "SIGTERM" else t.random.sample(TARGETS[:5], 1 if t.open_mpi else 2):
            r = t.start(3, "-o", "m.machine")
            found = r.wait_for_ranks(3)
            time.sleep(0.7 * t.random.random())
            if found:
                send(pids(r, found), number)
            t.ended("%s to %s" % (name, who), r.end(), "bespoke: ended by %s" % name)
    left = [x for x in os.listdir(".") if "m.machine" in x]
    t.check("no file is left behind", left == [], left)


def check_parts(t):
    """mpiexec or the first process is killed, or a rank does not react."""
    r = t.start(3)
    found = r.wait_for_ranks(3)
    time.sleep(0.2)
    r.p.kill()
    t.check("the first process is killed: nobody is left", found and r.end().ended_soon(), r)
    r = t.start(3)
    r.wait_for_ranks(3)
    time.sleep(0.2)
    send([p for p, (rank, name) in r.processes().items() if rank is None and p != r.p.pid
          and name.startswith("mpiexec")], signal.SIGKILL)
    t.ended("mpiexec is killed", r.end(), r"bespoke: \S*mpiexec\S* was killed by signal 9; the run is over")
    r = t.start(2)
    found = r.wait_for_ranks(2)
    time.sleep(0.2)
    if found:
        send([found[1][0]], signal.SIGSTOP)
        send([r.p.pid], signal.SIGTERM)
    t.ended("SIGTERM, and a rank that does not react", r.end(), "bespoke: ended by SIGTERM")


def check_inside(t):
    """Ranks that mpiexec has started for somebody else."""
    ended = "bespoke: ended by SIGTERM"
    for who, pids in TARGETS[1:4]:
        r = t.inside(3)
        found = r.wait_for_ranks(3)
        time.sleep(0.5)
        if found:
            send(pids(r, found), signal.SIGTERM)
        r.end()
        t.check("inside mpiexec: SIGTERM to %s" % who,
                r.ended_soon() and r.status != 0 and r.err.count("bespoke: ") == 1 and ended in r.err, r)
    r = t.inside(3)
    found = r.wait_for_ranks(3)
    time.sleep(0.3)
    if found:
        send([found[2][0]], signal.SIGKILL)
    r.end()
    t.check("inside mpiexec: a rank is killed", r.ended_soon() and r.status != 0 and
            r.err.count("bespoke: rank 2 (pid %d on" % (found or {2: [0]})[2][0]) == 1, r)
    r = t.inside(2, "--ranks", "3").end()
    t.check("inside mpiexec: another number of ranks", r.status == 2 and r.ended_soon()
            and r.err.count("--ranks 3, but 2 were started") == 1, r)
    few = ["--oversubscribe"] if t.open_mpi else []
    start = [t.mpiexec, *few, "-n", "2", t.exe, "netbench", *LONG, ":", *few, "-n", "1", t.exe, "netbench", *LONG]
    r = Run([*start, "-o", "missing/m"]).end()
    t.check("one rank fails before it joins: all end, the first tells", r.ended_soon()
            and r.status == 2 and r.err.count("bespoke: missing/m") == 1, r)


def script(name, text):
    with open(name, "w") as f:
        f.write("#!/bin/sh\n" + text)
    os.chmod(name, 0o755)
    return os.path.abspath(name)


def with_mpiexec(t, mpiexec, told=None, **more):
    return t.run("netbench", "--ranks", "2", "--mpiexec", mpiexec, env={**environment("none"), **(told or {})}, **more)


LINE = "=" * 83
BANNER = "\n%s\n=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n%s\nsignal 9\n" % (LINE, LINE)


def check_mpiexec(t):
    """What is passed on, shown with scripts in place of mpiexec."""
    r = with_mpiexec(t, "no/mpiexec")
    t.check("no mpiexec", r.status == 4 and r.out == "" and
            r.err == "bespoke: cannot start no/mpiexec: No such file or directory; --mpiexec names another\n", r)
    with open("plain", "w") as f:
        f.write("text")
    r = with_mpiexec(t, os.path.abspath("plain"))
    t.check("an mpiexec that cannot be run", r.status == 4 and "cannot start" in r.err, r)
    r = with_mpiexec(t, " ")
    t.check("an empty mpiexec", r.status == 2 and "expected a command" in r.err, r)
    for text, status in ("true", 0), ("echo '[proxy:0:0@h] help' >&2; false", 1):
        name = script("ends", text + "\n")
        r = with_mpiexec(t, name)
        t.check("an mpiexec that starts nobody: " + text, r.status == 4 and r.out == ""
                and "bespoke: %s ended with status %d" % (name, status) in r.err
                and ("[proxy" in r.err) == (status == 1), r)
    told = "printf '\\036S %d\\n' >&2\n"
    text = "a\n\n\n[mpi\n" + BANNER + "b\0\n\n"
    with open("answer", "w", newline="") as f:
        f.write(text)
    r = with_mpiexec(t, script("answers", "cat answer; " + told % 1))
    t.check("an answer passes byte for byte", r.status == 1 and r.out == text and r.err == "", r)
    dies = "printf '\\036E 1 77 1 9 5 there\\n' >&2; exit 9\n"
    r = with_mpiexec(t, script("dies", "echo TRUE; cat answer; " + told % 0 + dies))
    t.check("a banner does not", r.status == 4 and r.out == "TRUE\na\n\n\n[mpi\n" and
            r.err == "bespoke: rank 1 (pid 77 on there) was killed by signal 9; the run is over\n", r)
    r = with_mpiexec(t, script("stuck", "echo TRUE; " + told % 0 + "cat answer; exit 9\n"))
    t.check("nor after MPI_Finalize was given up", r.status == 0 and r.out == "TRUE\na\n\n\n[mpi\n" and r.err == "", r)
    r = with_mpiexec(t, script("speaks", "printf 'half' >&2; sleep 0.2; printf '\\r\\nwhole\\n' >&2; " + told % 3))
    t.check("stderr passes, and status 3", r.status == 3 and r.err == "half\r\nwhole\n", r)
    with open("input", "w") as f:
        f.write("from stdin\n")
    with open("input") as f:
        r = with_mpiexec(t, script("reads", "cat; " + told % 0), stdin=f)
    t.check("stdin is passed on", r.status == 0 and r.out == "from stdin\n", r)
    r = with_mpiexec(t, script("knows", "echo $BESPOKE_STDERR; " + told % 0))
    t.check("ranks know that this is no terminal", r.out == "pipe\n", r)
    batch = {"SLURM_JOB_ID": "7", "SLURM_PROCID": "0", "SLURM_NTASKS": "8"}
    for more in {}, {"SLURM_STEP_ID": "4294967290", "SLURM_STEP_NUM_TASKS": "1"}:
        r = with_mpiexec(t, os.path.abspath("knows"), {**batch, **more})
        t.check("in a batch script, outside a step, mpiexec is started", r.status == 0 and r.out == "pipe\n", r)
    large = script("large", "yes 0123456789 | head -n 400000; " + told % 0)
    r = with_mpiexec(t, large)
    t.check("much passes", r.status == 0 and r.out == "0123456789\n" * 400000, r.status)
    p = subprocess.run("%s netbench --ranks 2 --mpiexec %s | head -n 1" % (t.exe, large), shell=True, timeout=60,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment("none"), check=False)
    t.check("a reader that is gone is told", b"cannot write the answer: Broken pipe" in p.stderr, p)


def check_slow_reader(t):
    """Nobody reads stdout, and yet a signal ends it."""
    large = os.path.abspath("large")
    r = Run([t.exe, "netbench", "--ranks", "2", "--mpiexec", large])
    time.sleep(0.5)
    alive = r.p.poll() is None
    send([r.p.pid], signal.SIGTERM)
    start = time.time()
    r.p.wait(timeout=3 * SOON)
    r.seconds = time.time() - start
    t.check("SIGTERM while nobody reads the answer", alive and r.seconds < SOON and r.p.returncode == 4, r)
    r.end()


def check_purity(t):
    for args in ["--json"], ["--json", "-v"]:
        r = t.run("netbench", "--ranks", "2", "--seconds", "0.3", *args, env=environment("none"))
        t.check("one object, no more: " + " ".join(args), r.status == 0 and r.object(), r)
    mismatch = shutil.which("mpiexec." + ("mpich" if t.open_mpi else "openmpi"))
    if mismatch:
        r = with_mpiexec(t, mismatch + ("" if t.open_mpi else " --oversubscribe"))
        t.check("mpiexec of another library", r.status == 4 and r.out == ""
                and ("is it that of" in r.err or "mpich ended with status" in r.err), r)
    else:
        print("skipped: no second mpiexec, so none of another library")


def main():
    t = Ranks()
    print("seed %d (BESPOKE_SEED)" % SEED)
    check_signals(t)
    check_deaths(t)
    check_early_deaths(t)
    check_parts(t)
    check_inside(t)
    check_purity(t)
    check_mpiexec(t)
    check_slow_reader(t)
    t.finish()


main()
