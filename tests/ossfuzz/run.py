#!/usr/bin/env python3
"""Plays the images of OSS-Fuzz: what `cfuzz-test ossfuzz -init` writes is read and run, and what it builds is run
as base-runner does.

    tests/ossfuzz/run.py --build DIR [--work DIR] [--image] [-v]

A sample project lies in $SRC. Its Dockerfile, project.yaml and workflow are read and checked; the packages that the
Dockerfile installs are compared with what cfuzz's own build asks for. Then build.sh is run as it was written, with
the environment of base-builder, once for each engine and sanitizer that belong together, and each target in $OUT is
put through the check for bad builds, its seed corpus, options and dictionary. libFuzzer and AFL++ are real. Of
honggfuzz, Centipede and "none" an archive with main and the callbacks of coverage stands in.

--image does the same in an image: a root directory made of Debian's packages by mmdebstrap, in place of base-builder,
which is Ubuntu's and pulled by docker. The Dockerfile's RUN lines, the installation of packages among them, are run
there as they were written, as root behind chroot; then this script, with the cfuzz that they left in /usr/local. It
needs root, mmdebstrap (Debian package) and a mirror of Debian's, and ends with 77 where one of them is missing. With --work
the root directory stays for the next time. Status: 0, 1, 77 for skipped.
"""
import argparse
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# Of base-builder: flags of all builds, of a sanitizer, and of coverage by engine.
CFLAGS = ("-O1 -fno-omit-frame-pointer -gline-tables-only -Wno-error=incompatible-function-pointer-types "
          "-Wno-error=int-conversion -Wno-error=implicit-int -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION")
UNDEFINED = ("array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,"
             "returns-nonnull-attribute,shift,signed-integer-overflow,unsigned-integer-overflow,unreachable,"
             "vla-bound,vptr")
SANITIZERS = {
    "address": "-fsanitize=address -fsanitize-address-use-after-scope",
    "undefined": f"-fsanitize={UNDEFINED} -fno-sanitize-recover={UNDEFINED}",
    "memory": "-fsanitize=memory -fsanitize-memory-track-origins",
    "coverage": "",
    "none": "",
}
COVERAGE = {
    "libfuzzer": "-fsanitize=fuzzer-no-link",
    "afl": "",
    "honggfuzz": "-fsanitize-coverage=trace-pc-guard,indirect-calls,trace-cmp",
    "centipede": "-fno-builtin -fsanitize-coverage=trace-pc-guard,pc-table,trace-cmp",
    "none": "",
}
SOURCE_COVERAGE = "-fprofile-instr-generate -fcoverage-mapping -pthread"
BUILDS = [("libfuzzer", "address"), ("libfuzzer", "undefined"), ("libfuzzer", "memory"), ("libfuzzer", "coverage"),
          ("afl", "address"), ("honggfuzz", "address"), ("centipede", "address"), ("none", "address"),
          ("none", "undefined")]
TARGETS = ["FuzzParse", "FuzzSum", "frame_fuzzer"]
OPTIONS = ("handle_abort=1:strict_memcmp=1:detect_stack_use_after_return=1:quarantine_size_mb=10:"
           "dedup_token_length=3:symbolize=1:exitcode=77:detect_leaks=0")

# An engine that runs files, and has what objects with counters of its kind call.
STAND_IN = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

#define WEAK __attribute__((weak, no_sanitize("coverage")))
WEAK void __sanitizer_cov_trace_pc_guard_init(uint32_t *p, uint32_t *end) { for (; p < end; p++) *p = 1; }
WEAK void __sanitizer_cov_trace_pc_guard(uint32_t *p) { (void)p; }
WEAK void __sanitizer_cov_trace_pc_indir(uintptr_t p) { (void)p; }
WEAK void __sanitizer_cov_pcs_init(const uintptr_t *p, const uintptr_t *end) { (void)p; (void)end; }
#define CMP(n, t) WEAK void __sanitizer_cov_trace_cmp##n(t a, t b) { (void)a; (void)b; } \
    WEAK void __sanitizer_cov_trace_const_cmp##n(t a, t b) { (void)a; (void)b; }
