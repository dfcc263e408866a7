"""engines.py - how each engine builds a target, runs it, and says what it did.

An engine has

    missing()                      "" or why it cannot be used here
    build(target, san, count)      the executable, built once; count: with count.h's sums
    command(exe, target, run, at)  argv and environment of one run in directory `at`
    executions(log, at)            what it reports in the end

and raises Unavailable where it lacks what is asked for, Failed where something broke.
"""

import concurrent.futures
import functools
import dataclasses
import os
import pathlib
import random
import re
import shutil
import subprocess

import meter

HERE = pathlib.Path(__file__).resolve().parent
CFLAGS = ["-O2", "-g"]  # the same for all; cfuzz-test adds -fno-omit-frame-pointer for itself


class Unavailable(Exception):
    """The engine, or what a row needs of it, is not there."""


class Failed(Exception):
    """A build or a run went wrong."""


@dataclasses.dataclass
class Target:
    name: str
    sources: list  # C files; headers are found beside them and in targets/
    seeds: dict  # file name -> bytes
    typed: bool = False  # through bench_typed, cfuzz only


@dataclasses.dataclass
class Run:
    budget: float  # CPU seconds
    max_len: int = 0  # 0: the engine's default
    seed: int = 1
    parallel: int = 1
    keep_going: bool = False
    san: str = ""  # "asan", "ubsan" or "msan"
    cached: int = 0  # inputs in the cache before the run; its start is accounted for apart


# ---- what engines write ------------------------------------------------------


def cfuzz_executions(text):
    """Of the last progress line; None without one."""
    found = re.findall(r"^fuzz: elapsed: \S+, execs: (\d+) \(\d+/sec\)", text, re.M)
    return int(found[-1]) if found else None


def libfuzzer_executions(text):
    """Of -print_final_stats=1; None when it did not come to that."""
    found = re.findall(r"^stat::number_of_executed_units:\s*(\d+)\s*$", text, re.M)
    return int(found[-1]) if found else None


def afl_executions(text):
    """Of the file fuzzer_stats."""
    found = re.search(r"^execs_done\s*:\s*(\d+)\s*$", text, re.M)
    return int(found[1]) if found else None


def bare_result(text):
    """Executions and number of counters."""
    found = re.search(r"^execs: (\d+) counters: (\d+) ", text, re.M)
    return (int(found[1]), int(found[2])) if found else None


def unknown_flag(text):
    """The flag that cfuzz-test does not have, or None."""
    found = re.search(r"^flag provided but not defined: (-\S+)", text, re.M)
    return found[1] if found else None


def go_bytes(data):
    """A corpus file that holds one []byte."""
    text = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}" for b in data)
    return f'go test fuzz v1\n[]byte("{text}")\n'


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no output"


def raw_seeds(target, directory):
    directory.mkdir(parents=True)
    for name, data in target.seeds.items():
        (directory / name).write_bytes(data)
    return directory


# ---- building ----------------------------------------------------------------


SANITIZERS = {"asan": "address", "ubsan": "undefined", "msan": "memory"}  # as clang has them


class Builder:
    """Compiles what is not cfuzz's to build; each result once, `jobs` compilers at a time."""

    def __init__(self, work, jobs):
        self.work, self.jobs = work, jobs

    def sh(self, argv, env=None, cwd=None):
        done = subprocess.run(
            [str(a) for a in argv],
            env={**os.environ, **(env or {})},
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        if done.returncode:
            raise Failed(f"{argv[0]}: {last_line(done.stdout)}")

    def link(self, name, cc, compile_flags, sources, plain_sources, link_flags, env=None):
        """An executable of sources with the flags, and plain_sources without any coverage."""
        at = self.work / "build" / name
        exe = at / "fuzz"
        inputs = [*sources, *plain_sources, *HERE.glob("targets/*.h"), *HERE.glob("wrap/*.h")]
        if exe.exists() and exe.stat().st_mtime > max(p.stat().st_mtime for p in inputs):
            return exe
        shutil.rmtree(at, ignore_errors=True)
        at.mkdir(parents=True)
        include = [f"-I{HERE / 'targets'}", f"-I{HERE / 'wrap'}"]
        include += sorted({f"-I{source.parent}" for source in sources})
        objects, commands = [], []
        for source in [*sources, *plain_sources]:
            flags = compile_flags if source in sources else ["-O2"]
            objects.append(at / (source.stem + ".o"))
            commands.append([cc, *CFLAGS, *flags, *include, "-c", source, "-o", objects[-1]])
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(lambda command: self.sh(command, env), commands))
        self.sh([cc, *link_flags, *objects, "-o", at / "fuzz.new"], env)
        os.replace(at / "fuzz.new", exe)
        return exe


