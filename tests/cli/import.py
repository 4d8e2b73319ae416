#!/usr/bin/env python3
"""import.py - vlts_bench/import.sh: good files are registered, others are not, all is told."""
import sys
sys.dont_write_bytecode = True
import glob
import os
import shutil
import subprocess
import kit

SCRIPT = os.path.join(kit.ROOT, "vlts_bench", "import.sh")


class Import:
    def __init__(self, t):
        self.here = os.getcwd()
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("BESPOKE", "XDG_"))}
        self.env.update(XDG_DATA_HOME=self.here + "/data", XDG_CACHE_HOME=self.here + "/cache",
                        HOME=self.here, BESPOKE=t.exe)

    def run(self, *args, **changes):
        p = subprocess.run([SCRIPT, *args], env=dict(self.env, **changes), text=True,
                           capture_output=True, check=False, timeout=300)
        return kit.Result(("import.sh",) + args, p.returncode, p.stdout, p.stderr)

    def links(self):
        return sorted(os.path.basename(p) for p in glob.glob("data/bespoke/vlts/*"))


def row(r, name):
    return next((line.split(None, 2)[1:] for line in r.out.splitlines()
                 if line.startswith(name + " ")), None)


def check_bad_files(t, imp):
    os.mkdir("bad")
    t.run("gen", "vlts", "vasy_0_1", "-o", "bad/vasy_0_1.aut")
    t.run("gen", "vlts", "cwi_1_2", "--scale", "0.5", "-o", "bad/cwi_1_2.plts")
    kit.write("bad/vasy_1_4.aut", "rubbish\n")
    kit.write("bad/notes.txt", "not of the suite\n")
    r = imp.run("bad")
    t.check("a folder of wrong files: status 1", r.status == 1, r)
    t.check("a surrogate is not taken for real", row(r, "vasy_0_1") == ["differs", "surrogate"], r)
    t.check("the differing columns are named", row(r, "cwi_1_2")
            == ["differs", "states transitions tau_transitions surrogate"], r)
    t.check("an unreadable file is told with its position", row(r, "vasy_1_4")[0] == "unreadable"
            and "vasy_1_4.aut:1:1:" in r.out, r)
    t.check("other files are named", "\nnot in the suite: notes.txt\n" in r.out, r)
    t.check("none of them is registered", imp.links() == [] and "0 of 3" in r.out, r)


def check_usage(t, imp):
    os.mkdir("empty")
    for args, word in (((), "usage"), (("a", "b"), "usage"), (("nowhere",), "no folder"),
                       (("empty",), "no file of the VLTS suite"), (("--what",), "--what")):
        r = imp.run(*args)
        t.check("status 2: import.sh %s" % " ".join(args), r.status == 2 and word in r.err, r)
    r = imp.run("--help")
    t.check("--help", r.status == 0 and "usage" in r.out and r.err == "", r)
    r = imp.run("bad", BESPOKE="/nowhere/bespoke")
    t.check("an executable that is not there", r.status == 2 and "/nowhere/bespoke" in r.err, r)


def check_finding(t, imp):
    """The executable of the clone or of the prefix that the script lies in."""
    env = {k: v for k, v in imp.env.items() if k != "BESPOKE"}
    for place, script in (("build/demo/tools", "vlts_bench"), ("build/release/tools", "vlts_bench"),
                          ("bin", "share/bespoke/vlts_bench")):
        shutil.rmtree("tree", ignore_errors=True)
        for folder in place, script:
            os.makedirs(os.path.join("tree", folder))
        os.symlink(t.exe, os.path.join("tree", place, "bespoke"))
        shutil.copy(SCRIPT, os.path.join("tree", script))
        p = subprocess.run([os.path.join("tree", script, "import.sh"), "bad"], text=True,
                           env=env, capture_output=True, check=False, timeout=300)
        t.check("the executable is found in " + place, p.returncode == 1
                and "0 of 3" in p.stdout, p)


def check_real_files(t, imp):
    files = sorted(glob.glob(os.path.join(kit.VLTS, "*.aut.gz")))
    if not files:
        print("skipped: no ../shared/vlts beside the project: no real file is imported")
        return
    os.mkdir("real dir")
    for f in files:
        shutil.copy(f, "real dir")
    r = imp.run("real dir")
    names = sorted(os.path.basename(f) for f in files)
    t.check("real files agree and are registered", r.status == 0 and imp.links() == names
            and r.out.count(" real ") == len(files), r, imp.links())
    x = t.run("info", "--json", "vlts:vasy_0_1", env=imp.env).object()
    t.check("vlts:NAME is then the real file", x and x["surrogate"] is False
            and x["states"] == 289, x)
    t.run("convert", "real dir/vasy_0_1.aut.gz", "real dir/vasy_0_1.plts")
    r = imp.run("real dir")
    t.check("a better form of a file takes its place", r.status == 0
            and "vasy_0_1.plts" in imp.links() and "vasy_0_1.aut.gz" not in imp.links(), r)
    t.run("gen", "vlts", "vasy_0_1", "-o", "real dir/vasy_0_1.plts")
    r = imp.run("real dir")
    t.check("a file that no longer agrees is forgotten", r.status == 1
            and not [n for n in imp.links() if n.startswith("vasy_0_1.")], r, imp.links())


def main():
    t = kit.Test()
    imp = Import(t)
    check_bad_files(t, imp)
    check_usage(t, imp)
    check_finding(t, imp)
    check_real_files(t, imp)
    t.finish()


main()
