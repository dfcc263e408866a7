#!/usr/bin/env python3
"""lint.py RULE --build DIR - rules about the source tree that no compiler checks.

    includes        dependencies point one way, from folder to folder (docs/architecture.md), and
                    from module to module within a folder
    folders         a folder of sources stays small, and no two sources have one base name
    symbols         the archives for users' binaries define only names that are ours
    uninstrumented  ... and were built without coverage and sanitizers
    libraries       ... and need libc, libgcc_s and libffi alone
    renamed         tests/fuzz/renamed.h has each function of runtime/core (`lint.py renamed --write`
                    brings it up to date)
    header          cfuzz.h compiles silently in every mode, standard and compiler
    text            no notes to self, no addresses of machines, no absolute paths of one; what begins
                    with #! can be run
    map             the file map of docs/architecture.md says what the files say of themselves
                    (`lint.py map --write` brings it up to date)
    stories         files and functions that the documents name exist, where they say
    llvm            what cannot read cmake/llvm-versions agrees with it
    debian          debian/ has the version, the libraries and the LLVM that the sources have
    manual          the man pages have every flag, with its argument and default, and every function;
                    mandoc and man have nothing to say about them
    parity          docs/go-parity.md names tests that exist, and in each row the scripts whose first
                    line, "# Go: G08", has the case of that row

Prints one line per violation, "place: what"; status 1 if there were any, 77 where
the rule cannot be checked.
"""
import argparse
import difflib
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) # --source
ARCHIVES = ("libcfuzz.a", "libcfuzz_main.a", "libcfuzz_engine.a")


def lines_of(argv, stderr=None):
    return subprocess.run(argv, check=True, stdout=subprocess.PIPE, stderr=stderr,
                          text=True).stdout.splitlines()


