#!/usr/bin/env python3
"""run.py - debug_info.h says what llvm-symbolizer says, of addresses all over test binaries.

Test binaries are built by each clang there is, at -O0 and -O2, with and without AddressSanitizer,
and this driver itself is looked at, too, which another compiler built. Of each function some
addresses are asked for. An answer has to be llvm-symbolizer's to the byte, but for the suffix of
traced copies, which is left out; and there has to be one for nearly all addresses of the tests'
own functions: those that the compiler gives no line are left to llvm-symbolizer.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGES = ["url", "stack_overflow", "all_types"]
PER_FUNCTION, PER_OWN, MOST = 8, 64, 3000
TRACED = re.compile(r"\.traced$", re.M)


def addresses(exe, own):
    """Some of each function, many of own ones, and which functions they are in."""
    out = subprocess.run(["nm", "-S", "--defined-only", exe], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    found, mine, pick = [], [], random.Random(1)
    for line in out.splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in "tTwW":
            start, size = int(words[0], 16), int(words[1], 16)
            is_own = bool(own.search(words[3]))
            some = [(start + pick.randrange(max(size, 1)), words[3])
                    for _ in range(PER_OWN if is_own else PER_FUNCTION)]
            (mine if is_own else found).extend(some)
    pick.shuffle(found)
    return mine + found[:MOST]


def parts(argv, asked):
    text = "".join(f"{address:#x}\n" for address, _ in asked)
    out = subprocess.run(argv, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    got = [part.strip() for part in out.split("\n\n")[:-1]]
    if len(got) != len(asked):
        sys.exit(f"{argv[0]}: {len(got)} answers to {len(asked)} questions")
    return got


def compare(what, answers, symbolizer, exe, own):
    """Returns the number of wrong answers."""
    asked = addresses(exe, own)
    ours = parts([answers, exe], asked)
    theirs = parts([symbolizer, "--output-style=LLVM", f"--obj={exe}"], asked)
    told = wrong = of_own = missing = 0
    for (address, function), our, their in zip(asked, ours, theirs):
        is_own = bool(own.search(function))
        of_own += is_own
        if our == "-":
            missing += is_own
            continue
        told += 1
        if TRACED.sub("", our) != TRACED.sub("", their):
            wrong += 1
            print(f"{what}: {address:#x}: got\n{our}\nwant\n{their}")
    print(f"{what}: {len(asked)} addresses, {told} told, {wrong} wrong")
    if not of_own or missing > of_own / 2:
        print(f"{what}: {missing} of {of_own} addresses of own functions are left")
        return wrong + 1
    return wrong


def has_asan(major, work):
    """Whether a clang has the runtime, which some of Debian's are without."""
    made = subprocess.run([f"clang-{major}", "-fsanitize=address", "-x", "c", "-", "-o", f"{work}/probe"],
                          input=b"int main(void) { return 0; }", stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False)  # fmt: skip
    return made.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    build = parser.parse_args().build.resolve()
    answers, driver = build / "tests" / "symbolizer-answers", build / "bin" / "cfuzz-test"
    majors = [m for m in re.findall(r"^\d+", (TOP / "cmake/llvm-versions").read_text(), re.M)
              if shutil.which(f"clang-{m}") and shutil.which(f"llvm-symbolizer-{m}")
              and list((build / "lib" / "cfuzz").glob(f"*{m}*"))]  # fmt: skip
    if not majors:
        print("no clang with its llvm-symbolizer and our plugin")
        return 77
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        env = {**os.environ, "CFUZZCACHE": f"{work}/cache"}
        for major in majors:
            symbolizer = f"llvm-symbolizer-{major}"
            for package in PACKAGES if major == majors[0] else PACKAGES[:1]:
                for flags in [["-O0"], ["-O2"], ["-O2", "-asan"]]:
                    if "-asan" in flags and not has_asan(major, work):
                        continue
                    exe = f"{work}/{package}-{major}{''.join(flags)}.test"
                    argv = [driver, "-fuzz=.", "-c", "-o", exe, *flags[1:], TOP / "testdata/pkg" / package]
                    made = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                          text=True, check=False,
                                          env={**env, "CC": f"clang-{major}", "CFLAGS": flags[0]})
                    if made.returncode != 0:
                        sys.exit(f"{' '.join(map(str, argv))}:\n{made.stdout}")
                    wrong += compare(f"{package}, clang {major} {' '.join(flags)}", answers,
                                     symbolizer, exe, re.compile("^Fuzz"))
            wrong += compare(f"the driver, by llvm-symbolizer {major}", answers, symbolizer,
                             str(driver), re.compile("^main$"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
