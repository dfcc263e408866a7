#!/usr/bin/env python3
"""A long fuzzing run under bad conditions: `make soak`, not a part of the tests.

    tests/soak.py [--seconds 3600] [--build build]

A package with three bugs is fuzzed with -keepfuzzing on all CPUs while, every few seconds, one of
the run's workers, or the process that guards it, gets SIGKILL. Passed, with status 0, if in the end

  - the run ended by its limit, with status 1, and its last lines are a summary;
  - the driver's memory stayed what it was after the first tenth of the time, 16 MiB apart;
  - no process of it is left;
  - each crasher that was saved is a whole file and fails when it is run again.
"""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SLACK_KIB = 16 << 10
SOURCE = r"""
#include <stdlib.h>
#include <string.h>
#include <cfuzz.h>

static volatile int sink;

FUZZ_SETUP(FuzzSoak)(cfuzz_f *f) { cfuzz_add(f, CFUZZ_BYTES("seed"), 1, "text"); }
FUZZ_TEST(FuzzSoak, []byte, int, string)
(cfuzz_t *t, const uint8_t *data, size_t len, int n, const char *text)
{
    char *copy = malloc(len + 1);

    if (copy == NULL)
        return;
    memcpy(copy, data, len);
    copy[len] = '\0';
    for (size_t i = 0; i < len; i++)
        sink += copy[i] > 'a' ? copy[i] > 'q' ? 1 : 2 : 3;
    free(copy);
    if (len > 2 && data[0] == 'a')
        if (data[1] == 'b')
            abort();
    if (n > 100)
        cfuzz_error(t, "n = %d", n);
    if (text[0] == '!')
        *(volatile int *)0 = 1;
}
"""


def processes():
    """pid -> (parent, start in clock ticks since boot) of all processes."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
                text = f.read()
        except OSError:
            continue
        fields = text[text.rindex(")") + 2:].split()  # behind the command's name: state, ppid, ...
        found[int(pid)] = (int(fields[1]), int(fields[19]))
    return found


def below(root):
    """Depth below root of all its descendants, by pid and start: an hour uses pids again."""
    depth, grown, all_of = {root: 0}, True, processes()
    while grown:
        grown = False
        for pid, (parent, _) in all_of.items():
            if parent in depth and pid not in depth:
                depth[pid], grown = depth[parent] + 1, True
    del depth[root]
    return {(pid, all_of[pid][1]): d for pid, d in depth.items()}


def rss_kib(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as f:
        return int(next(line for line in f if line.startswith("VmRSS:")).split()[1])


def check(failures, good, what):
    print(("ok      " if good else "FAILED  ") + what, flush=True)
    if not good:
        failures.append(what)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--build", default="build")
    args = parser.parse_args()
    driver = os.path.abspath(os.path.join(args.build, "bin", "cfuzz-test"))
    work, failures, kills = tempfile.mkdtemp(prefix="cfuzz-soak-"), [], 0
    env = dict(os.environ, CFUZZCACHE=os.path.join(work, "cache"))
    package = os.path.join(work, "soak")
    os.mkdir(package)
    with open(os.path.join(package, "soak.c"), "w", encoding="utf-8") as f:
        f.write(SOURCE)
    subprocess.run([driver, "-run=None"], cwd=package, env=env, check=True,
                   stdout=subprocess.DEVNULL)
    with open(os.path.join(work, "log"), "w+", encoding="utf-8", errors="replace") as log:
        run = subprocess.Popen([driver, "-run=None", "-fuzz=FuzzSoak", "-keepfuzzing",
                                "-fuzzminimizetime=1000x", f"-fuzztime={args.seconds}s"],
                               cwd=package, env=env, stdout=log, stderr=log)
        start = time.monotonic()
        early = late = None
        known = set()
        while run.poll() is None:
            time.sleep(random.uniform(0.5, 4))
            depth = below(run.pid) if run.poll() is None else {}
            known |= set(depth)
            # driver > origin > host > guards > workers; what a compiler runs is not so deep
            workers = [pid for (pid, _), d in depth.items() if d >= 3]
            if workers:
                try:
                    os.kill(random.choice(workers), signal.SIGKILL)
                    kills += 1
                except ProcessLookupError:
                    pass
            if run.poll() is None:
                late = rss_kib(run.pid)
                if early is None and time.monotonic() - start > args.seconds / 10:
                    early = late
            if time.monotonic() - start > args.seconds + 120:
                run.kill()
        log.seek(0)
        text = log.read()
    summary = [line for line in text.splitlines() if line.startswith("fuzz: ")]
    print("\n".join(summary[-6:]))
    check(failures, run.returncode == 1, f"status {run.returncode}, want 1")
    check(failures, any(line.startswith("fuzz: executions: ") for line in summary),
          "the run ends with a summary")
    check(failures, kills > 0, f"{kills} workers killed")
    check(failures, early is not None and late - early <= SLACK_KIB,
          f"driver's memory: {early} KiB after a tenth of the time, {late} KiB at the end")
    left = sorted(known & {(pid, start) for pid, (_, start) in processes().items()})
    check(failures, not left, f"processes left: {left}")
    corpus = os.path.join(package, "testdata", "corpus", "FuzzSoak")
    crashers = sorted(os.listdir(corpus)) if os.path.isdir(corpus) else []
    check(failures, len(crashers) >= 3, f"{len(crashers)} crashers saved, of 3 bugs")
    for name in crashers:
        again = subprocess.run([driver, f"-run=FuzzSoak/{name}$"], cwd=package, env=env,
                               stdout=subprocess.PIPE, text=True, check=False)
        check(failures, again.returncode == 1 and f"FAIL: FuzzSoak/{name} " in again.stdout,
              f"{name} fails again")
    if failures:
        print(f"the log is in {work}")
        return 1
    shutil.rmtree(work)
    print(f"soak: passed, {args.seconds} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
