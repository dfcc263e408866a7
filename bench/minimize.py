#!/usr/bin/env python3
"""minimize.py - what it costs to make a crasher small, end to end.

A 64 KiB input, eight bytes of which matter, fails in one of several ways; the driver finds it in its
cache, confirms, minimizes and saves it. Shown are the tries, and the wall time of the minimizing as
the whole run's less that of one without it. Counts repeat; times do not.

    bench/minimize.py [--build DIR]

Status 1 when a run needs 2,000 tries or more, or saves anything but the eight bytes. figures.py and
run.py measure it too.
"""
import argparse
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from engines import Failed

TRIES_MAX = 2000
WANT = "CFUZZ!42"

# name, the way to fail, flags, what the target does when it sees the eight bytes
KINDS = [
    ("message", "a message", [], 'cfuzz_error(t, "found");'),
    ("abort", "abort", [], "abort();"),
    ("exit", "exit", [], "exit(1);"),
    ("report", "a report of AddressSanitizer", ["-asan"], "((volatile char *)malloc(8))[n] = 1;"),
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


def command(driver, flags, limit):
    return [str(driver), "-run=None", "-fuzz=FuzzLarge", "-parallel=1",
            "-fuzzminimizetime=" + limit, *flags]


def run(driver, flags, package, cache, limit):
    """The output of one run, and its wall time in seconds."""
    where = os.path.join(cache, "fuzz" + os.path.realpath(package), "FuzzLarge")
    os.makedirs(where, exist_ok=True)
    with open(os.path.join(where, "large"), "w") as f:
        f.write(large_input())
    shutil.rmtree(os.path.join(package, "testdata"), ignore_errors=True)
    start = time.monotonic()
    p = subprocess.run(command(driver, flags, limit), cwd=package,
                       env={**os.environ, "CFUZZCACHE": cache, "CC": "clang-19"},
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       text=True, timeout=300)
    return p.stdout, time.monotonic() - start


def measure(driver, work, kind):
    """Tries, milliseconds, and the command, for one of KINDS."""
    _, _, flags, body = next(k for k in KINDS if k[0] == kind)
    with tempfile.TemporaryDirectory(dir=work) as top:
        package = os.path.join(top, "large")
        cache = os.path.join(top, "cache")
        os.mkdir(package)
        with open(os.path.join(package, "large.c"), "w") as f:
            f.write(SOURCE % (WANT, body))
        run(driver, flags, package, cache, "0x")  # builds
        _, without = run(driver, flags, package, cache, "0x")
        out, wall = run(driver, flags, package, cache, "60s")
    m = re.search(r"failing input file .* (?:in|after) (\d+) tr", out)
    if m is None or '[]byte("%s")' % WANT not in out:
        raise Failed(f"the eight bytes are not what is left:\n{out}")
    return int(m[1]), (wall - without) * 1000, shlex.join(command(driver, flags, "60s"))


def tries(driver, work, kind):
    """Tries and the command."""
    count, _, shown = measure(driver, work, kind)
    return count, shown


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    ap.add_argument("--build", default=os.path.join(here, "build"))
    args = ap.parse_args()
    driver = os.path.join(os.path.abspath(args.build), "bin", "cfuzz-test")
    met = True
    for kind, *_ in KINDS:
        count, ms, _ = measure(driver, None, kind)
        met = met and count < TRIES_MAX
        print(f"{kind:8} {count:6} tries {ms:8.0f} ms")
    return 0 if met else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as error:
        sys.exit(f"minimize: {error}")
