"""runs.py - several ranks, watched: started, found in /proc, ended.

Every run carries a word of its own in its environment, by which its processes are known.
"""
import os
import signal
import subprocess
import time

MARK = "BESPOKE_TEST_RUN"
RANK_NAMES = ["PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"]
SOON = 5.0  # seconds for all to end
SEED = int(os.environ.get("BESPOKE_SEED", time.time_ns() % 1000000))


def environment(word):
    inside = RANK_NAMES + ["MV2_COMM_WORLD_RANK", "BESPOKE_STDERR"]
    kept = {k: v for k, v in os.environ.items() if k not in inside}
    kept.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                OMP_WAIT_POLICY="passive", HWLOC_PLUGINS_PATH="/nonexistent")
    kept[MARK] = word
    kept["ASAN_OPTIONS"] = kept.get("ASAN_OPTIONS", "") + ":handle_segv=0:handle_abort=0"
    return kept


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError:
        return b""


class Run:
    """A command line, started; its processes; and in the end what it said."""
    count = 0

    def __init__(self, command, **more):
        Run.count += 1
        self.word = "%d.%d" % (os.getpid(), Run.count)
        self.command = command
        self.p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env={**environment(self.word), **more}, start_new_session=True,
                                  preexec_fn=lambda: [signal.signal(s, signal.SIG_DFL) for s in
                                                      (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)])
        self.status, self.out, self.err, self.seconds, self.left = None, "", "", 0.0, []

    def processes(self):
        """pid -> (rank or None, name), of all that carry the word; the dead have no environment."""
        found = {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            seen = dict(x.partition(b"=")[::2] for x in read("/proc/%s/environ" % pid).split(b"\0"))
            if seen.get(MARK.encode()) != self.word.encode():
                continue
            rank = [seen[n.encode()] for n in RANK_NAMES if n.encode() in seen]
            found[int(pid)] = (int(rank[0]) if rank else None,
                               read("/proc/%s/comm" % pid).decode().strip())
        return found

    def ranks(self):
        """rank -> (pid, keeper's pid)"""
        both = {}
        for pid, (rank, name) in self.processes().items():
            if rank is not None and name.startswith("bespoke"):
                both.setdefault(rank, [0, 0])[name == "bespoke-keeper"] = pid
        return {rank: tuple(x) for rank, x in both.items() if all(x)}

    def wait_for_ranks(self, ranks):
        until = time.time() + 20
        while time.time() < until and self.p.poll() is None:
            found = self.ranks()
            if len(found) == ranks:
                return found
            time.sleep(0.01)
        return {}

    def end(self, patience=3 * SOON):
        """Wait until it has ended; kill whatever is left, but remember it."""
        start = time.time()
        try:
            out, err = self.p.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            self.p.kill()
            out, err = self.p.communicate()
        self.seconds = time.time() - start
        until = max(start + SOON, time.time() + 1)
        while self.processes() and time.time() < until:
            time.sleep(0.02)
        self.left = sorted(self.processes().items())
        for pid, _ in self.left:
            os.kill(pid, signal.SIGKILL)
        self.status = self.p.returncode
        self.out, self.err = (x.decode("utf-8", "surrogateescape") for x in (out, err))
        return self

    def __str__(self):
        return "    %s\n    seed %d, status %s after %.2f s\n    stdout %r\n    stderr %r\n    left %s" % (
            " ".join(map(str, self.command)), SEED, self.status, self.seconds, self.out[:1500], self.err[:3000],
            self.left)

    def ended_soon(self):
        return self.seconds < SOON and not self.left


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
