"""unseen_formats.py - libraries that were measured before anything of cfuzz was ever tried on them, after newest_formats.py;
else as formats.py.
"""

import base64
import re

from library import Library, write

UNSAFE = "#undef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION\n"  # afl-clang-fast has it, others not

# ---- the libraries -----------------------------------------------------------------


def lz4(sources, work):
    base, made = sources / "lz4/lib", work / "lz4"
    write(made / "safe.h", UNSAFE)
    return [base / f"{part}.c" for part in "lz4 lz4frame lz4hc xxhash".split()], [
        f"-I{base}", f"-include{made / 'safe.h'}", "-DLZ4_HEAPMODE=0"]


def trig(sources, work):
    """Its indent may wrap around to four billion tabs, which hangs, and it has asserts."""
    base, made = sources / "serd", work / "trig"
    text = (base / "src/writer.c").read_text()
    assert "i < writer->indent;" in text
    write(made / "writer.c", text.replace("i < writer->indent;", "i < writer->indent && i < 64;"))
    write(made / "safe.h", UNSAFE)
    files = [f for f in sorted((base / "src").glob("*.c")) if f.name not in ("serdi.c", "writer.c")]
    return [*files, made / "writer.c"], [
        f"-I{base / 'include'}", f"-I{base / 'src'}", f"-include{made / 'safe.h'}", "-DSERD_STATIC",
        "-D_GNU_SOURCE", "-DNDEBUG"]


def html(sources, work):
    base, made = sources / "libxml2", work / "html"
    text = (base / "include/libxml/xmlversion.h.in").read_text()
    on = "HTML OUTPUT TREE PUSH SAX1 VALID ISO8859X".split()
    text = re.sub(r"@WITH_(\w+)@", lambda m: str(int(m[1] in on)), text)
    text = text.replace("@LIBXML_VERSION_NUMBER@", "20914").replace("@VERSION@", "2.9.14")
    text = re.sub(r"@\w+@", "", text)
    write(made / "libxml/xmlversion.h", text)
    has = """ARPA_INET_H CTYPE_H ERRNO_H FCNTL_H FLOAT_H INTTYPES_H LIMITS_H MATH_H STDARG_H STDINT_H STDLIB_H
        STRING_H SYS_STAT_H SYS_TYPES_H SYS_TIME_H TIME_H UNISTD_H SNPRINTF VSNPRINTF STAT VA_COPY""".split()
    write(made / "config.h", "".join(f"#define HAVE_{name} 1\n" for name in has) +
          '#define PACKAGE "x"\n#define VERSION "2"\n' + UNSAFE)
    parts = """HTMLparser HTMLtree SAX2 tree parser parserInternals entities encoding error valid xmlIO xmlmemory
        xmlstring hash list dict uri globals threads chvalid buf xmlsave""".split()
    return [base / f"{part}.c" for part in parts], [
        f"-I{made}", f"-I{made / 'libxml'}", f"-I{base / 'include'}", f"-I{base}", "-DHAVE_CONFIG_H",
        "-D_GNU_SOURCE"]


# ---- the seeds ---------------------------------------------------------------------

LZ4 = base64.b64decode(
    "BCJNGHRAvTMAAABtaGVsbG8gBgDwGSwgMQoyCjMKNAo1CjYKNwo4CjkKMTAKMTEKMTIKaGVsbG8gaGVsbG+0yaySAAAAANU9m24=")
TRIG = b'@prefix e: <http://e.x/> .\n@base <b/> .\ne:a a e:T ; e:p "hi"@en , 1.5 , [ e:q (1 true "x"^^e:t) ] .\n<g> { <../s> e:p _:b . }\n'
HTML = (b'<!DOCTYPE html><html><head><title>a &amp; b</title><script>x<1</script></head><body class="c">'
        b'<p>one<br><a href="u?v=1&w=2">two</a><table><tr><td>3</table><!-- n --></body></html>')

ALL = [
    Library("lz4", "LZ4", ["lz4"], lz4, lambda: LZ4),
    Library("trig", "serd", ["serd"], trig, lambda: TRIG),
    Library("html", "libxml2", ["libxml2"], html, lambda: HTML),
]
