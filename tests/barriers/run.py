#!/usr/bin/env python3
"""run.py [--build DIR] [--only NAME] [--seeds N] [--without] - barriers that the search has to pass.

targets/ holds fuzz tests that abort behind a barrier: a magic, a checksum, a length, a keyword in
code, a relation between typed arguments. Each starts from an empty corpus, or in valid.c and
repeated/ from one valid input, with one worker, a fixed seed and a limit in executions, so that the
result repeats. A barrier counts as passed only if the abort is the target's own, and the file that
was written fails again in a fresh process. What is added to a package, its strings and comparisons,
moves the draws of all tests in it: further barriers are packages of their own.

--seeds N tries seeds 1 to N and prints the executions of each. --without adds the result with
-solve=false. Status 1 if a barrier of BARRIERS is not passed within its limit.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Executions within which each is passed with its seed, most often 1: twice the most that three seeds took.
BARRIERS = {
    "FuzzMagics": 2200,
    "FuzzBigEndian": 170,
    "FuzzMagic64": 180,
    "FuzzChain": 220,
    "FuzzSum": 1100,
    "FuzzLength": 5500,
    "FuzzTags": 16000,
    "FuzzMachine": 680,
    "FuzzNestedLengths": 1300,
    "FuzzCrc": 5000,
    "FuzzCrcValue": 780,
    "FuzzScrambled": 19000,
    "FuzzArea": 16000,
    "FuzzAscending": 4900,
    "FuzzFarApart": 2100,
    "FuzzCount": 4100,
    "FuzzLong": 16000,
    "FuzzFloatFields": 3400,
    "FuzzHash16": 37000,
    "FuzzIndirect": 180,
    "FuzzHeader": 17000,
    "FuzzKeyword": 100,
    "FuzzHeaderName": 100,
    "FuzzWithin": 100,
    "FuzzDecimal": 1600,
    "FuzzFraction": 100,
    "FuzzHexKey": 17000,
    "FuzzOwnLoop": 100,
    "FuzzRotated": 35000,
    "FuzzWords": 9600,
    "FuzzDecimalSum": 21000,
    "FuzzCheckDigit": 130000,
    "FuzzMember": 130000,
    "FuzzBase64": 39000,
    "FuzzTable": 260000,
    "FuzzDepth": 69000,
    "FuzzDate": 100,
    "FuzzDouble": 100,
    "FuzzProduct": 1600,
    "FuzzLengthArgument": 360,
    "FuzzDateArgument": 4200,
    "FuzzEnumAndMask": 2100,
    "FuzzTwice": 2500,
    "FuzzArithmetic": 160,
    "FuzzFloatOfInt": 140,
    "FuzzRune": 100,
    "FuzzPlace": 2400,
    "FuzzIndex": 100,
    "FuzzIndexOfRow": 18000,
    "FuzzIndexInText": 17000,
    "FuzzOptions": 8100,
    "FuzzPointer": 100,
    "FuzzRecursion": 260000,
    "FuzzImageHeader": 300000,
    "FuzzNestedTags": 21000,
    "FuzzDirectory": 8400,
    "FuzzLocator": 31000,
    "FuzzOffsets": 23000,
    "FuzzChunks": 490000,
    "FuzzSortedWords": 4500000,
    "FuzzCarries": 15000,
    "FuzzSettings": 850000,
    "FuzzAddress": 50000,
    "FuzzFactors": 12000000,
    "FuzzTrailer": 7400000,
    "FuzzSquares": 22000,
    "FuzzSealed": 33000000,
    "FuzzElements": 170000,
    "FuzzMethod": 100,
    "FuzzOwnFirst": 4600,
    "FuzzCallers": 7600,
    "FuzzMasked": 6600,
    "FuzzScan": 22000,
    "FuzzPages": 2000000,
    "FuzzSentence": 1000000,
    "FuzzUstar": 19000,
    "FuzzPacket": 280000,
    "FuzzFrames": 900000,
    "FuzzCalculator": 17000000,
    "FuzzBook": 23000,
    "FuzzStatement": 21000,
    "FuzzRows": 18000,
    "FuzzParts": 64000,
    "FuzzSamples": 100000,
    "FuzzBitmap": 90000,
    "FuzzFields": 60000,
    "FuzzBrackets": 200000,
    "FuzzParcel": 130000,
    "FuzzSchedule": 240000,
    "FuzzAmounts": 6000,
    "FuzzCentre": 43000,
    "FuzzSides": 7500,
    "FuzzAtOnce": 1500,
    "FuzzAllWords": 2500,
    "FuzzVotes": 200000,
    "FuzzToken": 400,
    "FuzzVerify": 6000,
    "FuzzDifferences": 8000,
    "FuzzQuery": 80000,
    "FuzzHost": 200000,
    "FuzzPrompt": 120000,
    "FuzzNameSpace": 120000,
    "FuzzLongDoubles": 8000,
    "FuzzLatitude": 100,
    "FuzzKeywordState": 8600,
    "FuzzKeywordStates": 24000,
    "FuzzStatements": 280000,
    "FuzzSchemaText": 300000,
    "FuzzNeighbours": 330000,
    "FuzzNetwork": 190000,
    "FuzzShares": 33000,
    "FuzzDefaults": 1700000,
}
# What is not solved, and why: docs/performance.md.
UNSOLVED = ("FuzzMixed",)
SEED = 1
# Another seed, where 1 is one of those that do not pass within the limit. The calculator: two of six come
# to a number near the one wanted that no step leads on from. The machine behind a CRC: one of six, since
# decision 140 (before, none). The sentence: one of eight, and the frames: four of twelve. The trailer: five of six.
# The settings: two of six, and seed 1 takes 971,000. The words in order: four of eight within five million. The factors:
# fourteen of 24 within eight million.
SEEDS = {"FuzzCalculator": 3, "FuzzFactors": 4, "FuzzTrailer": 2, "FuzzSealed": 2, "FuzzSentence": 5, "FuzzFrames": 7,
         "FuzzSettings": 2, "FuzzSortedWords": 7}
PACKAGES = ("targets", "repeated", "prelude", "callers", "parts", "pages", "formats", "checks",
            "counts", "keys", "together", "lanes", "escapes", "doubles", "scanner", "grammar", "numerals",
            "defaults")


def names(folder):
    found = []
    for name in sorted(os.listdir(folder)):
        text = open(os.path.join(folder, name), encoding="utf-8").read()
        found += re.findall(r"^(?:BYTES|STRING|FUZZ_TEST)\((Fuzz\w+)", text, re.M)
    return found


def tests(work):
    """Copies the packages into work; all (package, test) in them."""
    at = os.path.join(work, "barriers")
    shutil.copytree(os.path.join(SOURCE, "tests", "barriers"), at)
    return [(os.path.join(at, package), name)
            for package in PACKAGES for name in names(os.path.join(at, package))]


def fuzz(driver, package, env, name, limit, seed, flags=()):
    """The executions of mutated inputs that it took, or None."""
    shutil.rmtree(os.path.join(package, "testdata"), ignore_errors=True)
    shutil.rmtree(os.path.join(env["CFUZZCACHE"], "fuzz"), ignore_errors=True)
    run = subprocess.run([driver, "-run=None", f"-fuzz={name}$", f"-fuzztime={limit}x",
                          "-parallel=1", f"-seed={seed}", "-fuzzminimizetime=0x", *flags, "."],
                         cwd=package, env=env, capture_output=True, text=True, check=False)
    out = run.stdout + run.stderr
    if run.returncode not in (0, 1):
        sys.exit(f"{name}: exit {run.returncode}\n{out}")
    file = re.search(r"Failing input written to testdata/corpus/(\S+)", out)
    if not file:
        return None, out
    if "signal: aborted" not in out or not re.search(rf"#\d+ {name} ", out):
        sys.exit(f"{name}: failed, but not at its barrier:\n{out}")
    again = subprocess.run([driver, f"-run={file.group(1)}$", "."], cwd=package, env=env,
                           capture_output=True, text=True, check=False)
    if again.returncode != 1 or "signal: aborted" not in again.stdout:
        sys.exit(f"{name}: the file does not fail again:\n{again.stdout}{again.stderr}")
    return int(re.findall(r"execs: (\d+)", out)[-1]), out


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--build", default=os.path.join(SOURCE, "build"))
    args.add_argument("--only")
    args.add_argument("--seeds", type=int)
    args.add_argument("--limit", type=int, default=2000000)
    args.add_argument("--without", action="store_true")
    args.add_argument("--flags", default="")
    opt = args.parse_args()
    driver = os.path.join(os.path.abspath(opt.build), "bin", "cfuzz-test")
    with tempfile.TemporaryDirectory(prefix="cfuzz-barriers-") as work:
        env = dict(os.environ, CFUZZCACHE=os.path.join(work, "cache"))
        failed, passed = [], 0
        for package, name in tests(work):
            if opt.only and opt.only != name:
                continue
            if opt.seeds:
                took = [fuzz(driver, package, env, name, opt.limit, s + 1, opt.flags.split())[0]
                        for s in range(opt.seeds)]
                solved = [t for t in took if t is not None]
                line = f"{name:22} {len(solved)} of {len(took)}"
                if solved:
                    line += f"  median {int(statistics.median(solved)):>8}  most {max(solved):>8}"
                if opt.without:
                    none = [fuzz(driver, package, env, name, opt.limit, s + 1, ["-solve=false"])[0]
                            for s in range(opt.seeds)]
                    line += f"  without: {sum(t is not None for t in none)}"
                print(line, flush=True)
                continue
            if name in UNSOLVED:
                continue
            limit = BARRIERS.get(name, opt.limit)
            took, out = fuzz(driver, package, env, name, limit, SEEDS.get(name, SEED))
            if took is None:
                print(f"{name}: not passed in {limit} executions\n{out}")
                failed.append(name)
            else:
                print(f"{name:22} {took:>8} of {limit} executions")
                passed += 1
        if not opt.seeds:
            print(f"{passed} passed, {len(failed)} failed")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
