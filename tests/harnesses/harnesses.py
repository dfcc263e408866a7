#!/usr/bin/env python3
"""harnesses.py [-o FILE] [--fuzztime N] [--limit S] [--resume] [--flags FLAGS] [NAME...] - harnesses that others
wrote, run by cfuzz.

Takes Debian source packages that ship harnesses of libFuzzer, and runs and fuzzes each of them with
cfuzz-test, without a line of theirs changed: a package of cfuzz is a directory with one file of
//cfuzz: lines, which say where the harnesses and the sources of the library are. Prints a table of the
packages and one of the harnesses. A package that fails or needs longer than --limit does not stop the
others; what was done is kept in NAME.json below --work, and --resume goes on behind it. Status: 0 if every
harness was built and ran (bugs that it found are theirs), 1 otherwise, 77 if no source could be had.
"""
import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# Where it is in the source package, what is done once before (a shell command there), and the //cfuzz:
# lines, with @ for the path of the source package. "lists" says who gave the flags, "language" what the library
# is written in, and its harnesses where that differs.
PROJECTS = {
    "expat": {
        "language": "C",
        "lists": "//cfuzz: lines, and a configuration written by hand",
        "before": "mkdir -p cfuzz && printf '#define %s\\n' 'XML_DTD 1' 'XML_NS 1' "
                  "'XML_CONTEXT_BYTES 1024' 'BYTEORDER 1234' 'HAVE_GETRANDOM 1' "
                  ">cfuzz/expat_config.h",
        "lines": ["cflags -DENCODING_FOR_FUZZING=UTF-8 -I@/expat/lib -I@/cfuzz",
                  "sources @/expat/fuzz/*.c @/expat/lib/xmlparse.c @/expat/lib/xmlrole.c "
                  "@/expat/lib/xmltok.c"],
    },
    "lz4": {
        "language": "C",
        "lists": "//cfuzz: lines",
        "lines": ["cflags -I@/lib -DLZ4_DEBUG=1 -DXXH_NAMESPACE=LZ4_ "
                  "-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION",
                  "sources @/ossfuzz/*.c @/lib/*.c",
                  "exclude @/lib/lz4file.c"],
    },
    "libzstd": {
        "language": "C",
        "lists": "//cfuzz: lines",
        "lines": ["cflags -I@/lib -I@/lib/common -I@/lib/compress -I@/lib/dictBuilder -I@/programs "
                  "-I@/contrib/seekable_format -I@/contrib/externalSequenceProducer -DDEBUGLEVEL=1 -DZSTD_MULTITHREAD "
                  "-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -DZSTD_DISABLE_ASM -pthread",
                  "sources @/tests/fuzz/*.c @/programs/util.c @/lib/common/*.c @/lib/compress/*.c "
                  "@/lib/decompress/*.c @/lib/dictBuilder/*.c @/contrib/seekable_format/zstdseek_*.c "
                  "@/contrib/externalSequenceProducer/*.c"],
    },
    "libxml2": {
        "language": "C",
        "lists": "a library that its own build made with -fsanitize=fuzzer-no-link",
        "before": "CC=clang-19 CFLAGS='-O1 -g -fsanitize=fuzzer-no-link' ./configure --disable-shared "
                  "--without-python --without-lzma --without-zlib --without-http --without-ftp "
                  "&& make -j2 libxml2.la AUTOMAKE=: ACLOCAL=: AUTOCONF=: AUTOHEADER=:",
        "lines": ["cflags -I@/include -I@",
                  "sources @/fuzz/*.c",
                  "exclude @/fuzz/testFuzzer.c",
                  "ldflags @/.libs/libxml2.a -lm -licuuc -licudata"],
    },
    "libpng1.6": {
        "language": "C, harness in C++",
        "lists": "//cfuzz: lines; a library in C, its harness in C++",
        "before": "cp scripts/pnglibconf.h.prebuilt pnglibconf.h",
        "lines": ["cflags -I@",
                  "sources @/contrib/oss-fuzz/*.cc @/png*.c",
                  "exclude @/pngtest.c",
                  "ldflags -lz -lm"],
    },
    "re2": { # its tables are made of Debian's package unicode-data
        "language": "C++",
        "lists": "//cfuzz: lines; C++",
        "before": "cd re2 && perl make_perl_groups.pl >perl_groups.cc && "
                  "python3 make_unicode_groups.py >unicode_groups.cc && "
                  "python3 make_unicode_casefold.py >unicode_casefold.cc",
        "lines": ["cflags -I@ -pthread",
                  "sources @/re2/fuzzing/*.cc @/re2/*.cc @/util/rune.cc @/util/strutil.cc"],
    },
    "libjsoncpp": {
        "language": "C++",
        "lists": "its compile_commands.json, of CMake; C++",
        "before": "cmake -S . -B cfuzz -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DJSONCPP_WITH_TESTS=OFF",
        "flags": "-p=@/cfuzz",
        "lines": ["cflags -I@/include",
                  "sources @/src/test_lib_json/fuzz.cpp @/src/lib_json/*.cpp"],
    },
    "c-ares": {
        "language": "C",
        "lists": "//cfuzz: lines; a configuration of its CMake",
        "before": "cmake -S . -B cfuzz -DCARES_SHARED=OFF -DCARES_STATIC=ON -DCARES_BUILD_TOOLS=OFF",
        "lines": ["cflags -I@/cfuzz -I@/include -I@/src/lib -DHAVE_CONFIG_H -DCARES_STATICLIB -D_GNU_SOURCE",
                  "sources @/test/ares-test-fuzz.c @/test/ares-test-fuzz-name.c @/src/lib/*.c"],
    },
    "woff2": {
        "language": "C++",
        "lists": "//cfuzz: lines; C++, with the system's libbrotli",
        "lines": ["cflags -I@/include -I@/src -DFONT_COMPRESSION_BIN",
                  "sources @/src/*.cc",
                  "exclude @/src/woff2_compress.cc @/src/woff2_decompress.cc @/src/woff2_info.cc",
                  "ldflags -lbrotlidec -lbrotlienc"],
    },
    "mbedtls": {
        "language": "C",
        "lists": "//cfuzz: lines; nine harnesses of TLS and X.509",
        "lines": ["cflags -I@/include -I@/library -I@/programs/fuzz",
                  "sources @/programs/fuzz/*.c @/library/*.c",
                  "exclude @/programs/fuzz/onefile.c"],
    },
    "snappy": {
        "language": "C++",
        "lists": "//cfuzz: lines; a configuration of its CMake",
        "before": "cmake -S . -B cfuzz -DSNAPPY_BUILD_TESTS=OFF -DSNAPPY_BUILD_BENCHMARKS=OFF",
        "lines": ["cflags -I@ -I@/cfuzz -DHAVE_CONFIG_H",
                  "cxxflags -std=c++11",
                  "sources @/snappy_*_fuzzer.cc @/snappy.cc @/snappy-sinksource.cc @/snappy-stubs-internal.cc"],
    },
}


