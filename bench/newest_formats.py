"""newest_formats.py - libraries that were measured before anything of cfuzz was ever tried on them, after fresh_formats.py;
else as formats.py.
"""

import base64
import hashlib
import struct
import zlib

from library import Library, write

# ---- the libraries -----------------------------------------------------------------


def flac(sources, work):
    base, made = sources / "flac", work / "flac"
    write(made / "config.h", '#define PACKAGE_VERSION "1"\n#define CPU_IS_BIG_ENDIAN 0\n#define ENABLE_64_BIT_WORDS 1\n'
                             "#define FLAC__HAS_OGG 0\n#define FLAC__NO_ASM 1\n#define HAVE_FSEEKO 1\n"
                             "#define HAVE_LROUND 1\n#define HAVE_STDINT_H 1\n#define HAVE_INTTYPES_H 1\n"
                             "#define HAVE_BYTESWAP_H 1\n#define NDEBUG 1\n"
                             "#undef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION\n")  # afl-clang-fast has it, others not
    parts = "bitmath bitreader cpu crc fixed float format lpc md5 memory stream_decoder".split()
    return [base / "src/libFLAC" / f"{part}.c" for part in parts], [
        f"-I{made}", f"-I{base / 'include'}", f"-I{base / 'src/libFLAC/include'}", "-DHAVE_CONFIG_H",
        "-D_GNU_SOURCE"]


def dns(sources, work):
    base, made = sources / "c-ares", work / "dns"
    has = """AF_INET6 ARPA_INET_H ARPA_NAMESER_COMPAT_H ARPA_NAMESER_H ASSERT_H BOOL_T CONNECT ERRNO_H FCNTL FCNTL_H
        FCNTL_O_NONBLOCK GETTIMEOFDAY LIMITS_H LONGLONG NETDB_H NETINET_IN_H NETINET_TCP_H PF_INET6 RECV RECVFROM
        SEND SIG_ATOMIC_T SOCKET STDBOOL_H STRCASECMP STRDUP STRINGS_H STRNCASECMP STRUCT_ADDRINFO
        STRUCT_IN6_ADDR STRUCT_SOCKADDR_IN6 STRUCT_TIMEVAL SYS_SOCKET_H SYS_STAT_H SYS_TIME_H SYS_TYPES_H
        SYS_UIO_H TIME_H UNISTD_H WRITEV""".split()
    write(made / "ares_config.h", "".join(f"#define HAVE_{name} 1\n" for name in has) +
          "".join(f"#define {name}_TYPE_ARG{i} {kind}\n" for name in ("RECV", "RECVFROM", "SEND")
                  for i, kind in enumerate(("int", "void *", "size_t", "int"), 1)) +
          "#define RECV_TYPE_RETV ssize_t\n#define RECVFROM_TYPE_RETV ssize_t\n#define SEND_TYPE_RETV ssize_t\n"
          "#define RECVFROM_TYPE_ARG5 struct sockaddr *\n#define RECVFROM_TYPE_ARG6 socklen_t\n"
          "#define SEND_QUAL_ARG2 const\n#define CARES_HAVE_ARPA_NAMESER_H 1\n"
          "#define CARES_HAVE_ARPA_NAMESER_COMPAT_H 1\n")
    files = [f for f in sorted((base / "src/lib").glob("*.c")) if f.stem not in ("windows_port", "ares_android")]
    return files, [  # all of it: the parsers are tangled with the resolver
        f"-I{made}", f"-I{base / 'include'}", f"-I{base / 'src/lib'}", "-DHAVE_CONFIG_H", "-D_GNU_SOURCE"]


def cab(sources, work):
    base = sources / "libmspack/mspack"
    return [base / f"{part}.c" for part in "cabd lzxd mszipd qtmd system".split()], [
        f"-I{base}", "-DHAVE_INTTYPES_H=1", "-DSIZEOF_OFF_T=8", "-DMSPACK_NO_DEFAULT_SYSTEM"]


def plist(sources, work):
    base, made = sources / "libplist", work / "plist"
    has = "ASPRINTF STRCASECMP STRDUP STRNDUP STPCPY GMTIME_R LOCALTIME_R TIMEGM STRPTIME MEMMEM TM_TM_GMTOFF".split()
    write(made / "config.h", "".join(f"#define HAVE_{name} 1\n" for name in has) + "#define __LITTLE_ENDIAN__ 1\n")
    parts = "base64 bplist bytearray hashtable plist ptrarray time64 xplist".split()
    return [base / "src" / f"{part}.c" for part in parts] + [
        base / "libcnary" / f"{part}.c" for part in ("node", "node_list")], [
            f"-I{made}", f"-I{base / 'include'}", f"-I{base / 'src'}", f"-I{base / 'libcnary/include'}",
            "-DHAVE_CONFIG_H", "-D_GNU_SOURCE"]


def brotli(sources, work):
    base = sources / "brotli/c"
    files = sorted((base / "common").glob("*.c")) + sorted((base / "dec").glob("*.c"))
    return files, [f"-I{base / 'include'}"]


