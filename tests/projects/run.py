#!/usr/bin/env python3
"""Takes projects of other people from their Debian source packages to a fuzzing run.

    run.py [--build DIR] [--work DIR] [--runs N] [--only NAME]... [--no-libfuzzer] [--table FILE]

Each file NAME.txt beside this one is a project: lines "key value", then the lines that a user types
("-- cfuzz --"), those for libFuzzer on the same code ("-- libfuzzer --"), and files: "-- append F --" is
put behind the project's file F, which then holds the test; "-- F --" is a new file, for libFuzzer. A
project with "local D" is the directory D beside this file, and runs only when it is named.

The project must be left as it was but for that file, and what "generated" names. A run counts if N
inputs were executed and coverage grew. The table says how many lines each took (docs/projects.md names
the limits), how long, and how fast the fuzzing was. What cannot be fetched is told and left out.
Status: 0, or 1 if a project failed or took more lines than the guide says, 77 if none could be fetched.
"""

import argparse
import filecmp
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BEGIN, END = "<!-- projects: begin -->", "<!-- projects: end -->"
# The guide's, by how the project is built: docs/projects.md.
LINES = {"make": 2, "CMake": 2, "meson": 2, "autotools": 4}


class Failed(Exception):
    pass


def parse(name):
    """A project's file: keys, and lists of lines by their heading."""
    keys, parts, part = {"name": name}, {}, None
    with open(os.path.join(HERE, name + ".txt"), encoding="utf-8") as f:
        for line in f:
            heading = re.fullmatch(r"-- (.*) --\n", line)
            if heading:
                part = parts.setdefault(heading.group(1), [])
            elif part is None:
                key, _, value = line.strip().partition(" ")
                keys[key] = value
            else:
                part.append(line)
    return keys, parts


def all_names():
    return sorted(n[:-4] for n in os.listdir(HERE) if n.endswith(".txt") and n[0].islower())


def files_of(tree):
    found = {}
    for root, _, names in os.walk(tree):
        for name in names:
            path = os.path.join(root, name)
            found[os.path.relpath(path, tree)] = path
    return found


def changed(before, after):
    """The project's files that are other than they were, or gone."""
    was, now = files_of(before), files_of(after)
    return sorted(name for name, path in was.items() if not os.path.islink(path) and
                  (name not in now or not filecmp.cmp(path, now[name], shallow=False)))


def run_lines(lines, tree, env, log):
    """Runs each line in the tree. Returns seconds of all, of the last, and the last one's output."""
    total, last, text = 0.0, 0.0, ""
    with open(log, "w", encoding="utf-8") as out:
        for line in lines:
            out.write(f"$ {line}")
            out.flush()
            begin = time.monotonic()
            run = subprocess.run(["sh", "-c", line], cwd=tree, env=env, check=False, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 errors="replace", timeout=1800)
            last = time.monotonic() - begin
            total += last
            text = run.stdout
            out.write(text)
            if run.returncode != 0 and line is not lines[-1]:
                raise Failed(f"{line.strip()}: status {run.returncode} (log in {log})")
    return total, last, text, run.returncode


def with_cfuzz(keys, parts, source, work, runs, build):
    tree = os.path.join(work, keys["name"] + ".cfuzz")
    log = tree + ".log"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source, tree, symlinks=True)
    holder = None
    for heading, lines in parts.items():
        if heading.startswith("append "):
            holder = heading[len("append "):]
            with open(os.path.join(tree, holder), "a", encoding="utf-8") as f:
                f.write("".join(lines))
    cache = os.path.join(work, "cache")
    env = dict(os.environ, RUNS=str(runs), CFUZZCACHE=cache,
               PATH=os.path.join(build, "bin") + ":" + os.environ["PATH"])
    for name in ("CC", "CFLAGS", "LDFLAGS"):
        env.pop(name, None)
    lines = parts["cfuzz"]
    total, last, text, status = run_lines(lines, tree, env, log)
    elapsed = re.findall(r"^ok  \t.*\t([0-9.]+)s$|^FAIL\t.*\t([0-9.]+)s$", text, re.M)
    execs = re.findall(r"execs: (\d+) \((\d+)/sec\)", text)
    counters = re.findall(r"coverage: (\d+) of (\d+) counters", text)
    found = re.findall(r"^fuzz: found a failing input: (.*)$", text, re.M)
    if not execs or not counters or not elapsed or (int(execs[-1][0]) < runs and not found) or \
            status not in ((1,) if found else (0,)):
        raise Failed(f"it did not fuzz: status {status} (log in {log})")
    different = [name for name in changed(source, tree) if name != holder and
                 not any(fnmatch.fnmatch(name, g) for g in keys.get("generated", "").split())]
    if different:
        raise Failed(f"changed: {', '.join(sorted(different))}")
    limit = LINES[re.match(r"\w+", keys["build"]).group(0)]
    if len(lines) > limit:
        raise Failed(f"{len(lines)} lines, and the guide says {limit}")
    fuzzing = float(next(t for t in elapsed[-1] if t))
    return {"lines": len(lines), "seconds": total, "until": total - fuzzing,
            "rate": int(execs[-1][1]), "test": sum(len(p) for h, p in parts.items()
                                                   if h.startswith("append ")),
            "counters": counters[-1], "found": found}