class TimeUp(Exception):
    """A package has had its time."""


ENDING = (signal.SIGINT, signal.SIGTERM)


def bounded(args, deadline, **how):
    """As subprocess.run; what runs at the deadline is ended, with what it started, and TimeUp raised."""
    def unblock():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)

    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # until it is known what is to be ended
    with subprocess.Popen(args, start_new_session=True, stdin=subprocess.DEVNULL, preexec_fn=unblock, **how) as p:
        try:
            unblock()
            text, _ = p.communicate(timeout=max(deadline - time.monotonic(), 0))
        except BaseException as e:
            os.killpg(p.pid, signal.SIGTERM)
            try:
                p.wait(10)
            except subprocess.TimeoutExpired:
                pass
            try:
                os.killpg(p.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            if isinstance(e, subprocess.TimeoutExpired):
                raise TimeUp(args if isinstance(args, str) else shlex.join(args)) from e
            raise
        return p.returncode, text


class Run:
    """One command of cfuzz-test, and what it said."""

    def __init__(self, args, cwd, log, deadline):
        began = time.monotonic()
        log.write(f"$ cfuzz-test {shlex.join(args)}\n")
        log.flush()
        self.status, self.text = bounded([CFUZZ, *args], deadline, cwd=cwd, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True, errors="replace")
        self.seconds = time.monotonic() - began
        log.write(f"{self.text}[status {self.status}]\n\n")
        log.flush()

    def found(self, pattern):
        m = re.search(pattern, self.text, re.M)
        return m.group(1) if m else None


def fetch(name, work):
    done = subprocess.run([os.path.join(HERE, "..", "debian_source.sh"), name, work], check=False)
    return done.returncode


def prepare(project, source, log, deadline):
    """Does what the project wants done before; once."""
    mark = os.path.join(source, ".cfuzz-prepared")
    if os.path.exists(mark) or "before" not in project:
        return True
    status, _ = bounded(project["before"], deadline, shell=True, cwd=source, stdout=log, stderr=log)
    if status == 0:
        open(mark, "w").close()
    return status == 0


def version_of(source):
    """The version of Debian's that a source package is."""
    try:
        with open(os.path.join(source, "debian", "changelog"), encoding="utf-8") as f:
            m = re.search(r"\(([^)]+)\)", f.readline())
            return m.group(1) if m else ""
    except OSError:
        return ""


def package(name, project, source, work):
    """Makes the directory that is the package: one file of //cfuzz: lines."""
    path = os.path.join(work, "packages", name)
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, "package.c"), "w") as f:
        for line in project["lines"]:
            f.write("//cfuzz:" + line.replace("@", source) + "\n")
    return path


