"""later_formats.py - libraries that were measured before anything of cfuzz was ever tried on them, after unseen_formats.py;
else as formats.py.
"""

import re

from library import Library, write

# ---- the libraries -----------------------------------------------------------------


def config(sources, work):
    """Includes are of files: there are none."""
    base, made = sources / "libconfig/lib", work / "config"
    write(made / "ac_config.h", "#define HAVE_STDINT_H 1\n#define HAVE_UNISTD_H 1\n#define HAVE_NEWLOCALE 1\n"
                                "#define HAVE_USELOCALE 1\n#define HAVE_FREELOCALE 1\n")
    parts = "grammar libconfig scanctx scanner strbuf".split()
    return [base / f"{part}.c" for part in parts], [
        f"-I{made}", f"-I{base}", "-DHAVE_CONFIG_H", "-D_GNU_SOURCE", "-DLIBCONFIG_STATIC"]


def pattern(sources, work):
    base, made = sources / "libonig/src", work / "pattern"
    write(made / "config.h", "#define HAVE_ALLOCA 1\n#define HAVE_ALLOCA_H 1\n#define HAVE_STDINT_H 1\n"
                             "#define HAVE_INTTYPES_H 1\n#define HAVE_SYS_TYPES_H 1\n#define HAVE_UNISTD_H 1\n"
                             "#define SIZEOF_INT 4\n#define SIZEOF_LONG 8\n#define SIZEOF_LONG_LONG 8\n"
                             '#define SIZEOF_VOIDP 8\n#define PACKAGE_VERSION "6"\n#define VERSION "6"\n')
    parts = """ascii onig_init regcomp regenc regerror regexec regext regparse regsyntax regtrav regversion st unicode
        unicode_fold1_key unicode_fold2_key unicode_fold3_key unicode_unfold_key utf8""".split()
    return [base / f"{part}.c" for part in parts], [f"-I{made}", f"-I{base}", "-DHAVE_CONFIG_H", "-D_GNU_SOURCE"]


def pointers(sources, work):
    base, made = sources / "json-c", work / "pointers"
    has = """DECL_INFINITY DECL_ISINF DECL_ISNAN DECL_NAN DLFCN_H FCNTL_H INTTYPES_H LIMITS_H LOCALE_H MEMORY_H
        SNPRINTF STDARG_H STDINT_H STDLIB_H STRCASECMP STRDUP STRERROR STRINGS_H STRING_H STRNCASECMP STRTOLL STRTOULL
        SYS_PARAM_H SYS_STAT_H SYS_TYPES_H UNISTD_H USELOCALE VASPRINTF VPRINTF VSNPRINTF""".split()
    write(made / "config.h", "".join(f"#define HAVE_{name} 1\n" for name in has) +
          "#define SIZEOF_INT 4\n#define SIZEOF_INT64_T 8\n#define SIZEOF_LONG 8\n#define SIZEOF_LONG_LONG 8\n"
          "#define SIZEOF_SIZE_T 8\n#define SIZEOF_SSIZE_T 8\n#define STDC_HEADERS 1\n")
    write(made / "json_config.h", "#define JSON_C_HAVE_INTTYPES_H 1\n")
    write(made / "json.h", "".join(f'#include "{name}.h"\n' for name in "arraylist debug json_c_version json_object "
                                   "json_pointer json_tokener json_util linkhash".split()))
    # What hashes begin with is drawn once a process.
    write(made / "random_seed.c", "int json_c_get_random_seed(void)\n{\n    return 1;\n}\n")
    parts = """arraylist debug json_c_version json_object json_object_iterator json_pointer json_tokener json_util
        json_visit linkhash printbuf strerror_override""".split()
    return [made / "random_seed.c"] + [base / f"{part}.c" for part in parts], [
        f"-I{made}", f"-I{base}", "-D_GNU_SOURCE", "-D_REENTRANT"]


