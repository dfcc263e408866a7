#!/usr/bin/env python3
"""run.py - executions per second of cfuzz and its peers, on the same work and the same core.

    bench/run.py            everything, some 20 minutes (make bench)
    bench/run.py --short    a quick look, under two minutes, no result (make bench SHORT=1)

docs/performance.md says how it measures. Rows go to bench/results/rows.jsonl as they come, the
table to bench/results/table.md. The status is 1 when a run that should have worked did not; what
is not installed or not built yet is a line in the table.
"""

import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import shlex
import shutil
import subprocess
import struct
import sys
import time

import engines
import meter
import report
from engines import Failed, Run, Target, Unavailable

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
FULL_EDGES, SHORT_EDGES = 220000, 20000


@dataclasses.dataclass
class Lane:
    """One engine on one target; lanes of a group take turns."""

    label: str
    engine: object
    target: Target
    run: Run
    cores: list


@dataclasses.dataclass
class Group:
    name: str
    title: str
    target: str
    lanes: list
    base: str = ""  # lane that the others are divided by, round by round
    per: str = "cpu"  # or "wall"
    about: str = ""
    lengths: bool = False  # also measure the mean length of inputs


@dataclasses.dataclass
class Goal:
    text: str
    group: str
    lane: str
    wanted: float
    base: str = ""
    base_group: str = ""
    key: str = "rate"
    at_most: bool = False


# ---- targets -----------------------------------------------------------------

TEXT_SEED = {"text": b"a=1;b=0x2f,c='x y'\n"}
JSON_SEED = {"json": b'{"a": [1, -2.5e3, null], "b": "c"}'[:32], "list": b'[1, true, {"k": "v"}]'}


def targets(work, edges):
    """All targets by name; cJSON's is missing a source where Debian's cannot be had."""
    here = HERE / "targets"
    generated = work / "src" / f"big-{edges}"
    if not (generated / "big_table.c").exists():
        subprocess.run([sys.executable, here / "gen_big.py", generated, str(edges)], check=True)
    cjson = work / "src" / "cjson"
    fetched = subprocess.run([here / "cjson" / "fetch.sh", cjson], check=False).returncode
    if fetched not in (0, 77):
        raise Failed(f"bench/targets/cjson/fetch.sh: status {fetched}")
    big = [here / "big.c", *sorted(generated.glob("*.c"))]
    return {
        "empty": Target("empty", [here / "empty.c"], TEXT_SEED),
        "parser": Target("parser", [here / "parser.c"], TEXT_SEED),
        "big": Target(f"big-{edges // 1000}k", big, TEXT_SEED),
        "json": Target("json", [here / "json.c", cjson / "cJSON.c"], JSON_SEED),
        "bytes": Target("typed-bytes", [here / "typed.c"], TEXT_SEED),
        "typed": Target("typed", [here / "typed.c"], TEXT_SEED, typed=True),
        "tenth": Target("tenth", [here / "tenth.c"], {"seed": b"seed"}),
    }


# ---- the plan ----------------------------------------------------------------

LENGTHS = (
    "Engines choose lengths of their own. The mean length of the inputs, in bytes, is that of one "
    "more run as long as the others, of a binary that counts them."
)


def plan(ts, options, cores, builder):
    secs, driver = options.secs, options.cfuzz_test
    cfuzz, lib = engines.Cfuzz(builder, driver), engines.LibFuzzer(builder)
    afl = engines.Afl(builder)
    scan, call = engines.Bare(builder, True), engines.Bare(builder, False)
    one = cores[-1:]
    short = Run(secs, max_len=32)
    groups = []

    def lane(engine, target, run=short, label="", on=one):
        return Lane(label or engine.name, engine, target, run, on)

    for name in ("empty", "parser", "json", "big"):
        lanes = [lane(e, ts[name]) for e in (cfuzz, lib, afl, scan, call)]
        title = "Inputs of at most 32 bytes"
        groups.append(
            Group(f"len32-{name}", title, ts[name].name, lanes, lib.name, about=LENGTHS,
                  lengths=not options.short and name != "big")
        )
    for name in ("empty", "parser", "json"):
        lanes = [lane(e, ts[name], Run(secs)) for e in (cfuzz, lib, afl)]
        groups.append(
            Group(f"default-{name}", "Each engine's defaults", ts[name].name, lanes, lib.name,
                  about=LENGTHS, lengths=True)
        )
    asan = Run(secs, max_len=32, asan=True)
    for name in ("parser", "json"):
        lanes = [lane(e, ts[name], asan) for e in (cfuzz, lib, afl)]
        title = "AddressSanitizer, inputs of at most 32 bytes"
        groups.append(Group(f"asan-{name}", title, ts[name].name, lanes, lib.name))
    lanes = [
        lane(cfuzz, ts["bytes"], label="cfuzz, []byte"),
        lane(cfuzz, ts["typed"], label="cfuzz, []byte int float64 string"),
    ]
    groups.append(Group("typed", "Typed arguments", "typed", lanes, lanes[0].label))
    for name in ("parser", "json"):
        lanes = [lane(cfuzz, ts[name], label="1 worker")]
        if len(cores) > 1:
            two = Run(2 * secs, max_len=32, parallel=2)
            lanes.append(lane(cfuzz, ts[name], two, "2 workers on 2 cores", cores[-2:]))
        groups.append(
            Group(f"workers-{name}", "Two workers", ts[name].name, lanes, "1 worker", per="wall")
        )
    lanes = [
        lane(cfuzz, ts["tenth"], Run(secs, 32, keep_going=True)),
        lane(cfuzz, ts["tenth"], Run(secs, 32, keep_going=True, asan=True), "cfuzz, ASan"),
        lane(afl, ts["tenth"], Run(secs, 32, keep_going=True)),
    ]
    groups.append(
        Group("tenth", "A crash at every tenth input, going on", "tenth", lanes, per="wall")
    )
    return groups, [cfuzz, lib, afl, scan]


