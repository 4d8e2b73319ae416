#!/usr/bin/env python3
"""netbench.py - the figures are there, whatever carries the messages; wrong command lines."""
import os
import shutil
import sys
sys.dont_write_bytecode = True
import kit

PATTERNS = {"uniform", "all-to-one", "ring"}
DETECTORS = {"four-counter", "ring", "wave"}
FAR = 5  # a run of half a second beside other jobs is no measurement
INSIDE = ["PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK"]

WRONG = [
    (["--transport", "tcp"], "there is no transport"),
    (["--transport", "theads"], "did you mean threads?"),
    (["--transport", "sim"], "needs --workers"),
    (["--transport", "sim", "--workers", "4", "--ranks", "2"], "--ranks is not for --transport sim"),
    (["--transport", "threads", "--ranks", "2"], "--ranks is for --transport mpi"),
    (["--transport", "sim", "--workers", "4", "--bind", "core"], "--bind is not for --transport sim"),
    (["--transport", "sim", "--workers", "4", "--counters"], "--counters is not for --transport sim"),
    (["--bind", "cores"], "did you mean core?"),
    (["--workers", "3"], "--workers is for --transport sim"),
    (["--machine", "m"], "--machine is for --transport sim"),
    (["--ranks", "0"], "--ranks: 0 is out of range"),
    (["--threads", "0"], "--threads: 0 is out of range"),
    (["--seconds", "0"], "--seconds: 0 is out of range"),
    (["--transport", "sim", "--workers", "2", "--machine", "missing"], "missing: cannot be read"),
    (["-o", "no/such/folder/m"], "no/such/folder"),
    (["-o", "-"], "stdout is for the answer"),
    (["model.aut"], "'model.aut' is too much"),
]


def environment():
    kept = {k: v for k, v in os.environ.items() if k not in INSIDE}
    kept.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                OMP_WAIT_POLICY="passive", HWLOC_PLUGINS_PATH="/nonexistent")
    return kept


def run(t, *args):
    return t.run("netbench", *args, env=environment(), timeout=200)


def rates(r):
    x = r.object()
    return [y["messages_per_second"] for y in x["rates"]] if x else []


def check_shape(t, name, r, ranks, threads):
    x = r.object()
    if not t.check("%s: status 0, one object" % name, r.status == 0 and x is not None, r):
        return
    rates = x["rates"]
    t.check("%s: all patterns, also with 16 bytes" % name,
            {y["pattern"] for y in rates if y["bytes"] == 16} == PATTERNS, r)
    t.check("%s: ranks and threads as asked for, rates above 0" % name,
            all(y["ranks"] == ranks and y["threads"] == threads
                and y["messages_per_second"] > 0 for y in rates), r)
    t.check("%s: latency" % name, x["latency_us"] > 0, r)
    t.check("%s: detectors" % name, {y["name"] for y in x["detectors"]} == DETECTORS
            and all(y["delay_us_median"] > 0 and y["control_messages"] >= 0 and y["detections"] > 0
                    for y in x["detectors"]), r)


