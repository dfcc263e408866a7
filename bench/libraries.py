#!/usr/bin/env python3
"""What engines cover of libraries behind magics and checksums, from nothing and from one valid seed.

    bench/libraries.py [--seconds N] [--rounds N] [--only NAMES] [--engines NAMES] [--seeds NAMES]

Five formats: an image (libpng), an archive (minizip of zlib), a certificate (Mbed TLS), a font (FreeType) and a
database (SQLite). Their sources are Debian's, fetched as the bench runs; what cannot be fetched is a
line that says so. Every engine gets the same sources with the same flags, the same CPU time on one
core, driver and start included, and its corpus is run by one and the same build of clang that counts
branches. Prints a table of medians, and what all rounds cover together; rows go to --out as they
come, and rows that are there already are not run again. Status 77 where no sources can be fetched.
"""

import argparse
import collections
import dataclasses
import glob
import io
import json
import os
import pathlib
import re
import shutil
import sqlite3
import statistics
import struct
import subprocess
import sys
import zipfile
import zlib

import engines
import meter
from engines import Failed

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
FLAGS = ["-O2", "-g1", "-w"]
COVERAGE = ["-O1", "-fprofile-instr-generate", "-fcoverage-mapping", "-w"]


@dataclasses.dataclass
class Library:
    name: str
    what: str
    packages: list  # Debian's source packages
    prepare: object  # (sources, work): its C files and flags
    seed: object  # a valid file


# ---- the libraries -----------------------------------------------------------------


def image(sources, work):
    png, made = sources / "libpng1.6", work / "libpng"
    made.mkdir(parents=True, exist_ok=True)
    config = (png / "scripts/pnglibconf.h.prebuilt").read_text()
    config = re.sub(r"^#define PNG_\w*(WRITE|SIMPLIFIED|SAVE_INT)\w*_SUPPORTED$", "", config, flags=re.M)
    (made / "pnglibconf.h").write_text(config)
    parts = ["", "error", "get", "mem", "pread", "read", "rio", "rtran", "rutil", "set", "trans"]
    files = [png / f"png{part}.c" for part in parts]
    return files + zlib_files(sources), [f"-I{made}", f"-I{png}", f"-I{sources / 'zlib'}",
                                         "-DPNG_INTEL_SSE_OPT=0", "-DPNG_ARM_NEON_OPT=0"]


def zlib_files(sources):
    parts = ["adler32", "crc32", "inflate", "inffast", "inftrees", "zutil"]
    return [sources / "zlib" / f"{part}.c" for part in parts]


def archive(sources, work):
    base = sources / "zlib"
    files = [base / "contrib/minizip" / name for name in ("unzip.c", "ioapi.c")]
    return files + zlib_files(sources), [f"-I{base}", f"-I{base / 'contrib/minizip'}",
                                         "-DHAVE_UNISTD_H", "-DNOUNCRYPT"]


def certificate(sources, work):
    base = sources / "mbedtls"
    made = work / "mbedtls"
    made.mkdir(parents=True, exist_ok=True)
    (made / "small.h").write_text("#include \"mbedtls/config.h\"\n#undef MBEDTLS_PSA_CRYPTO_C\n"
                                  "#undef MBEDTLS_PSA_CRYPTO_STORAGE_C\n#undef MBEDTLS_PSA_ITS_FILE_C\n"
                                  "#undef MBEDTLS_USE_PSA_CRYPTO\n")
    parts = """asn1parse asn1write base64 bignum constant_time ecdsa ecp ecp_curves md md5 sha1 sha256 sha512
        ripemd160 certs oid pem pk pk_wrap pkparse platform platform_util rsa rsa_internal x509 x509_crt
        cipher cipher_wrap aes aesni arc4 aria blowfish camellia ccm chacha20 chachapoly des gcm
        poly1305 pkcs5 pkcs12 hmac_drbg ctr_drbg entropy entropy_poll padlock timing nist_kw
        memory_buffer_alloc md2 md4 xtea dhm ecdh""".split()
    files = [base / "library" / f"{part}.c" for part in parts]
    return [f for f in files if f.exists()], [
        f"-I{base / 'include'}", f"-I{base / 'library'}", f"-I{made}",
        "-DMBEDTLS_CONFIG_FILE=<small.h>"]


def font(sources, work):
    base, made = sources / "freetype", work / "freetype"
    (made / "freetype/config").mkdir(parents=True, exist_ok=True)
    modules = ["tt_driver", "t1_driver", "cff_driver", "t1cid_driver", "pcf_driver", "bdf_driver"]
    lines = [f"FT_USE_MODULE( FT_Driver_ClassRec, {name}_class )" for name in modules]
    lines += [f"FT_USE_MODULE( FT_Module_Class, {name}_module_class )"
              for name in ("psaux", "psnames", "pshinter", "sfnt")]
    lines += ["FT_USE_MODULE( FT_Renderer_Class, ft_smooth_renderer_class )"]
    (made / "freetype/config/ftmodule.h").write_text("\n".join(lines) + "\n")
    names = """base/ftbase base/ftinit base/ftsystem base/ftdebug base/ftbitmap base/ftbbox base/ftglyph
        base/ftmm truetype/truetype type1/type1 cff/cff cid/type1cid pcf/pcf bdf/bdf psaux/psaux
        psnames/psnames pshinter/pshinter sfnt/sfnt smooth/smooth gzip/ftgzip lzw/ftlzw""".split()
    return [base / "src" / f"{name}.c" for name in names], [
        f"-I{made}", f"-I{base / 'include'}", "-DFT2_BUILD_LIBRARY"]


