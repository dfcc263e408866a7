#!/usr/bin/env python3
"""figures.py - what has to stay small in cfuzz and is not a rate of executions.

    bench/figures.py [--build DIR] [--rounds 5] [start baseline memory workers minimize]

prints each with its limit and its command; status 1 when one is missed. run.py measures them too.

start      wall time of a whole `-fuzz -fuzztime=1x` on a package that is built: an upper limit
           for the time to the first fuzzed input
baseline   the same with 10,000 small inputs in the cache, all of which run before fuzzing begins
memory     of a worker while it fuzzes a target that needs none of its own: resident, shared pages
           counted whole, which is an upper limit; and with shared pages divided
workers    of all processes together, with 1 to 64 workers and 10 MiB of cached inputs
minimize   see minimize.py
"""

import argparse
import dataclasses
import glob
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import meter
import minimize
from engines import Failed

SOURCE = r"""
#include <cfuzz.h>

static volatile int sink;

FUZZ_SETUP(FuzzFigures)(cfuzz_f *f) { cfuzz_add(f, CFUZZ_BYTES("seed")); }
FUZZ_TEST(FuzzFigures, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    for (size_t i = 0; i < len && i < 32; i++)
        sink += data[i] > 'a' ? data[i] > 'q' ? 1 : 2 : 3;
}
"""
INPUTS = 10000
LARGE = 1000  # bytes of an input for "workers"
MANY = 64  # workers
FUZZ_SECONDS = 2  # before memory is looked at


@dataclasses.dataclass
class Figure:
    label: str
    unit: str
    measure: object  # () -> (value, command)
    limit: float = 0
    goal: str = ""  # "" when nothing was asked for
    rounds: int = 5  # at most
    seconds: float = 1  # that a round takes on a quiet machine