class Cfuzz:
    name = "cfuzz"

    def __init__(self, builder, driver):
        self.builder, self.driver = builder, pathlib.Path(driver).absolute()

    def missing(self):
        return "" if self.driver.exists() else f"{self.driver.name} is not built"

    def version(self):
        return subprocess.run(
            [self.driver, "version"], stdout=subprocess.PIPE, text=True, check=False
        ).stdout.strip()

    def environment(self, at):
        return {"CFUZZCACHE": str(at / "cache"), "CC": "clang-19"}

    def package(self, target, count=False):
        """A package directory: the sources, the fuzz test, its seeds."""
        at = self.builder.work / "pkg" / (target.name + ("-count" if count else ""))
        shutil.rmtree(at, ignore_errors=True)
        at.mkdir(parents=True)
        wrapper = HERE / "wrap" / ("cfuzz_typed.c" if target.typed else "cfuzz_bytes.c")
        define = " -DBENCH_COUNT" if count else ""
        (at / wrapper.name).write_text(f"//cfuzz:cflags -O2{define}\n" + wrapper.read_text())
        headers = [*HERE.glob("targets/*.h"), *HERE.glob("wrap/*.h")]
        for source in target.sources:
            headers += source.parent.glob("*.h")
        for path in {p.name: p for p in [*headers, *target.sources]}.values():
            shutil.copy2(path, at)
        self.seed_files(target, at)
        return at

    @staticmethod
    def seed_files(target, at):
        corpus = at / "testdata" / "corpus" / "FuzzBench"
        corpus.mkdir(parents=True)
        for name, data in target.seeds.items():
            text = go_bytes(data)
            if target.typed:
                text += 'int(1)\nfloat64(1.5)\nstring("text")\n'
            (corpus / name).write_text(text)

    def build(self, target, san="", count=False):
        package = self.package(target, count)
        exe = self.builder.work / "build" / (
            f"cfuzz-{target.name}" + f"-{san}" * bool(san) + "-count" * count
        )
        exe.parent.mkdir(parents=True, exist_ok=True)
        argv = [self.driver, *[f"-{san}"] * bool(san), "-fuzz=FuzzBench", "-c", "-o", exe, "."]
        self.builder.sh(argv, self.environment(self.builder.work), package)
        return exe

    def cached_inputs(self, count, at):
        """Fills the cache of a run in `at`: lines for the parser, of 24 random characters."""
        master = self.builder.work / f"cached-{count}"
        if not master.exists():
            new, pick = master.with_suffix(".new"), random.Random(1)
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            for i in range(count):
                text = "".join(pick.choices("=;,x'#0123456789abcdef ghijkl", k=24))
                (new / f"{i:06}").write_text(go_bytes(text.encode()))
            new.rename(master)
        directory = at / "cache" / "fuzz" / str(at.resolve()).lstrip("/") / "FuzzBench"
        # Links: the driver never writes into a file that is there.
        shutil.copytree(master, directory, copy_function=os.link)

    def command(self, exe, target, run, at):
        self.seed_files(target, at)
        if run.cached:
            self.cached_inputs(run.cached, at)
        argv = [self.driver, "-run=None", "-fuzz=FuzzBench", f"-parallel={run.parallel}"]
        argv += [f"-seed={run.seed}"]
        if run.max_len:
            argv.append(f"-fuzzmaxlen={run.max_len}")
        if run.keep_going:
            argv.append("-keepfuzzing")
        return [*argv, "-dir", at, exe], self.environment(at)

    def executions(self, log, at):
        flag = unknown_flag(log)
        if flag:
            raise Unavailable(f"cfuzz-test has no {flag}")
        return cfuzz_executions(log)


class CfuzzFront(Cfuzz):
    """The same driver behind libFuzzer's command line."""

    name = "cfuzz -libfuzzer"

    def build(self, target, san="", count=False):
        package = self.package(target, count)
        out = self.builder.work / "build" / (
            f"front-{target.name}" + f"-{san}" * bool(san) + "-count" * count
        )
        argv = [self.driver, *[f"-{san}"] * bool(san), "-c", "-libfuzzer", "-o", out, "."]
        self.builder.sh(argv, self.environment(self.builder.work), package)
        return out / "FuzzBench"

    def command(self, exe, target, run, at):
        if run.keep_going or run.cached:
            raise Unavailable("has no such flag")
        corpus = raw_seeds(target, at / "corpus")
        argv = [exe, f"-seed={run.seed}", "-print_final_stats=1", f"-artifact_prefix={at}/"]
        if run.parallel > 1:
            argv.append(f"-fork={run.parallel}")
        if run.max_len:
            argv.append(f"-max_len={run.max_len}")
        return [*argv, corpus], {}

    def executions(self, log, at):
        return libfuzzer_executions(log)


