"""fresh_formats.py - libraries that were measured before anything of cfuzz was ever tried on them; else as formats.py.

What is tuned is not measured on those that it was tuned on: since decision 137 colour profiles, JPEG, JBIG2, Vorbis and
Zstandard are no longer fresh, as somebody looked into why cfuzz was behind on them.
"""

import base64
import lzma
import struct

from library import Library, write

# ---- the libraries -----------------------------------------------------------------


def colour(sources, work):
    base = sources / "lcms2"
    return sorted((base / "src").glob("*.c")), [f"-I{base / 'include'}", f"-I{base / 'src'}"]


def bilevel(sources, work):
    base, made = sources / "jbig2dec", work / "bilevel"
    write(made / "config.h", "")
    write(made / "config_types.h", "#include <stdint.h>\n#include <stddef.h>\n")
    parts = """arith arith_iaid arith_int generic halftone huffman hufftab image mmr page refinement segment
        symbol_dict text""".split()
    return [base / "jbig2.c"] + [base / f"jbig2_{part}.c" for part in parts], [
        f"-I{made}", f"-I{base}", "-DHAVE_CONFIG_H"]


def tracker(sources, work):
    base = sources / "libxmp"
    skip = "win32 mkstemp pm pm01 pm20 pm40 pp30".split()
    folders = ("src", "src/loaders", "src/depackers", "src/loaders/prowizard")
    files = [f for part in folders for f in sorted((base / part).glob("*.c")) if f.stem not in skip]
    return files, [f"-I{base / 'include'}", f"-I{base / 'src'}", f"-I{base / 'src/loaders'}", "-DBUILDING_STATIC",
                   "-DLIBXMP_PAULA_SIMULATOR", "-D_REENTRANT", "-DHAVE_FNMATCH", "-DHAVE_DIRENT", "-DHAVE_MKSTEMP"]


def jpeg(sources, work):
    base, made = sources / "libjpeg-turbo", work / "jpeg"
    write(made / "jconfig.h", "#define JPEG_LIB_VERSION 62\n#define LIBJPEG_TURBO_VERSION 2\n"
                              "#define LIBJPEG_TURBO_VERSION_NUMBER 2000000\n#define D_ARITH_CODING_SUPPORTED 1\n"
                              "#define MEM_SRCDST_SUPPORTED 1\n#define BITS_IN_JSAMPLE 8\n")
    write(made / "jconfigint.h", "#define BUILD \"\"\n#define INLINE inline\n#define THREAD_LOCAL __thread\n"
                                 "#define PACKAGE_NAME \"jpeg\"\n#define VERSION \"2\"\n#define SIZEOF_SIZE_T 8\n"
                                 "#define HAVE_BUILTIN_CTZL\n#define FALLTHROUGH __attribute__((fallthrough));\n")
    version = (base / "jversion.h.in").read_text().replace("@COPYRIGHT_YEAR@", "2023")
    write(made / "jversion.h", version)
    parts = """apimin apistd atasrc coefct color dctmgr huff icc input mainct marker master merge phuff postct
        sample arith""".split()
    return [base / f"jd{part}.c" for part in parts] + [base / f"{name}.c" for name in """jaricom jcomapi jerror
        jidctflt jidctfst jidctint jidctred jmemmgr jmemnobs jquant1 jquant2 jutils jsimd_none""".split()], [
            f"-I{made}", f"-I{base}"]


def xz(sources, work):
    base = sources / "xz-utils/src/liblzma"
    names = """check/check check/crc32_fast check/crc32_table check/crc64_fast check/crc64_table check/sha256
        common/common common/filter_common common/filter_decoder common/filter_flags_decoder
        common/block_decoder common/block_header_decoder common/block_util common/index common/index_hash
        common/stream_decoder common/stream_flags_common common/stream_flags_decoder common/vli_decoder
        common/vli_size common/auto_decoder common/alone_decoder common/lzip_decoder common/block_buffer_decoder
        lz/lz_decoder lzma/lzma_decoder lzma/lzma2_decoder lzma/lzma_encoder_presets delta/delta_common
        delta/delta_decoder simple/simple_coder simple/simple_decoder simple/x86 simple/arm simple/armthumb
        simple/arm64 simple/powerpc simple/ia64 simple/sparc""".split()
    has = """STDINT_H STDBOOL_H INTTYPES_H DECODERS DECODER_LZMA1 DECODER_LZMA2 DECODER_DELTA DECODER_X86
        DECODER_ARM DECODER_ARMTHUMB DECODER_ARM64 DECODER_POWERPC DECODER_IA64 DECODER_SPARC CHECK_CRC32
        CHECK_CRC64 CHECK_SHA256 LZIP_DECODER VISIBILITY""".split()
    folders = ["api", "common", "check", "lz", "rangecoder", "lzma", "delta", "simple"]
    return [base / f"{name}.c" for name in names], [
        *(f"-I{base / folder}" for folder in folders), f"-I{base.parent / 'common'}",
        *(f"-DHAVE_{name}=1" for name in has), "-DSIZEOF_SIZE_T=8", "-DTUKLIB_SYMBOL_PREFIX=lzma_",
        "-DTUKLIB_FAST_UNALIGNED_ACCESS=1", '-DPACKAGE_NAME="xz"', '-DPACKAGE_BUGREPORT=""', '-DPACKAGE_URL=""']