def crash_of(text):
    """What a failing run says, in a few words."""
    lines = text[text.find("--- FAIL"):].splitlines()[1:]
    what = " ".join(l.strip() for l in lines[:2] if "stack:" not in l)
    place = next((re.sub(r"^\s*#\d+ ", "", l) for l in lines
                  if re.match(r"\s*#\d+ ", l) and "/stdlib/" not in l), "")
    return f"{what}; {place}".strip("; ")[:160]


def fuzz(name, harness, path, extra, opt, log, deadline):
    """Fuzzes one harness; returns what came of it."""
    r = Run([*extra, "-run=None", f"-fuzz=^{re.escape(harness)}$", f"-fuzztime={opt.fuzztime}", "."],
            path, log, deadline)
    execs = r.found(r"^fuzz: executions: (\d+) mutated")
    rate = re.findall(r"execs: \d+ \((\d+)/sec\)", r.text)
    cover = re.search(r"^fuzz: coverage: (\d+) of (\d+) counters.*?, (\d+) more", r.text, re.M)
    if execs is None or r.status not in (0, 1):
        return {"ran": False, "said": "failed: " + (r.text.strip().splitlines() or [""])[-1][:100]}
    said = "a bug: " + crash_of(r.text) if r.status == 1 else "ran"
    print(f"{name} {harness}: {execs} executions, {said}", flush=True)
    return {"ran": True, "executions": int(execs), "rate": rate[-1] if rate else "",
            "reached": int(cover[1]) if cover else 0, "counters": int(cover[2]) if cover else 0,
            "new": r.found(r"^fuzz: corpus: .*?(\d+) new") or "", "bug": r.status == 1, "said": said}


def one(name, opt, log, result, keep):
    """All harnesses of a project, as result says when it is done and keep() keeps on the way; False if there
    are no sources."""
    project = PROJECTS[name]
    if fetch(name, opt.work) != 0:
        return False
    deadline = time.monotonic() + project.get("limit", opt.limit)
    source = os.path.join(opt.work, name)
    result["version"] = version_of(source)
    if not prepare(project, source, log, deadline):
        result["said"] = "failed: its own build, see the log"
        return True
    path = package(name, project, source, opt.work)
    extra = [*opt.flags, *shlex.split(project.get("flags", "").replace("@", source))]
    listed = Run([*extra, "-list=.", "."], path, log, deadline)
    names = [l for l in listed.text.splitlines() if re.fullmatch(r"[A-Za-z0-9_.@+-]+", l)]
    if listed.status != 0 or not names:
        said = next((l for l in listed.text.splitlines() if "error" in l or "cfuzz-test:" in l), "")
        result["said"] = "not built: " + said.replace(opt.work + os.sep, "")[:150]
        return True
    result["names"] = names
    result.setdefault("seconds", round(listed.seconds))
    if "run" not in result:
        result["run"] = Run([*extra, "-run=.", "."], path, log, deadline).status
        keep()
    for harness in names:
        if harness not in result["harnesses"]:
            result["harnesses"][harness] = fuzz(name, harness, path, extra, opt, log, deadline)
            keep()
    if result["run"] != 0:
        result["said"] = "its seeds do not all pass"
    result["done"] = True
    return True


def good(result):
    return bool(result.get("done") and result["run"] == 0 and all(h["ran"] for h in result["harnesses"].values()))


