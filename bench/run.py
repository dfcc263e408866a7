#!/usr/bin/env python3
"""run.py - executions per second of cfuzz and its peers, on the same work and the same core.

    bench/run.py            everything, half an hour (make bench)
    bench/run.py --short    a quick look, under two minutes, no result (make bench SHORT=1)
    bench/run.py --plan     only says what would be measured, and how long that takes

docs/performance.md says how it measures. Rows go to bench/results/rows.jsonl as they come, the
table to bench/results/table.md; publish.py puts it into the documents. The status is 1 when a run
that should have worked did not; what is not installed or not built yet is a line in the table.
"""

import argparse
import dataclasses
import datetime
import hashlib
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

import branches
import engines
import libraries
import meter
import plan
import report
import search
from engines import Failed, Unavailable

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent


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
        self.begin = time.monotonic()
        out.mkdir(parents=True, exist_ok=True)
        self.file = open(out / "rows.jsonl", "w")

    def add(self, **row):
        self.rows.append(row)
        self.file.write(json.dumps(row) + "\n")
        self.file.flush()
        what = row.get("note") or next(
            show(row[key]) + "/s" * (key == "rate")
            for key, show in report.UNITS.items() if key in row
        )
        print(f"{row['group']:16} {row['lane']:34} {row['round'] + 1}: {what}", flush=True)

    def give_up(self, group, label, round_, error, command=""):
        note = str(error)
        if isinstance(error, Unavailable):
            note = f"not available: {note}"
        else:
            note = f"failed: {note}"
            self.failed.append(f"{group.name}, {label}: {error}")
        self.add(group=group.name, lane=label, round=round_, note=note, command=command)

    def executable(self, lane, count=False):
        missing = lane.engine.missing()
        if missing:
            raise Unavailable(missing)
        for source in lane.target.sources:
            if not source.exists():
                raise Unavailable(f"{source.name} could not be fetched")
        return lane.engine.build(lane.target, lane.run.san, count)

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
        if run.cached:
            command += f"  # {run.cached:,} inputs in $RUN/cache"
        budget = None if isinstance(lane.engine, engines.Bare) else run.budget
        # What came before all cached inputs had been run is the start.
        usage = meter.run(argv, budget, at / "log", env, at,
                          mark="now fuzzing" if run.cached else "",
                          memory=bool(run.cached) or run.parallel > 1 or group.per == "wall")
        log = (at / "log").read_text(errors="replace")
        execs = lane.engine.executions(log, at)
        if not execs:
            raise Failed(f"{lane.engine.name} reported no executions: {engines.last_line(log)}")
        if usage.why == "killed":
            raise Failed(f"{lane.engine.name} did not stop when interrupted")
        if usage.why == "exit" and budget:
            raise Failed(f"{lane.engine.name} ended by itself: {engines.last_line(log)}")
        shutil.rmtree(at, ignore_errors=True)
        began = usage.start or dict(cpu=0, wall=0, root_cpu=0)
        if run.cached and not usage.start:
            raise Failed(f"no fuzzing seen: {engines.last_line(log)}")
        cpu, wall = usage.cpu - began["cpu"], usage.wall - began["wall"]
        row = dict(group=group.name, lane=lane.label, round=round_, execs=execs, cpu=cpu, wall=wall,
                   command=command, rate=execs / (wall if group.per == "wall" else cpu))
        if isinstance(lane.engine, engines.Cfuzz):
            row["driver"] = (usage.root_cpu - began["root_cpu"]) / wall
        if group.per == "wall":
            row["per_cpu"] = execs / cpu
        if usage.start:
            row["start"] = began["cpu"]
        if usage.pss and isinstance(lane.engine, engines.Cfuzz):
            row["memory"] = usage.pss
        if isinstance(lane.engine, engines.Bare) and lane.engine.scan:
            row["counters"] = engines.bare_result(log)[1]
        return row

    def group(self, group, rounds):
        exes = {}
        for lane in group.lanes:
            try:
                exes[lane.label] = self.executable(lane)
            except (Unavailable, Failed) as error:
                self.give_up(group, lane.label, 0, error)
        for round_ in range(plan.rounds_of(group, rounds)):
            for lane in group.lanes:
                if lane.label not in exes:
                    continue
                try:
                    row = self.once(group, lane, exes[lane.label], round_)
                except (Unavailable, Failed, RuntimeError) as error:
                    self.give_up(group, lane.label, round_, error)
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

    def search(self, group, rounds, cores):
        for round_ in range(min(rounds, group.rounds)):
            for name, _, bytes_ in group.barriers:
                for lane in group.lanes:
                    if lane.takes(bytes_):
                        self.barrier(group, lane, name, round_, cores)

    def barrier(self, group, lane, name, round_, cores):
        label = f"{name}, {lane.label}"
        try:
            row = search.once(group, lane, lane.build(name), name, round_, self.work, cores)
        except (Unavailable, Failed, RuntimeError) as error:
            self.give_up(group, label, round_, error)
            return
        command = shown(row.pop("argv"), row.pop("env"))
        command = command.replace(row.pop("at"), "$RUN").replace(name, "$BARRIER")
        command = command.replace(f"-seed={round_ + 1} ", "-seed=$ROUND ")
        self.add(group=group.name, lane=label, label=lane.label, barrier=name, round=round_,
                 command=command, **row)

    def branches(self, group, rounds, builds, core):
        for round_ in range(min(rounds, group.rounds)):
            for library in group.libraries:
                for name in group.lanes:
                    label = f"{library.name}, {name}"
                    try:
                        row = branches.once(builds, group, branches.prepared(builds, library), name,
                                            round_, core)
                    except (Unavailable, Failed, RuntimeError, subprocess.CalledProcessError) as error:
                        self.give_up(group, label, round_, error)
                        continue
                    self.add(group=group.name, lane=label, library=library.name, engine=name,
                             round=round_, **row)

    def figures(self, group, rounds):
        for figure in group.figures:
            try:
                for round_ in range(min(rounds, figure.rounds)):
                    value, command = figure.measure()
                    self.add(group=group.name, lane=figure.label, round=round_,
                             **{figure.unit: value}, command=command)
            except (Unavailable, Failed, OSError, subprocess.SubprocessError) as error:
                self.give_up(group, figure.label, 0, error)