CMP(1, uint8_t) CMP(2, uint16_t) CMP(4, uint32_t) CMP(8, uint64_t)
WEAK void __sanitizer_cov_trace_switch(uint64_t v, uint64_t *p) { (void)v; (void)p; }

int main(int argc, char **argv)
{
    static uint8_t data[1 << 20];

    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        size_t n = f ? fread(data, 1, sizeof data, f) : 0;

        if (f)
            fclose(f);
        fprintf(stderr, "Running: %s (%zu bytes)\n", argv[i], n);
        LLVMFuzzerTestOneInput(data, n);
    }
    fprintf(stderr, "Executed %d\n", argc - 1);
    return 0;
}
"""


class Wrong(Exception):
    """What is there is not what the images of OSS-Fuzz need."""


def need(condition, text):
    if not condition:
        raise Wrong(text)


def run(argv, env, cwd, status=0, limit=300):
    done = subprocess.run(argv, cwd=cwd, env=env, timeout=limit, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    text = done.stdout.decode(errors="replace")
    if VERBOSE:
        print(f"$ {shlex.join(argv)}\n{text}[status {done.returncode}]", flush=True)
    if status is not None:
        need(done.returncode == status, f"{shlex.join(argv)}: status {done.returncode}, not {status}\n{text}")
    return text


# ---- the files that are written ---------------------------------------------------------------------

def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def load_yaml(path):
    """A file of YAML; None where there is no parser."""
    try:
        import yaml
    except ImportError:
        print("ossfuzz: no python3-yaml: what is written in YAML is not read")
        return None
    content = yaml.safe_load(read(path))
    need(isinstance(content, dict), f"{path}: no mapping")
    return content


def check_yaml(project):
    lite = load_yaml(f"{project}/.clusterfuzzlite/project.yaml")
    if lite is None:
        return
    need(lite.get("language") == "c", "ClusterFuzzLite: language")
    oss = load_yaml(f"{project}/oss-fuzz/project.yaml")
    for key in ("homepage", "language", "primary_contact", "main_repo"):
        need(isinstance(oss.get(key), str), f"oss-fuzz/project.yaml: {key}")
    need(oss["language"] in ("c", "c++"), "oss-fuzz/project.yaml: language")
    need(set(oss["fuzzing_engines"]) <= {"libfuzzer", "afl", "honggfuzz", "centipede"}, "oss-fuzz: fuzzing_engines")
    need(set(oss["sanitizers"]) <= {"address", "memory", "undefined"}, "oss-fuzz: sanitizers")
    need(set(oss) <= {"homepage", "language", "primary_contact", "main_repo", "fuzzing_engines", "sanitizers"},
         f"oss-fuzz/project.yaml: {set(oss)}")
    flow = load_yaml(f"{project}/.github/workflows/clusterfuzzlite.yml")
    need(isinstance(flow.get("name"), str), "workflow: name")
    need("pull_request" in flow.get("on", flow.get(True)), "workflow: on")  # "on" is a truth value in YAML 1.1
    need(flow.get("permissions") == "read-all", "workflow: permissions")
    (job,) = flow["jobs"].values()
    need(job["runs-on"] == "ubuntu-latest", "workflow: runs-on")
    sanitizers = job["strategy"]["matrix"]["sanitizer"]
    need(set(sanitizers) <= {"address", "undefined", "memory"}, "workflow: sanitizers")
    build, fuzz = job["steps"]
    actions = "google/clusterfuzzlite/actions"
    need(build["uses"] == f"{actions}/build_fuzzers@v1", "workflow: build_fuzzers")
    need(fuzz["uses"] == f"{actions}/run_fuzzers@v1", "workflow: run_fuzzers")
    need(set(build["with"]) <= {"language", "github-token", "sanitizer"}, "workflow: inputs of build_fuzzers")
    need(set(fuzz["with"]) <= {"github-token", "fuzz-seconds", "mode", "sanitizer", "output-sarif", "parallel-fuzzing",
                               "report-timeouts", "report-ooms", "minimize-crashes"}, "workflow: inputs of run_fuzzers")
    need(fuzz["with"]["mode"] in ("code-change", "batch", "prune", "coverage"), "workflow: mode")
    need(int(fuzz["with"]["fuzz-seconds"]) > 0, "workflow: fuzz-seconds")
    for step in (build, fuzz):
        need(step["with"]["sanitizer"] == "${{ matrix.sanitizer }}", "workflow: sanitizer")


def check_shell(path, env):
    need(os.access(path, os.X_OK), f"{path}: cannot be executed")
    run(["bash", "-n", path], env, "/")
    if shutil.which("shellcheck"):
        run(["shellcheck", path], env, "/")
    else:
        print("ossfuzz: no shellcheck")


def instructions(path):
    """A Dockerfile as (instruction, rest) each."""
    text = "\n".join(line for line in read(path).splitlines() if not line.startswith("#"))
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        if line.strip():
            word, _, rest = line.partition(" ")
            yield word, rest.strip()


def check_dockerfile(path, project):
    """Returns its RUN lines."""
    found = list(instructions(path))
    need(found[0][0] == "FROM" and re.fullmatch(r"gcr\.io/oss-fuzz-base/base-builder(:v1)?", found[0][1]),
         f"{path}: FROM {found[0][1]}")
    need({word for word, _ in found} <= {"FROM", "RUN", "ARG", "WORKDIR", "COPY"}, f"{path}: {found}")
    need(("WORKDIR", f"$SRC/{project}") in found, f"{path}: WORKDIR")
    need(any(word == "COPY" and rest.endswith("build.sh $SRC/build.sh") for word, rest in found), f"{path}: build.sh")
    runs = [rest for word, rest in found if word == "RUN"]
    packages = set()
    for line in runs:
        m = re.search(r"apt-get install -y (.*)$", line)
        packages |= set(m.group(1).split()) if m else set()
    # What cfuzz's own build asks pkg-config for is there.
    for name in ("cfuzz-test", "runtime"):
        text = read(os.path.join(ROOT, name, "CMakeLists.txt"))
        for modules in re.findall(r"pkg_check_modules\(\w+\s+REQUIRED\s+([^)]*)\)", text):
            for module in modules.replace("IMPORTED_TARGET", "").split():
                need(package_of(module) in packages, f"{path}: {package_of(module)} is not installed, for {module}")
    return runs


def package_of(module):
    """The Debian package that has a module of pkg-config; its usual name where that is not known."""
    where = subprocess.run(["pkg-config", "--variable=pcfiledir", module], capture_output=True, text=True, check=False)
    owner = subprocess.run(["dpkg", "-S", f"{where.stdout.strip()}/{module}.pc"], capture_output=True, text=True,
                           check=False) if shutil.which("dpkg") else None
    return owner.stdout.split(":")[0] if owner and owner.returncode == 0 else f"{module}-dev"


# ---- the image ----------------------------------------------------------------------------------------

# What base-builder has of its own: compilers, the sanitizers' runtimes, git, zip, Python; and AFL++, which it builds.
IMAGE = ("build-essential,ca-certificates,git,zip,unzip,python3,python3-yaml,clang-19,libclang-rt-19-dev,llvm-19,"
         "afl++,libclang-rt-dev")


def image_lacks():
    """Why there can be no image here, or None."""
    for tool, package in (("mmdebstrap", "mmdebstrap"), ("git", "git"), ("unshare", "util-linux"), ("chroot", "coreutils")):
        if not shutil.which(tool, path=os.environ.get("PATH", "") + ":/usr/sbin"):
            return f"no {tool} (Debian package {package})"
    if os.geteuid() != 0:
        return "only root may chroot"
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
        return "no mount namespace may be made here"
    if not os.path.exists(os.path.join(ROOT, ".git")):
        return "not a checkout of git, which the Dockerfile clones"
    return None


def within(root, env, directory, *argv):
    """The command that runs argv in the image, with its own /proc and nothing of this system's environment."""
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={root}/proc", "chroot", root, "/usr/bin/env",
            "-i", *(f"{k}={v}" for k, v in env.items()), "/bin/sh", "-c", 'cd "$0" && exec "$@"', directory, *argv]


