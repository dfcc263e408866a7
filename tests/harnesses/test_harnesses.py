#!/usr/bin/env python3
"""test_harnesses.py --build DIR - harnesses.py itself, on packages that lie here: one that runs, one in C++ with a
bug, one that is not compiled, one that needs longer than it may; that --resume goes on behind them, and that nothing
goes on behind one that is ended."""
import argparse
import contextlib
import io
import json
import os
import shutil
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import harnesses

LOCAL = {
    "slow": {"language": "C", "lists": "", "limit": 1, "before": "echo $$ >pid; sleep 1000 & wait", "lines": ["sources @/*.c"]},
    "broken": {"language": "C", "lists": "", "lines": ["sources @/*.c"]},
    "plain": {"language": "C", "lists": "", "before": "echo x >>built", "lines": ["cflags -I@", "sources @/*.c"]},
    "bug": {"language": "C++", "lists": "", "lines": ["sources @/*.cc"]},
}
HARNESS = """#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
{0} int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{{
    {1}
    return 0;
}}
"""
FILES = {
    "slow/slow_fuzzer.c": HARNESS.format("", ""),
    "broken/broken_fuzzer.c": HARNESS.format("", "does not compile"),
    "plain/one_fuzzer.c": HARNESS.format("", "if (size > 2 && data[0] == 'a') return -1;"),
    "plain/two_fuzzer.c": HARNESS.format("", "(void)data; (void)size;"),
    "plain/debian/changelog": "plain (1.2-3) bookworm; urgency=low\n",
    "bug/bug_fuzzer.cc": HARNESS.format('extern "C"', "if (size > 1 && data[0] == 'x') abort();"),
}


def need(condition, text):
    if not condition:
        sys.exit(f"FAIL: {text}")


def run(*args):
    """harnesses.py with args; its status and what it printed."""
    said = io.StringIO()
    sys.argv = ["harnesses.py", *args]
    with contextlib.redirect_stdout(said):
        status = harnesses.main()
    return status, said.getvalue()


def running(group):
    """Whether a process of the group lives."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
            state, _, pgrp = f.read().rpartition(")")[2].split()[:3]
            if int(pgrp) == group and state != "Z":
                return True
    return False


def check_ended(common, work):
    """SIGTERM also ends what was started."""
    os.unlink(f"{work}/slow/pid")
    LOCAL["slow"]["limit"] = 1000
    child = os.fork()
    if child == 0:
        try:
            run(*common, "slow")
        finally:
            os._exit(9)
    while not (os.path.exists(f"{work}/slow/pid") and os.path.getsize(f"{work}/slow/pid")):
        time.sleep(0.1)
    with open(f"{work}/slow/pid", encoding="utf-8") as f:
        group = int(f.read())
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)
    if running(group):
        os.killpg(group, signal.SIGKILL)
        need(False, "what was started goes on")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    build = os.path.abspath(parser.parse_args().build)
    harnesses.PROJECTS = LOCAL
    work = tempfile.mkdtemp(prefix="cfuzz-harnesses-")
    os.environ["CFUZZCACHE"] = f"{work}/cache"
    try:
        for path, text in FILES.items():  # debian_source.sh leaves what is there
            os.makedirs(os.path.dirname(f"{work}/{path}"), exist_ok=True)
            with open(f"{work}/{path}", "w", encoding="utf-8") as f:
                f.write(text)
        common = ["--build", build, "--work", work, "--fuzztime", "2000x", "--flags=-seed=1", "-o", f"{work}/table.md"]
        status, said = run(*common)
        need(status == 1, f"status {status}\n{said}")
        for line in ("| slow |  | C | 0 of 0 |  | 0 |  | its time is up (1 s) |", "| broken |  | C | 0 of 0 |  | 0 |  | not built: ",
                     "| plain | 1.2-3 | C | 2 of 2 | ", " | 4000 | ", "| plain | two_fuzzer | 2000 | ",
                     "| bug |  | C++ | 1 of 1 | ", " | 1 found a bug |", "a bug: fuzzing process hung or terminated unexpectedly: signal: aborted; abort"):
            need(line in said, f"not in the table: {line}\n{said}")
        with open(f"{work}/table.md", encoding="utf-8") as f:
            need(f.read().strip() in said, "the file has another table")
        need("Terminated" not in said and not os.path.exists(f"{work}/slow/.cfuzz-prepared"), "slow went on")

        # A harness that had not run when the run before ended; the others and their package's build are not repeated.
        with open(f"{work}/plain.json", encoding="utf-8") as f:
            old = json.load(f)
        del old["harnesses"]["two_fuzzer"], old["done"]
        old["harnesses"]["one_fuzzer"]["executions"] = 77
        with open(f"{work}/plain.json", "w", encoding="utf-8") as f:
            json.dump(old, f)
        status, said = run(*common, "--resume", "plain", "bug")
        need(status == 0, f"resume: status {status}\n{said}")
        need("| plain | one_fuzzer | 77 |" in said and "| plain | two_fuzzer | 2000 |" in said, said)
        need("bug bug_fuzzer:" not in said, f"bug ran again\n{said}")
        with open(f"{work}/plain/built", encoding="utf-8") as f:
            need(f.read() == "x\n", "what is done before was done twice")
        # Another time is another run.
        status, said = run(*common[:4], "--fuzztime", "100x", "--resume", "plain")
        need(status == 0 and "| plain | one_fuzzer | 100 |" in said, said)
        check_ended(common, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