def files(which="-co"):
    """Every file that belongs to the project, as git sees it (c: tracked, o: not added yet), or,
    without git, as it lies there."""
    try:
        # safe.directory: the tree may be somebody else's
        found = lines_of(["git", "-c", "safe.directory=*", "-C", SOURCE, "ls-files", which,
                          "--exclude-standard"], stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        found = []
        for where, dirs, names in os.walk(SOURCE):
            dirs[:] = [d for d in dirs if d not in (".git", "__pycache__")
                       and os.path.join(where, d) != os.path.join(SOURCE, "build")]
            found += [os.path.relpath(os.path.join(where, n), SOURCE) for n in names]
    return sorted(f for f in found if os.path.isfile(os.path.join(SOURCE, f)))


def text_of(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8", errors="replace") as f:
        return f.read()


# ---- includes -----------------------------------------------------------------

# The folders of sources, each part from the top down, and which others each may include. Itself, it
# always may. A folder may name only folders below it, so there is no cycle. What a folder is for says
# its README.md.
CORE = ["runtime/core", "runtime/core/corpus", "runtime/core/deflate", "runtime/core/minimizer", "runtime/abi.h", "include"]
TYPES = "runtime/core/types.h"  # of core, the plugin shares the names of types alone
FOLDERS = [
    ("plugin", ["runtime/abi.h", TYPES]),

    ("cfuzz-test", ["commands", "build", "cli", "base", *CORE]),
    ("cfuzz-test/commands", ["libfuzzer", "ossfuzz", "corpus", "http", "report", "cover", "fuzz", "history", "test", "crash",
                             "process", "build", "stack", "sharing", "results", "cli", "base", *CORE]),
    ("cfuzz-test/libfuzzer", ["fuzz", "history", "crash", "process", "build", "stack", "sharing", "results", "cli", "base",
                              *CORE]),
    ("cfuzz-test/ossfuzz", ["corpus", "build", "cli", "base", *CORE]),
    ("cfuzz-test/corpus", ["fuzz", "process", "build", "stack", "cli", "base", *CORE]),
    ("cfuzz-test/http", ["report", "cover", "fuzz", "history", "test", "crash", "process", "build", "stack",
                         "sharing", "results", "cli", "base", *CORE]),
    ("cfuzz-test/report", ["cover", "history", "results", *CORE]),
    ("cfuzz-test/cover", ["test", "build", "cli", "base", *CORE]),
    ("cfuzz-test/fuzz", ["history", "test", "crash", "process", "build", "stack", "sharing", "results", "cli", "base",
                         *CORE]),
    ("cfuzz-test/history", ["base", *CORE]),
    ("cfuzz-test/test", ["crash", "process", "build", "stack", "results", "cli", "base", *CORE]),
    ("cfuzz-test/crash", ["process", "build", "stack", "results", "cli", "base", *CORE]),
    ("cfuzz-test/process", ["build", "stack", "cli", "base", *CORE]),
    ("cfuzz-test/build", ["cli", "base", *CORE]),
    ("cfuzz-test/stack", ["cli", "base", *CORE]),
    ("cfuzz-test/sharing", ["base", *CORE]),
    ("cfuzz-test/results", ["cli", "base", *CORE]),
    ("cfuzz-test/cli", ["base", *CORE]),
    ("cfuzz-test/base", CORE),

    ("runtime", ["include"]),
    ("runtime/engine", ["search", "target", *CORE]),
    ("runtime/server", ["worker", "search", "coverage", "target", "self", *CORE]),
    ("runtime/worker", ["solver", "search", "coverage", "target", "self", *CORE]),
    ("runtime/target", ["self", *CORE]),
    ("runtime/solver", ["search", "coverage", *CORE]),
    ("runtime/search", ["coverage", "self", *CORE]),
    ("runtime/coverage", CORE),
    ("runtime/self", CORE),
    ("runtime/core/minimizer", ["runtime/core/deflate", "runtime/core"]),
    ("runtime/core/corpus", ["runtime/core"]),
    ("runtime/core/deflate", ["runtime/core"]),
    ("runtime/core", ["runtime/abi.h", "include"]),

    ("include", []),
]


def may_see(folder, names):
    """The short names of FOLDERS are of the same part."""
    part = folder.split("/")[0]
    known = {f for f, _ in FOLDERS} | {"runtime/abi.h", TYPES}
    return {n if n in known else f"{part}/{n}" for n in names}


SOURCES = (".h", ".c", ".cpp", ".def")


def sources():
    """The sources of the product, by folder."""
    out = {}
    for name in files():
        folder = os.path.dirname(name)
        if name.endswith(SOURCES) and folder.split("/")[0] in ("plugin", "cfuzz-test", "runtime",
                                                               "include"):
            out.setdefault(folder, []).append(name)
    return out


def module_of(name):
    """X.h and X.c are one module; a table that others include, X.def, is one by itself."""
    return name if name.endswith(".def") else os.path.splitext(name)[0]


def cycles(arrows):
    """Yields each cycle of modules, as a list that ends as it begins; of several ways back from an
    arrow's end to its beginning, the shortest. arrows: the modules that each module includes."""
    seen = set()
    for first in sorted(arrows):
        for second in sorted(arrows[first]):
            ways, reached = [[first, second]], {second}
            while ways and ways[0][-1] != first:
                way = ways.pop(0)
                for to in sorted(arrows.get(way[-1], set()) - reached):
                    reached.add(to)
                    ways.append([*way, to])
            if ways and frozenset(ways[0]) not in seen:
                seen.add(frozenset(ways[0]))
                yield ways[0]


def lint_includes(_build):
    known = sources()
    arrows = {}
    rules = {folder: may_see(folder, names) for folder, names in FOLDERS}
    below = set()
    for folder, _ in reversed(FOLDERS):
        for other in rules[folder] - below - {"runtime/abi.h", TYPES}:
            yield f"tests/lint/lint.py: {folder} may include {other}, which is not below it"
        below.add(folder)
    all_names = {name for names in known.values() for name in names}
    checked = 0
    for folder, names in known.items():
        if folder not in rules:
            yield f"{folder}: no folder that tests/lint/lint.py knows"
            continue
        for name in names:
            for number, line in enumerate(text_of(name).splitlines(), 1):
                m = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', line)
                if not m:
                    continue
                places = [folder] if folder == "plugin" else []
                places += ["cfuzz-test"] if folder.startswith("cfuzz-test") else []
                places += ["runtime", "include"]
                target = next((p for d in places if (p := f"{d}/{m.group(1)}") in all_names), None)
                if target is None:
                    if '"' in line and folder != "plugin":
                        yield f'{name}:{number}: "{m.group(1)}": write folder and file, "crash/finding.h"'
                    continue  # a header of the system
                checked += 1
                to = os.path.dirname(target)
                if to == folder and module_of(target) != module_of(name):
                    arrows.setdefault(module_of(name), set()).add(module_of(target))
                if to != folder and to not in rules[folder] and target not in rules[folder]:
                    yield f"{name}:{number}: {folder} must not include {target}"
    for way in cycles(arrows):
        yield f"{way[0]}: a cycle of includes: {' > '.join(map(os.path.basename, way))}"
    if checked < 20:
        yield f"only {checked} includes were seen: the rule does not find the sources"


# ---- folders --------------------------------------------------------------------

FILES_MAX = 40  # more than one screen of `ls` is more than a newcomer reads


def lint_folders(_build):
    seen = {}
    for folder, names in sources().items():
        if not os.path.isfile(os.path.join(SOURCE, folder, "README.md")):
            yield f"{folder}: no README.md, whose first sentence says what the folder is for"
        if len(names) > FILES_MAX:
            yield f"{folder}: {len(names)} files: more than {FILES_MAX}"
        for name in names:
            stem = os.path.splitext(os.path.basename(name))[0]
            if stem != "main":
                seen.setdefault(stem, set()).add(folder)
    for stem, folders in seen.items():
        if len(folders) > 1:
            yield f"{stem}: a base name in {' and '.join(sorted(folders))}"
    if len(seen) < 20:
        yield f"only {len(seen)} sources were seen"


# ---- archives -------------------------------------------------------------------


def archives(build):
    paths = [os.path.join(build, "lib", "cfuzz", name) for name in ARCHIVES]
    missing = [p for p in paths if not os.path.exists(p)]
    if missing:
        print(f"not built: {missing}")
        sys.exit(77)
    return paths


def symbols(path, *flags):
    """Yields (member, type, name) of nm's table."""
    for line in lines_of(["nm", "-A", *flags, path]):
        member = line.split(":")[1]
        fields = line.rpartition(":")[2].split()
        yield member, fields[-2], fields[-1]


def lint_symbols(build):
    for path in archives(build):
        seen = 0
        for member, _, name in symbols(path, "--defined-only", "--extern-only"):
            seen += 1
            if re.match(r"(cfz_|cfuzz_|__sanitizer_cov_|__sancov_lowest_stack$"
                        r"|__wrap_([mcre]*alloc|kill|killpg|sigqueue|tgkill|signal|__sysv_signal|sigaction)$|LLVMFuzzerMutate$"
                        r"|__wrap_(memcmp|bcmp|memmem|str(n|case|ncase)?cmp|str(case)?str|_ZNKSt\w+)$)", name):
                continue
            if name == "main" and path.endswith("libcfuzz_main.a"):
                continue
            if name.startswith("LLVMFuzzer") and path.endswith("libcfuzz_engine.a"):
                continue # what engines call
            yield f"{os.path.basename(path)}({member}): {name} has no prefix of ours"
        if not seen:
            yield f"{path}: defines nothing"


def lint_uninstrumented(build):
    for path in archives(build):
        for member, kind, name in symbols(path):
            if kind == "U" and re.match(r"__(asan|ubsan|msan|tsan|gcov|llvm_prof|sanitizer_cov_trace)",
                                        name):
                yield f"{os.path.basename(path)}({member}): needs {name}: it is instrumented"
        sections = "\n".join(lines_of(["readelf", "-SW", path]))
        for section in ("__sancov_", "asan_globals", "cfuzz_flags", "cfuzz_recs", "__llvm_prf"):
            if section in sections:
                yield f"{os.path.basename(path)}: has a section {section}: it is instrumented"


RENAMED = "tests/fuzz/renamed.h"


def lint_renamed(build):
    """The core that is fuzzed is a copy with other names than the one that the runtime uses."""
    core = {os.path.basename(name) + ".o" for name in files()
            if name.startswith("runtime/core/") and name.endswith(".c")}
    names = sorted({name for member, _, name in symbols(archives(build)[0], "--defined-only",
                                                        "--extern-only") if member in core})
    if len(names) < 50:
        yield f"only {len(names)} functions of core were seen"
        return
    text = text_of(RENAMED)
    want = text.split("#define", 1)[0] + "".join(f"#define {n} tested_{n}\n" for n in names)
    if os.environ.get("LINT_WRITE"):
        with open(os.path.join(SOURCE, RENAMED), "w", encoding="utf-8") as f:
            f.write(want)
    elif text != want:
        yield f"{RENAMED}: is not what core has (lint.py renamed --write)"


def lint_libraries(build):
    """Links all of both archives with nothing but the libraries that are allowed."""
    main, core = archives(build)[1], archives(build)[0]
    with tempfile.TemporaryDirectory() as tmp:
        source, out = os.path.join(tmp, "t.c"), os.path.join(tmp, "t")
        with open(source, "w", encoding="utf-8") as f:
            f.write("#include <cfuzz.h>\nFUZZ_TEST(Fuzz, int)(cfuzz_t *t, int n)\n"
                    '{\n    cfuzz_log(t, "%d", n);\n}\n')
        cc = shutil.which("clang-19") or shutil.which("cc")
        run = subprocess.run(
            [cc, "-DCFUZZ_TEST", f"-I{SOURCE}/include", "-o", out, source,
             "-Wl,--whole-archive", main, core, "-Wl,--no-whole-archive", "-nodefaultlibs",
             "-lffi", "-lgcc_s", "-lgcc", "-lc"],
            check=False, stderr=subprocess.PIPE, text=True)
        if run.returncode != 0:
            yield f"does not link: {run.stderr.strip()}"
            return
        needed = set(re.findall(r"NEEDED.*\[(.*?)\]", "\n".join(lines_of(["readelf", "-dW", out]))))
        for library in sorted(needed):
            if not re.match(r"(libc|libgcc_s|libffi|ld-linux.*)\.so", library):
                yield f"needs {library}"


# ---- header ---------------------------------------------------------------------

HEADER_TEST = r"""
#include <cfuzz.h>
FUZZ_SETUP(FuzzHeader)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("a\0b"), "text", true, (uint8_t)1, INT64_MIN, 1.5f, 2.5);
}
FUZZ_TEST(FuzzHeader, []byte, string, bool, byte, int64, float32, float64)
(cfuzz_t *t, const uint8_t *p, size_t n, const char *s, bool b, uint8_t c, int64_t i, float f,
 double d)
{
    cfuzz_log(t, "%p %s %d %d %f %f", (const void *)p, s, b, c, (double)f, d);
    if (n > 3 && i == 0)
        cfuzz_error(t, "%zu", n);
    if (cfuzz_failed(t))
        cfuzz_fatal(t, "failed before");
}
FUZZ_TEST(Fuzz, int)(cfuzz_t *t, int n)
{
    if (n == 0)
        cfuzz_skip(t, "zero");
}
"""


def lint_header(_build):
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    prototypes = ["-Wstrict-prototypes", "-Wmissing-prototypes"]
    done = 0
    with tempfile.TemporaryDirectory() as tmp:
        source = {}
        for suffix in ("c", "cpp"):
            source[suffix] = os.path.join(tmp, f"t.{suffix}")
            with open(source[suffix], "w", encoding="utf-8") as f:
                f.write(HEADER_TEST)
        cases = []
        majors = llvm_versions()
        for cc in ("gcc", *(f"clang-{n}" for n in majors)):
            for std in ("c99", "c11", "c2x", "gnu11"):
                cases.append([cc, f"-std={std}", *strict, *prototypes, source["c"]])
        for cxx in ("g++", *(f"clang++-{n}" for n in majors)):
            cases.append([cxx, "-std=c++17", *strict, source["cpp"]])
        for case in cases:
            if not shutil.which(case[0]):
                continue
            for mode in ([], ["-DCFUZZ_TEST"]):
                for level in ("-O0", "-O2"):
                    argv = case + mode + [level, "-c", "-o", os.path.join(tmp, "t.o"),
                                          f"-I{SOURCE}/include"]
                    run = subprocess.run(argv, check=False, stderr=subprocess.STDOUT,
                                         stdout=subprocess.PIPE, text=True)
                    done += 1
                    if run.returncode != 0 or run.stdout:
                        shown = " ".join(a for a in argv if not a.startswith(tmp))
                        yield f"{shown}:\n{run.stdout}"
    print(f"{done} compilations")
    if not done:
        yield "no compiler found"


# ---- text -----------------------------------------------------------------------

FORBIDDEN = [
    (r"\b(TODO|FIXME|HACK)\b", "note to self"),
    (r"(?<![\w/])/(work|root|home/\w+)/", "absolute path of one machine"),
    (r"\b[\w.-]+\.(debian\.org|ubuntu\.com)\b", "host name"),
]


def lint_text(_build):
    for name in files():
        if name == "tests/lint/lint.py":  # it has the patterns
            continue
        text = text_of(name)
        if text.startswith("#!/") and not os.access(os.path.join(SOURCE, name), os.X_OK):
            yield f"{name}: begins with #!, and is not executable"
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, what in FORBIDDEN:
                if re.search(pattern, line):
                    yield f"{name}:{number}: {what}: {line.strip()[:80]}"


# ---- map ------------------------------------------------------------------------

MAP = "docs/architecture.md"
MAP_BEGIN, MAP_END = "<!-- map: written by tests/lint/lint.py map --write -->", "<!-- end of map -->"
MAP_REST = """\
tests/unit/             <folder>/<module>_test.c per module, cmocka
tests/runtime/          the processes of a test binary, in each kind of build
tests/identity/         which crashes are taken for the same bug
tests/symbolizer/       lines of stacks, with llvm-symbolizer and without
tests/go/               corpus files of cfuzz and of Go, compared
tests/projects/         projects of others, from their sources to a fuzzing run
tests/plugin/           one behaviour per file: RUN and CHECK lines
tests/script/           <topic>_<case>.txt: commands, then files; README.md has the language
tests/lint/             rules about the sources that no compiler checks
tests/fuzz/             fuzz tests of cfuzz itself: everything that reads what others wrote
tests/completion/       Tab in bash and zsh
tests/browser/          the report in headless Chromium
tests/package/          the Debian package, installed and used
tests/docs/             the commands of README.md and the guide, run
tests/torture/          fuzzing runs under every fault that can be made
testdata/pkg/           sample packages, one known bug each
testdata/identity/      crashes of known identity
testdata/golden/        bytes that we promised to read for ever
testdata/unicode/       which characters corpus files show as they are
bench/                  measurements, and the programs that are measured
cmake/                  warnings, sanitizers, installation; the scripts behind the Makefile
cmake/package/          the CMake package and the pkg-config file that are installed
examples/               a project with fuzz tests, as CMake, meson and make build it
docs/                   this page, the man pages, guide.md, corpus-format.md, flat-format.md, protocol.md,
                        performance.md, hacking.md, go-parity.md, decisions/NNN-title.md
"""


def job_of(name):
    """What the comment at the top of a file says that it is for: its first sentence."""
    head = text_of(name)[:20000]
    comment = re.match(r"\s*/\*(.*?)\*/|((?:\s*//[^\n]*\n)+)", head, re.S)
    if not comment:
        return ""
    lines = [re.sub(r"^\s*(\*|//=*-*)?", "", line).strip()
             for line in (comment.group(1) or comment.group(2)).splitlines()]
    text = " ".join(re.sub(r"\s*-*===.*", "", "\n".join(lines)).strip().split("\n\n")[0].split())
    text = text.removeprefix(os.path.basename(name)).removeprefix(" - ")
    return re.split(r"(?<=[^.])[.](?:\s|$)|:$", text + " ")[0].strip()


def readme_of(folder):
    """What a folder is for, and the place of the files that its README.md lists, in its order."""
    lines = text_of(f"{folder}/README.md").splitlines()
    what = re.split(r"[.](?= |$)", " ".join(itertools.takewhile(str.strip, lines[2:])))[0]
    listed = [name for line in lines if line.startswith("- ") for name in re.findall("`([a-z_]+)`", line)]
    return what, {name: i - len(listed) for i, name in enumerate(listed)}


def the_map():
    out = []
    for folder, names in FOLDERS:
        what, order = readme_of(folder)
        short = [n.removeprefix(folder.split("/")[0] + "/") for n in names if n not in CORE]
        out += textwrap.wrap(what, width=99, initial_indent=f"{folder + '/':<24}",
                             subsequent_indent=" " * 26)
        if short:
            out += textwrap.wrap("includes " + " ".join(short), width=99,
                                 initial_indent=" " * 24, subsequent_indent=" " * 26)
        modules = {}
        for name in sources().get(folder, []):
            stem, suffix = os.path.splitext(os.path.basename(name))
            modules.setdefault(stem, []).append(suffix[1:])
        for stem, suffixes in sorted(modules.items(), key=lambda m: (order.get(m[0], 0), m[0])):
            suffixes.sort(key="h def c cpp".split().index)
            jobs = [job_of(f"{folder}/{stem}.{s}") for s in suffixes]
            job = next((j for j in jobs if j and not j.startswith("see ")), "")
            names = f"{stem}.{suffixes[0]}" if len(suffixes) == 1 else (
                f"{stem}.[ch]" if suffixes == ["h", "c"] else
                f"{stem}.{{{','.join(sorted(suffixes))}}}")
            out += textwrap.wrap(job, width=99, initial_indent=f"  {names:<20}  ",
                                 subsequent_indent=" " * 26, break_on_hyphens=False) or ["  " + names]
        out.append("")
    return "".join(f"    {line}".rstrip() + "\n" for line in out + MAP_REST.splitlines())


def lint_map(_build):
    text = text_of(MAP)
    if MAP_BEGIN not in text or MAP_END not in text:
        yield f"{MAP}: holds no map"
        return
    begin, end = text.index(MAP_BEGIN) + len(MAP_BEGIN), text.index(MAP_END)
    want = "\n\n" + the_map() + "\n"
    if text[begin:end] == want:
        return
    if os.environ.get("LINT_WRITE"):
        with open(os.path.join(SOURCE, MAP), "w", encoding="utf-8") as f:
            f.write(text[:begin] + want + text[end:])
        return
    have = text[begin:end].splitlines()
    for line in difflib.unified_diff(have, want.splitlines(), lineterm="", n=0):
        if line[0] in "+-" and line[1:2] == " ":
            yield f"{MAP}: not up to date (lint.py map --write): {line}"
    yield f"{MAP}: the map is not what the files say"


# ---- stories ----------------------------------------------------------------------

# Where files are looked for that a document names by folder and file.
ROOTS = ("", "cfuzz-test/", "runtime/")


def defines(path, function):
    """Whether the file defines the function, or declares it: at the beginning of a line."""
    pattern = rf"^\S[^\n;]*\b{function}\(|^{function}\("
    return re.search(pattern, text_of(path), re.M) is not None


def lint_stories(_build):
    every = [name for names in sources().values() for name in names]
    checked = 0
    for page in ("docs/architecture.md", "docs/hacking.md"):
        text = re.sub(re.escape(MAP_BEGIN) + ".*?" + re.escape(MAP_END), "", text_of(page), flags=re.S)
        for m in re.finditer(r"`([\w./-]+)`(?:\s+\(`([\w./-]+)`\))?", text):
            word, behind = m.groups()
            place = f"{page}:{text.count(chr(10), 0, m.start()) + 1}"
            for name in filter(None, (word, behind)):
                if not re.fullmatch(r"[\w./-]+/[\w.-]+\.(c|h|cpp|def|py|txt|md|sh)|\w+\.(c|h)", name):
                    continue
                checked += 1
                if not any(os.path.isfile(os.path.join(SOURCE, root + name)) for root in ROOTS) and (
                        "/" in name or not any(f.endswith("/" + name) for f in every)):
                    yield f"{place}: {name}: there is no such file"
            if re.fullmatch(r"[a-z]+(_[a-z]+)+", word) and not word.startswith(("cfuzz_", "cmake_")):
                files_ = [root + behind for root in ROOTS if root + behind in every] if behind else every
                checked += 1
                if not any(defines(f, word) for f in files_):
                    yield f"{place}: {word}: no such function in {behind or 'the sources'}"
    if checked < 60:
        yield f"only {checked} names were seen: the rule does not find them"


# ---- llvm ---------------------------------------------------------------------------

LLVM = "cmake/llvm-versions"


def llvm_versions():
    """The majors that cfuzz has plugins for, the reference first, and the packages of each."""
    lines = [line.split() for line in text_of(LLVM).splitlines() if line and line[0] != "#"]
    return {major: packages for major, *packages in lines}


def lint_llvm(_build):
    versions = llvm_versions()
    ordered = sorted(versions, key=int)
    reference = next(iter(versions))
    wanted = [  # where, what has to stand there
        *((name, f"LLVM {', '.join(ordered[:-1])} and {ordered[-1]}")
          for name in ("README.md", "plugin/LLVMCompat.h")),
        *(("CMakePresets.json", f'"{text}"')
          for text in (f"clang-{reference}", f"clang++-{reference}", reference)),
        *(("tests/script/build_compilers.txt", f"\n[plugin:{n}] cfuzz-test -cc=clang-{n} {what}")
          for n in ordered for what in ("-run", "-fuzz")),
        *((f"tests/script/fuzz_sanitizers_{n}.txt", f"-cc=clang-{n} ")
          for n in ordered if f"libclang-rt-{n}-dev" in versions[n]),
    ]
    for name, text in wanted:
        if not os.path.isfile(os.path.join(SOURCE, name)):
            yield f"{name}: there is no such file, which {LLVM} asks for"
        elif text not in text_of(name):
            yield f"{name}: no {text.strip()}, which {LLVM} asks for"


# ---- debian -------------------------------------------------------------------------


def lint_debian(_build):
    version = re.search(r"^project\(cfuzz VERSION ([\d.]+)", text_of("CMakeLists.txt"), re.M).group(1)
    if not text_of("debian/changelog").startswith(f"cfuzz ({version}) "):
        yield f"debian/changelog: the first version is not {version}, which CMakeLists.txt has"
    reference = next(iter(llvm_versions()))
    demo = re.search(r'^demo="([^"]*)"', text_of("cmake/deps.sh"), re.M).group(1)
    wanted = {word.replace("$ref", reference) for word in demo.split() if word[0] != "$"}
    wanted = {w for w in wanted if w.endswith("-dev") or w.startswith("clang-")}
    control = re.search(r"^Build-Depends:(.*?)^\S", text_of("debian/control"), re.M | re.S).group(1)
    have = set(re.findall(r"[\w.+-]+", control))
    for package in sorted(wanted - have):
        yield f"debian/control: Build-Depends has no {package}, which cmake/deps.sh installs"
    for name in (f"CC = clang-{reference}", f"CXX = clang++-{reference}"):
        if name not in text_of("debian/rules"):
            yield f"debian/rules: no {name}"
    if len(wanted) < 6:
        yield f"only {len(wanted)} packages were seen in cmake/deps.sh"


# ---- manual -------------------------------------------------------------------------


def lint_manual(_build):
    page = re.sub(r"\\f[BIRP]", "", text_of("docs/cfuzz-test.1")).replace("\\-", "-")
    flags = re.findall(r'^FLAG\("(\w+)", \w+, \w+, "([^"]*)", \w+, "([^"]*)"|^SANITIZER_FLAG\("(\w+)"',
                       text_of("cfuzz-test/cli/flags.def"), re.M)
    for name, argument, default, sanitizer in flags:
        name = name or sanitizer
        # ".BI -run " pattern"", ".BR -asan ", " -ubsan": one or several in a line
        value = r"\W+".join(map(re.escape, re.findall(r"\w+", argument)))
        head = rf"^\.B[IR]* (?:-\w+ \", \" )*-{name}\b[^\n]*{value}[^\n]*$"
        m = re.search(head, page, re.M)
        if m is None:
            yield f"docs/cfuzz-test.1: no line about -{name} {argument}"
            continue
        body = page[m.end():].split("\n.TP\n")[0].split("\n.SS ")[0]
        if re.fullmatch(r"[\d.]+[a-z]*", default) and not re.search(rf"\b{re.escape(default)}\b", body):
            yield f"docs/cfuzz-test.1: -{name}: its default is {default}, which is not said"
    if len(flags) < 20:
        yield f"only {len(flags)} flags were seen"
    yield from manual_api()
    for name in MANUALS:
        yield from manual_source(name)


MANUALS = ("docs/cfuzz-test.1", "docs/cfuzz-cc.1", "docs/cfuzz.3", "docs/cfuzz-corpus.5")


def manual_api():
    """cfuzz(3) has every function and macro of the header, cfuzz-corpus(5) every type."""
    header, page = text_of("include/cfuzz.h"), text_of("docs/cfuzz.3")
    names = set(re.findall(r"^(?:void|bool|const char \*)\s*\**(cfuzz_\w+)\(", header, re.M))
    names |= set(re.findall(r"^#define ((?:cfuzz_|CFUZZ_|FUZZ_)\w*[a-zA-Z])\(", header, re.M))
    names = {n for n in names if not re.search(r"_at$|_args$|^CFUZZ_M\d+$", n)}
    for name in sorted(names):
        if not re.search(rf"(?<!\w){name}\(", page):
            yield f"docs/cfuzz.3: no {name}, which cfuzz.h declares"
    if len(names) < 25:
        yield f"only {len(names)} names of cfuzz.h were seen"
    page = text_of("docs/cfuzz-corpus.5")
    for names in re.findall(r'ROW\(\w+, +"([^"]+)", +(?:NULL|"(\w+)")', text_of("runtime/core/types.h")):
        for name in filter(None, names):
            if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", page):
                yield f"docs/cfuzz-corpus.5: no type {name}"


def manual_source(name):
    """What a reader of the page would stumble over, as far as it can be seen in the source."""
    for number, line in enumerate(text_of(name).splitlines(), 1):
        # ".BR word ); and so on": the words of such a macro stand without blanks.
        words = re.findall(r'"[^"]*"|\S+', line)
        if re.match(r"\.(BR|RB|BI|IB|IR|RI)$", words[0] if words else "") and len(words) > 6 and \
                not any(w.startswith('"') or "\\f" in w for w in words):
            yield f"{name}:{number}: words run together: {line}"
    for argv in (["mandoc", "-T", "lint", "-W", "warning", name],
                 ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", name]):
        if not shutil.which(argv[0]):
            print(f"{argv[0]} is not installed, so {name} is not looked at by it", file=sys.stderr)
            continue
        run = subprocess.run(argv, check=False, cwd=SOURCE, text=True, stderr=subprocess.PIPE,
                             stdout=subprocess.PIPE if argv[0] == "mandoc" else subprocess.DEVNULL)
        for line in ((run.stdout or "") + run.stderr).splitlines():
            yield f"{argv[0]}: {line}"


# ---- parity ---------------------------------------------------------------------

PARITY = "docs/go-parity.md"
CASES_MIN = 68  # as many as there are: a page or a pattern that changed its form shows fewer


def test_files():
    """The files of scripts and unit tests by their names in CTest, script-<name>, unit-<module>."""
    out = {}
    for name in files():
        if m := re.fullmatch(r"tests/script/(\w+_\w+)\.txt", name):
            out[f"script-{m.group(1)}"] = name
        elif m := re.fullmatch(r"tests/unit/.*/(\w+)_test\.c", name):
            out[f"unit-{m.group(1)}"] = name
    return out


def parity_rows():
    """Yields (line number, first cell, cell below "test") for each row of the tables with tests."""
    column = None
    for number, line in enumerate(text_of(PARITY).splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            column = None
        elif "test" in cells:
            column = cells.index("test")
        elif column is not None and not line.startswith("|-"):
            yield number, cells[0], cells[column] if column < len(cells) else ""


def parity_names(tests):
    """Every test and file that the page names exists."""
    for number, line in enumerate(text_of(PARITY).splitlines(), 1):
        for name, functions in re.findall(r"`((?:script|unit)-\w+)`(?: \(([^)]*)\))?", line):
            if name not in tests:
                yield f"{PARITY}:{number}: {name}: there is no such test"
                continue
            for function in re.findall(r"`(\w+)`", functions):
                if not re.search(rf"\b{function}\b", text_of(tests[name])):
                    yield f"{PARITY}:{number}: {tests[name]} has no {function}"
        for path in re.findall(r"`((?:tests|bench)/[\w./-]+)`", line):
            if not os.path.exists(os.path.join(SOURCE, path)):
                yield f"{PARITY}:{number}: {path}: there is no such file"


def parity_first_lines(scripts, claimed):
    """Adds to claimed, for each case that a first line has, the names of those scripts."""
    case = r"G\d\d(?:\.\d+(?:-\d+)?)?"
    for name, path in scripts.items():
        commands = re.split(r"^-- ", text_of(path), maxsplit=1, flags=re.M)[0]
        first, *others = commands.splitlines() or [""]
        if re.fullmatch(f"# Go: {case}(?:, {case})*", first):
            for item in first.removeprefix("# Go: ").split(", "):
                claimed.setdefault(item, set()).add(name)
        elif re.match(r"# *G(o:|\d\d)", first):
            yield f'{path}:1: write "# Go: G08", "# Go: G01.3, G01.24-27"'
        for number, line in enumerate(others, 2):
            if line.startswith("# Go:"):
                yield f"{path}:{number}: Go's cases belong in the first line"


def lint_parity(_build):
    tests = test_files()
    scripts = {name: path for name, path in tests.items() if name.startswith("script-")}
    yield from parity_names(tests)
    for name, path in scripts.items():
        if re.match(r"script-g\d\d_", name):
            yield f"{path}: name it <topic>_<case> by what it tests; its first line has Go's case"
    claimed = {}
    yield from parity_first_lines(scripts, claimed)

    rows = {}  # case: the scripts that its row names
    for number, first, column in parity_rows():
        if "`" not in column and column != "none":
            yield f"{PARITY}:{number}: {first}: the row names no test"
        named = re.findall(r"`(script-\w+)`", column)
        for case in first.split(", ") if re.match(r"G\d\d", first) else []:
            if case in rows:
                yield f"{PARITY}:{number}: {case} has two rows"
            rows[case] = named
            covers = {name for item, names in claimed.items() for name in names
                      if case in (item, item.split(".")[0])}
            for name in named:
                if name in scripts and name not in covers:
                    yield f"{PARITY}:{number}: {scripts[name]} has no {case} in its first line"
    for item, names in sorted(claimed.items()):
        case = item if item in rows else item.split(".")[0]  # G01.3 is in the row G01
        for name in sorted(names):
            if case not in rows:
                yield f"{scripts[name]}:1: {item}: {PARITY} has no row of that case"
            elif name not in rows[case]:
                yield f"{scripts[name]}:1: {item}: the row in {PARITY} does not name {name}"
    if len(rows) < CASES_MIN:
        yield f"{PARITY}: only {len(rows)} of {CASES_MIN} cases were seen"


def main():
    rules = {name[5:]: fn for name, fn in globals().items() if name.startswith("lint_")}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rule", choices=sorted(rules))
    parser.add_argument("--build")
    parser.add_argument("--source", default=SOURCE, help="the tree to look at")
    parser.add_argument("--write", action="store_true", help="map, renamed: bring it up to date")
    args = parser.parse_args()
    if args.write:
        os.environ["LINT_WRITE"] = "1"
    globals()["SOURCE"] = os.path.abspath(args.source)
    found = list(rules[args.rule](args.build or os.path.join(SOURCE, "build")))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