def tables(results):
    """A line for each package, and one for each harness."""
    lines = ["| package | version | language | harnesses run | s to build | executions | counters reached, at most | "
             "what happened |", "|---|---|---|--:|--:|--:|--:|---|"]
    for name, r in results.items():
        ran = {n: h for n, h in r["harnesses"].items() if h["ran"]}
        most = max(ran.values(), key=lambda h: h["reached"], default=None)
        cover = f"{most['reached']} of {most['counters']}" if most else ""
        bugs = sum(h["bug"] for h in ran.values())
        said = r.get("said") or ("not run to the end" if not r.get("done") else f"{bugs} found a bug" if bugs else "ran")
        lines.append(f"| {name} | {r.get('version', '')} | {PROJECTS[name]['language']} | "
                     f"{len(ran)} of {len(r.get('names', []))} | {r.get('seconds', '')} | "
                     f"{sum(h['executions'] for h in ran.values())} | "
                     f"{cover} | {said} |")
    lines += ["", "| package | harness | executions | a second | counters | new inputs | what happened |",
              "|---|---|--:|--:|--:|--:|---|"]
    for name, r in results.items():
        for harness, h in r["harnesses"].items():
            cells = ([str(h["executions"]), h["rate"], f"{h['reached']} of {h['counters']}", h["new"]]
                     if h["ran"] else [""] * 4)
            lines.append(" | ".join([f"| {name}", harness, *cells, h["said"] + " |"]))
    return "\n".join(lines)


def result_of(name, opt):
    """What an earlier run with the same time and flags left of a package, to go on from; else an empty result."""
    asked = {"fuzztime": opt.fuzztime, "flags": opt.flags}
    try:
        with open(os.path.join(opt.work, f"{name}.json"), encoding="utf-8") as f:
            old = json.load(f)
    except (OSError, ValueError):
        old = {}
    if not opt.resume or {k: old.get(k) for k in asked} != asked:
        return {**asked, "harnesses": {}}
    old.pop("said", None)
    # What did not run is tried again, and so are seeds that did not pass.
    old["harnesses"] = {n: h for n, h in old["harnesses"].items() if h["ran"]}
    if old.get("run") != 0:
        old.pop("run", None)
    return old


def main():
    global CFUZZ
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PROJECTS))
    parser.add_argument("-o", metavar="FILE", help="the table goes there too")
    parser.add_argument("--fuzztime", default="5s", help="of each harness, as of cfuzz-test")
    parser.add_argument("--limit", type=float, default=1500, metavar="S", help="seconds for a package, of all")
    parser.add_argument("--resume", action="store_true", help="go on behind what an earlier run did")
    parser.add_argument("--flags", type=shlex.split, default=[], help="of cfuzz-test: -asan")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "harnesses"),
                        help="sources and caches are kept there")
    opt = parser.parse_args()
    for name in opt.names:
        if name not in PROJECTS:
            parser.error(f"{name}: not one of {', '.join(PROJECTS)}")
    for number in ENDING:  # what runs is ended, too; in the background SIGINT is ignored
        signal.signal(number, signal.default_int_handler)
    CFUZZ = os.path.join(os.path.abspath(opt.build), "bin", "cfuzz-test")
    opt.work = os.path.abspath(opt.work)
    os.makedirs(opt.work, exist_ok=True)
    os.environ.setdefault("CFUZZCACHE", os.path.join(opt.work, "cache"))
    results = {}
    for name in opt.names or PROJECTS:
        result = result_of(name, opt)
        if not (opt.resume and good(result)):
            def keep():
                with open(os.path.join(opt.work, f"{name}.json"), "w", encoding="utf-8") as f:
                    json.dump(result, f, indent=1)
            with open(os.path.join(opt.work, f"{name}.log"), "w") as log:
                try:
                    if not one(name, opt, log, result, keep):
                        continue
                except TimeUp as e:
                    result["said"] = f"its time is up ({PROJECTS[name].get('limit', opt.limit):.0f} s)"
                    log.write(f"{result['said']}: {e}\n")
            keep()
        results[name] = result
        if opt.o:
            with open(opt.o, "w") as f:
                f.write(tables(results) + "\n")
        if not good(result):
            print(f"{name}: {result.get('said', 'not all ran')}: see {opt.work}/{name}.log", flush=True)
    if not results:
        return 77
    print(tables(results))
    return 0 if all(good(r) for r in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