def wanted(groups, edges):
    """The goals of these groups; that of the big program only where it is as big as it says."""
    goals = [
        Goal("empty target, against libFuzzer", "len32-empty", "cfuzz", 4, "libFuzzer"),
        Goal("empty target, against AFL++ persistent", "len32-empty", "cfuzz", 100, "AFL++"),
        Goal("parser, against libFuzzer", "len32-parser", "cfuzz", 4, "libFuzzer"),
        Goal("cJSON, against libFuzzer", "len32-json", "cfuzz", 1.8, "libFuzzer"),
        Goal("parser in a big program, against libFuzzer", "len32-big", "cfuzz", 40, "libFuzzer"),
        Goal("cJSON with ASan, against libFuzzer with ASan", "asan-json", "cfuzz", 1.5,
             "libFuzzer"),
        Goal("typed, against []byte alone", "typed", "cfuzz, []byte int float64 string", 0.7,
             "cfuzz, []byte"),
        Goal("two workers against one, parser", "workers-parser", "2 workers on 2 cores", 1.8,
             "1 worker"),
        Goal("two workers against one, cJSON", "workers-json", "2 workers on 2 cores", 1.8,
             "1 worker"),
        Goal("crash at every tenth input, per second", "tenth", "cfuzz", 2000),
        Goal("the same with ASan", "tenth", "cfuzz, ASan", 300),
        Goal("start to first mutated input and end", "start", "cfuzz", 100, key="ms",
             at_most=True),
        Goal("the driver's share of a core, parser", "len32-parser", "cfuzz", 0.02, key="driver",
             at_most=True),
        Goal("the same with two workers", "workers-parser", "2 workers on 2 cores", 0.02,
             key="driver", at_most=True),
    ]
    names = {group.name for group in groups}
    return [g for g in goals
            if g.group in names and (g.group != "len32-big" or edges >= 200000)]


# ---- measuring ---------------------------------------------------------------


def shown(argv, env):
    """A command as one would type it; what AFL++ wants of its environment as one variable."""
    if env == engines.Afl.ENVIRONMENT:
        words = ["$AFL_ENV"]
    else:
        words = [f"{name}={shlex.quote(value)}" for name, value in env.items()]
    return " ".join(words + [shlex.quote(str(a)) for a in argv])


