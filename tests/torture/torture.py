#!/usr/bin/env python3
"""Fuzzing runs under every fault that can be made: `make torture`.

    tests/torture/torture.py [--seconds 3600 | --trials N] [--seed N] [--only TRIAL] [--kind KIND]

Two things go on at once. A long run (left out with --trials) fuzzes a target with three bugs while its
processes are killed, and stopped for a while, at random moments. Beside it there is one trial after
another, of the kinds below: a short run, or several on one cache, with faults of that kind.

Afterwards, each time:

  - the run has ended, with a status from 0 to 3; with 3, or with an "internal failure", only where a
    system call or allocation of cfuzz was made to fail;
  - a target without a bug has no failing input, and a hostile one no failure of cfuzz;
  - a crash that was found is told of; one that was announced has a file, which fails again with that crash;
  - each file of corpus and cache is whole and has the name that its content gives;
  - no process and no temporary file is left;
  - the long run's driver has the memory that it had after a tenth of the time, 16 MiB apart.

It prints what was tried and how often. A trial draws from its own number and the seed that the first
line has, so --seed S --only T does the same again, as far as time allows. Status 0: nothing failed.
"""
import argparse
import collections
import errno
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SLACK_KIB = 16 << 10
ENDS_WITHIN = 90  # seconds; all limits of the runs are far below
HEADER = b"go test fuzz v1\n"

# Trials take these in turn.
KINDS = ("kill", "driver fault", "stop", "runtime fault", "halt", "clock", "driver fault", "hostile",
         "drivers", "runtime fault", "full disk", "driver fault", "hostile", "file limit")

# What a failing input of FuzzBugs says, in the announcement and when it is run again.
BUGS = ("signal: aborted", "n is over 100", "signal: segmentation fault")
HOSTILE = ("FuzzCloses", "FuzzDaemons", "FuzzSignals", "FuzzLimits", "FuzzScribbles", "FuzzOutput",
           "FuzzProcesses", "FuzzMemory", "FuzzExits", "FuzzTempDirs", "FuzzKills")
# Calls of faults.c: the errors that they are made to fail with, and whether the runtime makes them.
CALLS = {
    "malloc": ((errno.ENOMEM,), True),
    "open": ((errno.EMFILE, errno.EACCES, errno.ENOENT, errno.EIO), True),
    "read": ((errno.EIO, errno.EINTR), True),
    "write": ((errno.ENOSPC, errno.EIO, errno.EINTR), True),
    "mmap": ((errno.ENOMEM,), True),
    "ftruncate": ((errno.EFBIG, errno.ENOSPC), False),
    "fallocate": ((errno.ENOSPC,), False),
    "memfd_create": ((errno.EMFILE, errno.ENOMEM), False),
    "fork": ((errno.EAGAIN, errno.ENOMEM), True),
    "socketpair": ((errno.EMFILE,), False),
    "pipe": ((errno.EMFILE,), False),
    "sendmsg": ((errno.ENOBUFS, errno.EINTR), True),
    "recvmsg": ((errno.ENOMEM, errno.EINTR), True),
    "fsync": ((errno.EIO,), False),
    "link": ((errno.EIO, errno.EEXIST, errno.ENOENT), False),
    "rename": ((errno.EIO,), False),
    "mkdir": ((errno.ENOSPC, errno.EACCES), True),
}


# ---- processes -------------------------------------------------------------------------