def make_root(root):
    """The directory that stands for base-builder; returns None, or why its packages cannot be had."""
    if os.path.exists(f"{root}/.ready"):
        return None
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(root)
    with open("/etc/os-release", encoding="utf-8") as f:
        name = re.search(r"^VERSION_CODENAME=(\w+)", f.read(), re.M)
    lists = "/etc/apt/sources.list.d/debian.sources"
    made = subprocess.run(["mmdebstrap", "--variant=apt", f"--include={IMAGE}", name[1] if name else "stable", root,
                           *([lists] if os.path.exists(lists) else [])], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    if made.returncode != 0:
        shutil.rmtree(root, ignore_errors=True)
        return "mmdebstrap: " + (made.stderr.strip().splitlines() or [f"status {made.returncode}"])[-1]
    for tool in ("clang", "clang++", "llvm-ar", "llvm-profdata", "llvm-symbolizer"):  # as base-builder names them
        if not os.path.lexists(f"{root}/usr/local/bin/{tool}"):
            os.symlink(f"/usr/bin/{tool}-19", f"{root}/usr/local/bin/{tool}")
    if os.path.exists("/etc/resolv.conf"):
        shutil.copy("/etc/resolv.conf", f"{root}/etc/resolv.conf")
    with open(f"{root}/.ready", "w", encoding="utf-8"):
        pass
    return None


def play_image(runs, root, project):
    """Runs the RUN lines of the Dockerfile in the image, and this script with what they built."""
    for name in ("src", "out", "work", "repository"):
        shutil.rmtree(f"{root}/{name}", ignore_errors=True)
    shutil.rmtree(f"{root}/tmp/cfuzz", ignore_errors=True)
    run(["git", "clone", "-q", "--bare", "--depth", "1", f"file://{ROOT}", f"{root}/repository"], dict(os.environ), "/")
    for name in ("src", "out", "work"):
        os.makedirs(f"{root}/{name}")
    env = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
           "DEBIAN_FRONTEND": "noninteractive", "SRC": "/src", "OUT": "/out", "WORK": "/work", "CC": "clang", "CXX": "clang++",
           "CFLAGS": CFLAGS, "CXXFLAGS": CFLAGS + " -stdlib=libc++", "CFUZZ_REPOSITORY": "file:///repository"}
    for line in runs:
        if "$REPOSITORY" in line:  # the project of a person, which is not on the net; COPY brings it here
            continue
        run(within(root, env, "/src", "sh", "-c", line), dict(os.environ), "/", limit=7200)
    print("ossfuzz: the Dockerfile's build of cfuzz, in an image of Debian's packages", flush=True)
    shutil.copytree(project, f"{root}/src/sample", dirs_exist_ok=True)
    done = subprocess.run(within(root, env, "/src/sample", "python3", "/src/cfuzz/tests/ossfuzz/run.py", "--build", "/usr/local",
                                 "--work", "/tmp/ossfuzz", *(["-v"] if VERBOSE else [])),
                          stdin=subprocess.DEVNULL, timeout=7200, check=False)
    need(done.returncode == 0, f"in the image: status {done.returncode}")


