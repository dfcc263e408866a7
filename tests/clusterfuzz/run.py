#!/usr/bin/env python3
"""Plays ClusterFuzz and OSS-Fuzz's base-runner: the same target behind libFuzzer and behind cfuzz.

    tests/clusterfuzz/run.py --build DIR [--work DIR] [-v]

One target is built twice: by clang with -fsanitize=fuzzer, and by cfuzz-test -c -libfuzzer. Both are run
as those two run fuzz targets: the check for bad builds, fuzzing with statistics, a crash found, reproduced,
minimized and cleansed, the other kinds of failure, a merge in two steps, one with -fork, a replay for
coverage, and the ends by signals. From each output the fields are read that they read, with expressions
for the lines that are in libFuzzer's contract; a field that differs is a failure. Status: 0, 1, 77 for
skipped.
"""
import argparse
import base64
import concurrent.futures
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
OURS, REAL = "cfuzz", "libFuzzer"
SANITIZERS = ("handle_abort=1:strict_memcmp=1:detect_stack_use_after_return=1:quarantine_size_mb=10:"
              "dedup_token_length=3:symbolize=1:exitcode=77:allocator_may_return_null=1")

SHOWN = 4000  # characters of what was printed, where a field differs

# The lines that are read. ^ and $ match at lines.
MODULES = r"^INFO: Loaded \d+ modules?\s+\((\d+) (?:inline 8-bit counters|guards)\)"
MAX_LEN = r"^INFO: -max_len is not provided; libFuzzer will not generate inputs larger than (\d+) bytes"
ENGINE_LINE = r"^#\d+\s*(READ|INITED|NEW|pulse|REDUCE|RELOAD|DONE|:)\s.*"
FORK_LINE = r"^#\d+: cov: \d+ ft: \d+ corp: \d+ exec/s:? \d+ oom/timeout/crash: \d+/\d+/\d+ time: \d+s job: \d+ dft_time: \d+"
FIELDS = r"cov: (\d+) ft: (\d+) corp: (\d+)/(\d+)(b|Kb|Mb) (?:lim: (\d+) )?exec/s: (\d+) rss: (\d+)Mb"
NEW = r"^#\d+\s+NEW .* L: (\d+)/(\d+) MS: (\d+) (.*)$"
DONE = r"^Done (\d+) runs in (\d+) second\(s\)"
MERGE = r"^MERGE-OUTER: (\d+) new files with (\d+) new features added; (\d+) new coverage edges"
STATS = ["number_of_executed_units", "average_exec_per_sec", "new_units_added", "slowest_unit_time_sec",
         "peak_rss_mb"]
ARTIFACT = r"Test unit written to (\S*?((?:crash|oom|timeout|leak|slow-unit)-)([0-9a-f]{40}))$"
LIBFUZZER_ERROR = r"^==\d+== ?ERROR: libFuzzer: (.*)$"
ASAN_ERROR = r"^==\d+==ERROR: (AddressSanitizer|LeakSanitizer): (.*)$"
SUMMARY = r"^SUMMARY: (\w+): (.*)$"
DEDUP = r"^DEDUP_TOKEN: (.*)$"
FRAME = r"^\s*#\d+ 0x[0-9a-f]+ in (\S+) (\S+?)(?::\d+)?(?::\d+)?$"