def read_proc(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as f:
            return f.read()
    except OSError:
        return b""


def marked(mark):
    """The living processes that have mark in their environment: pid -> parent."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if mark not in read_proc(pid, "environ"):
            continue
        fields = read_proc(pid, "stat").rpartition(b")")[2].split()
        if len(fields) > 1 and fields[0] not in (b"Z", b"X"):
            found[int(pid)] = int(fields[1])
    return found


def roles(mark, driver):
    """The processes of a driver by what they are: depth below it. Compilers are not so deep."""
    parents, by_role = marked(mark), collections.defaultdict(list)
    for pid in parents:
        depth, at = 0, pid
        while at != driver and at in parents:
            depth, at = depth + 1, parents[at]
        if at != driver or pid == driver or not read_proc(pid, "cmdline").split(b"\0")[0].endswith(b".test"):
            continue
        by_role[("origin", "host", "worker")[min(depth, 3) - 1]].append(pid)
    by_role["driver"] = [driver]
    return by_role


def send(pid, what):
    try:
        os.kill(pid, what)
        return True
    except ProcessLookupError:
        return False


def rss_kib(pid):
    match = re.search(rb"VmRSS:\s+(\d+)", read_proc(pid, "status"))
    return int(match.group(1)) if match else None


# ---- one torture -----------------------------------------------------------------------


def goals_are_whole(content):
    """What is known of goals, beside the inputs of a test: runtime/search/goals_keep.h."""
    if len(content) < 32 or not content.startswith(b"\xfcgoals"):
        return False
    sites, notes = struct.unpack_from("=II", content, 24)
    return len(content) == 32 + 32 * sites + 16 * notes


class Torture:
    def __init__(self, args):
        self.args = args
        self.driver = os.path.abspath(os.path.join(args.build, "bin", "cfuzz-test"))
        self.faults = os.path.abspath(os.path.join(args.build, "tests", "libtorture-faults.so"))
        self.work = tempfile.mkdtemp(prefix="cfuzz-torture-")
        self.tried = collections.Counter()
        self.failures = []
        # A sanitized driver has an allocator of its own: the faults are not built for it.
        self.kinds = [k for k in KINDS if os.path.exists(self.faults)
                      or ("fault" not in k and k != "clock")]
        self.may_mount = subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL,
                                        check=False).returncode == 0
        self.build(os.path.join(self.work, "trials"))

    def build(self, where):
        """A package with a cache of its own, and both test binaries."""
        os.makedirs(os.path.join(where, "cache"), mode=0o700)
        os.makedirs(os.path.join(where, "torture"))
        shutil.copy(os.path.join(HERE, "target.c"), os.path.join(where, "torture"))
        for more in (["-run=None"], ["-run=None", "-fuzz=FuzzClean", "-fuzztime=1x"]):
            subprocess.run([self.driver, *more], cwd=os.path.join(where, "torture"), check=True,
                           env=dict(os.environ, CFUZZCACHE=os.path.join(where, "cache")),
                           stdout=subprocess.DEVNULL)

    def failed(self, where, what, output=""):
        self.failures.append(f"{where}: {what}")
        print(f"FAILED  {where}: {what}", flush=True)
        if output:
            print("    " + "\n    ".join(output.splitlines()[-30:]), flush=True)


class Run:
    """One driver, started; its output goes to a file."""

    def __init__(self, torture, where, number, argv, env=(), limits=None, mount=False):
        self.where, self.number, self.late = where, number, False
        self.package = os.path.join(where, "torture")
        self.mark = f"TORTURE_ID={os.getpid()}-{number}-{random.getrandbits(40):x}".encode()
        self.tmp = os.path.join(where, f"tmp-{number}")
        self.log = os.path.join(where, f"log-{number}")
        os.makedirs(self.tmp, exist_ok=True)
        name, value = self.mark.decode().split("=")
        env = dict(os.environ, CFUZZCACHE=os.path.join(where, "cache"), TMPDIR=self.tmp,
                   **{name: value}, **dict(env))
        command = [torture.driver, "-run=None", *argv]
        if mount:
            full = os.path.join(where, "cache", "fuzz"), os.path.join(self.package, "testdata")
            for path in full:
                os.makedirs(path, exist_ok=True)
            command = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=$1 none "$2" && '
                       'mount -t tmpfs -o size=$1 none "$3" && shift 3 && exec "$@"', "sh", mount,
                       *full, *command]
        with open(self.log, "wb") as out:
            self.process = subprocess.Popen(command, cwd=self.package, env=env, stdout=out,
                                            stderr=out, stdin=subprocess.DEVNULL,
                                            start_new_session=True,
                                            preexec_fn=limits)
        self.began = time.monotonic()

    def output(self):
        with open(self.log, encoding="utf-8", errors="replace") as f:
            return f.read()

    def wait(self, limit=ENDS_WITHIN):
        """The status, or None if the run had to be killed."""
        try:
            self.process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            self.late = True
            self.end_all()
            self.process.wait()
        return None if self.late else self.process.returncode

    def end_all(self):
        for pid in marked(self.mark):
            send(pid, signal.SIGCONT)
            send(pid, signal.SIGKILL)

    def left(self):
        """What is left of it after at most ten seconds: processes by command and state."""
        for _ in range(100):
            left = marked(self.mark)
            if not left:
                return []
            time.sleep(0.1)
        said = [f"{pid} {read_proc(pid, 'cmdline').split(bytes(1))[0].decode(errors='replace')} "
                f"{read_proc(pid, 'stat').rpartition(b')')[2][1:2].decode()}" for pid in left]
        self.end_all()
        return said


class Trial:
    """One trial: what is done in it is drawn from the torture's seed and its number."""

    def __init__(self, torture, number):
        self.torture, self.number = torture, number
        self.random = random.Random(f"{torture.args.seed}/{number}")
        self.where = os.path.join(torture.work, "trials")
        self.fault_log = os.path.join(self.where, "faults")
        kinds = [torture.args.kind] if torture.args.kind else torture.kinds
        self.kind = kinds[number % len(kinds)]
        if self.kind == "full disk" and not torture.may_mount:
            self.kind = "file limit"
        self.test = self.random.choice(("FuzzClean", "FuzzBugs"))
        self.keep = self.random.random() < 0.5
        self.killed = set()  # roles that got SIGKILL
        self.disturbed = False
        self.what = ""

    def flags(self, limit):
        flags = [f"-fuzz=^{self.test}$", f"-fuzztime={limit}", "-fuzzminimizetime=300x",
                 f"-parallel={self.random.choice((1, 2, 4))}", f"-seed={self.random.getrandbits(32)}"]
        return flags + (["-keepfuzzing"] if self.keep else [])

    def start(self, argv, **more):
        self.runs.append(Run(self.torture, self.where, f"{self.number}-{len(self.runs)}", argv, **more))
        return self.runs[-1]

    def disturb(self, run, kinds, seconds):
        """Sends signals to processes of a run, at random moments, as long as it runs."""
        end = time.monotonic() + seconds
        while run.process.poll() is None and time.monotonic() < end:
            time.sleep(self.random.uniform(0.01, 0.6))
            by_role = roles(run.mark, run.process.pid)
            role = self.random.choice([r for r in ("origin", "host", "worker", "worker", "driver")
                                       if by_role[r]])
            pid = self.random.choice(by_role[role])
            what = self.random.choice(kinds)
            if run.process.poll() is not None:
                return
            if what == "kill" and send(pid, signal.SIGKILL):
                self.killed.add(role)
                self.torture.tried[f"SIGKILL to the {role}"] += 1
            elif what == "stop" and send(pid, signal.SIGSTOP):
                self.torture.tried[f"SIGSTOP, then SIGCONT, to the {role}"] += 1
                time.sleep(self.random.choice((0.05, 0.3, 1.5)))
                send(pid, signal.SIGCONT)

    # ---- the kinds

    def run_kill(self):
        run = self.start(self.flags("3s"))
        self.disturb(run, ["kill"] if self.random.random() < 0.7 else ["kill", "stop"], 20)

    def run_stop(self):
        run = self.start(self.flags("3s"))
        self.disturb(run, ["stop"], 20)

    def run_halt(self):
        """One process is stopped for good: the run has to end by its limit even so."""
        run = self.start(self.flags("4s") + ["-hangtimeout=2s"])
        time.sleep(self.random.uniform(0.3, 2))
        role = self.random.choice(("origin", "host", "worker"))
        pids = roles(run.mark, run.process.pid)[role]
        if pids and send(self.random.choice(pids), signal.SIGSTOP):
            self.torture.tried[f"SIGSTOP for good to the {role}"] += 1
        self.what = role

    def fault(self, role):
        names = [c for c, (_, runtime) in CALLS.items() if role == "driver" or runtime]
        # Every other fault is one of memory: there are most places for it.
        call = "malloc" if self.random.random() < 0.4 else self.random.choice(names)
        n = int(2 ** self.random.uniform(0, 10 if call == "malloc" and role == "driver" else
                                         8 if call in ("sendmsg", "recvmsg") else 5))
        lasts = self.random.random() < 0.3
        number = self.random.choice(CALLS[call][0])
        if number == errno.EINTR:
            lasts = False  # for ever is not what a signal does
        self.what = f"{call} {n}{'+' if lasts else ''} {errno.errorcode[number]}"
        run = self.start(self.flags("3000x"), env={
            "LD_PRELOAD": self.torture.faults, "TORTURE_LOG": self.fault_log,
            "TORTURE_FAULT": f"{role},{call},{n}{'+' if lasts else ''},{number}"})
        run.wait()
        if os.path.exists(self.fault_log):
            self.torture.tried[f"{call} made to fail in the {role}"] += 1

    def run_driver_fault(self):
        self.fault("driver")

    def run_runtime_fault(self):
        self.fault("runtime")

    def run_clock(self):
        role = self.random.choice(("driver", "runtime"))
        seconds = self.random.choice((-86400, -10, 5, 3600))
        self.what = f"{role} {seconds:+d}s"
        self.start(self.flags("20000x"), env={
            "LD_PRELOAD": self.torture.faults, "TORTURE_LOG": self.fault_log,
            "TORTURE_CLOCK": f"{role},{int(2 ** self.random.uniform(3, 9))},{seconds * 10**9}"}).wait()
        if os.path.exists(self.fault_log):
            os.remove(self.fault_log)  # no call failed
            self.torture.tried[f"clock of the {role} put {'ahead' if seconds > 0 else 'back'}"] += 1

    def run_full_disk(self):
        size = self.random.choice(("8k", "40k", "200k"))
        self.what = size
        self.start(self.flags("20000x"), mount=size).wait()

    def run_file_limit(self):
        # Below the size of its shared memory nothing runs; above it files are small, too.
        size = self.random.choice((0, 100, 100000))
        self.what = f"RLIMIT_FSIZE {size}"
        self.start(self.flags("5000x"), limits=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))).wait()

    def run_drivers(self):
        runs = [self.start(self.flags("3000x")) for _ in range(self.random.choice((2, 8)))]
        self.what = f"{len(runs)} at once"
        if self.random.random() < 0.5:
            time.sleep(self.random.uniform(0, 0.5))
            for run in runs[1:]:
                if self.random.random() < 0.5 and send(run.process.pid, signal.SIGKILL):
                    self.killed.add("driver")
                    self.torture.tried["SIGKILL to the driver"] += 1

    def run_hostile(self):
        self.test = self.random.choice(HOSTILE)
        self.what = self.test
        self.torture.tried[f"hostile: {self.test}"] += 1
        flags = self.flags("5s") + ["-rss=300", "-hangtimeout=5s"]
        run = self.start(flags)
        if self.random.random() < 0.2 and self.test not in ("FuzzDaemons", "FuzzProcesses"):
            self.disturb(run, ["kill"], 4)

    # ---- and what has to hold

    def do(self):
        shutil.rmtree(os.path.join(self.where, "torture", "testdata"), ignore_errors=True)
        shutil.rmtree(os.path.join(self.where, "cache", "fuzz"), ignore_errors=True)
        if os.path.exists(self.fault_log):
            os.remove(self.fault_log)
        self.runs = []
        getattr(self, "run_" + self.kind.replace(" ", "_"))()
        self.torture.tried[f"trials: {self.kind}"] += 1
        faults = ""
        if os.path.exists(self.fault_log):
            with open(self.fault_log, encoding="utf-8", errors="replace") as f:
                faults = f.read()
        for run in self.runs:
            self.check_run(run, faults)
        if self.killed:
            self.sweep()
        if self.kind != "full disk":  # its files went with the mount
            self.check_files()
        for run in self.runs:
            if os.listdir(run.tmp) and not self.killed:
                self.fail(run, f"left in TMPDIR: {os.listdir(run.tmp)}")
            shutil.rmtree(run.tmp, ignore_errors=True)
            os.remove(run.log)

    def fail(self, run, what):
        name = f"trial {self.number} ({self.kind}, {self.test}{', ' + self.what if self.what else ''})"
        self.torture.failed(name, what, run.output()[-6000:] if run else "")

    def check_run(self, run, faults):
        status, text = run.wait(), run.output()
        if status is None:
            self.fail(run, "did not end")
            return
        own = -signal.SIGKILL if "driver" in self.killed else None
        if status == -signal.SIGABRT and "libuv" in faults:
            # It aborts where the pipe cannot be made that it wakes itself by.
            self.torture.tried["libuv gave up"] += 1
        elif status not in (0, 1, 2, 3, own):
            self.fail(run, f"status {status}")
        if (status == 3 or "internal failure" in text or "internal error" in text) and not faults:
            self.fail(run, f"status {status}, a failure of cfuzz without a fault")
        announced = self.announced(text)
        if self.test == "FuzzClean" and (announced or "--- FAIL: FuzzClean/" in text):
            self.fail(run, "a failing input of a target without a bug")
        if self.test == "FuzzClean" and status == 1 and not faults:
            self.fail(run, "status 1 for a target without a bug")
        if "Sanitizer: " in text or "runtime error: " in text:  # the target is not built with any
            self.fail(run, "a sanitizer reports on the driver")
        if re.search("fuzz: (found a failing input|new crash)", text) and status != own and not faults \
                and not re.search("Failing input |The failing input is lost", text):
            self.fail(run, "a failing input was found, and is not told of")
        left = run.left()
        if left:
            self.fail(run, f"processes left: {left}")
        if self.kind != "full disk":
            for path, bug in announced:
                self.check_crasher(run, path, bug, faults)

    def announced(self, text):
        """The files of failing inputs that the output names, each with the bug that it tells of."""
        found, bug = [], None
        for line in text.splitlines():
            bug = next((b for b in BUGS if b in line), bug)
            m = re.search(r"Failing input written to (\S+)", line)
            if m:
                found.append((m.group(1), bug))
        return found

    def check_crasher(self, run, path, bug, faults):
        full = os.path.join(self.where, "torture", path)
        if not os.path.isfile(full):
            self.fail(run, f"{path} was announced, and is not there")
            return
        if self.test != "FuzzBugs":
            return
        name = os.path.basename(path)
        again = subprocess.run([self.torture.driver, f"-run=^{self.test}$/^{name}$"],
                               cwd=run.package, check=False, stdout=subprocess.PIPE, text=True,
                               env=dict(os.environ, CFUZZCACHE=os.path.join(self.where, "cache")))
        self.torture.tried["crashers run again"] += 1
        if again.returncode != 1 or f"FAIL: {self.test}/{name} " not in again.stdout:
            self.fail(run, f"{name} does not fail again: {again.stdout}")
        elif bug is not None and bug not in again.stdout and not (faults and self.kind == "runtime fault"):
            self.fail(run, f"{name} was announced as {bug!r}, and fails otherwise: {again.stdout}")

    def sweep(self):
        """What a killed driver left, the next run removes."""
        again = subprocess.run([self.torture.driver, "-run=None", f"-fuzz=^{self.test}$", "-fuzztime=1x"],
                               cwd=os.path.join(self.where, "torture"), check=False,
                               stdout=subprocess.PIPE, text=True,
                               env=dict(os.environ, CFUZZCACHE=os.path.join(self.where, "cache"),
                                        TMPDIR=self.runs[0].tmp))
        if again.returncode not in (0, 1) and self.test in ("FuzzClean", "FuzzBugs"):
            self.fail(self.runs[0], f"the next run: status {again.returncode}: {again.stdout}")
        if os.listdir(self.runs[0].tmp):
            self.fail(self.runs[0], f"left in TMPDIR by the next run: {os.listdir(self.runs[0].tmp)}")

    def check_files(self):
        for top in (os.path.join(self.where, "torture", "testdata"),
                    os.path.join(self.where, "cache", "fuzz")):
            for folder, _, names in os.walk(top):
                for name in names:
                    path = os.path.join(folder, name)
                    with open(path, "rb") as f:
                        content = f.read()
                    self.torture.tried["files looked at"] += 1
                    if name == ".goals" and goals_are_whole(content):
                        continue
                    if name != hashlib.sha256(content).hexdigest()[:16] or \
                            not content.startswith(HEADER) or not content.endswith(b"\n"):
                        self.fail(self.runs[0], f"{os.path.relpath(path, self.where)} is not whole")


