#!/usr/bin/env python3
"""run.py - runs the commands of README.md and docs/guide.md, and compares what they print.

    run.py [--build DIR] [--keep] [-v]

Each document has an empty directory. Its blocks are taken in their order:

    a fenced block whose first line is a comment with a path   that file is written
    "    $ command" in an indented block                       run by sh; the lines below are its output
    a command without "$"                                      an error, unless the line above the block
                                                               is <!-- not run: why -->
    a block below <!-- needs program -->                       left out, and named, where that is not installed
    - cfuzz-test ..., run: cfuzz-test ... in a .yml file       run at the end of the document

Of outputs, "..." stands for any lines, numbers of seconds and blanks may differ, lines that begin with
"fuzz:" are not looked at, and output of which nothing is shown may be anything. A command fails where
its output shows FAIL. A time to fuzz becomes a count, a seed and one worker: what such a run finds and
prints does not hang on chance. A command whose program is not installed is left out, and named.
Status: 0 passed, 1 failed.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENTS = (("README.md", "parse"), ("docs/guide.md", "unescape"))
COUNT = "20000x -seed=1 -parallel=1"  # in place of a time to fuzz
SECONDS = 120     # limit of a command
COMMANDS = ("cfuzz-test", "cfuzz-cc", "make", "sudo", "cmake", "ctest", "meson", "apt-get", "CC=")
NAME = re.compile(r"(?:/\* (\S+) \*/|# (\S*[./]\S+|Makefile))$")


class Failed(Exception):
    """What the document says and what happened differ."""


def blocks(text):
    """Yields (kind, line number, lines, line above) of each block: "fenced" or "indented"."""
    lines = text.splitlines()
    i, above = 0, ""
    while i < len(lines):
        start = i
        if lines[i].startswith("```"):
            i += 1
            while not lines[i].startswith("```"):
                i += 1
            yield "fenced", start + 1, lines[start + 1:i], above
            i += 1
        elif lines[i].startswith("    ") and not lines[start - 1].strip():
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i].strip()):
                i += 1
            yield "indented", start + 1, [line[4:] for line in lines[start:i]], above
        else:
            i += 1
        if lines[start].strip():
            above = lines[start]


def plain(line):
    """A line without what differs from run to run."""
    line = re.sub(r"\b\d+(\.\d+)?(s| sec)(?!\w)", "T", line)
    line = re.sub(r"\.{3,}\*{0,3}", " ", line) if "Test" in line else line
    return " ".join(line.split())


def matches(shown, got):
    """Whether the lines of output are those that are shown."""
    if not shown:
        return not got
    if shown[0] == "...":
        return any(matches(shown[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and shown[0] == got[0] and matches(shown[1:], got[1:])


class Document:
    def __init__(self, name, work, build, verbose):
        self.name, self.verbose = name, verbose
        self.work = self.cwd = work
        self.ran = 0
        hidden = os.path.join(os.path.dirname(work), "home")
        os.makedirs(hidden)
        self.env = {
            "PATH": f"{build}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": hidden, "TMPDIR": hidden, "CFUZZCACHE": f"{hidden}/cache", "LC_ALL": "C.UTF-8",
            "AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1",
            "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
            "TERM": "dumb", "CMAKE_PREFIX_PATH": build, "PKG_CONFIG_PATH": f"{build}/lib/pkgconfig",
        }

    def write(self, path, lines):
        path = os.path.join(self.work, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")

    def command(self, number, command, shown):
        if command.startswith("cd "):
            self.cwd = os.path.normpath(os.path.join(self.cwd, command[3:].strip()))
            return
        words = [w for w in command.split() if not re.match(r"[A-Z]+=", w)]
        if not shutil.which(words[0], path=self.env["PATH"]):
            print(f"{self.name}:{number}: left out, {words[0]} is not installed: {command}")
            return
        command = re.sub(r"-fuzztime=\d+[smh]\b", f"-fuzztime={COUNT}", command)
        if self.verbose:
            print(f"{self.name}:{number}: {command}", flush=True)
        run = subprocess.run(["sh", "-c", command], cwd=self.cwd, env=self.env, text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, check=False, timeout=SECONDS)
        self.ran += 1
        want = 1 if any(line.lstrip().startswith("FAIL") for line in shown) else 0
        if run.returncode != want:
            raise Failed(f"{self.name}:{number}: {command}: status {run.returncode}, not {want}\n"
                         f"{run.stdout}")
        shown, got = ([plain(line) for line in lines if line.strip() and not re.match("fuzz: ", line)]
                      for lines in (shown, run.stdout.splitlines()))
        if shown and not matches(shown, got):
            raise Failed(f"{self.name}:{number}: {command} printed\n{run.stdout}\nwhich is not\n"
                         + "\n".join(shown))

    def indented(self, number, lines, above):
        if above.startswith("<!-- not run: "):
            return
        needs = re.fullmatch(r"<!-- needs (\S+) -->", above)
        if needs and not shutil.which(needs.group(1), path=self.env["PATH"]):
            print(f"{self.name}:{number}: left out, {needs.group(1)} is not installed")
            return
        if not lines[0].startswith("$ "):
            if re.match("|".join(COMMANDS), lines[0]):
                raise Failed(f"{self.name}:{number}: neither \"$ {lines[0]}\" nor <!-- not run: why -->")
            return
        starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
        for i, end in zip(starts, [*starts[1:], len(lines)]):
            self.command(number + i, lines[i][2:], lines[i + 1:end])

    def run(self):
        with open(os.path.join(SOURCE, self.name), encoding="utf-8") as f:
            text = f.read()
        jobs = []
        for kind, number, lines, above in blocks(text):
            if kind == "indented":
                self.indented(number, lines, above)
                continue
            named = NAME.match(lines[0])
            if not named:
                continue
            path = named.group(1) or named.group(2)
            self.write(path, lines)
            if path.endswith(".yml"):
                jobs += [(number + 1 + i, m.group(1)) for i, line in enumerate(lines)
                         if (m := re.match(r"\s*(?:run:|-) (cfuzz-test .*)$", line))]
        for number, command in jobs:
            self.command(number, command, [])
        if self.ran < 2:
            raise Failed(f"{self.name}: only {self.ran} commands were seen")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(SOURCE, "build"))
    parser.add_argument("--keep", action="store_true", help="keep the directories")
    parser.add_argument("-v", action="store_true", help="print commands as they run")
    args = parser.parse_args()
    failed = 0
    for name, directory in DOCUMENTS:
        top = tempfile.mkdtemp(prefix="cfuzz-docs-")
        work = os.path.join(top, directory)
        os.makedirs(work)
        document = Document(name, work, os.path.abspath(args.build), args.v)
        try:
            document.run()
            print(f"{name}: {document.ran} commands")
        except (Failed, subprocess.TimeoutExpired) as e:
            failed += 1
            print(e)
        if args.keep:
            print(work)
        else:
            shutil.rmtree(top, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
