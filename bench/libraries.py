#!/usr/bin/env python3
"""What engines cover of libraries that read a file format, from nothing and from one valid seed.

    bench/libraries.py [--seconds N] [--rounds N] [--only NAMES] [--engines NAMES] [--seeds NAMES]

Five formats behind magics and checksums: an image (libpng), an archive (minizip of zlib), a certificate
(Mbed TLS), a font (FreeType) and a database (SQLite); and four without: json (cJSON), yaml (libyaml), xml
(expat) and deflate (zlib). Their sources are Debian's, fetched as the bench runs; what cannot be fetched is a
line that says so. Every engine gets the same sources with the same flags, the same CPU time on one
core, driver and start included, and its corpus is run by one and the same build of clang that counts
branches. Prints a table of medians, and what all rounds cover together; rows go to --out as they
come, and rows that are there already are not run again. Status 77 where no sources can be fetched.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys

import engines
import formats
import fresh_formats
import later_formats
import meter
import newest_formats
import other_formats
import unseen_formats
from engines import Failed

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
LIBRARIES = (formats.ALL + other_formats.ALL + fresh_formats.ALL + newest_formats.ALL +
             unseen_formats.ALL + later_formats.ALL)
FLAGS = ["-O2", "-g1", "-w"]
COVERAGE = ["-O1", "-fprofile-instr-generate", "-fcoverage-mapping", "-w"]


# ---- engines ------------------------------------------------------------------------


class Builds:
    """Executables, each made once."""

    def __init__(self, work, driver, jobs):
        self.work, self.driver = work, driver
        self.builder = engines.Builder(work, jobs)

    def objects(self, name, library, compiler, flags, extra, link, env=None):
        files, own = library.made
        return self.link(f"{name}-{library.name}", compiler, [*flags, *own], files, extra, link, env)

    def link(self, name, compiler, flags, files, extra, link, env):
        at = self.work / "build" / name
        exe = at / "fuzz"
        if exe.exists():
            return exe
        at.mkdir(parents=True, exist_ok=True)
        commands, objects = [], []
        include = [f"-I{HERE / 'targets'}", f"-I{HERE / 'wrap'}"]
        for i, source in enumerate([*extra, *files]):
            objects.append(at / f"{i}.o")
            commands.append([compiler, *flags, *include, "-c", source, "-o", objects[-1]])
        with engines.concurrent.futures.ThreadPoolExecutor(self.builder.jobs) as pool:
            list(pool.map(lambda command: self.builder.sh(command, env), commands))
        self.builder.sh([compiler, *link, *objects, "-lm", "-o", at / "fuzz.new"], env)
        os.replace(at / "fuzz.new", exe)
        for o in objects:
            o.unlink()
        return exe

    def harness(self, library):
        return next((HERE / "libraries").rglob(f"{library.name}.c"))

    def replay(self, library):
        return self.objects("replay", library, "clang-19", COVERAGE,
                            [HERE / "libraries/replay.c", self.harness(library)],
                            ["-fprofile-instr-generate"])


class Cfuzz:
    def __init__(self, flags=(), asan=False):
        self.flags, self.asan = list(flags), asan

    def missing(self, builds):
        return "" if builds.driver.exists() else f"{builds.driver} is not built"

    def build(self, builds, library):
        exe = builds.work / "build" / f"cfuzz{'-asan' * self.asan}-{library.name}"
        ours = [builds.driver, *builds.driver.parent.parent.glob("lib/**/*")]  # runtime and plugins
        if exe.exists() and exe.stat().st_mtime > max(f.stat().st_mtime for f in ours):
            return exe
        files, own = library.made
        package = builds.work / "pkg" / exe.name
        shutil.rmtree(package, ignore_errors=True)
        package.mkdir(parents=True)
        exe.parent.mkdir(parents=True, exist_ok=True)
        include = [f"-I{HERE / 'targets'}", f"-I{HERE / 'wrap'}"]
        lines = ["//cfuzz:cflags " + shlex.join(map(str, [*FLAGS, *own, *include])), "//cfuzz:ldflags -lm"]
        lines += [f"//cfuzz:sources {source}" for source in [builds.harness(library), *files]]
        (package / "library.c").write_text("\n".join(lines) + "\n" +
                                           (HERE / "wrap/cfuzz_bytes.c").read_text())
        env = {"CFUZZCACHE": str(builds.work / "cache"), "CC": "clang-19"}
        builds.builder.sh([builds.driver, "-fuzz=FuzzBench", *["-asan"] * self.asan, "-c", "-o", exe, "."], env, package)
        return exe

    def command(self, builds, exe, seeds, seed, at):
        directory = at / "testdata/corpus/FuzzBench"
        directory.mkdir(parents=True)
        for i, data in enumerate(seeds):
            (directory / f"seed{i}").write_text(engines.go_bytes(data))
        argv = [builds.driver, "-run=None", "-fuzz=FuzzBench", "-parallel=1", f"-seed={seed}",
                "-keepfuzzing", "-v", *self.flags, "-dir", at, exe]
        return argv, {"CFUZZCACHE": str(at / "cache"), "CC": "clang-19"}

    def corpus(self, at, to):
        """Go's form of one []byte becomes a file. Crashers are left out, here and below: they would end
        the program that counts branches."""
        for i, file in enumerate([*at.glob("testdata/corpus/*/seed*"), *at.glob("cache/fuzz/**/*")]):
            if file.is_file() and not file.name.startswith("."):
                data = from_go(file.read_text(errors="replace"))
                if data is not None:
                    (to / str(i)).write_bytes(data)

    executions = staticmethod(lambda log, at: engines.cfuzz_executions(log))


ESCAPE = re.compile(r"\\(?:([abfnrtv\\\"'])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3}))")
SINGLE = dict(zip("abfnrtv\\\"'", "\a\b\f\n\r\t\v\\\"'"))


def from_go(text):
    """The bytes of a corpus file of one []byte; None of another."""
    found = re.search(r'^\[\]byte\("(.*)"\)\s*$', text, re.M)
    if not found:
        return None
    out, at = b"", 0
    for m in ESCAPE.finditer(found[1]):
        out += found[1][at : m.start()].encode()
        at = m.end()
        if m[1]:
            out += SINGLE[m[1]].encode()
        elif m[2] or m[5]:
            out += bytes([int(m[2], 16) if m[2] else int(m[5], 8)])
        else:
            out += chr(int(m[3] or m[4], 16)).encode()
    return out + found[1][at:].encode()


class LibFuzzer:
    def __init__(self, flags=(), asan=False):
        self.flags, self.asan = list(flags), asan

    def missing(self, builds):
        return engines.LibFuzzer(builds.builder).missing()

    def build(self, builds, library):
        flags = [*FLAGS, "-fsanitize=fuzzer" + ",address" * self.asan]
        return builds.objects("libfuzzer" + "-asan" * self.asan, library, "clang-19", flags,
                              [HERE / "wrap/entry.c", builds.harness(library)], flags)

    def command(self, builds, exe, seeds, seed, at):
        (at / "corpus").mkdir()
        for i, data in enumerate(seeds):
            (at / "corpus" / f"seed{i}").write_bytes(data)
        return [exe, f"-seed={seed}", "-print_final_stats=1", f"-artifact_prefix={at}/", "-fork=0",
                "-rss_limit_mb=4096", "-timeout=20", *self.flags, at / "corpus"], {}

    def corpus(self, at, to):
        for file in (at / "corpus").iterdir():
            shutil.copy(file, to / file.name)

    executions = staticmethod(lambda log, at: engines.libfuzzer_executions(log))


class Afl:
    def __init__(self, asan=False):
        self.asan = asan

    def missing(self, builds):
        return engines.Afl(builds.builder).missing()

    def build(self, builds, library):
        env = {"AFL_QUIET": "1", "AFL_LLVM_CMPLOG": "1", **({"AFL_USE_ASAN": "1"} if self.asan else {})}
        flags = [*FLAGS, "-fsanitize=fuzzer"]
        return builds.objects("afl" + "-asan" * self.asan, library, "afl-clang-fast", flags,
                              [HERE / "wrap/entry.c", builds.harness(library)], flags, env)

    def command(self, builds, exe, seeds, seed, at):
        (at / "seeds").mkdir()
        for i, data in enumerate(seeds or [b"0"]):  # it wants one that is not empty
            (at / "seeds" / f"seed{i}").write_bytes(data)
        env = {**engines.Afl.ENVIRONMENT, "AFL_FAST_CAL": "1", "AFL_NO_STARTUP_CALIBRATION": "1"}
        return ["afl-fuzz", "-i", at / "seeds", "-o", at / "out", "-s", seed, "-m", "none", "-c", "0",
                "-l", "2AT", "--", exe], env

    def corpus(self, at, to):
        for file in (at / "out/default/queue").glob("id*"):
            shutil.copy(file, to / file.name[:60].replace(",", "_"))

    def executions(self, log, at):
        stats = at / "out/default/fuzzer_stats"
        return engines.afl_executions(stats.read_text()) if stats.exists() else None


class Honggfuzz:
    """Debian has no package of it: it is used where hfuzz-clang is in PATH."""

    def missing(self, builds):
        for program in ("honggfuzz", "hfuzz-clang"):
            if not shutil.which(program):
                return f"no {program} in PATH"
        return ""

    def build(self, builds, library):
        return builds.objects("honggfuzz", library, "hfuzz-clang", FLAGS,
                              [HERE / "wrap/entry.c", builds.harness(library)], FLAGS,
                              {"HFUZZ_CC_CLANG": "clang-19"})

    def command(self, builds, exe, seeds, seed, at):
        """It has no option for its random seed: rounds differ by chance."""
        for name in ("seeds", "corpus", "crashes"):
            (at / name).mkdir()
        for i, data in enumerate(seeds or [b""]):
            (at / "seeds" / f"seed{i}").write_bytes(data)
        return ["honggfuzz", "--input", at / "seeds", "--output", at / "corpus", "--workspace", at,
                "--crashdir", at / "crashes", "--threads", 1, "--timeout", 20, "--verbose",
                "--", exe], {}

    def corpus(self, at, to):
        for file in (at / "corpus").iterdir():
            shutil.copy(file, to / file.name[:60])

    @staticmethod
    def executions(log, at):
        found = re.findall(r"iterations:(\d+)", log)
        return int(found[-1]) if found else None


ENGINES = {
    "cfuzz": Cfuzz(),
    "cfuzz -solve=false": Cfuzz(["-solve=false"]),
    "libFuzzer": LibFuzzer(),
    "libFuzzer, value profile": LibFuzzer(["-use_value_profile=1"]),
    "AFL++, cmplog": Afl(),
    "honggfuzz": Honggfuzz(),
    "cfuzz, ASan": Cfuzz(asan=True),
    "cfuzz -solve=false, ASan": Cfuzz(["-solve=false"], asan=True),
    "libFuzzer, ASan": LibFuzzer(["-detect_leaks=0"], asan=True),
    "AFL++, cmplog, ASan": Afl(asan=True),
}
DEFAULT = [name for name in ENGINES if "ASan" not in name]


# ---- measuring ------------------------------------------------------------------------


def covered(builds, library, corpora, at):
    """Branches of the library that the files in the directories cover, and how many it has."""
    exe, profiles = builds.replay(library), []
    for i, corpus in enumerate(corpora):
        profiles.append((at / f"{i}.profraw").resolve())
        # In the run's directory: inputs of a database open files by names of their own.
        subprocess.run([exe.resolve(), corpus.resolve()], cwd=at,
                       env={**os.environ, "LLVM_PROFILE_FILE": str(profiles[-1])},
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    data = at / "profdata"
    builds.builder.sh(["llvm-profdata-19", "merge", *profiles, "-o", data])
    done = subprocess.run(
        ["llvm-cov-19", "export", "-summary-only", str(exe), f"-instr-profile={data}",
         f"-ignore-filename-regex={re.escape(str(HERE))}/"], stdout=subprocess.PIPE, text=True, check=True)
    branches = json.loads(done.stdout)["data"][0]["totals"]["branches"]
    return branches["covered"], branches["count"]


def once(builds, library, engine, seeds, seed, seconds, core, at):
    """One run: its executions and CPU seconds. Its corpus is in at/all afterwards."""
    shutil.rmtree(at, ignore_errors=True)
    (at / "all").mkdir(parents=True)
    exe = engine.build(builds, library)
    argv, env = engine.command(builds, exe, seeds, seed, at)
    execs = cpu = runs = 0
    while cpu < seconds and runs < 50:  # libFuzzer ends at a crash, and begins again
        usage = meter.run(meter.pinned([core], argv), seconds - cpu, at / "log", env, at,
                          wall_limit=seconds * 20 + 60)
        log = (at / "log").read_text(errors="replace")
        execs += engine.executions(log, at) or 0
        cpu += usage.cpu
        runs += 1
        if usage.why != "exit":
            break
        if not isinstance(engine, LibFuzzer):
            raise Failed(f"ended by itself: {engines.last_line(log)}")
    engine.corpus(at, at / "all")
    return execs, cpu


def fetch(library, sources):
    for package in library.packages:
        argv = [TOP / "tests/debian_source.sh", package, sources]
        status = subprocess.run([str(a) for a in argv], check=False).returncode
        if status == 77:
            return False
        if status:
            raise Failed(f"{package}: tests/debian_source.sh: status {status}")
    return True


def table(rows, unions, names):
    out = ["| file, seed | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["library"], row["seeds"], row["engine"]].append(row["branches"])
    for key in dict.fromkeys((r["library"], r["seeds"]) for r in rows):
        cells = []
        for name in names:
            got = groups.get((*key, name))
            union = unions.get((*key, name))
            cells.append(f"{statistics.median(got):,.0f} ({min(got):,} to {max(got):,}); {union:,}"
                         if got else "")
        out.append(f"| {key[0]}, {key[1]} | " + " | ".join(cells) + " |")
    return "\n".join(out)


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip(),
                                 description=__doc__.split("\n\n")[0])
    ap.add_argument("--build", type=pathlib.Path, default=TOP / "build", help="cfuzz's build directory")
    ap.add_argument("--work", type=pathlib.Path, default=TOP / "build/bench-libraries")
    ap.add_argument("--out", type=pathlib.Path, help="rows, one a line (default: in --work)")
    ap.add_argument("--seconds", type=float, default=60, help="CPU seconds of a run")
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--only", default=",".join(l.name for l in formats.ALL), help="libraries, of formats.py (default: all of these), other_formats.py, fresh_formats.py, newest_formats.py, unseen_formats.py and later_formats.py")
    ap.add_argument("--engines", default=";".join(DEFAULT), help="separated by semicolons; those with ASan, too, on demand")
    ap.add_argument("--seeds", default="none,valid")
    ap.add_argument("--core", type=int, default=(os.cpu_count() or 1) - 1)
    ap.add_argument("--jobs", type=int, default=2, help="compilers at a time")
    args = ap.parse_args()
    names, wanted = args.engines.split(";"), args.only.split(",")
    for name, known, what in [*((n, ENGINES, "engine") for n in names),
                              *((n, [l.name for l in LIBRARIES], "library") for n in wanted),
                              *((n, ["none", "valid"], "seeds") for n in args.seeds.split(","))]:
        if name not in known:
            ap.error(f"{name}: no such {what}")
    work = args.work.absolute()
    work.mkdir(parents=True, exist_ok=True)
    out = args.out or work / "rows.jsonl"
    rows = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    builds = Builds(work, (args.build / "bin/cfuzz-test").absolute(), args.jobs)
    failed = fetched = 0
    libraries = []
    for library in LIBRARIES:
        if library.name not in wanted or not fetch(library, work / "sources"):
            continue
        fetched += 1
        try:
            library.made = library.prepare(work / "sources", work / "prepared")
            builds.replay(library)
            libraries.append(library)
        except Failed as why:
            failed += 1
            print(f"{library.name}: {why}", flush=True)
    if not fetched:
        sys.exit(77)
    for round_ in range(1, args.rounds + 1):
        for library in libraries:
            for kind in args.seeds.split(","):
                for name in names:
                    key = dict(library=library.name, seeds=kind, engine=name, round=round_,
                               seconds=args.seconds)
                    if any(all(r[k] == v for k, v in key.items()) for r in rows):
                        continue
                    at = work / "run" / f"{library.name}-{kind}-{list(ENGINES).index(name)}-{round_}"
                    try:
                        missing = ENGINES[name].missing(builds)
                        if missing:
                            print(f"{name}: not available: {missing}", flush=True)
                            continue
                        execs, cpu = once(builds, library, ENGINES[name],
                                          [library.seed()] if kind == "valid" else [], round_,
                                          args.seconds, args.core, at)
                        n, all_ = covered(builds, library, [at / "all"], at)
                    except (Failed, RuntimeError, subprocess.CalledProcessError) as why:
                        failed += 1
                        print(f"{library.name}, {kind}, {name}: failed: {why}", flush=True)
                        continue
                    row = dict(key, branches=n, all=all_, execs=execs, cpu=round(cpu, 2),
                               files=len(list((at / "all").iterdir())))
                    rows.append(row)
                    with open(out, "a") as f:
                        f.write(json.dumps(row) + "\n")
                    print(f"{library.name:12} {kind:6} {name:26} {round_}: {n:,} of {all_:,} branches, "
                          f"{execs:,} executions in {cpu:.1f} s", flush=True)
    shown = [r for r in rows if r["engine"] in names and r["seconds"] == args.seconds
             and r["library"] in wanted]
    unions = {}
    for key in dict.fromkeys((r["library"], r["seeds"], r["engine"]) for r in shown):
        library = next((l for l in libraries if l.name == key[0]), None)
        corpora = [work / "run" / f"{key[0]}-{key[1]}-{list(ENGINES).index(key[2])}-{r['round']}/all"
                   for r in shown if (r["library"], r["seeds"], r["engine"]) == key]
        corpora = [c for c in corpora if c.exists()]
        if library and corpora:
            union = work / "union"
            union.mkdir(exist_ok=True)
            unions[key] = covered(builds, library, corpora, union)[0]
    print(table(shown, {**{(r["library"], r["seeds"], r["engine"]): 0 for r in shown}, **unions}, names))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