def database(sources, work):
    base, made = sources / "sqlite3", work / "sqlite"
    made.mkdir(parents=True, exist_ok=True)
    if not shutil.which("tclsh"):
        raise Failed("tclsh, which puts SQLite's sources together, is not installed")
    if not (made / "sqlite3.c").exists():
        argv = ["make", "-f", base / "main.mk", f"TOP={base}", "BCC=cc", "TCC=cc", "NAWK=awk",
                "OPTS=", "sqlite3.c"]
        done = subprocess.run([str(a) for a in argv], cwd=made, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise Failed(f"SQLite: {engines.last_line(done.stdout)}")
    return [made / "sqlite3.c"], [f"-I{made}", "-DSQLITE_THREADSAFE=0",
                                  "-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_ENABLE_DESERIALIZE"]


# ---- one valid file of each ---------------------------------------------------------


def png_chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data)))


def png_file():
    rows = b"".join(b"\0" + bytes([y * 8, y * 16, 3] * 4) for y in range(4))
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)) +
            png_chunk(b"gAMA", struct.pack(">I", 45455)) +
            png_chunk(b"IDAT", zlib.compress(rows)) + png_chunk(b"IEND", b""))


def zip_file():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(zipfile.ZipInfo("a"), b"hello", zipfile.ZIP_STORED)
        z.writestr(zipfile.ZipInfo("b"), b"hello hello hello", zipfile.ZIP_DEFLATED)
    return out.getvalue()


def der(tag, *parts):
    body = b"".join(parts)
    n = len(body)
    size = bytes([n]) if n < 128 else bytes([0x81, n]) if n < 256 else b"\x82" + struct.pack(">H", n)
    return bytes([tag]) + size + body


def der_file():
    """A certificate with a key of 512 bits; its signature is no signature, which parsing does not ask."""
    oid = lambda *b: der(6, bytes(b))
    algorithm = der(0x30, oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 11), der(5))
    name = der(0x30, der(0x31, der(0x30, oid(0x55, 4, 3), der(0x0C, b"test"))))
    dates = der(0x30, der(0x17, b"200101000000Z"), der(0x17, b"300101000000Z"))
    number = der(2, b"\0" + bytes(range(0xC0, 0x100)))
    key = der(0x30, der(0x30, oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1), der(5)),
              der(3, b"\0", der(0x30, number, der(2, b"\x01\0\x01"))))
    basic = der(0x30, oid(0x55, 0x1D, 0x13), der(1, b"\xff"), der(4, der(0x30, der(1, b"\xff"))))
    body = der(0x30, der(0xA0, der(2, b"\2")), der(2, b"\1"), algorithm, name, dates, name, key,
               der(0xA3, der(0x30, basic)))
    return der(0x30, body, algorithm, der(3, b"\0" + bytes(64)))