# ---- one build --------------------------------------------------------------------------------------------

def environment(engine, sanitizer, base, tools):
    """What compile of base-builder sets, and the archive of an engine that is played."""
    env = dict(base, FUZZING_ENGINE=engine, SANITIZER=sanitizer, ARCHITECTURE="x86_64", FUZZING_LANGUAGE="c",
               CC="clang-19", CXX="clang++-19")
    flags = [CFLAGS, SANITIZERS[sanitizer], SOURCE_COVERAGE if sanitizer == "coverage" else COVERAGE[engine]]
    if engine == "libfuzzer":
        env["LIB_FUZZING_ENGINE"] = "-fsanitize=fuzzer"
    elif engine == "afl":
        env.update(CC="afl-clang-fast", CXX="afl-clang-fast++", AFL_QUIET="1", AFL_USE_ASAN="1",
                   LIB_FUZZING_ENGINE="/usr/lib/afl/libAFLDriver.a")
    else:
        env["LIB_FUZZING_ENGINE"] = tools
    env["CFLAGS"] = " ".join(f for f in flags if f)
    env["CXXFLAGS"] = env["CFLAGS"]
    return env


def stand_in(work, env):
    """The archive of an engine."""
    source, obj, archive = (os.path.join(work, "engine." + e) for e in ("c", "o", "a"))
    with open(source, "w", encoding="utf-8") as f:
        f.write(STAND_IN)
    run(["clang-19", "-O1", "-c", source, "-o", obj], env, work)
    run(["ar", "rc", archive, obj], env, work)
    return archive


