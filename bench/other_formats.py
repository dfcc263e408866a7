"""other_formats.py - libraries that nothing in cfuzz was made for; else as formats.py.

What is tuned on a library is measured on these afterwards. WebP and TIFF were looked at once (decision 129).
"""

import base64
import bz2
import struct

from library import Library, write

# ---- the libraries -----------------------------------------------------------------


def gif(sources, work):
    base = sources / "giflib"
    return [base / name for name in ("dgif_lib.c", "gifalloc.c", "gif_hash.c")], [f"-I{base}"]


def exif(sources, work):
    base, made = sources / "libexif", work / "exif"
    write(made / "config.h", '#define GETTEXT_PACKAGE "libexif-12"\n#define LOCALEDIR "/nonexistent"\n')
    write(made / "libexif/_stdint.h", "#include <stdint.h>\n")
    return sorted((base / "libexif").rglob("*.c")), [f"-I{made}", f"-I{base}"]


def bzip(sources, work):
    base = sources / "bzip2"
    parts = "blocksort bzlib compress crctable decompress huffman randtable".split()
    return [base / f"{part}.c" for part in parts], [f"-I{base}", "-DBZ_NO_STDIO"]


def js(sources, work):
    return [sources / "mujs/one.c"], [f"-I{sources / 'mujs'}"]


def regex(sources, work):
    base, made = sources / "pcre2/src", work / "regex"
    write(made / "config.h", (base / "config.h.generic").read_text())
    write(made / "pcre2.h", (base / "pcre2.h.generic").read_text())
    write(made / "pcre2_chartables.c", (base / "pcre2_chartables.c.dist").read_text())
    parts = """auto_possess compile config context error extuni find_bracket jit_compile maketables match
        match_data newline ord2utf pattern_info script_run string_utils study substring tables ucd
        valid_utf xclass""".split()
    return [made / "pcre2_chartables.c"] + [base / f"pcre2_{part}.c" for part in parts], [
        f"-I{made}", f"-I{base}", "-DHAVE_CONFIG_H", "-DPCRE2_CODE_UNIT_WIDTH=8", "-DPCRE2_STATIC",
        "-DSUPPORT_PCRE2_8", "-DSUPPORT_UNICODE", "-DHAVE_MEMMOVE"]


def markdown(sources, work):
    base, made = sources / "cmark/src", work / "markdown"
    write(made / "config.h", "#pragma once\n#include <stdbool.h>\n#define HAVE___BUILTIN_EXPECT\n"
                             "#define HAVE___ATTRIBUTE__\n#define CMARK_ATTRIBUTE(list) __attribute__(list)\n"
                             "#define CMARK_INLINE inline\n")
    write(made / "cmark_export.h", "#pragma once\n#define CMARK_EXPORT\n#define CMARK_NO_EXPORT\n")
    write(made / "cmark_version.h", '#define CMARK_VERSION 0\n#define CMARK_VERSION_STRING "0"\n')
    return [f for f in sorted(base.glob("*.c")) if f.name != "main.c"], [f"-I{made}", f"-I{base}"]


TIFF_PARTS = """aux close codec color compress dir dirinfo dirread dirwrite dumpmode error extension fax3
    fax3sm flush getimage hash_set luv lzw next open packbits pixarlog predict print read strip swab
    thunder tile unix version warning write zip""".split()


