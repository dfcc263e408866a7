# Tests of the plugin: one run per LLVM major, with that major's clang, FileCheck and not.
# Parameters come from CMakeLists.txt here:
#
#   major      of cmake/llvm-versions
#   clang      clang of that major; clang++ lies beside it
#   tools      the directory of its FileCheck and not
#   plugins    the directory of cfuzz-plugin-<N>.so, for all N that were built
#   source     the top of the source tree
#   exec_root  where tests leave their files
#
# Substitutions:
#   %clang %clangxx    with the plugin, both flags
#   %cc %cxx           without it
#   %plugin            the plugin for this clang; %plugins their directory; %major
#   %lld               -fuse-ld= for an lld (feature lld)
# Features: lld, own-lld (of this major, for LTO); asan, tsan, msan where the compiler has the runtime; clang<N>.
import glob
import os
import subprocess
import sys

import lit.formats

param = lit_config.params
major = param["major"]
clang = param["clang"]
tools = param["tools"]

config.name = "cfuzz-plugin-" + major
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".c", ".cpp"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = param["exec_root"]
config.environment["PATH"] = os.pathsep.join([tools, os.environ["PATH"]])
config.environment["ASAN_OPTIONS"] = "detect_leaks=0"

clangxx = os.path.join(os.path.dirname(clang), "clang++-" + major)
if not os.path.exists(clangxx):
    clangxx = os.path.join(os.path.dirname(clang), "clang++")
include = "-I" + os.path.join(param["source"], "include")
plugin = os.path.join(param["plugins"], "cfuzz-plugin-%s.so" % major)
flags = "-fplugin=%s -fpass-plugin=%s %s" % (plugin, plugin, include)

config.substitutions += [
    ("%clangxx", "%s %s -std=c++17" % (clangxx, flags)),
    ("%clang", "%s %s" % (clang, flags)),
    ("%cxx", "%s %s -std=c++17" % (clangxx, include)),
    ("%cc", "%s %s" % (clang, include)),
    ("%plugins", param["plugins"]),
    ("%plugin", plugin),
    ("%major", major),
    ("%python", sys.executable),
]
config.available_features.add("clang" + major)
if os.uname().machine == "x86_64":
    config.available_features.add("x86")


def has_runtime(sanitizer):
    name = "libclang_rt.%s-%s.a" % (sanitizer, os.uname().machine)
    # Some installations name the directory after the target, and the files not.
    for file in (name, "libclang_rt.%s.a" % sanitizer):
        found = subprocess.run(
            [clang, "-print-file-name=" + file], stdout=subprocess.PIPE, universal_newlines=True
        ).stdout.strip()
        if os.path.isabs(found) and os.path.exists(found):
            return True
        if glob.glob(os.path.join(os.path.dirname(tools), "lib/clang/*/lib/*", file)):
            return True
    return False


for sanitizer in ("asan", "tsan", "msan"):
    if has_runtime(sanitizer):
        config.available_features.add(sanitizer)

# Any lld will do: this clang's own, else another one.
llds = [os.path.join(tools, "ld.lld")] + sorted(glob.glob("/usr/lib/llvm-*/bin/ld.lld"), reverse=True)
for lld in llds:
    if os.path.exists(lld):
        config.available_features.add("lld")
        config.substitutions.append(("%lld", "-fuse-ld=" + lld))
        if lld == llds[0]:
            config.available_features.add("own-lld")  # reads this clang's bitcode
        break