def is_target(path):
    """As targets_list of base-runner."""
    with open(path, "rb") as f:
        data = f.read()
    return os.access(path, os.X_OK) and data[:4] == b"\x7fELF" and b"LLVMFuzzerTestOneInput" in data


def check_files(out):
    found = sorted(f for f in os.listdir(out) if is_target(os.path.join(out, f)))
    need(found == sorted(TARGETS), f"{out}: targets {found}")
    for name in found:
        need(re.fullmatch(r"[a-zA-Z0-9_-]+", name), f"{name}: no name for a target")
    need(os.path.exists(f"{out}/FuzzParse.dict") and "MAGIC" in read(f"{out}/FuzzParse.dict"), f"{out}: FuzzParse.dict")
    need(read(f"{out}/frame_fuzzer.options") == read(f"{HERE}/sample/harness/frame_fuzzer.options"), f"{out}: options")
    need(os.path.exists(f"{out}/frame.words"), f"{out}: the dictionary that frame_fuzzer.options names")
    seeds = {}
    for name in ("FuzzParse", "frame_fuzzer"):
        with zipfile.ZipFile(f"{out}/{name}_seed_corpus.zip") as z:
            need(z.testzip() is None, f"{out}: the seeds of {name}")
            seeds[name] = [z.read(n) for n in z.namelist()]
    need(len(seeds["FuzzParse"]) == 2, f"{out}: seeds of FuzzParse: {seeds['FuzzParse']}")
    return seeds


def unpack(seeds, directory):
    """As run_fuzzer and ClusterFuzz do."""
    os.makedirs(directory)
    for i, data in enumerate(seeds):
        with open(os.path.join(directory, f"{i:016d}"), "wb") as f:
            f.write(data)


def calls(program, sanitizer):
    code = subprocess.run(["objdump", "-dC", program], capture_output=True, text=True, check=True).stdout
    return len(re.findall(r"callq?\s+[0-9a-f]+\s+<__" + sanitizer, code))