class LibFuzzer:
    name = "libFuzzer"

    def __init__(self, builder, cc="clang-19"):
        self.builder, self.cc = builder, cc

    @functools.cached_property
    def _missing(self):
        if not meter.available(self.cc):
            return f"{self.cc} is not installed"
        program = "int LLVMFuzzerTestOneInput(const char *p, long n) { return !p && n; }"
        tried = subprocess.run(
            [self.cc, "-fsanitize=fuzzer", "-x", "c", "-", "-o", "/dev/null"],
            input=program.encode(), stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        return "" if tried.returncode == 0 else "the library (libclang-rt-19-dev) is not installed"

    def missing(self):
        return self._missing

    def version(self):
        return first_line([self.cc, "--version"])

    def build(self, target, san="", count=False):
        if target.typed:
            raise Unavailable("has no types")
        flags = ["-fsanitize=fuzzer" + (f",{SANITIZERS[san]}" if san else "")]
        name = f"libfuzzer-{target.name}" + f"-{san}" * bool(san) + "-count" * count
        define = ["-DBENCH_COUNT"] * count
        sources = [HERE / "wrap" / "entry.c", *target.sources]
        return self.builder.link(name, self.cc, [*flags, *define], sources, [], flags)

    def command(self, exe, target, run, at):
        if run.keep_going:
            raise Unavailable("stops at a crash")
        corpus = raw_seeds(target, at / "corpus")
        argv = [exe, f"-seed={run.seed}", "-print_final_stats=1", f"-artifact_prefix={at}/"]
        if run.max_len:
            argv.append(f"-max_len={run.max_len}")
        return [*argv, corpus], {}

    def executions(self, log, at):
        return libfuzzer_executions(log)


class Afl:
    name = "AFL++"
    ENVIRONMENT = {
        "AFL_NO_UI": "1",
        "AFL_NO_AFFINITY": "1",  # taskset did it
        "AFL_SKIP_CPUFREQ": "1",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
        "AFL_QUIET": "1",
    }

    def __init__(self, builder):
        self.builder = builder

    def missing(self):
        for program in ("afl-fuzz", "afl-clang-fast"):
            if not meter.available(program):
                return f"{program} is not installed (package afl++)"
        return ""

    def version(self):
        found = re.search(r"\+\+(\S+)", first_line(["afl-fuzz"]))
        return f"{found[1]}, persistent mode" if found else ""

    def build(self, target, san="", count=False):
        if target.typed:
            raise Unavailable("has no types")
        flags = ["-fsanitize=fuzzer"]
        env = {"AFL_QUIET": "1", **({f"AFL_USE_{san.upper()}": "1"} if san else {})}
        name = f"afl-{target.name}" + f"-{san}" * bool(san) + "-count" * count
        define = ["-DBENCH_COUNT"] * count
        sources = [HERE / "wrap" / "entry.c", *target.sources]
        return self.builder.link(
            name, "afl-clang-fast", [*flags, *define], sources, [], flags, env
        )

    def command(self, exe, target, run, at):
        seeds = raw_seeds(target, at / "seeds")
        argv = ["afl-fuzz", "-i", seeds, "-o", at / "out", "-s", run.seed, "-m", "none"]
        if run.max_len:
            argv += ["-G", run.max_len]
        return [*argv, "--", exe], self.ENVIRONMENT

    def executions(self, log, at):
        stats = at / "out" / "default" / "fuzzer_stats"
        return afl_executions(stats.read_text()) if stats.exists() else None


class Bare:
    """The target in a loop: plain, or with its counters cleared and scanned."""

    def __init__(self, builder, scan, cc="clang-19"):
        self.builder, self.scan, self.cc = builder, scan, cc
        self.name = "bare loop, cleared and scanned" if scan else "bare loop"

    def missing(self):
        return "" if meter.available(self.cc) else f"{self.cc} is not installed"

    def version(self):
        return first_line([self.cc, "--version"])

    def build(self, target, san="", count=False):
        flags = ["-fsanitize-coverage=inline-8bit-counters,pc-table"] if self.scan else []
        name = f"bare-{'scan' if self.scan else 'call'}-{target.name}"
        return self.builder.link(name, self.cc, flags, target.sources, [HERE / "wrap/bare.c"], [])

    def command(self, exe, target, run, at):
        seeds = raw_seeds(target, at / "seeds")
        return [exe, run.budget, run.max_len, seeds / sorted(target.seeds)[0]], {}

    def executions(self, log, at):
        found = bare_result(log)
        return found and found[0]


def first_line(argv):
    try:
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except OSError:
        return ""
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout.strip().split("\n")[0])