# ---- what comes out ------------------------------------------------------------


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                  if line.startswith("model name")), platform.machine())
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    return f"{model}, {os.cpu_count()} CPUs; {system}, Linux {platform.release()}"


def binary(driver):
    """Which cfuzz it is: what its parts are, and the sources, if they are those it was built from."""
    parts = [driver, *sorted((driver.parent.parent / "lib" / "cfuzz").glob("*.a")),
             *sorted((driver.parent.parent / "lib" / "cfuzz").glob("*-19.so"))]
    parts = [path for path in parts if path.exists()]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in parts)).hexdigest()[:12]
    text = f"SHA-256 of driver, runtime and plugin {digest}"
    if driver.parent.parent.parent != TOP:
        return f"{text}; not built in this tree"
    sources = ["include", "runtime", "plugin", "cfuzz-test", "cmake", "CMakeLists.txt"]
    git = ["git", "-C", str(TOP)]
    revision = engines.first_line([*git, "log", "-1", "--format=%h", "--", *sources])
    changed = engines.first_line([*git, "status", "--porcelain", "--", *sources])
    built = max(path.stat().st_mtime for path in parts)
    newer = [path.name for name in sources for path in [TOP / name, *(TOP / name).rglob("*")]
             if path.is_file() and path.stat().st_mtime > built]
    return (f"{text}; sources at revision {revision}" + ", changed since" * bool(changed)
            + (f", {newer[0]} after the build" if newer else ""))


def describe(session, used, options, load):
    """The lines above the tables."""
    rows = session.rows
    shares = [r["cpu"] / r["wall"] for r in rows if "cpu" in r and "workers" not in r["lane"]]
    counters = max((r.get("counters", 0) for r in rows if r["group"] == "len32-big"), default=0)
    out = [
        f"Measured {datetime.date.today()}: {options.rounds} interleaved "
        f"round{'s' * (options.rounds > 1)} of {options.secs:g} CPU seconds each, on one core "
        "(two for more workers).",
        "",
        f"- Machine: {machine()}",
        f"- Load average before: {load:.2f}. Share of the core that runs had: median "
        f"{report.median(shares) or 0:.2f}, lowest {min(shares, default=0):.2f}",
        f"- Took {(time.monotonic() - session.begin) / 60:.0f} minutes",
    ]
    if counters:
        out.append(f"- The big program has {counters:,} counters")
    for engine in used:
        state = engine.missing()
        out.append(f"- {engine.name}: {'not available: ' + state if state else engine.version()}")
        if not state and isinstance(engine, engines.Cfuzz):
            out[-1] += "; " + binary(engine.driver)
    return out + [""]