class Play:
    def __init__(self, who, program, work, verbose):
        self.who, self.program, self.work, self.verbose = who, program, work, verbose
        self.fields = {}
        self.text = ""
        self.texts = {}  # what a field was read from, or about
        self.env = dict(os.environ, ASAN_OPTIONS=SANITIZERS)
        os.makedirs(work)

    def field(self, name, value):
        self.fields[name] = value
        self.texts[name] = self.text

    def run(self, *args, env=None, limit=120):
        """Runs the target in its directory; returns its status and what it printed."""
        environment = dict(self.env, **(env or {}))
        r = subprocess.run([self.program, *args], cwd=self.work, env=environment, timeout=limit,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.text = text = r.stdout.decode(errors="replace")
        if self.verbose:
            print(f"---- {self.who}: {' '.join(args)}: status {r.returncode}\n{text}")
        return r.returncode, text

    def path(self, *parts):
        return os.path.join(self.work, *parts)

    def directory(self, name, **files):
        os.makedirs(self.path(name), exist_ok=True)
        for key, value in files.items():
            with open(self.path(name, key), "w") as f:
                f.write(value)
        return name

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()


def number(text, pattern):
    """The last number that pattern finds, which is what is taken, or None."""
    found = list(re.finditer(pattern, text, re.M))
    return int(found[-1].group(1)) if found else None


def count(text, pattern):
    return len(re.findall(pattern, text, re.M))


def artifact(p, name, text):
    """The fields of the file of a failing input; returns its path."""
    found = re.search(ARTIFACT, text, re.M)
    p.field(f"{name}: artifact", found.group(2) if found else None)
    if not found:
        return None
    data = p.read(found.group(1))
    p.field(f"{name}: artifact is named by its content", hashlib.sha1(data).hexdigest() == found.group(3))
    told = re.search(r"^Base64: (\S*)$", text, re.M)
    p.field(f"{name}: Base64 is its content", bool(told) and base64.b64decode(told.group(1)) == data)
    p.field(f"{name}: bytes are shown", bool(re.search(r"^0x[0-9a-f]{2},", text, re.M)))
    p.field(f"{name}: artifact_prefix is shown", bool(re.search(r"^artifact_prefix='[^']*'; Test unit", text, re.M)))
    return found.group(1)


def stack(p, name, text):
    """The fields of which the type and the state of a crash are made."""
    asan, own = re.search(ASAN_ERROR, text, re.M), re.search(LIBFUZZER_ERROR, text, re.M)
    p.field(f"{name}: sanitizer", asan.group(1) if asan else None)
    p.field(f"{name}: sanitizer's error", re.sub(r" on (unknown )?address.*| 0x.*", "", asan.group(2)) if asan else None)
    p.field(f"{name}: libFuzzer's error",
            re.sub(r"\d+Mb|\d+", "N", own.group(1)) if own else None)
    found = re.search(SUMMARY, text, re.M)
    told = found.groups() if found else (None, "")
    p.field(f"{name}: summary of", told[0])
    p.field(f"{name}: summary", re.sub(r"[^ ]*/|:\d+(:\d+)?", "", told[1]).split(" (BuildId")[0])
    p.field(f"{name}: summaries", count(text, SUMMARY))
    frames = [(f, os.path.basename(place)) for f, place in re.findall(FRAME, text, re.M)]
    if "const input" not in (own.group(1) if own else ""):  # libFuzzer only sees it afterwards
        p.field(f"{name}: frames of the target", [f for f in frames if f[1].startswith("target.c")][:3])
    token = re.search(DEDUP, text, re.M)
    # Of libFuzzer's own errors the stack begins in libFuzzer; ours begins where it happened.
    p.field(f"{name}: token", token.group(1).split("--")[0] if token and asan else bool(token))


# ---- what a fuzz target is -----------------------------------------------------------------------

def recognition(p):
    with open(p.program, "rb") as f:
        data = f.read()
    p.field("file: name", bool(re.fullmatch(r"[a-zA-Z0-9@_.-]+", os.path.basename(p.program))))
    p.field("file: ELF", data[:4] == b"\x7fELF")
    p.field("file: executable", os.access(p.program, os.X_OK))
    p.field("file: entry point", b"LLVMFuzzerTestOneInput" in data)
    p.field("file: can merge in steps", b"fuzz target overwrites its const input" in data)
    p.field("file: a protobuf mutator", b"TestOneProtoInput" in data)
    if shutil.which("objdump"):
        code = subprocess.run(["objdump", "-dC", p.program], capture_output=True, text=True).stdout
        for sanitizer, least in (("asan", 100), ("msan", 1000), ("ubsan", 168)):
            n = len(re.findall(r"callq?\s+[0-9a-f]+\s+<__" + sanitizer, code))
            p.field(f"file: calls of {sanitizer}", n >= least)


def bad_build_check(p):
    status, text = p.run("--", "-seed=1337", "-runs=4")
    p.field("check: status", status)
    p.field("check: not instrumented",
            "ERROR: no interesting inputs were found. Is the code instrumented" in text)
    p.field("check: edges", (number(text, MODULES) or 0) > 20)
    p.field("check: Done 4 runs", "Done 4 runs" in text)
    p.field("check: seed", number(text, r"^INFO: Seed: (\d+)"))


# ---- fuzzing -----------------------------------------------------------------------------------------

def fuzz_fields(p, name, text):
    lines = text.splitlines()
    p.field(f"{name}: seed", count(text, r"^INFO: Seed: \d+$"))
    p.field(f"{name}: modules", count(text, MODULES))
    p.field(f"{name}: PC tables", count(text, r"^INFO: Loaded \d+ PC tables \(\d+ PCs\)"))
    p.field(f"{name}: max_len", number(text, MAX_LEN))
    p.field(f"{name}: corpus",
            re.findall(r"^INFO: seed corpus: files: (\d+) min: (\d+)b max: (\d+)b total: (\d+)b rss: \d+Mb",
                       text, re.M))
    p.field(f"{name}: empty corpus", count(text, r"^INFO: A corpus is not provided, starting from an empty corpus"))
    p.field(f"{name}: INITED", count(text, r"^#\d+\tINITED "))
    p.field(f"{name}: NEW", count(text, r"^#\d+\tNEW ") > 0)
    engine = [line for line in lines if re.match(ENGINE_LINE, line)]
    p.field(f"{name}: all progress lines have fields", all(re.search(FIELDS, line) for line in engine))
    p.field(f"{name}: all NEW lines end in L and MS",
            count(text, r"^#\d+\tNEW ") == count(text, NEW))
    p.field(f"{name}: MS has as many names as it says",
            all(len([n for n in names.split(" ")[0].split("-") if n]) == int(n)
                for _, _, n, names in re.findall(NEW, text, re.M)))
    counts = [int(re.match(r"#(\d+)", line).group(1)) for line in engine]
    p.field(f"{name}: executions never fall", counts == sorted(counts))
    coverage = [int(re.search(FIELDS, line).group(1)) for line in engine]
    p.field(f"{name}: coverage never falls", coverage == sorted(coverage))
    for stat in STATS:
        found = re.findall(rf"^stat::{stat}:\s+(\S+)$", text, re.M)
        p.field(f"{name}: stat {stat}", len(found) == 1 and found[0].isdigit())


def fuzz(p):
    corpus = p.directory("corpus", one="hello", two="abcd")
    new, out = p.directory("new"), p.directory("artifacts")
    # One that finds nothing: without the comparisons the bug is out of reach in so few executions.
    status, text = p.run("-use_cmp=0", "-timeout=25", "-rss_limit_mb=2560", "-seed=1", "-runs=200", f"-artifact_prefix={p.path(out)}/",
                         "-max_total_time=60", "-print_final_stats=1", new, corpus)
    p.field("fuzz: status", status)
    fuzz_fields(p, "fuzz", text)
    p.field("fuzz: DONE", count(text, r"^#\d+\tDONE "))
    p.field("fuzz: Done", number(text, DONE))
    p.field("fuzz: executed", number(text, r"^stat::number_of_executed_units:\s+(\d+)"))
    p.field("fuzz: new units are there", # some may have been replaced by smaller ones
            0 < len(os.listdir(p.path(new))) <= number(text, r"^stat::new_units_added:\s+(\d+)"))
    p.field("fuzz: their names", all(hashlib.sha1(p.read(f"{new}/{n}")).hexdigest() == n
                                      for n in os.listdir(p.path(new))))
    # A random max_len, value profile, a dictionary, and flags nobody has.
    with open(p.path("words.dict"), "w") as f:
        f.write('# words\nk="abcd"\n"\\x00\\xff"\n')
    status, text = p.run("-seed=1", "-runs=100", "-max_len=3", "-use_value_profile=1", "-dict=words.dict",
                         "-len_control=0", "-frob=1", corpus)
    p.field("flags: status", status)
    p.field("flags: dictionary", number(text, r"^Dictionary: (\d+) entries"))
    p.field("flags: unknown", count(text, r"^WARNING: unrecognized flag '-frob=1'; use -help=1 to list all flags$"))
    p.field("flags: max_len is told", count(text, MAX_LEN))
    p.field("flags: limit", set(int(n) for n in re.findall(r" lim: (\d+) ", text)))
    status, text = p.run("-runs=10", "nowhere")
    p.field("no directory: status", status)
    p.field("no directory", count(text, r'^ERROR: The required directory "nowhere" does not exist$'))
    for flag, missing in (("-artifact_prefix=lost/", "lost/"), ("-artifact_prefix=lost/in-", "lost"),
                          ("-exact_artifact_path=lost/crash", "lost")):
        status, text = p.run("-runs=10", flag)
        p.field(f"{flag}: status", status)
        p.field(flag, count(text, f'^ERROR: The required directory "{missing}" does not exist$'))
    with open(p.path("bad.dict"), "w") as f:
        f.write('good="a"\nbad="\n')
    status, text = p.run("-runs=10", "-dict=bad.dict")
    p.field("bad dictionary: status", status)
    p.field("bad dictionary", count(text, r"^ParseDictionaryFile: error in line 2\b"))


def crash(p):
    """The life of a crash. The bug takes some thousand executions to find."""
    new, out = p.directory("new2"), p.directory("artifacts2")
    corpus = p.directory("corpus2", one="hello", two="abcd")
    status, text = p.run("-timeout=25", "-rss_limit_mb=2560", "-seed=1", "-runs=3000000",
                         f"-artifact_prefix={p.path(out)}/", "-print_final_stats=1", new, corpus)
    p.field("crash: status", status)
    fuzz_fields(p, "crash", text)
    p.field("crash: Done", count(text, DONE))
    stack(p, "crash", text)
    p.field("crash: mutations are shown", bool(re.search(r"^MS: \d+ .*; base unit: [0-9a-f]{40}$", text, re.M)))
    found = artifact(p, "crash", text)
    if found is None:
        return
    status, text = p.run("-runs=100", "-timeout=25", found)
    p.field("reproduce: status", status)
    stack(p, "reproduce", text)
    p.field("reproduce: artifact", count(text, ARTIFACT))
    p.field("reproduce: Running", count(text, r"^Running: " + re.escape(found) + "$"))
    with open(p.path("long"), "wb") as f:
        f.write(p.read(found)[:4] + b"and so much more that does not matter at all")
    status, text = p.run("-max_total_time=5", "-runs=1000", f"-exact_artifact_path={p.path('min')}", "-minimize_crash=1",
                         f"-artifact_prefix={p.path(out)}/", "long")
    p.field("minimize: status", status)
    p.field("minimize: smaller", len(p.read("min")) < len(p.read("long")))
    p.field("minimize: is told", count(text, r"^CRASH_MIN: ") > 0)
    status, text = p.run("-runs=1", "min")
    p.field("minimize: crashes", status)
    status, text = p.run("-cleanse_crash=1", f"-exact_artifact_path={p.path('clean')}", f"-artifact_prefix={p.path(out)}/", "long")
    p.field("cleanse: status", status)
    p.field("cleanse: length", len(p.read("clean")))
    p.field("cleanse: what matters", p.read("clean")[:4])
    p.field("cleanse: what does not", set(p.read("clean")[4:]) < set(b"\xff \x00*"))
    status, text = p.run("-runs=1", "clean")
    p.field("cleanse: crashes", status)
    status, text = p.run("-runs=100", "corpus/one")
    p.field("passing: status", status)
    p.field("passing: Executed", count(text, r"^Executed corpus/one in \d+ ms$"))


def timeout_of(kind):
    """The others are not to be taken for a hang on a machine that is busy."""
    return "-timeout=5" if kind == "time" else "-timeout=100"


def kinds(p):
    """Files that end in other ways."""
    p.env["TARGET_KINDS"] = "1"
    p.directory("kinds")
    for kind in ("abort", "exit", "null", "const", "leak", "time", "memory", "malloc"):
        with open(p.path("kinds", kind), "w") as f:
            f.write(f"kind:{kind}")
        status, text = p.run(timeout_of(kind), "-rss_limit_mb=200", "-malloc_limit_mb=1000", f"kinds/{kind}")
        p.field(f"{kind}: status", status)
        stack(p, kind, text)
    # Those that are found by fuzzing have a file each.
    for kind in ("time", "memory", "leak", "exit"):
        seeds = p.directory(f"seeds-{kind}", seed=f"kind:{kind}")
        out = p.directory(f"found-{kind}")
        status, text = p.run(timeout_of(kind), "-rss_limit_mb=200", "-seed=1", "-runs=2",
                             f"-artifact_prefix={p.path(out)}/", seeds)
        p.field(f"found {kind}: status", status)
        artifact(p, f"found {kind}", text)
    # The status of a timeout can be chosen, as CIFuzz does, and slow units are told.
    status, text = p.run("-timeout=1", "-timeout_exitcode=5", "kinds/time")
    p.field("timeout_exitcode: status", status)
    seeds = p.directory("seeds-slow", seed="kind:slow")
    out = p.directory("found-slow")
    status, text = p.run("-timeout=100", "-report_slow_units=1", "-seed=1", "-runs=1", "-print_final_stats=1", f"-artifact_prefix={p.path(out)}/", seeds)
    p.field("slow: status", status)
    p.field("slow: unit", count(text, r"^Slowest unit: \d+ s:$") > 0)
    artifact(p, "slow", text)
    p.field("slow: stat", number(text, r"^stat::slowest_unit_time_sec:\s+(\d+)") >= 1)
    del p.env["TARGET_KINDS"]


def fork(p):
    corpus, out = p.directory("forked", one="hello"), p.directory("found-fork")
    status, text = p.run("-fork=1", "-ignore_crashes=1", "-seed=1", "-max_total_time=3", "-print_final_stats=1",
                         f"-artifact_prefix={p.path(out)}/", corpus, limit=60)
    p.field("fork: status is that of the last process", status in (0, 77))
    p.field("fork: end", count(text, r"^INFO: exiting: (0|77) time: \d+s$"))
    p.field("fork: is told", count(text, r"^INFO: -fork=1: fuzzing in separate process\(s\)$"))
    p.field("fork: lines", count(text, FORK_LINE) > 0)
    p.field("fork: lines of #", count(text, r"^#\d+: ") == count(text, FORK_LINE))


# ---- merging -------------------------------------------------------------------------------------------

def merge_fields(p, name, status, text, out):
    p.field(f"{name}: status", status)
    found = re.findall(MERGE, text, re.M)
    p.field(f"{name}: is told", len(found))
    if found:
        p.field(f"{name}: files", found[-1][0])
        p.field(f"{name}: some features and edges", [int(n) > 0 for n in found[-1][1:]])
    p.field(f"{name}: out", sorted(os.listdir(p.path(out))))


def merge(p):
    first = p.directory("first", a="aaaa", b="ab", c="abcd", same="abcd")
    second = p.directory("second", d="FUxx", crash="FUZZ boom", empty="")
    out, tmp = p.directory("merged"), p.directory("tmp")
    env = {"TMPDIR": p.path(tmp)}
    status, text = p.run("-merge=1", f"-artifact_prefix={p.work}/", "-timeout=25", "-rss_limit_mb=2560", out, first, env=env)
    merge_fields(p, "merge", status, text, out)
    p.field("merge: leaves nothing", os.listdir(p.path(tmp)))
    # In two steps with one control file: what is there, then what is new.
    out = p.directory("steps")
    for step, inputs in (("step 1", [first]), ("step 2", [first, second])):
        status, text = p.run("-merge=1", f"-artifact_prefix={p.work}/", f"-merge_control_file={p.path('MCF')}", out, *inputs,
                             env=env)
        merge_fields(p, step, status, text, out)
        p.field(f"{step}: control file", count(p.read("MCF").decode(), r"^STARTED \d+ \d+$") > 0 and
                count(p.read("MCF").decode(), r"^FT \d+( \d+)*$") > 0 and count(p.read("MCF").decode(), r"^COV \d+( \d+)*$") > 0)
        if step == "step 1":
            p.field("step 1: edges are counted", number(text, r"(\d+) new coverage edges") > 0)
    p.field("step 2: the crash is told", bool(re.search(ARTIFACT, text, re.M)))
    status, text = p.run("-merge=1", p.directory("alone"))
    p.field("merge of one: status", status)
    out = p.directory("cover")
    status, text = p.run("-set_cover_merge=1", out, first, env=env)
    merge_fields(p, "set cover", status, text, out)


# ---- ends -------------------------------------------------------------------------------------------------

def ends(p):
    for signum, name in ((signal.SIGTERM, "TERM"), (signal.SIGINT, "INT"), (signal.SIGUSR1, "USR1")):
        # libFuzzer's handler allocates, and ends never if the signal came while memory was allocated (6 of
        # 100). So its target rests when the signal comes; cfuzz gets it at work.
        resting = p.path(f"resting-{name}")
        env = dict(p.env, TARGET_RESTS=resting) if p.who == REAL else p.env
        # With three bytes nothing can be found.
        child = subprocess.Popen([p.program, "-max_len=3", "-seed=1"], cwd=p.work, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env)
        text = b""
        while b"INITED" not in text:
            text += child.stdout.readline()
        while p.who == REAL and child.poll() is None and not os.path.exists(resting):
            time.sleep(0.01)
        began = time.monotonic()
        child.send_signal(signum)
        text += child.communicate(timeout=60)[0]
        p.field(f"{name}: status", child.returncode)
        p.field(f"{name}: within 10 s", time.monotonic() - began < 10)
        p.field(f"{name}: is told", [line for line in ("run interrupted; exiting", "exiting as requested")
                                     if line in text.decode()])
        p.field(f"{name}: no artifact", count(text.decode(), ARTIFACT))


# ---- coverage ---------------------------------------------------------------------------------------------

def replay(p, program):
    """As the coverage runner: a build of its own, all of a corpus into an empty directory."""
    corpus = p.directory("all", a="aaaa", b="ab", c="abcd", fu="FUxx", exit="kind:exit", z="zz")
    profiles = p.path("profiles")
    os.makedirs(profiles)
    built, p.program = p.program, program
    status, text = p.run("-merge=1", "-timeout=100", p.directory("none"), corpus,
                         env={"LLVM_PROFILE_FILE": f"{profiles}/T.%1m.profraw"})
    p.program = built
    p.field("coverage: status", status)
    p.field("coverage: profiles", len(os.listdir(profiles)))
    p.field("coverage: errors", [re.sub(r"\d+", "N", e) for e in re.findall(r"^==[0-9]+== ERROR: libFuzzer:.*", text, re.M)])
    merged = p.path("merged.profdata")
    subprocess.run(["llvm-profdata-19", "merge", "-sparse", *(os.path.join(profiles, f) for f in os.listdir(profiles)),
                    "-o", merged], check=True)
    shown = subprocess.run(["llvm-cov-19", "show", program, "-instr-profile=" + merged, "-sources",
                            os.path.join(p.work, "..", "harness", "target.c")], check=True, capture_output=True,
                           text=True).stdout
    lines = {int(n): c for n, c in re.findall(r"^\s*(\d+)\|\s*(\d[\d.kM]*)\|", shown, re.M)}
    p.field("coverage: lines reached", sorted(n for n, c in lines.items() if c != "0"))
    p.field("coverage: lines not reached", sorted(n for n, c in lines.items() if c == "0"))


# ---- both ---------------------------------------------------------------------------------------------------

def build(args, work):
    """Both executables, and both for coverage."""
    harness = os.path.join(work, "harness")
    os.makedirs(harness)
    shutil.copy(os.path.join(HERE, "target.c"), harness)
    source = os.path.join(harness, "target.c")
    env = {k: v for k, v in os.environ.items() if not k.endswith("SAN_OPTIONS")}
    cfuzz = os.path.join(args.build, "bin", "cfuzz-test")
    programs = {}
    for name, cflags, more in (("", ["-fsanitize=address"], ["-asan"]),
                               ("-coverage", ["-fprofile-instr-generate", "-fcoverage-mapping"], [])):
        out = os.path.join(work, REAL + name)
        os.makedirs(out)
        subprocess.run(["clang-19", "-O1", "-g", "-fsanitize=fuzzer", *cflags, source, "-o", os.path.join(out, "target")],
                       check=True, env=env)
        programs[REAL + name] = os.path.join(out, "target")
        out = os.path.join(work, OURS + name)
        flags = "-O1 -g" if not name else "-O1 -g " + " ".join(cflags)
        subprocess.run([cfuzz, "-c", "-libfuzzer", *more, "-o", out, harness], check=True,
                       env=dict(env, CFLAGS=flags, CFUZZCACHE=os.path.join(work, "cache")))
        programs[OURS + name] = os.path.join(out, next(f for f in os.listdir(out) if not f.startswith("cfuzz")))
    return programs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--work")
    parser.add_argument("-v", action="store_true", dest="verbose")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    for tool in ("clang-19", "llvm-profdata-19", "llvm-cov-19"):
        if not shutil.which(tool):
            print(f"clusterfuzz: skipped: no {tool}")
            return 77
    try:
        probe = subprocess.run(["clang-19", "-fsanitize=fuzzer", "-x", "c", "-", "-o", "/dev/null"], capture_output=True,
                               input=b"int LLVMFuzzerTestOneInput(const char *p, long n) { return p && n && 0; }")
    except OSError:
        probe = None
    if probe is None or probe.returncode != 0:
        print("clusterfuzz: skipped: no libFuzzer of LLVM 19")
        return 77
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "CFLAGS", "CC"):  # what the driver is tested with
        os.environ.pop(name, None)
    work = os.path.abspath(args.work or os.path.join(os.environ.get("TMPDIR", "/tmp"), f"cfuzz-clusterfuzz-{os.getpid()}"))
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)

    def play(who):
        p = Play(who, programs[who], os.path.join(work, "run-" + who), args.verbose)
        for part in (recognition, bad_build_check, fuzz, crash, kinds, fork, merge, ends):
            part(p)
        replay(p, programs[who + "-coverage"])
        return p

    try:
        programs = build(args, work)
        with concurrent.futures.ThreadPoolExecutor() as pool:  # most of the time is waiting
            real, ours = pool.map(play, (REAL, OURS))
    finally:
        if not args.work:
            shutil.rmtree(work, ignore_errors=True)
    names = list(dict.fromkeys([*real.fields, *ours.fields]))
    differ = [n for n in names if real.fields.get(n) != ours.fields.get(n)]
    for n in differ:
        print(f"clusterfuzz: {n}\n    {REAL}: {real.fields.get(n)!r}\n    {OURS}: {ours.fields.get(n)!r}")
    for text in dict.fromkeys(ours.texts.get(n, "") for n in differ):
        print(f"---- {OURS} printed:\n{text[-SHOWN:]}")
    print(f"clusterfuzz: {len(names)} fields, {len(differ)} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