def check_libfuzzer(out, name, sanitizer, seeds, env):
    corpus = f"{out}-corpus-{name}"
    unpack(seeds.get(name, []), corpus)
    program = f"{out}/{name}"
    text = run([program, "--", "-seed=1337", "-runs=4"], env, out)
    need("ERROR: no interesting inputs were found" not in text, f"{name}: no coverage")
    if sanitizer == "coverage":
        profile = f"{out}-{name}.profraw"
        os.makedirs(f"{corpus}-none")
        run([program, "-merge=1", "-timeout=100", f"{corpus}-none", corpus], dict(env, LLVM_PROFILE_FILE=profile), out)
        need(os.path.getsize(profile) > 0, f"{name}: no profile")
        return
    need("Done 4 runs" in text, f"{name}: Done 4 runs")
    edges = re.search(r"^INFO: Loaded \d+ modules?\s+\((\d+) inline 8-bit counters\)", text, re.M)
    need(edges and int(edges.group(1)) > 0, f"{name}: edges")
    # As many calls of its sanitizer as base-runner asks for, and few of the others.
    least = {"address": ("asan", 1000), "memory": ("msan", 1000), "undefined": ("ubsan", 168)}
    short, n = least[sanitizer]
    need(calls(program, short) >= n, f"{name}: {calls(program, short)} calls of __{short}")
    # run_fuzzer: its options, dictionary and seeds.
    more = ["-max_len=64", "-dict=frame.words"] if name == "frame_fuzzer" else []
    more += [f"-dict={name}.dict"] if os.path.exists(f"{out}/{name}.dict") else []
    text = run([program, "--", "-rss_limit_mb=2560", "-timeout=25", "-runs=200", "-seed=1", f"-artifact_prefix={corpus}-", corpus,
                *more], env, out, status=None)
    overflow = "parse.c:35:9: runtime error: signed integer overflow"  # which so few may find
    need("Done 200 runs" in text or (sanitizer == "undefined" and overflow in text), f"{name}: 200 runs\n{text}")


def check_bugs(out, sanitizer, env):
    """What each build is to see, and only that one."""
    boom, over = f"{out}-boom", f"{out}-over"
    with open(boom, "w", encoding="utf-8") as f:
        f.write('go test fuzz v1\n[]byte("MAGIC")\nint(7)\n')
    with open(over, "w", encoding="utf-8") as f:
        f.write("go test fuzz v1\nint32(2147483647)\n")
    said = f"{out}-said"
    with open(said, "w", encoding="utf-8") as f:
        f.write("go test fuzz v1\nint32(4321)\n")
    text = run([f"{out}/FuzzSum", said], env, out, status=None)
    need("said 4321" in text and "parse.c:39" in text, f"FuzzSum: cfuzz_error\n{text}")
    seen = {"address": ("FuzzParse", boom, "ERROR: AddressSanitizer: heap-buffer-overflow"),
            "undefined": ("FuzzSum", over, "runtime error: signed integer overflow"),
            "memory": ("FuzzSum", f"{out}-even", "WARNING: MemorySanitizer: use-of-uninitialized-value")}
    if sanitizer not in seen:
        return
    with open(f"{out}-even", "w", encoding="utf-8") as f:
        f.write("go test fuzz v1\nint32(1234)\n")
    name, path, said = seen[sanitizer]
    text = run([f"{out}/{name}", path], env, out, status=None)
    need(said in text, f"{name}: not {said}\n{text}")


def check_afl(out, seeds, env):
    corpus = f"{out}-in"
    unpack(seeds["FuzzParse"], corpus)
    afl = dict(env, AFL_NO_UI="1", AFL_SKIP_CPUFREQ="1", AFL_NO_AFFINITY="1", AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1",
               ASAN_OPTIONS="abort_on_error=1:symbolize=0:detect_leaks=0")
    del afl["MSAN_OPTIONS"]
    text = run(["afl-fuzz", "-m", "none", "-E", "200", "-i", corpus, "-o", f"{out}-afl", "-x", f"{out}/FuzzParse.dict", "--",
                f"{out}/FuzzParse"], afl, out)
    need("All set and ready to roll" in text, f"afl-fuzz: {text}")