# ---- the long run -----------------------------------------------------------------------


class Long(threading.Thread):
    """A run for the whole time whose workers, and what guards them, are killed and stopped."""

    def __init__(self, torture, seconds):
        super().__init__()
        self.torture, self.seconds = torture, seconds
        self.random = random.Random(f"{torture.args.seed}/long")
        self.where = os.path.join(torture.work, "long")
        torture.build(self.where)

    def run(self):
        run = Run(self.torture, self.where, "long", [
            "-fuzz=^FuzzBugs$", "-keepfuzzing", "-fuzzminimizetime=1000x",
            f"-fuzztime={self.seconds}s"])
        early = late = None
        while run.process.poll() is None and time.monotonic() < run.began + self.seconds + 120:
            time.sleep(self.random.uniform(0.5, 4))
            workers = roles(run.mark, run.process.pid)["worker"] if run.process.poll() is None else []
            if workers:
                pid = self.random.choice(workers)
                if self.random.random() < 0.8:
                    self.torture.tried["SIGKILL to a worker of the long run"] += send(pid, signal.SIGKILL)
                elif send(pid, signal.SIGSTOP):
                    time.sleep(self.random.uniform(0, 2))
                    send(pid, signal.SIGCONT)
                    self.torture.tried["SIGSTOP, then SIGCONT, to a worker of the long run"] += 1
            if run.process.poll() is None:
                late = rss_kib(run.process.pid) or late
                if time.monotonic() - run.began > self.seconds / 10:
                    early = early or late
        status, text = run.wait(1), run.output()
        summary = [line for line in text.splitlines() if line.startswith("fuzz: ")]
        print("\n".join(summary[-6:]))
        if status != 1:
            self.torture.failed("long run", f"status {status}, want 1", text[-4000:])
        if not any(line.startswith("fuzz: executions: ") for line in summary):
            self.torture.failed("long run", "did not end with a summary", text[-4000:])
        if early is None or late - early > SLACK_KIB:
            self.torture.failed("long run", f"driver's memory: {early} KiB, {late} KiB at the end")
        if left := run.left():
            self.torture.failed("long run", f"processes left: {left}")
        corpus = os.path.join(run.package, "testdata", "corpus", "FuzzBugs")
        crashers = sorted(os.listdir(corpus)) if os.path.isdir(corpus) else []
        if len(crashers) < len(BUGS):
            self.torture.failed("long run", f"{len(crashers)} crashers saved, of {len(BUGS)} bugs")
        for name in crashers:
            again = subprocess.run([self.torture.driver, f"-run=FuzzBugs/{name}$"], cwd=run.package,
                                   check=False, stdout=subprocess.PIPE, text=True,
                                   env=dict(os.environ, CFUZZCACHE=os.path.join(self.where, "cache")))
            if again.returncode != 1 or f"FAIL: FuzzBugs/{name} " not in again.stdout:
                self.torture.failed("long run", f"{name} does not fail again", again.stdout)
        print(f"long run: driver's memory {early} KiB after a tenth of the time, {late} KiB at the end; "
              f"{len(crashers)} crashers")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--trials", type=int, help="this many trials, and no long run")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--only", type=int, help="this trial alone, and no long run")
    parser.add_argument("--kind", choices=sorted({*KINDS}), help="trials of this kind alone")
    parser.add_argument("--build", default="build")
    args = parser.parse_args()
    print(f"torture: seed {args.seed}", flush=True)
    torture = Torture(args)
    long_run = None
    if args.trials is None and args.only is None:
        long_run = Long(torture, args.seconds)
        long_run.start()
    end, number = time.monotonic() + args.seconds, 0
    while args.only is None and (number < args.trials if args.trials is not None
                                 else time.monotonic() < end):
        Trial(torture, number).do()
        number += 1
    if args.only is not None:
        Trial(torture, args.only).do()
    if long_run is not None:
        long_run.join()
    for what, times in sorted(torture.tried.items()):
        print(f"{times:8} {what}")
    if torture.failures:
        print(f"torture: {len(torture.failures)} failed, seed {args.seed}:")
        print("\n".join("    " + failure for failure in torture.failures))
        print(f"what it worked on is in {torture.work}")
        return 1
    shutil.rmtree(torture.work)
    print(f"torture: passed, seed {args.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