def ttf_file():
    """A TrueType font of one empty glyph and a square."""
    glyph = struct.pack(">hhhhhHH", 1, 0, 0, 500, 500, 3, 0) + bytes([1, 1, 1, 1])
    glyph += struct.pack(">hhhhhhhh", 0, 500, 0, -500, 0, 0, 500, 0)
    table = struct.pack(">HHHHHHH", 4, 32, 0, 4, 4, 1, 0)
    table += struct.pack(">HHHHHhhHH", 65, 0xFFFF, 0, 65, 0xFFFF, 1 - 65, 1, 0, 0)
    tables = {
        b"cmap": struct.pack(">HHHHI", 0, 1, 3, 1, 12) + table,
        b"glyf": glyph,
        b"head": struct.pack(">IIIIHHqqhhhhHHhhh", 0x10000, 0, 0, 0x5F0F3CF5, 0, 1000, 0, 0, 0, 0,
                             500, 500, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">IhhhHhhhhhhhhhhhH", 0x10000, 800, -200, 0, 500, 0, 0, 500, 1, 0, 0, 0,
                             0, 0, 0, 0, 2),
        b"hmtx": struct.pack(">HhHh", 500, 0, 500, 0),
        b"loca": struct.pack(">III", 0, 0, len(glyph)),
        b"maxp": struct.pack(">IHHHHHHHHHHHHHH", 0x10000, 2, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    at, head, body = 12 + 16 * len(tables), struct.pack(">IHHHH", 0x10000, len(tables), 64, 2, 48), b""
    for name, data in tables.items():
        padded = data + bytes(-len(data) % 4)
        words = struct.unpack(f">{len(padded) // 4}I", padded)
        head += name + struct.pack(">III", sum(words) & 0xFFFFFFFF, at + len(body), len(data))
        body += padded
    return head + body


def db_file():
    db = sqlite3.connect(":memory:")
    db.execute("PRAGMA page_size = 512")
    db.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
    db.execute("INSERT INTO t VALUES (1, 'x')")
    db.commit()
    return db.serialize()


LIBRARIES = [
    Library("image", "libpng", ["libpng1.6", "zlib"], image, png_file),
    Library("archive", "minizip", ["zlib"], archive, zip_file),
    Library("certificate", "Mbed TLS", ["mbedtls"], certificate, der_file),
    Library("font", "FreeType", ["freetype"], font, ttf_file),
    Library("database", "SQLite", ["sqlite3"], database, db_file),
]


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
        return HERE / "libraries" / f"{library.name}.c"

    def replay(self, library):
        return self.objects("replay", library, "clang-19", COVERAGE,
                            [HERE / "libraries/replay.c", self.harness(library)],
                            ["-fprofile-instr-generate"])


class Cfuzz:
    def __init__(self, flags=()):
        self.flags = list(flags)

    def missing(self, builds):
        return "" if builds.driver.exists() else f"{builds.driver} is not built"

    def build(self, builds, library):
        exe = builds.work / "build" / f"cfuzz-{library.name}"
        if exe.exists() and exe.stat().st_mtime > builds.driver.stat().st_mtime:
            return exe
        files, own = library.made
        package = builds.work / "pkg" / library.name
        shutil.rmtree(package, ignore_errors=True)
        package.mkdir(parents=True)
        exe.parent.mkdir(parents=True, exist_ok=True)
        include = [f"-I{HERE / 'targets'}", f"-I{HERE / 'wrap'}"]
        lines = ["//cfuzz:cflags " + " ".join(map(str, [*FLAGS, *own, *include])), "//cfuzz:ldflags -lm"]
        lines += [f"//cfuzz:sources {source}" for source in [builds.harness(library), *files]]
        (package / "library.c").write_text("\n".join(lines) + "\n" +
                                           (HERE / "wrap/cfuzz_bytes.c").read_text())
        env = {"CFUZZCACHE": str(builds.work / "cache"), "CC": "clang-19"}
        builds.builder.sh([builds.driver, "-fuzz=FuzzBench", "-c", "-o", exe, "."], env, package)
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
        """Go's form of one []byte becomes a file."""
        for i, file in enumerate([*at.glob("testdata/corpus/*/*"), *at.glob("cache/fuzz/**/*")]):
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
    def __init__(self, flags=()):
        self.flags = list(flags)

    def missing(self, builds):
        return engines.LibFuzzer(builds.builder).missing()

    def build(self, builds, library):
        flags = [*FLAGS, "-fsanitize=fuzzer"]
        return builds.objects("libfuzzer", library, "clang-19", flags,
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
    def missing(self, builds):
        return engines.Afl(builds.builder).missing()

    def build(self, builds, library):
        env = {"AFL_QUIET": "1", "AFL_LLVM_CMPLOG": "1"}
        flags = [*FLAGS, "-fsanitize=fuzzer"]
        return builds.objects("afl", library, "afl-clang-fast", flags,
                              [HERE / "wrap/entry.c", builds.harness(library)], flags, env)

    def command(self, builds, exe, seeds, seed, at):
        (at / "seeds").mkdir()
        for i, data in enumerate(seeds or [b"0"]):  # it wants one that is not empty
            (at / "seeds" / f"seed{i}").write_bytes(data)
        env = {**engines.Afl.ENVIRONMENT, "AFL_FAST_CAL": "1", "AFL_NO_STARTUP_CALIBRATION": "1"}
        return ["afl-fuzz", "-i", at / "seeds", "-o", at / "out", "-s", seed, "-m", "none", "-c", "0",
                "-l", "2AT", "--", exe], env

    def corpus(self, at, to):
        for kind in ("queue", "crashes"):
            for file in (at / "out/default" / kind).glob("id*"):
                shutil.copy(file, to / f"{kind}-{file.name[:60].replace(',', '_')}")

    def executions(self, log, at):
        stats = at / "out/default/fuzzer_stats"
        return engines.afl_executions(stats.read_text()) if stats.exists() else None


ENGINES = {
    "cfuzz": Cfuzz(),
    "cfuzz -solve=false": Cfuzz(["-solve=false"]),
    "libFuzzer": LibFuzzer(),
    "libFuzzer, value profile": LibFuzzer(["-use_value_profile=1"]),
    "AFL++, cmplog": Afl(),
}


# ---- measuring ------------------------------------------------------------------------


def covered(builds, library, corpora, at):
    """Branches of the library that the files in the directories cover, and how many it has."""
    exe, profiles = builds.replay(library), []
    for i, corpus in enumerate(corpora):
        profiles.append(at / f"{i}.profraw")
        subprocess.run([exe, corpus], env={**os.environ, "LLVM_PROFILE_FILE": str(profiles[-1])},
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
    ap.add_argument("--only", default=",".join(l.name for l in LIBRARIES), help="libraries")
    ap.add_argument("--engines", default=";".join(ENGINES), help="separated by semicolons")
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
