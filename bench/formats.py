"""formats.py - libraries that read a file format: which of Debian's sources, how they are built, one valid file."""

import gzip
import io
import re
import shutil
import sqlite3
import struct
import subprocess
import zipfile
import zlib

import engines
from engines import Failed
from library import Library


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


def json(sources, work):
    return [sources / "cjson/cJSON.c"], [f"-I{sources / 'cjson'}"]


def yaml(sources, work):
    base = sources / "libyaml"
    return sorted((base / "src").glob("*.c")), [
        f"-I{base / 'include'}", f"-I{base / 'src'}", "-DYAML_VERSION_MAJOR=0",
        "-DYAML_VERSION_MINOR=2", "-DYAML_VERSION_PATCH=5", '-DYAML_VERSION_STRING="0.2.5"']


def xml(sources, work):
    base = sources / "expat/expat/lib"
    return [base / f"{part}.c" for part in ("xmlparse", "xmlrole", "xmltok")], [
        f"-I{base}", "-DXML_DTD", "-DXML_NS", "-DXML_GE=1", "-DXML_CONTEXT_BYTES=1024",
        "-DHAVE_GETRANDOM", "-DXML_STATIC", "-DBYTEORDER=1234"]


def deflate(sources, work):
    return zlib_files(sources), [f"-I{sources / 'zlib'}", "-DHAVE_UNISTD_H"]


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


XML = b'<!DOCTYPE r [<!ENTITY e "v"><!ATTLIST r a CDATA "d">]>\n<r a="1">&e;<b xmlns:n="u"/><!--c--></r>\n'

# What comes without magics and checksums; part of run.py.
PLAIN = [
    Library("json", "cJSON", ["cjson"], json, lambda: b'{"a": [1, -2.5e3, null, "b"]}'),
    Library("yaml", "libyaml", ["libyaml"], yaml, lambda: b"a: &b [c, 'd', \"e\"]\nf: *b\n"),
    Library("xml", "expat", ["expat"], xml, lambda: XML),
    Library("deflate", "zlib", ["zlib"], deflate, lambda: gzip.compress(b"hello hello", mtime=0)),
]
BEHIND_MAGICS = [
    Library("image", "libpng", ["libpng1.6", "zlib"], image, png_file),
    Library("archive", "minizip", ["zlib"], archive, zip_file),
    Library("certificate", "Mbed TLS", ["mbedtls"], certificate, der_file),
    Library("font", "FreeType", ["freetype"], font, ttf_file),
    Library("database", "SQLite", ["sqlite3"], database, db_file),
]
ALL = BEHIND_MAGICS + PLAIN