def vorbis(sources, work):
    ogg, base, made = sources / "libogg", sources / "libvorbis", work / "vorbis"
    types = "".join(f"typedef {u}int{n}_t ogg_{u}int{n}_t;\n" for u in ("", "u") for n in (16, 32, 64))
    write(made / "ogg/config_types.h", "#include <stdint.h>\n" + types)
    parts = """mdct smallft block envelope window lsp lpc analysis synthesis psy info floor1 floor0 res0 mapping0
        registry codebook sharedbook lookup bitrate vorbisfile""".split()
    return [ogg / "src/framing.c", ogg / "src/bitwise.c"] + [base / "lib" / f"{part}.c" for part in parts], [
        f"-I{made}", f"-I{ogg / 'include'}", f"-I{base / 'include'}", f"-I{base / 'lib'}"]


def wavpack(sources, work):
    base = sources / "wavpack"
    parts = """common_utils decorr_utils entropy_utils open_utils read_words tag_utils tags unpack unpack3 unpack3_open
        unpack3_seek unpack_dsd unpack_floats unpack_seek unpack_utils open_legacy open_raw""".split()
    return [base / "src" / f"{part}.c" for part in parts], [
        f"-I{base / 'include'}", f"-I{base / 'src'}", "-DENABLE_DSD", "-DENABLE_LEGACY", '-DPACKAGE_NAME="w"',
        '-DPACKAGE_VERSION="5"', '-DVERSION_OS="Linux"']


def zstd(sources, work):
    base = sources / "libzstd/lib"
    files = sorted((base / "common").glob("*.c")) + sorted((base / "decompress").glob("*.c"))
    return files, [f"-I{base}", f"-I{base / 'common'}", "-DZSTD_DISABLE_ASM=1"]


def jpeg2000(sources, work):
    base, made = sources / "openjpeg2/src/lib/openjp2", work / "jpeg2000"
    write(made / "opj_config.h", "#define OPJ_HAVE_STDINT_H 1\n#define OPJ_VERSION_MAJOR 2\n"
                                 "#define OPJ_VERSION_MINOR 5\n#define OPJ_VERSION_BUILD 0\n")
    write(made / "opj_config_private.h", "#define OPJ_HAVE_INTTYPES_H 1\n#define OPJ_PACKAGE_VERSION \"2.5\"\n"
                                         "#define OPJ_HAVE_POSIX_MEMALIGN\n#define _POSIX_C_SOURCE 200112L\n")
    parts = """bio cio dwt event function_list ht_dec image invert j2k jp2 mct mqc openjpeg opj_clock opj_malloc pi
        sparse_array t1 t2 tcd tgt thread""".split()
    return [base / f"{part}.c" for part in parts], [f"-I{made}", f"-I{base}", "-DMUTEX_stub"]


# ---- one valid file of each ---------------------------------------------------------


