#!/usr/bin/env python3
"""harnesses.py [-o FILE] [--fuzztime N] [--flags FLAGS] [NAME...] - harnesses that others wrote, run by
cfuzz.

Takes Debian source packages that ship harnesses of libFuzzer, and runs and fuzzes each of them with
cfuzz-test, without a line of theirs changed: a package of cfuzz is a directory with one file of
//cfuzz: lines, which say where the harnesses and the sources of the library are. Prints a table of what
happened. Status: 0 if every harness was built and ran (bugs that it found are theirs), 1 otherwise, 77 if
no source could be had.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# Where it is in the source package, what is done once before (a shell command there), and the //cfuzz:
# lines, with @ for the path of the source package. "lists" says who gave the flags.
PROJECTS = {
    "expat": {
        "lists": "//cfuzz: lines, and a configuration written by hand",
        "before": "mkdir -p cfuzz && printf '#define %s\\n' 'XML_DTD 1' 'XML_NS 1' "
                  "'XML_CONTEXT_BYTES 1024' 'BYTEORDER 1234' 'HAVE_GETRANDOM 1' "
                  ">cfuzz/expat_config.h",
        "lines": ["cflags -DENCODING_FOR_FUZZING=UTF-8 -I@/expat/lib -I@/cfuzz",
                  "sources @/expat/fuzz/*.c @/expat/lib/xmlparse.c @/expat/lib/xmlrole.c "
                  "@/expat/lib/xmltok.c"],
    },
    "lz4": {
        "lists": "//cfuzz: lines",
        "lines": ["cflags -I@/lib -DLZ4_DEBUG=1 -DXXH_NAMESPACE=LZ4_ "
                  "-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION",
                  "sources @/ossfuzz/*.c @/lib/*.c",
                  "exclude @/lib/lz4file.c"],
    },
    "libzstd": {
        "lists": "//cfuzz: lines",
        "lines": ["cflags -I@/lib -I@/lib/common -I@/lib/compress -I@/lib/dictBuilder -I@/programs "
                  "-I@/contrib/seekable_format -DDEBUGLEVEL=1 -DZSTD_MULTITHREAD "
                  "-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -DZSTD_DISABLE_ASM -pthread",
                  "sources @/tests/fuzz/*.c @/programs/util.c @/lib/common/*.c @/lib/compress/*.c "
                  "@/lib/decompress/*.c @/lib/dictBuilder/*.c @/contrib/seekable_format/zstdseek_*.c"],
    },
    "libxml2": {
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
        "lists": "//cfuzz: lines; a library in C, its harness in C++",
        "before": "cp scripts/pnglibconf.h.prebuilt pnglibconf.h",
        "lines": ["cflags -I@",
                  "sources @/contrib/oss-fuzz/*.cc @/png*.c",
                  "exclude @/pngtest.c",
                  "ldflags -lz -lm"],
    },
    "re2": { # its tables are made of Debian's package unicode-data
        "lists": "//cfuzz: lines; C++",
        "before": "cd re2 && perl make_perl_groups.pl >perl_groups.cc && "
                  "python3 make_unicode_groups.py >unicode_groups.cc && "
                  "python3 make_unicode_casefold.py >unicode_casefold.cc",
        "lines": ["cflags -I@ -pthread",
                  "sources @/re2/fuzzing/*.cc @/re2/*.cc @/util/rune.cc @/util/strutil.cc"],
    },
    "libjsoncpp": {
        "lists": "its compile_commands.json, of CMake; C++",
        "before": "cmake -S . -B cfuzz -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DJSONCPP_WITH_TESTS=OFF",
        "flags": "-p=@/cfuzz",
        "lines": ["cflags -I@/include",
                  "sources @/src/test_lib_json/fuzz.cpp @/src/lib_json/*.cpp"],
    },
    "c-ares": {
        "lists": "//cfuzz: lines; a configuration of its CMake",
        "before": "cmake -S . -B cfuzz -DCARES_SHARED=OFF -DCARES_STATIC=ON -DCARES_BUILD_TOOLS=OFF",
        "lines": ["cflags -I@/cfuzz -I@/include -I@/src/lib -DHAVE_CONFIG_H -DCARES_STATICLIB -D_GNU_SOURCE",
                  "sources @/test/ares-test-fuzz.c @/test/ares-test-fuzz-name.c @/src/lib/*.c"],
    },
    "woff2": {
        "lists": "//cfuzz: lines; C++, with the system's libbrotli",
        "lines": ["cflags -I@/include -I@/src -DFONT_COMPRESSION_BIN",
                  "sources @/src/*.cc",
                  "exclude @/src/woff2_compress.cc @/src/woff2_decompress.cc @/src/woff2_info.cc",
                  "ldflags -lbrotlidec -lbrotlienc"],
    },
    "mbedtls": {
        "lists": "//cfuzz: lines; nine harnesses of TLS and X.509",
        "lines": ["cflags -I@/include -I@/library -I@/programs/fuzz",
                  "sources @/programs/fuzz/*.c @/library/*.c",
                  "exclude @/programs/fuzz/onefile.c"],
    },
    "harfbuzz": {
        "lists": "//cfuzz: lines; C++",
        "lines": ["cflags -I@/src -DHB_NO_MT -DHB_NO_VISIBILITY -DHAVE_ROUND",
                  "cxxflags -std=c++11",
                  "sources @/test/fuzzing/hb-*-fuzzer.cc @/src/harfbuzz-subset.cc",
                  "ldflags -lm"],
    },
}


class Run:
    """One command of cfuzz-test, and what it said."""

    def __init__(self, args, cwd, log):
        began = time.monotonic()
        done = subprocess.run([CFUZZ, *args], cwd=cwd, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        self.seconds = time.monotonic() - began
        self.status, self.text = done.returncode, done.stdout
        log.write(f"$ cfuzz-test {shlex.join(args)}\n{self.text}[status {self.status}]\n\n")
        log.flush()

    def found(self, pattern):
        m = re.search(pattern, self.text, re.M)
        return m.group(1) if m else None


def fetch(name, work):
    done = subprocess.run([os.path.join(HERE, "..", "debian_source.sh"), name, work], check=False)
    return done.returncode


def prepare(project, source, log):
    """Does what the project wants done before; once."""
    mark = os.path.join(source, ".cfuzz-prepared")
    if os.path.exists(mark) or "before" not in project:
        return True
    done = subprocess.run(project["before"], shell=True, cwd=source, stdout=log, stderr=log,
                          check=False)
    if done.returncode == 0:
        open(mark, "w").close()
    return done.returncode == 0


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


def fuzz(name, harness, path, extra, fuzztime, log):
    """Fuzzes one harness; returns the cells of its row behind the name, and whether it ran."""
    r = Run([*extra, "-run=None", f"-fuzz=^{re.escape(harness)}$", f"-fuzztime={fuzztime}", "."],
            path, log)
    execs = r.found(r"^fuzz: executions: (\d+) mutated")
    rate = re.findall(r"execs: \d+ \((\d+)/sec\)", r.text)
    cover = re.search(r"^fuzz: coverage: (\d+) of (\d+) counters.*?, (\d+) more", r.text, re.M)
    corpus = r.found(r"^fuzz: corpus: .*?(\d+) new")
    ran = execs is not None and r.status in (0, 1)
    if not ran:
        return ["", "", "", "", "", "failed: " + (r.text.strip().splitlines() or [""])[-1][:100]], False
    happened = "a bug: " + crash_of(r.text) if r.status == 1 else "ran"
    print(f"{name} {harness}: {execs} executions, {happened}", flush=True)
    return ["", execs, rate[-1] if rate else "", f"{cover[1]} of {cover[2]}" if cover else "",
            corpus or "", happened], True


def one(name, opt, log):
    """All harnesses of a project; returns rows, or None if there are no sources."""
    project = PROJECTS[name]
    if fetch(name, opt.work) != 0:
        return None
    source = os.path.join(opt.work, name)
    if not prepare(project, source, log):
        return [[name, "", "", "", "", "", "", "failed: its own build, see the log"]], False
    path = package(name, project, source, opt.work)
    extra = [*opt.flags, *shlex.split(project.get("flags", "").replace("@", source))]
    listed = Run([*extra, "-list=.", "."], path, log)
    names = [l for l in listed.text.splitlines() if re.fullmatch(r"[A-Za-z0-9_.@+-]+", l)]
    if listed.status != 0 or not names:
        said = next((l for l in listed.text.splitlines() if "error" in l or "cfuzz-test:" in l), "")
        return [[name, "", "", "", "", "", "", f"not built: {said[:150]}"]], False
    ran = Run([*extra, "-run=.", "."], path, log)
    rows, good = [], ran.status == 0
    for harness in names:
        cells, did = fuzz(name, harness, path, extra, opt.fuzztime, log)
        rows.append([name, harness, *cells])
        good &= did
    rows[0][2] = f"{listed.seconds:.0f}"
    return rows, good


def main():
    global CFUZZ
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PROJECTS))
    parser.add_argument("-o", metavar="FILE", help="the table goes there too")
    parser.add_argument("--fuzztime", default="5s", help="of each harness, as of cfuzz-test")
    parser.add_argument("--flags", type=shlex.split, default=[], help="of cfuzz-test: -asan")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "harnesses"),
                        help="sources and caches are kept there")
    opt = parser.parse_args()
    for name in opt.names:
        if name not in PROJECTS:
            parser.error(f"{name}: not one of {', '.join(PROJECTS)}")
    CFUZZ = os.path.join(os.path.abspath(opt.build), "bin", "cfuzz-test")
    opt.work = os.path.abspath(opt.work)
    os.makedirs(opt.work, exist_ok=True)
    os.environ.setdefault("CFUZZCACHE", os.path.join(opt.work, "cache"))
    lines = ["| package | harness | s to build | executions | a second | counters | new inputs | what happened |",
             "|---|---|--:|--:|--:|--:|--:|---|"]
    status, any_source = 0, False
    for name in opt.names or PROJECTS:
        with open(os.path.join(opt.work, f"{name}.log"), "w") as log:
            done = one(name, opt, log)
        if done is None:
            continue
        any_source = True
        rows, good = done
        lines += ["| " + " | ".join(row) + " |" for row in rows]
        if opt.o:
            with open(opt.o, "w") as f:
                f.write("\n".join(lines) + "\n")
        if not good:
            status = 1
            print(f"{name}: see {opt.work}/{name}.log", flush=True)
    if not any_source:
        return 77
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    sys.exit(main())