def table(session, groups, used, options, load, places):
    rows, commands = session.rows, report.Commands()
    partial = "only parts" if options.only else "too short" if options.short else ""
    out = []
    if partial:
        out += [f"**A quick look ({partial}): no result.**", ""]
    out += describe(session, used, options, load)
    out += report.goals(plan.wanted(groups, options.edges), rows)
    out += report.behind([g for g in groups if isinstance(g, plan.Group)], rows)
    for title in dict.fromkeys(g.title for g in groups):
        these = [g for g in groups if g.title == title]
        if isinstance(these[0], plan.Figures):
            out += report.figures(title, these, rows, commands)
        elif isinstance(these[0], search.Search):
            out += search.table(these[0], rows, commands)
        elif isinstance(these[0], branches.Branches):
            out += branches.table(these[0], rows)
        else:
            out += report.section(title, these, rows, commands)
    afl = " ".join(f"{name}={value}" for name, value in engines.Afl.ENVIRONMENT.items())
    out += report.commands_list(commands, places, [
        "A run is interrupted (SIGINT) when it has used its CPU seconds. $RUN is an empty "
        "directory with the seeds, if any, $ROUND the round, from 1.",
        f"$AFL_ENV is `{afl}`.",
    ])
    return "\n".join(out), partial


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--short", action="store_true", help="a quick look, no result")
    parser.add_argument("--plan", action="store_true", help="measure nothing")
    parser.add_argument("--rounds", type=int, help="5, or 1 with --short")
    parser.add_argument("--secs", type=float, help="CPU seconds of a run: 3, or 0.7 with --short")
    parser.add_argument("--only", default="", help="groups whose names begin with one of: a,b")
    parser.add_argument("--edges", type=int, help="counters of the big program")
    parser.add_argument("--work", type=pathlib.Path, default=TOP / "build" / "bench")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "results")
    parser.add_argument("--cfuzz-test", default=TOP / "build" / "bin" / "cfuzz-test")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.short else 5)
    options.secs = options.secs or (0.7 if options.short else 3)
    options.edges = options.edges or (plan.SHORT_EDGES if options.short else plan.FULL_EDGES)
    options.work = options.work.absolute()
    return options


def announce(groups, options):
    seconds = plan.planned(groups, options.rounds, options.short)
    print(f"plan: {plan.rows_of(groups)} rows, {options.rounds} round{'s' * (options.rounds > 1)} "
          f"of {options.secs:g} CPU seconds: about {seconds / 60:.1f} minutes on a quiet machine, "
          "builds included", flush=True)
    if options.plan:
        for group in groups:
            labels = group.figures if isinstance(group, plan.Figures) else group.lanes
            print(f"{group.name:16} {', '.join(getattr(label, 'label', label) for label in labels)}")


def main():
    options = parse_options()
    load = os.getloadavg()[0]
    cores = sorted(os.sched_getaffinity(0))
    builder = engines.Builder(options.work, len(cores))
    prefixes = tuple(options.only.split(","))

    def groups_for(ts):
        groups, used = plan.plan(ts, options.short, options.secs, cores, builder,
                                 options.cfuzz_test)
        return [g for g in groups if g.name.startswith(prefixes)], used

    nothing = pathlib.Path("nothing")
    announce(groups_for(plan.named_targets([nothing], nothing, options.edges))[0], options)
    if options.plan:
        return 0
    options.work.mkdir(parents=True, exist_ok=True)
    groups, used = groups_for(plan.targets(options.work, options.edges))
    session = Session(options.work, options.out)
    for group in groups:
        if isinstance(group, plan.Figures):
            session.figures(group, options.rounds)
        elif isinstance(group, search.Search):
            session.search(group, options.rounds, cores[-1:])
        elif isinstance(group, branches.Branches):
            builds = libraries.Builds(options.work, pathlib.Path(options.cfuzz_test).absolute(), len(cores))
            session.branches(group, options.rounds, builds, cores[-1])
        else:
            session.group(group, options.rounds)
    places = [(options.work, "$WORK"), (pathlib.Path(options.cfuzz_test).absolute(), "cfuzz-test"),
              (TOP, "$CFUZZ")]
    text, partial = table(session, groups, used, options, load, places)
    (options.out / "table.md").write_text(text + "\n")
    readme = options.out / "readme.md"
    readme.unlink(missing_ok=True)
    if not partial:
        lines = report.short(session.rows)
        for group in groups:
            if isinstance(group, search.Search):
                lines += search.lines(group, session.rows)
            elif isinstance(group, branches.Branches):
                lines += branches.lines(group, session.rows)
        readme.write_text("\n".join(lines) + "\n")
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