def with_libfuzzer(keys, parts, source, work, runs, clang):
    tree = os.path.join(work, keys["name"] + ".libfuzzer")
    log = tree + ".log"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source, tree, symlinks=True)
    for heading, lines in parts.items():
        if heading not in ("cfuzz", "libfuzzer") and not heading.startswith("append "):
            with open(os.path.join(tree, heading), "w", encoding="utf-8") as f:
                f.write("".join(lines))
    env = dict(os.environ, RUNS=str(runs), CLANG=clang)
    for name in ("CC", "CFLAGS", "LDFLAGS"):
        env.pop(name, None)
    lines = parts["libfuzzer"]
    total, last, text, status = run_lines(lines, tree, env, log)
    speed = re.findall(r"exec/s: (\d+)", text)
    done = re.findall(r"^Done (\d+) runs in (\d+) second", text, re.M)
    found = re.findall(r"^SUMMARY: (.*)$", text, re.M)
    if not done and not found:
        raise Failed(f"libFuzzer did not fuzz: status {status} (log in {log})")
    # libFuzzer says whole seconds, and that of a run below one is no rate.
    rate = int(int(done[0][0]) / last) if done else int(speed[-1]) if speed else 0
    return {"lines": len(lines), "seconds": total, "until": total - last, "rate": rate,
            "test": len(parts.get("fuzzer.c", [])), "found": found}


def table(rows):
    out = ["| project | build | lines | libFuzzer's | seconds until it fuzzes | libFuzzer's | "
           "executions a second | libFuzzer's | lines of the test | libFuzzer's |",
           "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for keys, mine, other in rows:
        def column(field, form="{:.0f}"):
            theirs = form.format(other[field]) if other else "-"
            return f"{form.format(mine[field])} | {theirs}"
        out.append(f"| {keys['name']} ({keys['project']}) | {keys['build']} | {column('lines')} | "
                   f"{column('until')} | {column('rate', '{:,}')} | {column('test')} |")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build"))
    parser.add_argument("--work", default=os.path.join(HERE, "..", "..", "build", "projects"))
    parser.add_argument("--runs", type=int, default=100000)
    parser.add_argument("--only", action="append")
    parser.add_argument("--no-libfuzzer", action="store_true")
    parser.add_argument("--table", help="put the table between the marks in this file; with --only, "
                        "the others are as they were when they ran last")
    args = parser.parse_args()

    work, build = os.path.abspath(args.work), os.path.abspath(args.build)
    os.makedirs(work, exist_ok=True)
    names = args.only or [n for n in all_names() if "local" not in parse(n)[0]]
    clang = next((c for c in ("clang-19", "clang-22", "clang-16", "clang-14") if shutil.which(c)),
                 None)
    projects = [parse(name) for name in names]
    for keys, _ in projects:
        if "local" not in keys: # status 77: it has said that it cannot be reached
            subprocess.run([os.path.join(HERE, "..", "debian_source.sh"),
                            *(["-unpatched"] if "unpatched" in keys else []), keys["name"],
                            os.path.join(work, "sources")], check=False)
    rows, failed = [], False
    for keys, parts in projects:
        source = os.path.join(HERE, keys["local"]) if "local" in keys else \
            os.path.join(work, "sources", keys["name"])
        if not os.path.isdir(source):
            continue
        lacking = [p for p in keys.get("packages", "").split() if subprocess.run(
            ["dpkg", "-s", p], check=False, capture_output=True).returncode != 0]
        if lacking:
            print(f"{keys['name']}: skipped: Debian package {', '.join(lacking)} is not installed")
            continue
        try:
            mine = with_cfuzz(keys, parts, source, work, args.runs, build)
            other = None
            if clang and "libfuzzer" in parts and not args.no_libfuzzer:
                other = with_libfuzzer(keys, parts, source, work, args.runs, clang)
        except (Failed, subprocess.TimeoutExpired) as why:
            print(f"{keys['name']}: FAILED: {why}", flush=True)
            failed = True
            continue
        rows.append((keys, mine, other))
        with open(os.path.join(work, keys["name"] + ".json"), "w", encoding="utf-8") as f:
            json.dump([keys, mine, other], f)
        print(f"{keys['name']}: {mine['lines']} lines, {mine['until']:.0f} s until it fuzzes, "
              f"{mine['rate']} executions a second, {mine['counters'][0]} of "
              f"{mine['counters'][1]} counters" +
              (f"; libFuzzer: {other['lines']} lines, {other['until']:.0f} s, {other['rate']} a "
               "second" if other else "") +
              "".join(f"; found {f}" for f in mine["found"]), flush=True)
    if rows:
        print("\n" + table(rows))
    if args.table and rows:
        done = {keys["name"]: (keys, mine, other) for keys, mine, other in rows}
        for name in all_names():
            if name not in done and "local" not in parse(name)[0] and \
                    os.path.exists(os.path.join(work, name + ".json")):
                with open(os.path.join(work, name + ".json"), encoding="utf-8") as f:
                    done[name] = json.load(f)
        rows = [done[name] for name in sorted(done)]
        with open(args.table, encoding="utf-8") as f:
            text = f.read()
        text = text[:text.index(BEGIN) + len(BEGIN)] + "\n\n" + table(rows) + "\n\n" + \
            text[text.index(END):]
        with open(args.table, "w", encoding="utf-8") as f:
            f.write(text)
    sys.exit(1 if failed else 0 if rows else 77)


if __name__ == "__main__":
    main()