def colour_file():
    """A profile of a display of one gray channel: a description, a white, a curve."""
    text = b"desc\0\0\0\0" + struct.pack(">I", 5) + b"gray\0" + bytes(78)
    white = b"XYZ \0\0\0\0" + struct.pack(">iii", 0xF6D6, 0x10000, 0xD32D)
    curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, 0x200)
    tags, at, body = [], 132 + 12 * 3, b""
    for name, data in ((b"desc", text), (b"wtpt", white), (b"kTRC", curve)):
        data += bytes(-len(data) % 4)
        tags.append(struct.pack(">4sII", name, at + len(body), len(data)))
        body += data
    head = struct.pack(">I4sI4s4s4s", at + len(body), b"lcms", 0x02100000, b"mntr", b"GRAY", b"XYZ ")
    head += struct.pack(">6H", 2020, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + struct.pack(">iii", 0xF6D6, 0x10000, 0xD32D)
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + b"".join(tags) + body


def bilevel_file():
    """A page of 64 by 56 points, and on it a generic region, coded arithmetically."""
    def segment(number, kind, page, data):
        return struct.pack(">IBBBI", number, kind, 0, page, len(data)) + data
    page = struct.pack(">IIIIBH", 64, 56, 0, 0, 0, 0)
    region = struct.pack(">IIIIB", 54, 44, 4, 11, 0) + bytes.fromhex(
        "0803fffdff02fefefe04eeed87fbcb2bffac")
    return (b"\x97JB2\r\n\x1a\n\1" + struct.pack(">I", 1) + segment(0, 48, 1, page) + segment(1, 38, 1, region) +
            segment(2, 49, 1, b"") + segment(3, 51, 0, b""))


def tracker_file():
    """A module of four channels and one pattern, in the format of Scream Tracker 3."""
    instrument = (b"\1" + b"a".ljust(12, b"\0") + struct.pack("<BHIII", 0, 12, 8, 0, 8) + bytes([64, 0, 0, 0]) +
                  struct.pack("<I", 8363) + bytes(12) + b"a".ljust(28, b"\0") + b"SCRS")
    pattern = struct.pack("<H", 2 + 6 + 64) + bytes([0x20 | 0x80, 0x40, 1, 1, 6]) + bytes(65)
    head = (b"a".ljust(28, b"\0") + b"\x1a\x10\0\0" + struct.pack("<HHHHHH", 2, 1, 1, 0, 0x1320, 2) + b"SCRM" +
            bytes([64, 6, 125, 176, 0, 0]) + bytes(10) + bytes([0, 1, 8, 9]) + b"\xff" * 28 + bytes([0, 255]))
    instrument_at = -(-(len(head) + 4) // 16)
    pattern_at = instrument_at + 5
    data = head + struct.pack("<HH", instrument_at, pattern_at)
    data = data.ljust(instrument_at * 16, b"\0") + instrument
    data = data.ljust(pattern_at * 16, b"\0") + pattern
    return data.ljust(192, b"\0") + bytes(range(8))


def xz_file():
    return lzma.compress(b"hello hello hello hello", lzma.FORMAT_XZ, lzma.CHECK_CRC32, preset=0)


def zstd_file():
    return base64.b64decode("KLUv/QSIZQAAMGhlbGxvIAEAmUsRF16uDQ==")


def ogg_crc(data):
    crc = 0
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ 0x04C11DB7 * (crc >> 31)) & 0xFFFFFFFF
    return crc


def ogg_page(flags, number, packet):
    page = bytearray(b"OggS\0" + struct.pack("<BqIIIBB", flags, 0, 1, number, 0, 1, len(packet)) + packet)
    page[22:26] = struct.pack("<I", ogg_crc(page))
    return bytes(page)


def vorbis_file():
    """Its first two pages: what it is, and comments; the third, with its code books, is not there."""
    head = b"\1vorbis" + struct.pack("<IBIIIIBB", 0, 1, 8000, 0, 16000, 0, 0x88, 1)
    notes = b"\3vorbis" + struct.pack("<I", 1) + b"x" + struct.pack("<II", 1, 3) + b"a=b\1"
    return ogg_page(2, 0, head) + ogg_page(0, 1, notes)


def wavpack_file():
    """One block of four samples of one channel, without what they are predicted by."""
    words = bytes([5, 6]) + bytes(12) + bytes([10, 2]) + b"\xff\0\0\0"
    flags = 1 | 4 | 1 << 11 | 1 << 12 | 15 << 18 | 9 << 23
    return b"wvpk" + struct.pack("<IHBBIIIII", 24 + len(words), 0x410, 0, 0, 4, 0, 4, flags, 0xFFFFFFFF) + words


JPEG = (
    "/9j/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6/+b9//j/2wBDASstLTw1"
    "PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj/wAARCAAIAAgDASIAAhEBAxEB/8QA"
    "FQABAQAAAAAAAAAAAAAAAAAAAAT/xAAWEAEBAQAAAAAAAAAAAAAAAAAAA2H/xAAVAQEBAAAAAAAAAAAAAAAAAAADBP/EABkRAAMAAwAAAAAA"
    "AAAAAAAAAAABAgMREv/aAAwDAQACEQMRAD8AkjDAEtU9j4rfJ//Z")
JPEG2000 = (
    "AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAACAAAAAgAAQcHAAAAAAAPY29scgEAAAAAABEAAACi"
    "anAyY/9P/1EAKQAAAAAACAAAAAgAAAAAAAAAAAAAAAgAAAAIAAAAAAAAAAAAAQcBAf9SAAwAAAABAAEEBAAB/1wAB0BASEhQ/2QAIwABQ3Jl"
    "YXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNf+QAAoAAAAAAC8AAf+T34CQEg8/XRyLk/p3Kv6yS10Gk6dfwDocHzgwIhh/A36X/9k=")

ALL = [
    Library("colour", "Little CMS", ["lcms2"], colour, colour_file),
    Library("bilevel", "jbig2dec", ["jbig2dec"], bilevel, bilevel_file),
    Library("tracker", "libxmp", ["libxmp"], tracker, tracker_file),
    Library("jpeg", "libjpeg-turbo", ["libjpeg-turbo"], jpeg, lambda: base64.b64decode(JPEG)),
    Library("xz", "liblzma", ["xz-utils"], xz, xz_file),
    Library("vorbis", "libvorbis", ["libogg", "libvorbis"], vorbis, vorbis_file),
    Library("wavpack", "WavPack", ["wavpack"], wavpack, wavpack_file),
    Library("zstd", "Zstandard", ["libzstd"], zstd, zstd_file),
    Library("jpeg2000", "OpenJPEG", ["openjpeg2"], jpeg2000, lambda: base64.b64decode(JPEG2000)),
]
