#!/usr/bin/env python3
"""Figures that cfuzz promises, measured: bench/figures.py [--build build] [--runs 5]

    baseline   a corpus of 10,000 small cached inputs is run before fuzzing       < 2 s
    start      from the command to its end with one fuzzed input, package built   < 100 ms
    memory     what is resident in a worker, shared pages included, beyond the test binary
               before any test, while fuzzing with default limits               <= 32 MiB

Prints the median of the runs with the command behind each figure. Status 1 if one is missed.
"""
import argparse
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = r"""
#include <cfuzz.h>

static volatile int sink;

FUZZ_SETUP(FuzzFigures)(cfuzz_f *f) { cfuzz_add(f, CFUZZ_BYTES("seed")); }
FUZZ_TEST(FuzzFigures, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    for (size_t i = 0; i < len; i++)
        sink += data[i] > 'a' ? data[i] > 'q' ? 1 : 2 : 3;
}
"""
INPUTS = 10000


class Bench:
    def __init__(self, build):
        self.driver = os.path.abspath(os.path.join(build, "bin", "cfuzz-test"))
        self.work = tempfile.mkdtemp(prefix="cfuzz-figures-")
        self.package = os.path.join(self.work, "figures")
        self.env = dict(os.environ, CFUZZCACHE=os.path.join(self.work, "cache"))
        os.mkdir(self.package)
        with open(os.path.join(self.package, "figures.c"), "w", encoding="utf-8") as f:
            f.write(SOURCE)
        self.run("-fuzztime=1x")  # builds

    def command(self, *args):
        return [self.driver, "-run=None", "-fuzz=FuzzFigures", *args]

    def run(self, *args):
        start = time.monotonic()
        done = subprocess.run(self.command(*args), cwd=self.package, env=self.env, text=True,
                              stdout=subprocess.PIPE, check=True)
        return time.monotonic() - start, done.stdout

    def cache_dir(self):
        path = os.path.realpath(self.package).lstrip("/")
        return os.path.join(self.env["CFUZZCACHE"], "fuzz", path, "FuzzFigures")

    def start(self):
        shutil.rmtree(self.cache_dir(), ignore_errors=True)
        return self.run("-fuzztime=1x")[0]

    def baseline(self):
        shutil.rmtree(self.cache_dir(), ignore_errors=True)
        os.makedirs(self.cache_dir())
        for i in range(INPUTS):
            with open(os.path.join(self.cache_dir(), f"{i:05}"), "w", encoding="ascii") as f:
                f.write(f'go test fuzz v1\n[]byte("input {i}")\n')
        took, out = self.run("-fuzztime=1x")
        want = f"{INPUTS + 1}/{INPUTS + 1} completed"
        if want not in out:
            sys.exit(f"figures.py: the baseline is not complete: no {want!r} in\n{out}")
        return took

    def memory(self):
        """MiB resident in the largest worker, shared pages counted whole, beyond the origin's."""
        shutil.rmtree(self.cache_dir(), ignore_errors=True)
        run = subprocess.Popen(self.command("-fuzztime=5s"), cwd=self.package, env=self.env,
                               stdout=subprocess.DEVNULL)
        time.sleep(4)
        origin = children(run.pid)[0]
        workers = children(children(origin)[0])
        most = max(rss_mib(pid) for pid in workers)
        bare = rss_mib(origin)
        run.wait()
        return most - bare


def children(pid):
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        with open(path, encoding="ascii") as f:
            found += [int(word) for word in f.read().split()]
    return found


def rss_mib(pid):
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as f:
        return int(re.search(r"^Rss:\s+([0-9]+) kB", f.read(), re.M)[1]) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    bench, missed = Bench(args.build), 0
    try:
        for name, unit, scale, limit, extra in (("baseline", "s", 1, 2, "-fuzztime=1x"),
                                                ("start", "ms", 1000, 100, "-fuzztime=1x"),
                                                ("memory", "MiB", 1, 32, "-fuzztime=5s")):
            runs = 1 if name == "memory" else args.runs
            value = statistics.median(getattr(bench, name)() for _ in range(runs)) * scale
            missed += value > limit
            print(f"{name:9} {value:8.2f} {unit:4} limit {limit:4} {unit:4} "
                  f"{'missed' if value > limit else 'met   '}  "
                  f"cfuzz-test -run=None -fuzz=FuzzFigures {extra}", flush=True)
    finally:
        shutil.rmtree(bench.work)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
