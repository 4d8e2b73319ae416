#!/usr/bin/env python3
"""two_hosts.py - ranks on two hosts: network namespaces with names and addresses of their own, on a
bridge; mpiexec reaches them by a program in place of ssh, messages go over TCP."""
import atexit
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time
sys.dont_write_bytecode = True
import kit
from runs import SEED, Run, send

NAME = "bsp%d" % os.getpid()
NET = "10.%d.%d" % (200 + os.getpid() % 50, os.getpid() // 50 % 250)
HOSTS = {NET + ".2": NAME + "a", NET + ".3": NAME + "b"}
BY_HAND = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0", "BESPOKE_TEST_HOSTS": NAME}


def ip(*args):
    return subprocess.run(["ip", *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          stdin=subprocess.DEVNULL)


def clean(name):
    """Hosts end with whoever is on them; their ends of the cables with them."""
    for host in name + "a", name + "b":
        for pid in ip("netns", "pids", host).stdout.split():
            if pid.isdigit():
                send([int(pid)], signal.SIGKILL)
        ip("netns", "del", host)
    ip("link", "del", name)


def clean_old():
    """What a test has left behind that was killed itself."""
    for path in glob.glob("/run/netns/bsp*a"):
        name = os.path.basename(path)[:-1]
        if name[3:].isdigit() and not os.path.exists("/proc/" + name[3:]):
            clean(name)


def build():
    """Why it cannot be done, or None."""
    if shutil.which("ip") is None:
        return "no ip(8) on this machine (package iproute2)"
    clean_old()
    atexit.register(clean, NAME)
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        signal.signal(number, lambda *_: sys.exit(1))
    steps = [["link", "add", NAME, "type", "bridge"], ["addr", "add", NET + ".1/24", "dev", NAME],
             ["link", "set", NAME, "up"]]
    for address, host in HOSTS.items():
        steps += [["netns", "add", host],
                  ["link", "add", host, "type", "veth", "peer", "name", "eth0", "netns", host],
                  ["link", "set", host, "master", NAME, "up"],
                  ["-n", host, "addr", "add", address + "/24", "dev", "eth0"],
                  ["-n", host, "link", "set", "eth0", "up"], ["-n", host, "link", "set", "lo", "up"]]
    for step in steps:
        p = ip(*step)
        if p.returncode != 0:
            return "no network namespaces here: ip %s: %s" % (" ".join(step), p.stdout.decode().strip())
    return None


def launcher():
    """Called as rsh is: HOST COMMAND...  Each host has its own name."""
    with open("reach", "w") as f:
        f.write("#!/bin/sh\nhost=$1; shift\ncase $host in\n")
        for address, host in HOSTS.items():
            f.write("%s) name=%s ;;\n" % (address, host))
        f.write('*) echo "$host: no such host" >&2; exit 1 ;;\nesac\n'
                'exec ip netns exec "$name" unshare --uts sh -c "hostname $name; $*"\n')
    os.chmod("reach", 0o755)
    return os.path.abspath("reach")


class Hosts(kit.Test):
    def __init__(self):
        super().__init__()
        mpiexec = shutil.which("mpiexec.mpich") or "mpiexec"
        self.command = [self.exe, "netbench", "--ranks", "4", "--launcher", launcher(),
                        "--mpiexec", "%s -iface %s" % (mpiexec, NAME)]

    def start(self, *more, hosts=None):
        return Run([*self.command, "--hosts", ",".join(hosts or HOSTS), *more], **BY_HAND)

    def running(self):
        """A long run, all of whose ranks are there."""
        r = self.start("--seconds", "60")
        found = r.wait_for_ranks(4)
        self.check("four ranks are started", len(found) == 4, r)
        time.sleep(1)
        return r, found


def sent_bytes(host):
    with open("/sys/class/net/%s/statistics/rx_bytes" % host) as f:
        return int(f.read())


def host_of(pid):
    """By the network that it lives in."""
    here = os.stat("/proc/%d/ns/net" % pid).st_ino
    return [h for h in HOSTS.values() if os.stat("/run/netns/" + h).st_ino == here][0]


def check_answer(t):
    before = [sent_bytes(h) for h in HOSTS.values()]
    r = t.start("--seconds", "2", "--json").end()
    result = kit.Result(r.command, r.status, r.out, r.err)
    x = result.object()
    t.check("an answer, one object", r.status == 0 and x and x["ranks"] == 4 and not r.left, r)
    moved = [sent_bytes(h) - b for h, b in zip(HOSTS.values(), before)]
    t.check("its messages went over the cables, %d and %d bytes" % tuple(moved), min(moved) > 1000000, r)


def check_ends(t):
    r, found = t.running()
    if not found:
        return
    where = {rank: host_of(pid) for rank, (pid, _) in found.items()}
    t.check("two ranks on each host", sorted(where.values()) == sorted([*HOSTS.values()] * 2), where)
    victim = max(rank for rank, host in where.items() if host == NAME + "b")
    send([found[victim][0]], signal.SIGKILL)
    r.end()
    line = r"bespoke: rank %d \(pid %d on %s\) was killed by signal 9; the run is over\n"
    t.check("a rank is killed on the other host", r.ended_soon() and r.status == 4 and r.out == "" and
            re.fullmatch(line % (victim, found[victim][0], where[victim]), r.err), r)
    r, found = t.running()
    send([r.p.pid], signal.SIGTERM)
    r.end()
    t.check("SIGTERM to the first process", r.ended_soon() and r.status == 4 and r.out == "" and
            r.err == "bespoke: ended by SIGTERM\n", r)
    r, found = t.running()
    send([r.p.pid], signal.SIGKILL)
    t.check("the first process is killed: nobody is left on either host", r.end().ended_soon(), r)


def check_missing_host(t):
    """mpiexec would wait for ever; we give a rank twenty seconds after the one before it."""
    r = t.start("--seconds", "60", hosts=[NET + ".2", "nowhere"])
    r.end(patience=40)
    t.check("a host that cannot be reached", r.seconds > 15 and not r.left and r.status == 4 and
            "nowhere: no such host" in r.err and "2 of 4 ranks do not begin" in r.err, r)


def main():
    version = subprocess.run([sys.argv[1], "--version"], stdout=subprocess.PIPE, check=True).stdout.decode()
    if "MPICH" not in version:
        kit.skip("only MPICH is told which network to take")
    why = build()
    if why:
        kit.skip(why)
    t = Hosts()
    print("seed %d" % SEED)
    check_answer(t)
    check_ends(t)
    check_missing_host(t)
    t.finish()


main()
