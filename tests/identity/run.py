#!/usr/bin/env python3
"""run.py [--build DIR] [--rules] - which crashes cfuzz takes for the same bug.

testdata/identity/crashes.c shows a crash for each number. PAIRS says of two of them whether they are
the same bug; each pair counts in every kind of build that it names. PROGRAMS does so for programs.c,
which was written, and judged, by somebody who had not read the rule. The driver prints with
CFUZZDEBUG=signature=1 what it made of each crash.

Prints the errors: two bugs taken for one (merged: one of them would be lost) and one bug taken for two
(split: it is reported twice). Status 1 if there are others than EXPECTED names.

--rules computes from the same frames what other rules would have said (docs/decisions/048).
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAME, OTHER = True, False

# Builds: flags of cfuzz-test, and variables of the environment.
BUILDS = {
    "O2": ([], {}),
    "O0": ([], {"CFLAGS": "-O0"}),
    "stripped": ([], {"LDFLAGS": "-s"}),
    "asan": (["-asan"], {}),
    "ubsan": (["-ubsan"], {}),
    "msan": (["-msan"], {}),
    "tsan": (["-tsan"], {}),
}
PLAIN = ("O2", "O0", "stripped", "asan")

PAIRS = [
    ("one helper, two lines of a caller", 0, 1, OTHER, PLAIN),
    ("one helper, two callers", 0, 2, OTHER, PLAIN),
    ("one helper, two callers, elsewhere", 1, 2, OTHER, PLAIN),
    ("a helper that nobody declared or named so", 3, 4, OTHER, PLAIN),
    ("a helper behind a helper", 5, 6, OTHER, PLAIN),
    ("a helper behind a helper, and without", 3, 5, OTHER, PLAIN),
    ("a helper that is inlined", 7, 8, OTHER, PLAIN),
    ("a helper that returns, two lines", 9, 10, OTHER, PLAIN),
    ("a helper that returns, two callers", 9, 11, OTHER, PLAIN),
    ("two asserts", 12, 13, OTHER, PLAIN),
    ("a leaf from two callers", 14, 15, OTHER, PLAIN),
    ("a leaf from two lines of a function", 16, 17, SAME, ("O2", "O0", "asan")),
    ("two lines of an inlined function", 18, 19, OTHER, PLAIN),
    ("a line of an inlined function, two callers", 18, 20, OTHER, PLAIN),
    ("a line of an inlined function, two lines of a caller", 20, 21, SAME, ("O2", "O0", "asan")),
    ("recursion of another depth", 22, 23, SAME, ("O0", "asan")),
    ("recursion much deeper", 22, 24, SAME, ("O0", "asan")),
    ("two functions that recurse", 25, 26, SAME, ("O0", "asan")),
    ("the other one of two that recurse", 25, 27, OTHER, ("O0", "asan")),
    ("stack overflows of two functions", 28, 29, OTHER, ("O2", "O0", "asan")),
    ("a stack overflow, entered elsewhere", 29, 30, SAME, ("O2", "O0", "asan")),
    ("callbacks of the C library", 31, 32, OTHER, PLAIN),
    ("two threads' functions", 33, 34, OTHER, PLAIN),
    ("exit by a helper, two callers", 35, 36, OTHER, PLAIN),
    ("functions that a macro makes on a line", 37, 38, OTHER, PLAIN),
    ("functions that a macro makes on a line, others", 39, 40, OTHER, PLAIN),
    ("cfuzz_error in a helper", 41, 42, OTHER, ("O2", "O0", "asan")),
    ("two messages", 43, 44, OTHER, PLAIN),
    ("an overflow by another distance", 45, 46, SAME, ("asan",)),
    ("an overflow of another object", 45, 47, OTHER, ("asan",)),
    ("a use of two freed objects", 48, 49, OTHER, ("asan",)),
    ("an overflow and a use of freed memory", 45, 48, OTHER, ("asan",)),
    ("a leak of another size", 50, 51, SAME, ("asan",)),
    ("leaks of two objects", 50, 52, OTHER, ("asan",)),
    ("a stack object, another distance", 53, 54, SAME, ("asan",)),
    ("two sums", 55, 56, SAME, ("ubsan",)),
    ("a sum and a shift", 55, 57, OTHER, ("ubsan",)),
    ("two signals", 14, 58, OTHER, PLAIN),
    ("a division and a wild pointer", 14, 59, OTHER, PLAIN),
    ("two races", 61, 62, OTHER, ("tsan",)),
    ("two values never written", 63, 64, OTHER, ("msan",)),
    ("hangs in two loops", 65, 66, OTHER, ("O2", "O0")),
    ("a hang from elsewhere", 65, 67, OTHER, ("O2", "O0")),
    ("the same hang again", 65, 68, SAME, ("O2", "O0", "stripped")),
    ("a hang and an abort", 65, 0, OTHER, ("O2", "O0")),
    ("an exit and _exit", 35, 60, OTHER, ("O2", "O0")),
]

PROGRAMS = [
    ("a text, at the top and deep in lists", 0, 1, SAME, PLAIN),
    ("an accessor that asserts, two users", 2, 3, OTHER, PLAIN),
    ("a buffer that grows too little, two users", 4, 5, SAME, ("asan",)),
    ("two CHECKs of a handler", 6, 7, OTHER, PLAIN),
    ("an error helper, two handlers", 8, 9, OTHER, PLAIN),
    ("a double free, objects of other sizes", 10, 11, SAME, ("asan",)),
    ("an object that was freed, used in two places", 12, 13, SAME, ("asan",)),
    ("a comparison in a sort, arrays of other lengths", 14, 15, SAME, PLAIN),
    ("a calculator too deep, by two ways", 16, 17, SAME, PLAIN),
    ("a race, the other way round", 18, 19, SAME, ("tsan",)),
    ("two jobs of a pool of threads", 20, 21, OTHER, PLAIN),
    ("a scanner that stays, other texts", 22, 23, SAME, ("O2", "O0", "stripped")),
    ("two loops of a function that stay", 22, 24, OTHER, ("O2", "O0", "stripped")),
    ("one way out, from two places", 25, 26, SAME, PLAIN),
    ("two copies of a function", 27, 28, OTHER, ("asan",)),
    ("an index, other values", 29, 30, SAME, ("ubsan",)),
    ("an allocation too large, two callers", 31, 32, OTHER, PLAIN),
    ("an allocation too large, other sizes", 31, 35, SAME, PLAIN),
    ("a property, other values", 33, 34, SAME, PLAIN),
]

SETS = {"FuzzCrash": PAIRS, "FuzzProgram": PROGRAMS}

# What is known to be wrong, (build, pair), and why: see the decisions. Nothing is.
EXPECTED = set()

FRAME = re.compile(r"(\S+) (\S+?)(:\d+)?( helper)?$")


def crashes(build, work, test, flags, env):
    """For each number of a test: the kind, the frames, and the driver's signature."""
    package = os.path.join(work, "identity")
    if not os.path.exists(package): # both tests are in it, and built once
        shutil.copytree(os.path.join(SOURCE, "testdata/identity"), package)
    run = subprocess.run(
        [os.path.join(build, "bin/cfuzz-test"), "-run=None", f"-fuzz={test}", "-keepfuzzing",
         "-fuzztime=1x", "-parallel=1", "-fuzzminimizetime=0x", "-hangtimeout=1s", *flags],
        cwd=package, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, **env, "CFUZZCACHE": os.path.join(work, "cache"),
             "CFUZZDEBUG": "signature=1"})
    out, kind, frames, signature = {}, "", [], None
    for line in run.stdout.splitlines():
        if m := re.search(r"DEBUG signature, kind: ([^;]*)(.*)$", line):
            if m.group(1) != "allocated":
                kind = m.group(1)
                frames = [f.groups() for f in map(FRAME.match, m.group(2).split("; ")[1:]) if f]
            else:
                kind += " of " + m.group(2)
        elif m := re.search(r"DEBUG signature (\S+)(?: \(.*\))?: (.*)$", line):
            signature = m.group(1)
            kind = kind or m.group(2)
        elif m := re.search(rf"failure while testing seed corpus entry: {test}/seed#(\d+)$", line):
            out[int(m.group(1))] = (kind, frames, signature)
            kind, frames, signature = "", [], None
    if len(out) < 20:
        sys.exit(f"only {len(out)} crashes were seen:\n{run.stdout[-3000:]}")
    return out