class Bench:
    """A small package, built once, and its cache."""

    def __init__(self, driver, work):
        self.driver = pathlib.Path(driver).absolute()
        self.package = pathlib.Path(work, "figures").absolute()
        self.cache = pathlib.Path(work, "figures-cache").absolute()
        self.env = {"CFUZZCACHE": str(self.cache), "CC": "clang-19"}
        self.built = False

    def build(self):
        if self.built:
            return
        if not self.driver.exists():
            raise Failed(f"{self.driver} is not built")
        shutil.rmtree(self.package, ignore_errors=True)
        self.package.mkdir(parents=True)
        (self.package / "figures.c").write_text(SOURCE)
        self.once(0, "-fuzztime=1x")
        self.built = True

    def command(self, *args):
        return [self.driver, "-run=None", "-fuzz=FuzzFigures", *args]

    def shown(self, *args):
        names = " ".join(f"{name}={value}" for name, value in self.env.items())
        return f"{names} {shlex.join(map(str, self.command(*args)))}"

    def once(self, inputs, *args, size=0):
        """Wall time of a run with so many inputs in the cache, in seconds."""
        self.fill(inputs, size)
        begin = time.monotonic()
        done = subprocess.run(self.command(*args), cwd=self.package, text=True,
                              env={**os.environ, **self.env}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        took = time.monotonic() - begin
        want = f"{inputs + 1}/{inputs + 1} completed"
        if done.returncode or want not in done.stdout:
            raise Failed(f"the baseline is not complete: no {want!r} in\n{done.stdout}")
        return took

    def fill(self, inputs, size=0):
        directory = self.cache / "fuzz" / str(self.package.resolve()).lstrip("/") / "FuzzFigures"
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        for i in range(inputs):
            text = f"input {i}".ljust(size, ".")
            (directory / f"{i:05}").write_text(f'go test fuzz v1\n[]byte("{text}")\n')

    def start(self):
        self.build()
        args = ["-fuzztime=1x", "-parallel=1"]
        return 1000 * self.once(0, *args), self.shown(*args)

    def baseline(self):
        self.build()
        return self.once(INPUTS, "-fuzztime=1x"), self.shown("-fuzztime=1x")

    def worker(self, size_of):
        """MiB of the largest worker."""
        self.build()
        self.fill(0)

        def look(root):
            origin = children(root)[0]
            return max(map(size_of, children(children(origin)[0])))

        return self.watched(look), self.shown("-fuzztime=1h")

    def workers(self, count):
        """MiB of driver, origin, host and all workers."""
        self.build()
        self.fill(INPUTS, LARGE)
        args = [f"-parallel={count}"]
        return self.watched(lambda root: sum(map(meter.pss_mib, tree(root))), *args), self.shown(
            "-fuzztime=1h", *args)

    def further(self, count):
        """MiB for each worker but the first."""
        one, _ = self.workers(1)
        many, command = self.workers(count)
        return (many - one) / (count - 1), command

    def watched(self, look, *args):
        """What look(pid of the driver) says after some seconds of fuzzing."""
        log = self.package.parent / "figures.log"
        with open(log, "wb") as out:
            run = subprocess.Popen(self.command("-fuzztime=1h", *args), cwd=self.package,
                                   env={**os.environ, **self.env}, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=out)
        try:
            limit = time.monotonic() + 60
            while "now fuzzing" not in log.read_text():
                if run.poll() is not None or time.monotonic() > limit:
                    raise Failed(f"no fuzzing to look at:\n{log.read_text()}")
                time.sleep(0.05)
            time.sleep(FUZZ_SECONDS)
            return look(run.pid)
        finally:
            run.terminate()
            run.wait()


def children(pid):
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        found += map(int, pathlib.Path(path).read_text().split())
    return found


def tree(pid):
    return [pid] + [p for child in children(pid) for p in tree(child)]


def figures(driver, work, short):
    """All of them, by name."""
    bench = Bench(driver, work)
    kinds = minimize.KINDS[:1] if short else minimize.KINDS
    watched = FUZZ_SECONDS + 0.5
    found = {
        "start": [Figure("`-fuzztime=1x`, from the command to its end", "ms", bench.start, 100,
                         "start to first mutated input, and end", seconds=0.05)],
        "baseline": [Figure("the same with 10,000 cached inputs, 2 workers", "s", bench.baseline,
                            2, "baseline of 10,000 cached inputs, whole run", seconds=1.5)],
        "memory": [
            Figure("a worker, shared pages counted whole", "MiB",
                   lambda: bench.worker(meter.rss_mib), 32,
                   "memory of a worker, shared pages counted whole", 1, watched),
            Figure("a worker, shared pages divided by who shares them", "MiB",
                   lambda: bench.worker(meter.pss_mib), rounds=1, seconds=watched),
        ],
        "workers": [
            *(Figure(f"all processes, {n} worker{'s' * (n > 1)}", "MiB",
                     lambda n=n: bench.workers(n), rounds=1, seconds=watched + 1)
              for n in (1, 2, 8, MANY)),
            Figure(f"each further one of {MANY} workers", "MiB", lambda: bench.further(MANY),
                   1, f"memory of each further one of {MANY} workers, with 10 MiB of inputs", 1,
                   2 * watched + 2),
        ] if not short else [],
        "minimize": [
            Figure(f"64 KiB to 8 bytes: {what}", "tries",
                   lambda kind=kind: minimize.tries(driver, work, kind), minimize.TRIES_MAX - 1,
                   f"64 KiB of which 8 bytes matter, made small: {what}", 1, 3)
            for kind, what, _, _ in kinds
        ],
    }
    return {name: list_ for name, list_ in found.items() if list_}


TITLES = {
    "start": ("Start", "Wall time of whole runs of a package that is built: more than what it "
              "takes to the first mutated input."),
    "baseline": ("Start", ""),
    "memory": ("Memory of a worker", "While it fuzzes, with default limits, a target that needs no "
               "memory: what of it is the target's is not taken off."),
    "workers": ("Memory of many workers",
                "With 10,000 cached inputs of 1,000 bytes, which all workers share, as they do the "
                "coverage mask. Pages that several processes have are counted once."),
    "minimize": ("Making crashers small", "Tries until the eight bytes are left, by the way the "
                 "target fails. Tries repeat exactly."),
}


def groups(group, cfuzz, work, short):
    """The same as groups of run.py's."""
    return [group(name, TITLES[name][0], list_, TITLES[name][1])
            for name, list_ in figures(cfuzz.driver, work, short).items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default=pathlib.Path(__file__).resolve().parent.parent / "build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("names", nargs="*", help="of the figures; all")
    args = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory(prefix="cfuzz-figures-") as work:
        all_ = figures(os.path.join(args.build, "bin", "cfuzz-test"), work, False)
        for name in args.names or all_:
            for f in all_[name]:
                runs = [f.measure() for _ in range(min(args.rounds, f.rounds))]
                value = statistics.median(v for v, _ in runs)
                verdict = "" if not f.goal else "missed" if value > f.limit else "met"
                missed += verdict == "missed"
                limit = f"limit {f.limit:g}" if f.goal else ""
                print(f"{name:9} {value:9.2f} {f.unit:5} {limit:11} {verdict:6} {f.label}\n"
                      f"          {runs[0][1]}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as error:
        sys.exit(f"figures: {error}")
