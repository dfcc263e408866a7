"""search.py - what it takes to get past a barrier: CPU time and executions until the crash.

The barriers are fuzz tests of tests/barriers. Those that take one []byte are tried with libFuzzer
too, plain and with its value profile. Each run begins with an empty corpus and has a limit of CPU
seconds; it counts as passed only if the file that it leaves fails again in a fresh process.
"""

import dataclasses
import math
import pathlib
import re
import shutil
import statistics
import subprocess

import engines
import meter
from engines import Failed, Unavailable

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = HERE.parent / "tests" / "barriers" / "targets"

# Name, what it is. Of one []byte:
BYTES = [
    ("FuzzMagics", "a magic of 2 bytes, then of 4"),
    ("FuzzChain", "eight bytes, each behind a branch"),
    ("FuzzLength", "a length that tells how much follows"),
    ("FuzzTags", "two tags by a switch of 32 bits"),
    ("FuzzNestedLengths", "lengths within lengths, exact"),
    ("FuzzCrc", "a CRC over the rest, then a command"),
    ("FuzzCount", "a byte exactly 61 times"),
]
# Of other types:
OTHERS = [
    ("FuzzMember", "a member of a JSON object, and its value"),
    ("FuzzProduct", "product of two ints"),
    ("FuzzDateArgument", "a date in a string, and its day as an int"),
]
SHORT = ("FuzzMagics", "FuzzLength", "FuzzCrc", "FuzzProduct")


@dataclasses.dataclass
class Search:
    """A group of run.py's: every engine on every barrier, round by round."""

    name: str
    title: str
    barriers: list  # (name, what it is, takes one []byte)
    lanes: list
    budget: float  # CPU seconds of a run
    rounds: int  # at most
    about: str = ""


class Cfuzz:
    def __init__(self, engine, label, flags=()):
        self.engine, self.label, self.flags = engine, label, list(flags)

    def takes(self, _bytes):
        return True

    def build(self, barrier):
        missing = self.engine.missing()
        if missing:
            raise Unavailable(missing)
        work = self.engine.builder.work
        exe, package = work / "build" / "cfuzz-barriers", work / "pkg" / "barriers"
        if not exe.exists() or exe.stat().st_mtime < self.engine.driver.stat().st_mtime:
            shutil.rmtree(package, ignore_errors=True)
            shutil.copytree(TARGETS, package)
            exe.parent.mkdir(parents=True, exist_ok=True)
            argv = [self.engine.driver, "-fuzz=.", "-c", "-o", exe, "."]
            self.engine.builder.sh(argv, self.engine.environment(work), package)
        return exe

    def command(self, exe, barrier, seed, at):
        # What libFuzzer leaves to another run, it does not do either.
        return [self.engine.driver, "-run=None", f"-fuzz=^{barrier}$", "-parallel=1",
                f"-seed={seed}", "-fuzzminimizetime=0x", *self.flags, "-dir", at, exe]

    def environment(self, at):
        return self.engine.environment(at)

    executions = staticmethod(engines.cfuzz_executions)

    def again(self, exe, barrier, log, at):
        """The command that runs the file again; None without one."""
        file = re.search(r"Failing input written to testdata/corpus/(\S+)", log)
        return file and [self.engine.driver, f"-run=^{file[1]}$", "-dir", at, exe]


class LibFuzzer:
    def __init__(self, engine, label, flags=()):
        self.engine, self.label, self.flags = engine, label, list(flags)

    def takes(self, bytes_):
        return bytes_

    def build(self, barrier):
        missing = self.engine.missing()
        if missing:
            raise Unavailable(missing)
        wrap = HERE / "wrap" / "barriers"
        flags = ["-fsanitize=fuzzer"]
        compile_flags = [*flags, f"-DBARRIER={barrier}", f"-I{wrap}", f"-I{TARGETS}"]
        return self.engine.builder.link(f"libfuzzer-{barrier}", self.engine.cc, compile_flags,
                                        [wrap / "entry.c"], [], flags)

    def command(self, exe, barrier, seed, at):
        return [exe, f"-seed={seed}", "-print_final_stats=1", f"-artifact_prefix={at}/",
                *self.flags]

    def environment(self, at):
        return {}

    executions = staticmethod(engines.libfuzzer_executions)

    def again(self, exe, barrier, log, at):
        file = next(iter(sorted(at.glob("crash-*"))), None)
        return file and [exe, file]


def group(cfuzz, lib, short):
    """What run.py measures."""
    barriers = [(name, what, True) for name, what in BYTES]
    barriers += [(name, what, False) for name, what in OTHERS]
    if short:
        barriers = [b for b in barriers if b[0] in SHORT]
    lanes = [Cfuzz(cfuzz, "cfuzz"), Cfuzz(cfuzz, "cfuzz, -solve=false", ["-solve=false"]),
             LibFuzzer(lib, "libFuzzer"),
             LibFuzzer(lib, "libFuzzer, value profile", ["-use_value_profile=1"])]
    budget = 1 if short else 2
    return Search(
        "search", "Barriers", barriers, lanes, budget, 3,
        f"Runs that got past the barrier within {budget} CPU seconds, with medians of executions "
        "and of CPU seconds until the process ends, its start included. Each begins with an empty "
        "corpus. A run counts if its file fails again in a fresh process. Barriers below the last "
        "one of libFuzzer are not of one []byte.")