def top(frames, n):
    return tuple(frames[:n])


def clusterfuzz(frames):
    return tuple(f[0] for f in frames if not f[3])[:3]


def line_and_callers(frames, callers):
    """What cfuzz did before: the innermost line, and functions that called it."""
    if not frames:
        return ()
    return (frames[0][1], frames[0][2], *(f[0] for f in frames[1:1 + callers]))


RULES = {
    "innermost line (before, minimizing)": lambda k, f, s: (k, line_and_callers(f, 0)),
    "innermost line, 2 callers (before, counting)": lambda k, f, s: (k, line_and_callers(f, 2)),
    "5 frames with lines (CERT)": lambda k, f, s: (k, top(f, 5)),
    "3 frames with lines": lambda k, f, s: (k, top(f, 3)),
    "3 functions without helpers (ClusterFuzz)": lambda k, f, s: (k, clusterfuzz(f)),
    "all frames with lines": lambda k, f, s: (k, tuple(f)),
    "cfuzz": lambda k, f, s: s,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(SOURCE, "build"))
    parser.add_argument("--rules", action="store_true")
    args = parser.parse_args()
    rules = RULES if args.rules else {"cfuzz": RULES["cfuzz"]}
    missing, wrong_ones = [], set()
    seen = {}
    for build, how in BUILDS.items():
        with tempfile.TemporaryDirectory() as work:
            for test, pairs in SETS.items():
                if any(build in p[4] for p in pairs):
                    seen[test, build] = crashes(args.build, work, test, *how)
    for test, pairs in SETS.items():
        errors = {name: [] for name in rules}
        counts = {SAME: 0, OTHER: 0}
        for what, a, b, same, builds in pairs:
            for build in builds:
                of = seen[test, build]
                if a not in of or b not in of:
                    missing.append(f"{build}: {what}: {b if a in of else a} did not fail")
                    continue
                counts[same] += 1
                for name, rule in rules.items():
                    if (rule(*of[a]) == rule(*of[b])) != same:
                        errors[name].append((build, what, same))
        print(f"{test}: {len(pairs)} pairs, {counts[SAME] + counts[OTHER]} comparisons: {counts[SAME]} of "
              f"one bug, {counts[OTHER]} of two")
        for name, wrong in errors.items():
            merged = sum(not same for _, _, same in wrong)
            print(f"{name}: merged {merged} of {counts[OTHER]}, split {len(wrong) - merged} of {counts[SAME]}")
        for build, what, same in errors["cfuzz"]:
            wrong_ones.add((build, what))
            print(f"  {build}: {what}: {'split' if same else 'merged'}"
                  f"{' (expected)' if (build, what) in EXPECTED else ''}")
    for line in missing:
        print(line)
    return 1 if missing or wrong_ones != EXPECTED else 0


if __name__ == "__main__":
    sys.exit(main())