def tiff(sources, work):
    base, made, z = sources / "tiff/libtiff", work / "tiff", sources / "zlib"
    has = ["HAVE_IEEEFP 1", "HOST_FILLORDER FILLORDER_LSB2MSB", "HOST_BIGENDIAN 0", "CCITT_SUPPORT 1",
           "LOGLUV_SUPPORT 1", "LZW_SUPPORT 1", "NEXT_SUPPORT 1", "PACKBITS_SUPPORT 1", "PIXARLOG_SUPPORT 1",
           "THUNDER_SUPPORT 1", "ZIP_SUPPORT 1", "STRIPCHOP_DEFAULT TIFF_STRIPCHOP", "SUBIFD_SUPPORT 1",
           "DEFAULT_EXTRASAMPLE_AS_ALPHA 1", "CHECK_JPEG_YCBCR_SUBSAMPLING 1", "MDI_SUPPORT 1",
           "TIFF_SSIZE_T int64_t", *(f"TIFF_{'U' * u}INT{n}_T {'u' * u}int{n}_t"
                                     for u in (0, 1) for n in (8, 16, 32, 64)),
           *(f"{name}_SUPPORT" for name in "COLORIMETRY YCBCR CMYK ICC PHOTOSHOP IPTC".split())]
    write(made / "tiffconf.h", "#pragma once\n#include <stddef.h>\n#include <stdint.h>\n#include <inttypes.h>\n" +
          "".join(f"#define {line}\n" for line in has))
    has = ["CHUNKY_STRIP_READ_SUPPORT 1", "HAVE_ASSERT_H 1", "HAVE_FCNTL_H 1", "HAVE_FSEEKO 1",
           "HAVE_STRINGS_H 1", "HAVE_SYS_TYPES_H 1", "HAVE_UNISTD_H 1", "HAVE_SNPRINTF 1", "SIZEOF_SIZE_T 8",
           "STRIP_SIZE_DEFAULT 8192", "TIFF_MAX_DIR_COUNT 1048576", 'TIFF_SIZE_FORMAT "zu"',
           "TIFF_SSIZE_FORMAT PRId64"]
    write(made / "tif_config.h", '#include "tiffconf.h"\n' + "".join(f"#define {line}\n" for line in has))
    zparts = "adler32 crc32 deflate inflate inffast inftrees trees zutil".split()
    return [base / f"tif_{part}.c" for part in TIFF_PARTS] + [z / f"{part}.c" for part in zparts], [
        f"-I{made}", f"-I{base}", f"-I{z}", "-DHAVE_UNISTD_H"]


def http2(sources, work):
    base, made = sources / "nghttp2/lib", work / "http2"
    write(made / "nghttp2/nghttp2ver.h", '#define NGHTTP2_VERSION "1"\n#define NGHTTP2_VERSION_NUM 0x010000\n')
    return sorted(base.glob("*.c")), [
        f"-I{made}", f"-I{base / 'includes'}", "-DNGHTTP2_STATICLIB", "-DHAVE_ARPA_INET_H",
        "-DHAVE_NETINET_IN_H", "-DHAVE_TIME_H", "-DHAVE_CLOCK_GETTIME"]


def webp(sources, work):
    base, made = sources / "libwebp", work / "webp"
    write(made / "src/webp/config.h", "/* C only: no SSE2 */\n")
    names = """dec/alpha_dec dec/buffer_dec dec/frame_dec dec/idec_dec dec/io_dec dec/quant_dec dec/tree_dec
        dec/vp8_dec dec/vp8l_dec dec/webp_dec dsp/alpha_processing dsp/cpu dsp/dec dsp/dec_clip_tables
        dsp/filters dsp/lossless dsp/rescaler dsp/upsampling dsp/yuv utils/bit_reader_utils
        utils/color_cache_utils utils/filters_utils utils/huffman_utils utils/quant_levels_dec_utils
        utils/random_utils utils/rescaler_utils utils/thread_utils utils/utils""".split()
    return [base / "src" / f"{name}.c" for name in names], [
        f"-I{made}", f"-I{base}", f"-I{base / 'src'}", "-DHAVE_CONFIG_H"]


def lua(sources, work):
    base, made = sources / "lua5.4/src", work / "lua"
    write(made / "lua5.4-deb-multiarch.h", "#define DEB_HOST_MULTIARCH \"none\"\n")
    names = """lapi lcode lctype ldebug ldo ldump lfunc lgc llex lmem lobject lopcodes lparser lstate lstring
        ltable ltm lundump lvm lzio lauxlib""".split()
    # A seed of hashes that is the same in each state and process.
    return [base / f"{name}.c" for name in names], [f"-I{made}", f"-I{base}", "-Dluai_makeseed(L)=0"]


# ---- one valid file of each ---------------------------------------------------------


