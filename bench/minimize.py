#!/usr/bin/env python3
"""minimize.py - what it costs to make a crasher small, end to end.

A 64 KiB input, eight bytes of which matter, fails in one of several ways; the driver finds it in its
cache, confirms, minimises and saves it. Shown are the tries, the wall time of the minimising as the
whole run's less that of one without it, and the size that is left. Counts repeat; times do not.

    bench/minimize.py [--build DIR]

Status 1 when a run needs 2,000 tries or more, or saves anything but the eight bytes.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

TRIES_MAX = 2000
WANT = "CFUZZ!42"

# name, flags, what the target does when it sees the eight bytes
KINDS = [
    ("message", [], 'cfuzz_error(t, "found");'),
    ("abort", [], "abort();"),
    ("exit", [], "exit(1);"),
    ("report", ["-asan"], "((volatile char *)malloc(8))[n] = 1;"),
]

SOURCE = """#include <stdlib.h>
#include <cfuzz.h>

FUZZ_TEST(FuzzLarge, []byte)(cfuzz_t *t, const uint8_t *b, size_t n)
{
    static const char want[] = "%s";
    size_t found = 0;

    (void)t;
    for (size_t i = 0; i < n && want[found] != 0; i++)
        found += b[i] == (uint8_t)want[found];
    if (want[found] == 0) {
        %s
    }
}
"""


def large_input():
    """64 KiB with the eight bytes spread over it."""
    rand = random.Random(1)
    data = bytearray(rand.choice(b"abcdefghijklmnopqrstuvwxyz") for _ in range(65536))
    for i, c in enumerate(WANT.encode()):
        data[3000 + 7777 * i] = c
    return 'go test fuzz v1\n[]byte("%s")\n' % data.decode()


def run(driver, flags, package, cache, limit):
    """The output of one run, and its wall time in seconds."""
    where = os.path.join(cache, "fuzz" + os.path.realpath(package), "FuzzLarge")
    os.makedirs(where, exist_ok=True)
    with open(os.path.join(where, "large"), "w") as f:
        f.write(large_input())
    argv = [driver, "-run=None", "-fuzz=FuzzLarge", "-parallel=1", "-fuzzminimizetime=" + limit]
    start = time.monotonic()
    p = subprocess.run(argv + flags, cwd=package, env={**os.environ, "CFUZZCACHE": cache},
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    return p.stdout, time.monotonic() - start


def measure(driver, kind, flags, body):
    """One line of the table; returns whether the goal was met."""
    with tempfile.TemporaryDirectory() as top:
        package = os.path.join(top, "large")
        cache = os.path.join(top, "cache")
        os.mkdir(package)
        with open(os.path.join(package, "large.c"), "w") as f:
            f.write(SOURCE % (WANT, body))
        run(driver, flags, package, cache, "0x")  # builds
        subprocess.run(["rm", "-r", os.path.join(package, "testdata")], check=True)
        _, without = run(driver, flags, package, cache, "0x")
        subprocess.run(["rm", "-r", os.path.join(package, "testdata")], check=True)
        out, wall = run(driver, flags, package, cache, "60s")
        m = re.search(r"minimized failing input file from (\d+) to (\d+) bytes in (\d+) tr", out)
        if m is None:
            print(out, file=sys.stderr)
            return False
        tries = int(m.group(3))
        right = '[]byte("%s")' % WANT in out
        print("%-8s %6s tries %8.0f ms   %s -> %s bytes%s" %
              (kind, tries, (wall - without) * 1000, m.group(1), m.group(2),
               "" if right else "   WRONG"))
        return right and tries < TRIES_MAX


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    ap.add_argument("--build", default=os.path.join(here, "build"))
    args = ap.parse_args()
    driver = os.path.join(os.path.abspath(args.build), "bin", "cfuzz-test")
    met = [measure(driver, *k) for k in KINDS]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