class Session:
    """Rows of one invocation, written as they come."""

    def __init__(self, work, out):
        self.work, self.out, self.rows, self.failed = work, out, [], []
        out.mkdir(parents=True, exist_ok=True)
        self.file = open(out / "rows.jsonl", "w")

    def add(self, **row):
        self.rows.append(row)
        self.file.write(json.dumps(row) + "\n")
        self.file.flush()
        what = row.get("note") or (
            f"{row['ms']:.0f} ms" if "ms" in row else report.number(row["rate"]) + "/s"
        )
        print(f"{row['group']:16} {row['lane']:34} {row['round'] + 1}: {what}", flush=True)

    def give_up(self, group, lane, round_, error, command=""):
        note = str(error)
        if isinstance(error, Unavailable):
            note = f"not available: {note}"
        else:
            note = f"failed: {note}"
            self.failed.append(f"{group.name}, {lane.label}: {error}")
        self.add(group=group.name, lane=lane.label, round=round_, note=note, command=command)

    def executable(self, lane, count=False):
        missing = lane.engine.missing()
        if missing:
            raise Unavailable(missing)
        for source in lane.target.sources:
            if not source.exists():
                raise Unavailable(f"{source.name} could not be fetched")
        return lane.engine.build(lane.target, asan=lane.run.asan, count=count)

    def once(self, group, lane, exe, round_, count_file=None):
        """One run; returns its row."""
        at = self.work / "run" / f"{group.name}-{round_}"
        shutil.rmtree(at, ignore_errors=True)
        at.mkdir(parents=True)
        run = dataclasses.replace(lane.run, seed=round_ + 1)
        argv, env = lane.engine.command(exe, lane.target, run, at)
        argv = meter.pinned(lane.cores, argv)
        if count_file:
            count_file.write_bytes(bytes(16))
            env = {**env, "BENCH_COUNT_FILE": str(count_file)}
        command = shown(argv, env).replace(str(at), "$RUN")
        command = command.replace(f"-seed={run.seed} ", "-seed=$ROUND ")
        command = command.replace(f" -s {run.seed} ", " -s $ROUND ")
        budget = None if isinstance(lane.engine, engines.Bare) else run.budget
        usage = meter.run(argv, budget, at / "log", env, at)
        log = (at / "log").read_text(errors="replace")
        execs = lane.engine.executions(log, at)
        if not execs:
            raise Failed(f"{lane.engine.name} reported no executions: {engines.last_line(log)}")
        if usage.why == "killed":
            raise Failed(f"{lane.engine.name} did not stop when interrupted")
        if usage.why == "exit" and budget:
            raise Failed(f"{lane.engine.name} ended by itself: {engines.last_line(log)}")
        shutil.rmtree(at, ignore_errors=True)
        row = dict(group=group.name, lane=lane.label, round=round_, execs=execs,
                   cpu=usage.cpu, wall=usage.wall, command=command,
                   rate=execs / (usage.wall if group.per == "wall" else usage.cpu))
        if isinstance(lane.engine, engines.Cfuzz):
            row["driver"] = usage.root_cpu / usage.wall
        if isinstance(lane.engine, engines.Bare) and lane.engine.scan:
            row["counters"] = engines.bare_result(log)[1]
        return row

    def group(self, group, rounds):
        exes = {}
        for lane in group.lanes:
            try:
                exes[lane.label] = self.executable(lane)
            except (Unavailable, Failed) as error:
                self.give_up(group, lane, 0, error)
        for round_ in range(rounds):
            for lane in group.lanes:
                if lane.label not in exes:
                    continue
                try:
                    row = self.once(group, lane, exes[lane.label], round_)
                except (Unavailable, Failed, RuntimeError) as error:
                    self.give_up(group, lane, round_, error)
                    del exes[lane.label]
                    continue
                if isinstance(lane.engine, engines.Bare):
                    row["length"] = lane.run.max_len
                elif group.lengths and round_ == 0:
                    row["length"] = self.length(group, lane)
                self.add(**row)

    def length(self, group, lane):
        """Mean length of inputs, in a run of a binary that counts; None where that fails."""
        sums = self.work / "sums"
        try:
            self.once(group, lane, self.executable(lane, count=True), 0, sums)
        except (Unavailable, Failed, RuntimeError) as error:
            print(f"{group.name}, {lane.label}: no mean length: {error}")
            return None
        execs, size = struct.unpack("=QQ", sums.read_bytes())
        return size / execs if execs else None

    def start(self, group, lane, rounds):
        """Wall time of a whole `-fuzztime=1x` on a package whose build is cached."""
        try:
            self.executable(lane)  # or say why not
            package = lane.engine.package(lane.target)
            cache = self.work / "start-cache"
            argv = meter.pinned(lane.cores, [lane.engine.driver, "-run=None", "-fuzz=FuzzBench",
                                             "-fuzztime=1x", "-parallel=1", "."])
            env = {"CFUZZCACHE": str(cache), "CC": "clang-19"}
            for round_ in range(-1, rounds):  # the first builds
                begin = time.perf_counter()
                done = subprocess.run(argv, cwd=package, env={**os.environ, **env},
                                      stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, timeout=120)
                ms = 1000 * (time.perf_counter() - begin)
                if done.returncode or engines.cfuzz_executions(done.stdout) != 1:
                    raise Failed(engines.last_line(done.stdout))
                if round_ >= 0:
                    self.add(group=group.name, lane=lane.label, round=round_, ms=ms,
                             command=shown(argv, env))
        except (Unavailable, Failed, subprocess.TimeoutExpired) as error:
            self.give_up(group, lane, 0, error)


