#!/usr/bin/env python3
"""How the rate of a run holds over its time: libyaml's parser, in parts of five seconds.

    bench/stall.py [--build DIR] [--work DIR] [--seconds N]

One slow input that was made smaller without a limit once kept a worker busy from the sixth second to the
end. The recipe is that one's: yaml_parser_parse over a string, one seed, one worker, a fixed random seed.
libFuzzer does the same afterwards, with the same sources and flags and one process. Both are pinned to one
core; rates are per second of wall time and, as the machine may have other work, per CPU second.
Status 77 where libyaml's sources cannot be fetched.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
PART = 5
SEED = "16200095340680146035"
DEFINES = ['-DYAML_VERSION_STRING="0.2.5"', "-DYAML_VERSION_MAJOR=0", "-DYAML_VERSION_MINOR=2",
           "-DYAML_VERSION_PATCH=5"]
BODY = """
    yaml_parser_t parser;
    yaml_event_t event;
    int done = 0;

    if (!yaml_parser_initialize(&parser))
        return%s;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, %s);
    while (!done && yaml_parser_parse(&parser, &event)) {
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
"""
TEXT = "key: [value, {a: 1}]\n"
CFUZZ = ("\n#ifdef CFUZZ\n//cfuzz:cflags -I../include " + " ".join(f"'{d}'" for d in DEFINES) +
         "\n#include <cfuzz.h>\n\nFUZZ_SETUP(FuzzParse)(cfuzz_f *f)\n{\n"
         '    cfuzz_add(f, "key: [value, {a: 1}]\\n");\n}\n\n'
         "FUZZ_TEST_VALUES(FuzzParse, string)(const char *text)\n{" +
         BODY % ("", "strlen(text)") + "}\n#endif\n")
LIBFUZZER = ("#include <stddef.h>\n#include <stdint.h>\n#include <yaml.h>\n\n"
             "int LLVMFuzzerTestOneInput(const uint8_t *text, size_t len)\n{" +
             BODY % (" 0", "len") + "    return 0;\n}\n")


def cpu_of(root):
    """CPU seconds of a process and all that it started, and of those that were waited for."""
    parents, used = {}, {}
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(stat, encoding="utf-8", errors="replace") as f:
                fields = f.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        pid = int(stat.split("/")[2])
        parents[pid] = int(fields[1])
        used[pid] = sum(int(fields[i]) for i in (11, 12, 13, 14))
    total = 0
    for pid, ticks in used.items():
        at = pid
        while at in parents and at != root:
            at = parents[at]
        if at == root:
            total += ticks
    return total / os.sysconf("SC_CLK_TCK")


def measure(argv, cwd, env, seconds, count):
    """Runs argv, and returns for each part of it executions and CPU seconds."""
    run = subprocess.Popen(["taskset", "-c", str(max(os.sched_getaffinity(0)))] + argv, cwd=cwd,
                           env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, errors="replace")
    points = []  # (time, executions)
    lines = []

    def read():
        for line in run.stdout:
            lines.append(line)
            match = re.search(count, line)
            if match:
                points.append((time.monotonic(), int(match.group(1))))

    reader = threading.Thread(target=read)
    reader.start()
    begin = time.monotonic()
    cpu = [0.0]
    for i in range(1, seconds // PART + 1):
        time.sleep(max(0.0, begin + i * PART - time.monotonic()))
        cpu.append(cpu_of(run.pid))
    run.wait()
    reader.join()
    if not points:
        sys.exit("bench/stall.py: no executions were counted:\n" + "".join(lines[-20:]))

    def at(t):
        """Executions at a time, between the lines that say some."""
        before = [(begin, 0)] + [p for p in points if p[0] <= t]
        after = [p for p in points if p[0] > t]
        (t0, n0), (t1, n1) = before[-1], after[0] if after else before[-1]
        return n1 if t1 <= t0 else n0 + (n1 - n0) * (t - t0) / (t1 - t0)

    n = len(cpu)
    counts = [at(begin + i * PART) for i in range(n)]
    return [(counts[i + 1] - counts[i], max(cpu[i + 1] - cpu[i], 0.01)) for i in range(n - 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", default=os.path.join(TOP, "build"))
    parser.add_argument("--work", default=os.path.join(TOP, "build", "projects"))
    parser.add_argument("--seconds", type=int, default=25)
    args = parser.parse_args()
    work = os.path.abspath(args.work)
    os.makedirs(work, exist_ok=True)
    subprocess.run([os.path.join(TOP, "tests", "debian_source.sh"), "libyaml",
                    os.path.join(work, "sources")], check=False)
    source = os.path.join(work, "sources", "libyaml")
    if not os.path.isdir(source):
        sys.exit(77)
    tree = os.path.join(work, "stall")
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source, tree)
    with open(os.path.join(tree, "src", "parser.c"), "a", encoding="utf-8") as f:
        f.write(CFUZZ)
    with open(os.path.join(tree, "fuzzer.c"), "w", encoding="utf-8") as f:
        f.write(LIBFUZZER)
    os.mkdir(os.path.join(tree, "corpus"))
    with open(os.path.join(tree, "corpus", "seed"), "w", encoding="utf-8") as f:
        f.write(TEXT)
    env = dict(os.environ, CFUZZCACHE=os.path.join(tree, "cache"))
    for name in ("CC", "CFLAGS", "LDFLAGS"):
        env.pop(name, None)
    driver = os.path.join(os.path.abspath(args.build), "bin", "cfuzz-test")
    subprocess.run([driver, "-c", "-o", "fuzz.test", "-fuzz=FuzzParse", "src"], cwd=tree, env=env,
                   check=True)
    subprocess.run(["clang-19", "-O2", "-g", "-fsanitize=fuzzer", "-Iinclude", *DEFINES,
                    "fuzzer.c", *sorted(glob.glob(os.path.join(tree, "src", "*.c"))),
                    "-o", "fuzzer"], cwd=tree, check=True)
    mine = measure([driver, "-run=None", "-fuzz=FuzzParse", f"-fuzztime={args.seconds}s", "-parallel=1",
                    f"-seed={SEED}", "./fuzz.test"], tree, env, args.seconds, r"execs: (\d+) \(")
    other = measure(["./fuzzer", f"-max_total_time={args.seconds}", "-seed=1", "corpus"], tree, env,
                    args.seconds, r"^#(\d+)\t")
    print("| seconds | cfuzz, executions a second | a CPU second | libFuzzer, a second | a CPU second |")
    print("|---|--:|--:|--:|--:|")
    for i, (a, b) in enumerate(zip(mine, other)):
        cells = [f"{x:,.0f}" for n, cpu in (a, b) for x in (n / PART, n / cpu)]
        print(f"| {i * PART} to {(i + 1) * PART} | " + " | ".join(cells) + " |")
    whole = [(sum(x[0] for x in r), sum(x[1] for x in r)) for r in (mine, other)]
    cells = [f"{x:,.0f}" for n, cpu in whole for x in (n / (PART * len(mine)), n / cpu)]
    print("| all | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
