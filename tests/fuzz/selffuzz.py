#!/usr/bin/env python3
"""Millions of executions of cfuzz's own fuzz tests, under ASan and UBSan: `make selffuzz`.

    tests/fuzz/selffuzz.py [--count N] [--seconds N] [--least N] [--max-len N] [--only PATTERN]
                           [--fuzz COMMAND] [--state FILE]

How fast each test is, a short run of it says first. Each is to have --least executions (0: none), the
rest of --count is shared out by the square of the speed, so that it costs least: a test that is twice
as fast has four times the executions in twice the time. They are run in turns, a tenth of its share
each, so that what is done when it ends early (--seconds, Ctrl-C) is of all tests.

The state file has what was counted, in any number of runs: how often each test was executed, as the
line `executions: N mutated` says, and what failed. --show prints it. Status 1: a test failed.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROBE = 50000  # executions that tell the speed of a test
TURNS = 10
# Inputs that have to hold a table or a report.
LONG = ("FuzzCompileCommands", "FuzzSanitizerReport", "FuzzSymbolizerAnswer", "FuzzSymbolTable")
LONG_LEN = 4096


def names():
    found = []
    for name in sorted(os.listdir(HERE)):
        if name.endswith("_fuzz.c"):
            with open(os.path.join(HERE, name), encoding="utf-8") as f:
                found += re.findall(r"^FUZZ_TEST\((Fuzz\w+),", f.read(), re.M)
    return found


class State:
    """What was executed, kept in a file after each run."""

    def __init__(self, path):
        self.path = path
        self.done, self.failed = {}, []
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                state = json.load(f)
            self.done, self.failed = state["done"], state["failed"]

    def save(self):
        with open(self.path + ".new", "w", encoding="utf-8") as f:
            json.dump({"done": self.done, "failed": self.failed}, f, indent=1)
        os.replace(self.path + ".new", self.path)

    def show(self):
        for name in sorted(self.done):
            print(f"{name:24} {self.done[name]:>13,}")
        print(f"{'together':24} {sum(self.done.values()):>13,}, {len(self.failed)} failed")


def fuzz(args, state, name, count):
    """Runs one test for count executions. Returns those per second, or 0 if it failed."""
    length = LONG_LEN if name in LONG else args.max_len
    command = [*args.fuzz.split(), "-asan", "-ubsan", "-run=None", f"-fuzz=^{name}$",
               f"-fuzztime={count}x", f"-fuzzmaxlen={length}", "-parallel=1", HERE]
    began = time.monotonic()
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, check=False)
    seconds = time.monotonic() - began
    text = run.stdout.decode(errors="replace")
    match = re.search(r"^fuzz: executions: (\d+) mutated", text, re.M)
    executed = int(match.group(1)) if match else 0
    rates = re.findall(r"execs: \d+ \((\d+)/sec\)", text)
    state.done[name] = state.done.get(name, 0) + executed
    if run.returncode != 0:
        state.failed.append(name)
        print(f"{name} failed, status {run.returncode}:\n{text}", flush=True)
    state.save()
    print(f"{time.strftime('%T')} {name}: {executed} in {seconds:.0f} s, "
          f"{state.done[name]} in all", flush=True)
    if run.returncode != 0:
        return 0
    return max(executed / seconds, *(int(r) for r in rates[-1:]), 1)


def shares(speeds, count, least):
    """How often each test is to be executed: at least `least`, the rest by the square of its speed."""
    squares = sum(v * v for v in speeds.values())
    rest = max(0, count - least * len(speeds))
    return {name: least + int(rest * v * v / squares) for name, v in speeds.items() if v > 0}


def main():
    parser = argparse.ArgumentParser(description="fuzzes cfuzz's own parsers")
    parser.add_argument("--count", type=int, default=10_000_000, help="executions, of all tests together")
    parser.add_argument("--least", type=int, help="executions of each test; a 100th of --count")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no run after these")
    parser.add_argument("--max-len", type=int, default=256, help="-fuzzmaxlen, but for tables and reports")
    parser.add_argument("--only", default="", help="tests whose name matches")
    parser.add_argument("--fuzz", default=os.path.join(ROOT, "build", "bin", "cfuzz-test"))
    parser.add_argument("--state", default=os.path.join(ROOT, "build", "selffuzz.json"))
    parser.add_argument("--show", action="store_true", help="print what is in the state file, and end")
    args = parser.parse_args()
    state = State(args.state)
    if args.show:
        state.show()
        return 0
    if args.least is None:
        args.least = args.count // 100
    end = time.monotonic() + args.seconds
    before = len(state.failed)
    tests = [name for name in names() if re.search(args.only, name)]
    if not tests:
        sys.exit(f"--only {args.only}: no fuzz test is named so")
    try:
        speeds = {}
        for name in tests:
            if time.monotonic() < end:
                speeds[name] = fuzz(args, state, name, min(PROBE, args.count))
        plan = shares(speeds, args.count, args.least)
        for _ in range(TURNS):
            for name, count in plan.items():
                if time.monotonic() < end and name not in state.failed[before:]:
                    fuzz(args, state, name, max(1, count // TURNS))
    except KeyboardInterrupt:
        print("interrupted; the state file has what was done")
    state.show()
    return 1 if len(state.failed) > before else 0


if __name__ == "__main__":
    sys.exit(main())