def one_build(engine, sanitizer, base, work, tools, build_sh):
    out, scratch = f"{work}/out-{engine}-{sanitizer}", f"{work}/work-{engine}-{sanitizer}"
    os.makedirs(out)
    os.makedirs(scratch)
    env = environment(engine, sanitizer, base, tools)
    env.update(OUT=out, WORK=scratch, SRC=f"{work}/src", TMPDIR=scratch, CFUZZCACHE=f"{scratch}/cache")
    project = f"{work}/src/sample"
    run(["bash", "-eu", build_sh], env, project)
    seeds = check_files(out)
    os.chmod(out, 0o555)
    # Where it runs there is nothing but $OUT: no HOME, no compiler's environment.
    runner = {"PATH": base["PATH"], "OUT": out, "TMPDIR": scratch, "ASAN_OPTIONS": OPTIONS, "UBSAN_OPTIONS": "print_stacktrace=1",
              "MSAN_OPTIONS": "exitcode=77"}
    if engine == "libfuzzer":
        for name in TARGETS:
            check_libfuzzer(out, name, sanitizer, seeds, runner)
    elif engine == "afl":
        check_afl(out, seeds, runner)
    else:
        for name in TARGETS:
            corpus = f"{out}-corpus-{name}"
            unpack(seeds.get(name, []), corpus)
            files = [os.path.join(corpus, f) for f in sorted(os.listdir(corpus))]
            text = run([f"{out}/{name}", *files], runner, out)
            need(f"Executed {len(files)}" in text, f"{name}: {text}")
    if engine != "afl":
        check_bugs(out, sanitizer, runner)
    os.chmod(out, 0o755)
    return f"{engine} with {sanitizer}: {len(TARGETS)} targets"


def main():
    global VERBOSE
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--work")
    parser.add_argument("--image", action="store_true", help="in a root directory of Debian's packages, as the Dockerfile says")
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    VERBOSE = args.v
    for tool in ("clang-19", "objdump", "bash"):
        if not shutil.which(tool):
            print(f"ossfuzz: skipped: no {tool}")
            return 77
    work = os.path.abspath(args.work or os.path.join(os.environ.get("TMPDIR", "/tmp"), f"cfuzz-ossfuzz-{os.getpid()}"))
    if args.image:
        lacks = image_lacks() or make_root(f"{work}/image")
        if lacks:
            print(f"ossfuzz: --image skipped: {lacks}")
            return 77
    for name in os.listdir(work) if os.path.isdir(work) else []:
        if name != "image":
            shutil.rmtree(os.path.join(work, name), ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "sample"), f"{work}/src/sample")
    with zipfile.ZipFile(f"{work}/src/sample/harness/frame_fuzzer_seed_corpus.zip", "w") as z:
        z.writestr("first", "FRM1~~")
    project = f"{work}/src/sample"
    base = {"PATH": os.path.join(os.path.abspath(args.build), "bin") + ":/usr/local/bin:/usr/bin:/bin",
            "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    failed = 0
    try:
        run(["cfuzz-test", "ossfuzz", "-init"], base, project)
        check_yaml(project)
        runs = []
        for where, name in ((".clusterfuzzlite", "sample"), ("oss-fuzz", "sample")):
            check_shell(f"{project}/{where}/build.sh", base)
            runs = check_dockerfile(f"{project}/{where}/Dockerfile", name)
        need(read(f"{project}/oss-fuzz/build.sh") == read(f"{project}/.clusterfuzzlite/build.sh"), "build.sh differs")
        if args.image:
            play_image(runs, f"{work}/image", project)
            return 0
        shutil.copy(f"{project}/oss-fuzz/build.sh", f"{work}/src/build.sh")  # COPY
        tools = stand_in(work, base)
        builds = [b for b in BUILDS if b[0] != "afl" or shutil.which("afl-clang-fast")]
        if len(builds) < len(BUILDS):
            print("ossfuzz: no afl-clang-fast (Debian package afl++)")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = {pool.submit(one_build, e, s, base, work, tools, f"{work}/src/build.sh"): (e, s) for e, s in builds}
            for job, (engine, sanitizer) in jobs.items():
                try:
                    print(f"ossfuzz: {job.result()}", flush=True)
                except (Wrong, subprocess.TimeoutExpired, OSError) as e:
                    failed += 1
                    print(f"ossfuzz: {engine} with {sanitizer}: {e}", flush=True)
    except Wrong as e:
        failed += 1
        print(f"ossfuzz: {e}")
    finally:
        if not args.work:
            shutil.rmtree(work, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