def jq(sources, work):
    base, made = sources / "jq/src", work / "jq"
    # At an error in a string the parser forgets this: what has no memory of its own, is not lost.
    write(made / "parser.c", (base / "parser.c").read_text().replace('jv_string("text")', "jv_null()"))
    parts = "bytecode compile jv jv_alloc jv_aux jv_dtoa jv_parse jv_print jv_unicode lexer locfile util".split()
    return [made / "parser.c"] + [base / f"{part}.c" for part in parts], [
        f"-I{base}", "-D_GNU_SOURCE", "-DIEEE_8087=1", "-DHAVE_MEMMEM=1", "-DHAVE_MKSTEMP=1",
        "-DHAVE_GETENTROPY=1", "-Dgetentropy=bench_entropy"]  # the harness has it: hashes are the same in each run


# ---- one valid file of each ---------------------------------------------------------


def crc(data, bits, polynomial):
    value, top = 0, 1 << bits - 1
    for byte in data:
        value ^= byte << bits - 8
        for _ in range(8):
            value = (value << 1 ^ polynomial * bool(value & top)) & (top << 1) - 1
    return value


def flac_file():
    """Sixteen samples of one channel, which go up by one, then by two; a frame that predicts by order one."""
    samples = [0]
    for i in range(15):
        samples.append(samples[-1] + 1 + i % 2)
    sound = hashlib.md5(struct.pack("<16h", *samples)).digest()
    info = struct.pack(">HH", 16, 16) + bytes(6) + (8000 << 44 | 15 << 36 | 16).to_bytes(8, "big") + sound
    notes = struct.pack("<I1sII3s", 1, b"x", 1, 3, b"a=b")
    head = bytes([0xFF, 0xF8, 0x60, 0x08, 0, 15])  # 16 samples, as the byte at its end says; the rest is as in info
    head += bytes([crc(head, 8, 7)])
    bits = "0" + "001001" + "0" + f"{0:016b}"  # fixed, of order one, no wasted bits; the first sample
    bits += "00" + "0000" + "0001"  # Rice coded, one partition, of parameter 1
    for i in range(15):
        step = 2 * (1 + i % 2)
        bits += "0" * (step >> 1) + "1" + str(step & 1)
    bits += "0" * (-len(bits) % 8)
    frame = head + int(bits, 2).to_bytes(len(bits) // 8, "big")
    frame += struct.pack(">H", crc(frame, 16, 0x8005))
    return (b"fLaC" + struct.pack(">I", len(info)) + info + struct.pack(">I", 0x84 << 24 | len(notes)) + notes +
            frame)


def dns_file():
    """A reply of two answers: the address of a.b, and where its mail goes."""
    name, same = b"\1a\1b\0", b"\xc0\x0c"
    address = same + struct.pack(">HHIH", 1, 1, 60, 4) + bytes([127, 0, 0, 1])
    mail = same + struct.pack(">HHIH", 15, 1, 60, 4) + struct.pack(">H", 10) + same
    return struct.pack(">6H", 1, 0x8180, 1, 2, 0, 0) + name + struct.pack(">HH", 1, 1) + address + mail


def cab_sum(data, value=0):
    whole = len(data) & ~3
    for (word,) in struct.iter_unpack("<I", data[:whole]):
        value ^= word
    return value ^ int.from_bytes(data[whole:], "big")


def cab_file():
    """One file, of one block, deflated."""
    text = b"hello hello hello hello"
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = b"CK" + deflate.compress(text) + deflate.flush()
    sizes = struct.pack("<HH", len(data), len(text))
    block = struct.pack("<I", cab_sum(sizes, cab_sum(data))) + sizes + data
    file = struct.pack("<IIHHHH", len(text), 0, 0, 0x5021, 0, 32) + b"a\0"
    files_at = 36 + 8
    folder = struct.pack("<IHH", files_at + len(file), 1, 1)
    head = b"MSCF" + struct.pack("<IIIIIBBHHHHH", 0, files_at + len(file) + len(block), 0, files_at, 0, 3, 1, 1, 1,
                                 0, 1, 0)
    return head + folder + file + block


def plist_file():
    """A binary list: a dictionary of a key, which is a list of a number and of a truth."""
    objects = [b"\xd1\1\2", b"\x51a", b"\xa2\3\4", b"\x10\7", b"\x09"]
    data, offsets = b"bplist00", b""
    for one in objects:
        offsets += bytes([len(data)])
        data += one
    return data + offsets + bytes(6) + struct.pack(">BBQQQ", 1, 1, len(objects), 0, len(data))


BROTLI = "QgkAvSJU+qdLVeiC2UzqIgpj9h024IA9DmmK+UzBEssQpKeRUl/wGUZCLqtpYArqeY0/GC4J"


def filter_file():
    return b'def f(g): .a[0] | g; if .b == 1 then f(. + 2) else {"c": $__loc__} end'


ALL = [
    Library("flac", "libFLAC", ["flac"], flac, flac_file),
    Library("dns", "c-ares", ["c-ares"], dns, dns_file),
    Library("cab", "libmspack", ["libmspack"], cab, cab_file),
    Library("plist", "libplist", ["libplist"], plist, plist_file),
    Library("brotli", "Brotli", ["brotli"], brotli, lambda: base64.b64decode(BROTLI)),
    Library("filter", "jq", ["jq"], jq, filter_file),
]