def packed(sources, work):
    base, made = sources / "msgpack-c", work / "packed"
    for name in ("sysdep", "pack_template"):
        text = (base / f"cmake/{name}.h.in").read_text()
        write(made / f"msgpack/{name}.h", re.sub(r"@\w*BIG\w*@", "0", re.sub(r"@\w*LITTLE\w*@", "1", text)))
    parts = "objectc unpack version vrefbuffer zone".split()
    return [base / "src" / f"{part}.c" for part in parts], [
        f"-I{made}", f"-I{made / 'msgpack'}", f"-I{base / 'include'}", "-D_GNU_SOURCE"]


def http(sources, _):
    base = sources / "http-parser"
    return [base / "http_parser.c"], [f"-I{base}"]


def replies(sources, _):
    base = sources / "hiredis"
    parts = "alloc read sds hiredis net".split()
    return [base / f"{part}.c" for part in parts], [
        f"-I{base}", "-D_GNU_SOURCE", "-Wno-incompatible-function-pointer-types"]


def nodes(sources, work):
    base, made = sources / "mxml", work / "nodes"
    has = "LONG_LONG_INT SNPRINTF VASPRINTF VSNPRINTF STRDUP".split()
    text = (base / "config.h.in").read_text().replace("#define inline", "")
    for name in has:
        text = text.replace(f"#undef HAVE_{name}\n", f"#define HAVE_{name} 1\n")
    write(made / "config.h", text.replace('MXML_VERSION	""', 'MXML_VERSION "x"'))
    parts = "attr entity file get index node private search set string".split()
    return [base / f"mxml-{part}.c" for part in parts], [f"-I{made}", f"-I{base}", "-D_GNU_SOURCE"]


def ecma(sources, _):
    base = sources / "duktape/src"
    return [base / "duktape.c"], [f"-I{base}", "-D_GNU_SOURCE"]


# ---- the seeds ---------------------------------------------------------------------

CONFIG = b'a = 1;\nb : { c = "x\\n"; d = [ 1, 2 ]; e = ( 1.5, true, 0x1F ); };\n# note\n'
PATTERN = b"\0(?<n>a+|[b-d]){2,3}\\k<n>(?=e)\\d*$abcabcee12"
POINTERS = b'/a/1\n{"a": [1, 2.5, {"b": null}], "c": "\\u00e9x", "d": true}'
PACKED = bytes([0x83, 0xA1, 0x61, 0x01, 0xA1, 0x62, 0x93, 0xC0, 0xC3, 0xCB]) + bytes(8) + bytes(
    [0xCD, 1, 2, 0xA1, 0x63, 0xD6, 5, 1, 2, 3, 4])
HTTP = (b"POST /a?b=c HTTP/1.1\r\nHost: h.x\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n"
        b"5\r\nhello\r\n0\r\n\r\n")
REPLIES = b"*4\r\n+OK\r\n:12\r\n$5\r\nhello\r\n*1\r\n$-1\r\n-ERR x\r\n"
NODES = b'<?xml version="1.0"?><a b="c&amp;d"><!-- n --><e>1</e><f>text</f><![CDATA[x]]></a>'
ECMA = b"var a = {b: [1, 2.5e3, /x+/g], c: function (d) { return d ? 'e' : \"f\" + this.g; }};\nfor (var i in a) { try { h(i); } catch (x) {} }\n"

ALL = [
    Library("config", "libconfig", ["libconfig"], config, lambda: CONFIG),
    Library("pattern", "Oniguruma", ["libonig"], pattern, lambda: PATTERN),
    Library("pointers", "json-c", ["json-c"], pointers, lambda: POINTERS),
    Library("packed", "msgpack-c", ["msgpack-c"], packed, lambda: PACKED),
    Library("http", "http-parser", ["http-parser"], http, lambda: HTTP),
    Library("replies", "hiredis", ["hiredis"], replies, lambda: REPLIES),
    Library("nodes", "Mini-XML", ["mxml"], nodes, lambda: NODES),
    Library("ecma", "Duktape", ["duktape"], ecma, lambda: ECMA),
]