def planned(search, rounds):
    """Seconds, if cfuzz's solver passes all at once, and others need most of what they may have."""
    each = sum(lane.takes(b[2]) for b in search.barriers for lane in search.lanes[1:])
    one = len(search.barriers) * 0.4 + each * (0.3 + 0.6 * search.budget)
    return one * min(rounds, search.rounds)


def once(search, lane, exe, barrier, round_, work, cores):
    """One run: its row but for what names it."""
    at = work / "run" / f"search-{barrier}-{round_}"
    shutil.rmtree(at, ignore_errors=True)
    at.mkdir(parents=True)
    argv = meter.pinned(cores, lane.command(exe, barrier, round_ + 1, at))
    usage = meter.run(argv, search.budget, at / "log", lane.environment(at), at)
    log = (at / "log").read_text(errors="replace")
    execs = lane.executions(log)
    again = lane.again(exe, barrier, log, at)
    if again:
        tried = subprocess.run([str(a) for a in again], cwd=at, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, check=False)
        if tried.returncode == 0:
            raise Failed(f"{barrier}: what failed does not fail again")
    elif usage.why == "exit":
        raise Failed(f"{barrier}: ended by itself: {engines.last_line(log)}")
    shutil.rmtree(at, ignore_errors=True)
    return dict(solved=bool(again), execs=execs or 0, s=usage.cpu, argv=argv, at=str(at),
                env=lane.environment(at))


def par2(rows, budget):
    """Geometric mean of CPU seconds, of a run in vain twice its limit."""
    times = [row["s"] if row["solved"] else 2 * budget for row in rows]
    return math.exp(statistics.fmean(map(math.log, times))) if times else None


def rows_of(rows, barrier, label):
    return [r for r in rows if r["group"] == "search" and r.get("barrier") == barrier
            and r.get("label") == label and "solved" in r]


def cell(rows):
    """'3 of 3: 585, 0.07 s'; '' if it was not run."""
    if not rows:
        return ""
    won = [r for r in rows if r["solved"]]
    text = f"{len(won)} of {len(rows)}"
    if won:
        text += (f": {statistics.median(r['execs'] for r in won):,.0f}, "
                 f"{statistics.median(r['s'] for r in won):.2f} s")
    return text


def summary(search, rows):
    """By label: barriers of one []byte passed in every run, of how many, and PAR2; then of all."""
    found = {}
    for lane in search.lanes:
        for key, names in (("bytes", [b[0] for b in search.barriers if b[2]]),
                           ("all", [b[0] for b in search.barriers if lane.takes(b[2])])):
            each = [rows_of(rows, name, lane.label) for name in names]
            each = [e for e in each if e]
            found[lane.label, key] = (sum(all(r["solved"] for r in e) for e in each), len(each),
                                      par2([r for e in each for r in e], search.budget))
    return found


def table(search, rows, commands):
    labels = [lane.label for lane in search.lanes]
    out = [f"## {search.title}", "", search.about, "",
           "| barrier | " + " | ".join(labels) + " |", "|---|" + "---|" * len(labels)]
    for name, what, _ in search.barriers:
        cells = [cell(rows_of(rows, name, label)) for label in labels]
        out.append(f"| {what} | " + " | ".join(cells) + " |")
    totals = summary(search, rows)
    used = []
    for label in labels:
        texts = [r["command"] for r in rows if r.get("label") == label and "solved" in r]
        used.append(f"{commands.number(texts[0])}" if texts else "")
    for key, text in (("bytes", "of one []byte, passed in every run; PAR2"),
                      ("all", "all that it can be given")):
        cells = []
        for label in labels:
            won, n, mean = totals[label, key]
            cells.append(f"{won} of {n}; {mean:.2f} s" if n else "not available")
        out.append(f"| {text} | " + " | ".join(cells) + " |")
    out.append("| command | " + " | ".join(used) + " |")
    return out + ["", "PAR2 is the geometric mean of CPU seconds, of a run in vain twice its limit.",
                  ""]


def lines(search, rows):
    """README's lines."""
    totals = summary(search, rows)
    if not totals["cfuzz", "bytes"][1]:
        return []

    def one(label):
        won, n, mean = totals[label, "bytes"]
        return f"{label} {won} of {n} ({mean:.2f} s)" if n else f"{label} not available"

    text = "; ".join(one(lane.label) for lane in search.lanes)
    won, n, _ = totals["cfuzz", "all"]
    return ["", f"Barriers of one []byte passed in every run of {search.rounds} within "
            f"{search.budget} CPU seconds, and the geometric mean of the time: {text}.",
            f"With typed ones cfuzz passes {won} of {n}.", *better(search, rows)]


def better(search, rows):
    """Where another engine was done sooner."""
    found = []
    for name, what, _ in search.barriers:
        mine = rows_of(rows, name, "cfuzz")
        for lane in search.lanes[2:]:
            theirs = rows_of(rows, name, lane.label)
            if theirs and mine and par2(theirs, search.budget) < par2(mine, search.budget):
                found.append(what)
                break
    if not found:
        return ["No barrier was passed sooner by libFuzzer."]
    return [f"libFuzzer was done sooner at: {'; '.join(found)}."]