def main():
    t = kit.Test()
    for args, text in WRONG:
        r = run(t, *args)
        t.check("refused: netbench " + " ".join(args),
                r.status == 2 and text in r.err and r.out == "", r)
    short = ["--seconds", "0.5", "--json"]
    check_shape(t, "one worker", run(t, *short), 1, 1)
    check_shape(t, "threads", run(t, "--threads", "2", *short), 1, 2)
    check_shape(t, "mpi with threads alone", run(t, "--transport", "mpi", "--threads", "2", *short), 1, 2)
    check_shape(t, "one rank", run(t, "--ranks", "1", *short), 1, 1)
    sim = ["--transport", "sim", "--workers", "5", *short]
    first, second = run(t, *sim), run(t, *sim)
    check_shape(t, "simulated", first, 1, 5)
    t.check("a simulation is the same twice", first.object() and second.object()
            and first.object()["rates"] == second.object()["rates"], first, second)
    for ranks, threads in (2, 1), (3, 1), (2, 2):
        r = run(t, "--ranks", str(ranks), "--threads", str(threads), *short)
        check_shape(t, "%d ranks, %d threads" % (ranks, threads), r, ranks, threads)
    real = run(t, "--ranks", "2", "-o", "here.machine", *short)
    t.check("a machine file is written", real.status == 0 and os.path.exists("here.machine"), real)
    r = run(t, "--transport", "sim", "--workers", "3", "--machine", "here.machine", *short)
    check_shape(t, "the machine that was measured", r, 1, 3)
    r = run(t, "--transport", "sim", "--workers", "2", "--machine", "here.machine", *short)
    far = [x for x, y in zip(rates(real), rates(r)) if not 1 / FAR < x / y < FAR]
    t.check("simulated, it is about as fast", len(rates(r)) > 0 and far == [], real, r)
    check_told(t)
    check_inside(t)
    t.finish()


def check_told(t):
    """What workers did, with -v; counters; where they stand."""
    r = run(t, "--threads", "3", "-v", "--counters", *["--seconds", "0.5", "--json"])
    x = r.object()
    t.check("-v tells of three workers", "uniform, 16 bytes, 3 workers" in r.err
            and all(y in r.err for y in ("busy", "batches are filled", "messages: message")), r)
    known = x["counters"] if x else {}
    t.check("counters by PAPI's names, null where nobody knows", len(known) == 8
            and known.get("perf::PAGE-FAULTS", 0) > 0 and known.get("perf::CONTEXT-SWITCHES") is not None
            and all(y is None or y >= 0 for y in known.values()), r)
    x = run(t, "--ranks", "2", "--threads", "2", "--counters", "--seconds", "0.5", "--json").object()
    t.check("of ranks too", x and x["counters"]["perf::PAGE-FAULTS"] > 0)
    r = run(t, "--threads", "2", "--seconds", "0.5", "--json")
    t.check("without the options there is neither", r.object() and r.object()["counters"] is None
            and r.err == "", r)
    crowd = str(2 * os.cpu_count() + 1)
    r = run(t, "--threads", crowd, "--bind", "core", "--seconds", "0.5", "--json")
    t.check("more workers than cores: one warning, none is bound", r.status == 0
            and r.err.count("warning: --bind: no worker is bound") == 1, r)
    r = run(t, "--threads", crowd, "--seconds", "0.5", "--json")
    t.check("unless it was not asked for", r.status == 0 and r.err == "", r)
    r = run(t, "--ranks", "2", "--threads", crowd, "--bind", "numa", "--seconds", "0.5", "--json")
    t.check("one warning of all ranks", r.status == 0
            and r.err.count("warning: --bind: no worker is bound") == 1, r)


def check_inside(t):
    """As one of several that mpiexec has started; with that of Open MPI or of MPICH."""
    version = t.run("--version").out
    mpiexec = shutil.which("mpiexec.openmpi" if "Open MPI" in version else "mpiexec.mpich") or "mpiexec"
    more = ["--oversubscribe"] if "Open MPI" in version else []
    exe, t.exe = t.exe, mpiexec
    start = ["-n", "2", *more, exe, "netbench"]
    r = t.run(*start, "--seconds", "0.5", "--json", env=environment(), timeout=200)
    check_shape(t, "inside mpiexec", r, 2, 1)
    r = t.run(*start, "--ranks", "3", env=environment(), timeout=200)
    t.check("inside mpiexec another number of ranks is refused, once",
            r.status == 2 and r.err.count("--ranks 3, but 2 were started") == 1, r)
    r = t.run(*start, "--transport", "threads", env=environment(), timeout=200)
    t.check("inside mpiexec threads alone are refused, once",
            r.status == 2 and r.err.count("is for one process") == 1, r)
    t.exe = exe


main()