def gif_file():
    """Four by four pixels of four colours; a clear code after each two keeps codes at three bits."""
    codes = []
    for i in range(0, 16, 2):
        codes += [4, i % 4, (i // 4 + 1) % 4]
    bits = sum(code << 3 * i for i, code in enumerate([*codes, 5]))
    data = bits.to_bytes((3 * (len(codes) + 1) + 7) // 8, "little")
    colours = bytes([0, 0, 0, 255, 0, 0, 0, 255, 0, 255, 255, 255])
    return (b"GIF89a" + struct.pack("<HHBBB", 4, 4, 0x91, 0, 0) + colours +
            b"!\xf9\4\1\n\0\3\0" + b"!\xfe\2hi\0" +
            b"," + struct.pack("<HHHHB", 0, 0, 4, 4, 0) + b"\2" + bytes([len(data)]) + data + b"\0;")


def ifd(entries, after=0):
    """Of tag, type, count, value; what is longer than four bytes is an offset."""
    out = struct.pack("<H", len(entries))
    for tag, kind, count, value in entries:
        out += struct.pack("<HHI", tag, kind, count)
        out += value.ljust(4, b"\0") if isinstance(value, bytes) else struct.pack("<I", value)
    return out + struct.pack("<I", after)


def exif_file():
    n = 8 + 2 + 12 * 4 + 4  # where values are
    first = ifd([(0x010F, 2, 6, n), (0x0112, 3, 1, 1), (0x011A, 5, 1, n + 6), (0x8769, 4, 1, n + 14)])
    second = ifd([(0x9000, 7, 4, b"0220"), (0x829A, 5, 1, n + 6)])
    return (b"Exif\0\0II*\0" + struct.pack("<I", 8) + first + b"Maker\0" + struct.pack("<II", 72, 1) + second)


def tiff_file():
    """Four by four pixels of red, green and blue, packed in runs."""
    n = 8 + 2 + 12 * 9 + 4
    rows = b"".join(bytes([11]) + bytes([y * 8, y * 16, 3] * 4) for y in range(4))
    return b"II*\0" + struct.pack("<I", 8) + ifd([
        (256, 3, 1, 4), (257, 3, 1, 4), (258, 3, 3, n), (259, 3, 1, 32773), (262, 3, 1, 2), (273, 4, 1, n + 6),
        (277, 3, 1, 3), (278, 3, 1, 4), (279, 4, 1, len(rows))]) + struct.pack("<HHH", 8, 8, 8) + rows


def frame(kind, flags, stream, data):
    return struct.pack(">I", len(data))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + data


def http2_file():
    return (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, struct.pack(">HI", 3, 100)) +
            frame(1, 5, 1, b"\x82\x86\x84\x41\x01a"))


WEBP = ("UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3A"
        "AP7mtQAAAA==")
JS = b"var a = [1, 'b', /c+/g];\nfunction f(x) { if (x > 0.5) return x; }\nfor (var i in a) f({i: a[i]});\n"
MARKDOWN = b"# Title\n\n- a *b* `c`\n- [d](http://e \"f\")\n\n> g\n\n```h\ni\n```\n\n[j]: /k\n"
REGEX = b"\0^(?<n>a|[b-d]+)\\d{2}x" + b"bc12x hello, ab12x..."
LUA = b"local a = {1, b = 'c'}\nfor i = 1, #a do\n  if a[i] > 0.5 then print(a[i] .. \"x\") end\nend\n"

ALL = [
    Library("gif", "giflib", ["giflib"], gif, gif_file),
    Library("exif", "libexif", ["libexif"], exif, exif_file),
    Library("tiff", "libtiff", ["tiff", "zlib"], tiff, tiff_file),
    Library("webp", "libwebp", ["libwebp"], webp, lambda: base64.b64decode(WEBP)),
    Library("http2", "nghttp2", ["nghttp2"], http2, http2_file),
    Library("bzip", "bzip2", ["bzip2"], bzip, lambda: bz2.compress(b"hello hello hello", 1)),
    Library("js", "MuJS", ["mujs"], js, lambda: JS),
    Library("regex", "PCRE2", ["pcre2"], regex, lambda: REGEX),
    Library("markdown", "cmark", ["cmark"], markdown, lambda: MARKDOWN),
    Library("lua", "Lua", ["lua5.4"], lua, lambda: LUA),
]