# ---- what comes out ------------------------------------------------------------


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                  if line.startswith("model name")), platform.machine())
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    return f"{model}, {os.cpu_count()} CPUs; {system}, Linux {platform.release()}"


def table(session, groups, used, options, load, places):
    rows, commands = session.rows, report.Commands()
    shares = [r["cpu"] / r["wall"] for r in rows if "cpu" in r and "2 workers" not in r["lane"]]
    counters = max((r.get("counters", 0) for r in rows if r["group"] == "len32-big"), default=0)
    revision = engines.first_line(["git", "-C", TOP, "describe", "--always", "--dirty"])
    out = []
    if options.short:
        out += ["**A quick look (--short): too short, and of too few rounds, to be a result.**", ""]
    out += [
        f"Measured {datetime.date.today()} at revision {revision}: {options.rounds} interleaved "
        f"round{'s' * (options.rounds > 1)} of {options.secs:g} CPU seconds each, on one core (two for two workers).",
        "",
        f"- Machine: {machine()}",
        f"- Load average before: {load:.2f}. Share of the core that runs had: median "
        f"{report.median(shares) or 0:.2f}, lowest {min(shares, default=0):.2f}",
    ]
    if counters:
        out.append(f"- The big program has {counters:,} counters")
    for engine in used:
        state = engine.missing()
        out.append(f"- {engine.name}: {'not available: ' + state if state else engine.version()}")
    out.append("")
    out += report.goals(wanted(groups, options.edges), rows)
    for title in dict.fromkeys(g.title for g in groups if g.lanes and g.name != "start"):
        out += report.section(title, [g for g in groups if g.title == title], rows, commands)
    starts = report.lane_values(rows, "start", "cfuzz", "ms")
    if starts:
        text = next(r["command"] for r in rows if r["group"] == "start" and "ms" in r)
        out += ["## Start", "",
                f"A whole run with `-fuzztime=1x` on a package that is built: median "
                f"{report.median(list(starts.values())):.0f} ms "
                f"({report.span(list(starts.values()), lambda v: f'{v:.0f}')}), command "
                f"{commands.number(text)}.", ""]
    afl = " ".join(f"{name}={value}" for name, value in engines.Afl.ENVIRONMENT.items())
    out += report.commands_list(commands, places, [
        "A run is interrupted (SIGINT) when it has used its CPU seconds. $RUN is an empty "
        "directory with the seeds, $ROUND the round, from 1.",
        f"$AFL_ENV is `{afl}`.",
    ])
    return "\n".join(out)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--short", action="store_true", help="a quick look, no result")
    parser.add_argument("--rounds", type=int, help="5, or 1 with --short")
    parser.add_argument("--secs", type=float, help="CPU seconds of a run: 5, or 0.7 with --short")
    parser.add_argument("--only", default="", help="groups whose names begin with one of: a,b")
    parser.add_argument("--edges", type=int, help="counters of the big program")
    parser.add_argument("--work", type=pathlib.Path, default=TOP / "build" / "bench")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "results")
    parser.add_argument("--cfuzz-test", default=TOP / "build" / "bin" / "cfuzz-test")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.short else 5)
    options.secs = options.secs or (0.7 if options.short else 5)
    options.edges = options.edges or (SHORT_EDGES if options.short else FULL_EDGES)
    options.work = options.work.absolute()
    return options


def main():
    options = parse_options()
    load = os.getloadavg()[0]
    cores = sorted(os.sched_getaffinity(0))
    options.work.mkdir(parents=True, exist_ok=True)
    ts = targets(options.work, options.edges)
    builder = engines.Builder(options.work, len(cores))
    groups, used = plan(ts, options, cores, builder)
    start = Group("start", "Start", "parser",
                  [Lane("cfuzz", used[0], ts["parser"], Run(0), cores[-1:])])
    prefixes = tuple(options.only.split(","))
    groups = [g for g in [*groups, start] if g.name.startswith(prefixes)]
    session = Session(options.work, options.out)
    for group in groups:
        if group is start:
            session.start(group, group.lanes[0], max(5, options.rounds))
        else:
            session.group(group, options.rounds)
    places = [(options.work, "$WORK"), (pathlib.Path(options.cfuzz_test).absolute(), "cfuzz-test"),
              (TOP, "$CFUZZ")]
    text = table(session, groups, used, options, load, places)
    (options.out / "table.md").write_text(text + "\n")
    print(f"\n{text}\nRows and table are in {options.out}")
    for failure in session.failed:
        print(f"failed: {failure}", file=sys.stderr)
    return 1 if session.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as error:
        sys.exit(f"bench: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
