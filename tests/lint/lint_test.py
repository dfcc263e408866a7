#!/usr/bin/env python3
"""lint_test.py - breaks rules of lint.py in a copy of the sources, and expects it to say so."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))


class Rules(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        for part in ("plugin", "cfuzz-test", "runtime", "include"):
            shutil.copytree(os.path.join(SOURCE, part), os.path.join(self.dir.name, part))

    def lint(self, rule):
        run = subprocess.run([sys.executable, os.path.join(HERE, "lint.py"), rule, "--source",
                              self.dir.name], check=False, stdout=subprocess.PIPE, text=True)
        return run.returncode, run.stdout.splitlines()

    def write(self, name, text, mode="w"):
        path = os.path.join(self.dir.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, mode, encoding="utf-8") as f:
            f.write(text)

    def include(self, name, what):
        """Puts an include behind the end of the file; returns its line."""
        with open(os.path.join(self.dir.name, name), encoding="utf-8") as f:
            lines = len(f.read().splitlines())
        self.write(name, f'#include "{what}"\n', "a")
        return lines + 1

    def test_sources_as_they_are(self):
        self.assertEqual(self.lint("includes"), (0, []))
        self.assertEqual(self.lint("folders"), (0, []))

    def test_forbidden_includes(self):
        for name, what, says in (
                ("cfuzz-test/stack/lines.c", "crash/finding.h",
                 "cfuzz-test/stack must not include cfuzz-test/crash/finding.h"),
                ("cfuzz-test/crash/triage.h", "fuzz/coordinator.h",
                 "cfuzz-test/crash must not include cfuzz-test/fuzz/coordinator.h"),
                ("cfuzz-test/base/shell.c", "cli/report.h",
                 "cfuzz-test/base must not include cfuzz-test/cli/report.h"),
                ("cfuzz-test/fuzz/queue.c", "target/executor.h",
                 "cfuzz-test/fuzz must not include runtime/target/executor.h"),
                ("runtime/core/buf.c", "target/slots.h",
                 "runtime/core must not include runtime/target/slots.h"),
                ("runtime/search/schedule.c", "target/slots.h",
                 "runtime/search must not include runtime/target/slots.h"),
                ("plugin/TypeList.cpp", "core/buf.h",
                 "plugin must not include runtime/core/buf.h"),
                ("cfuzz-test/crash/confirm.c", "finding.h",
                 '"finding.h": write folder and file, "crash/finding.h"')):
            with self.subTest(what, name=name):
                self.setUp()
                line = self.include(name, what)
                self.assertEqual(self.lint("includes"), (1, [f"{name}:{line}: {says}"]))

    def test_cycles(self):
        cycle = "a cycle of includes: "
        for name, what, says in (
                ("cfuzz-test/process/peer.c", "process/output.h", []),  # one way
                ("cfuzz-test/crash/crash_buckets.c", "crash/triage.h",
                 [f"cfuzz-test/crash/crash_buckets: {cycle}crash_buckets > triage > crash_buckets"]),
                ("cfuzz-test/crash/crash_frames.c", "crash/trial.h",
                 [f"cfuzz-test/crash/crash_frames: {cycle}"
                  "crash_frames > trial > crash_signature > crash_frames"]),
                ("runtime/core/text.c", "core/escape.h",
                 [f"runtime/core/escape: {cycle}escape > text > escape"])):
            with self.subTest(what, name=name):
                self.setUp()
                self.include(name, what)
                self.assertEqual(self.lint("includes"), (1 if says else 0, says))

    def test_unknown_folder(self):
        self.write("cfuzz-test/misc/odds.h", "")
        self.assertEqual(self.lint("includes"),
                         (1, ["cfuzz-test/misc: no folder that tests/lint/lint.py knows"]))
        self.assertEqual(self.lint("folders"), (1, [
            "cfuzz-test/misc: no README.md, whose first sentence says what the folder is for"]))

    def test_full_folder(self):
        have = sum(name.endswith((".c", ".h", ".def")) for name in
                   os.listdir(os.path.join(self.dir.name, "cfuzz-test/base")))
        for i in range(have, 41):
            self.write(f"cfuzz-test/base/more{i}.c", "")
        self.assertEqual(self.lint("folders"), (1, ["cfuzz-test/base: 41 files: more than 40"]))

    def test_equal_names(self):
        self.write("runtime/search/queue.c", "")
        self.assertEqual(self.lint("folders"), (1, [
            "queue: a base name in cfuzz-test/fuzz and runtime/search"]))

    def test_script_that_is_not_executable(self):
        self.write("cmake/more.sh", "#!/bin/sh\n")
        self.assertEqual(self.lint("text"),
                         (1, ["cmake/more.sh: begins with #!, and is not executable"]))

    def test_llvm_version(self):
        for name in ("cmake", "tests/script"):
            shutil.copytree(os.path.join(SOURCE, name), os.path.join(self.dir.name, name))
        for name in ("README.md", "CMakePresets.json"):
            shutil.copy(os.path.join(SOURCE, name), self.dir.name)
        self.assertEqual(self.lint("llvm"), (0, []))
        self.write("cmake/llvm-versions", "99 libclang-rt-99-dev\n", "a")
        asks = ", which cmake/llvm-versions asks for"
        script = "tests/script/build_compilers.txt: no [plugin:99] cfuzz-test -cc=clang-99 "
        status, says = self.lint("llvm")
        self.assertEqual(status, 1)
        self.assertRegex(says[0], rf"^README\.md: no LLVM [\d, ]+ and 99{asks}$")
        self.assertRegex(says[1], rf"^plugin/LLVMCompat\.h: no LLVM [\d, ]+ and 99{asks}$")
        self.assertEqual(says[2:], [
            f"{script}-run{asks}", f"{script}-fuzz{asks}",
            f"tests/script/fuzz_sanitizers_99.txt: there is no such file{asks}"])

    def manuals(self):
        for page in ("cfuzz-test.1", "cfuzz-cc.1", "cfuzz.3", "cfuzz-corpus.5"):
            self.write(f"docs/{page}", "")
            shutil.copy(os.path.join(SOURCE, "docs", page), os.path.join(self.dir.name, "docs"))
        self.assertEqual(self.lint("manual"), (0, []))

    def test_words_without_blanks(self):
        self.manuals()
        self.write("docs/cfuzz-cc.1", ".BR \\-c ); and all that is left\n", "a")
        status, says = self.lint("manual")
        self.assertEqual(status, 1)
        self.assertRegex(says[0], r"^docs/cfuzz-cc\.1:\d+: words run together: \.BR")

    def test_function_without_manual(self):
        self.manuals()
        self.write("include/cfuzz.h", "bool cfuzz_odd(cfuzz_t *t);\n", "a")
        self.assertEqual(self.lint("manual"),
                         (1, ["docs/cfuzz.3: no cfuzz_odd, which cfuzz.h declares"]))

    def test_flag_without_manual(self):
        self.manuals()
        self.write("cfuzz-test/cli/flags.def",
                   'FLAG("depth", FLAG_COUNT, depth, "n", GROUP_FUZZ, "77", "x")\n', "a")
        says = "docs/cfuzz-test.1: no line about -depth n"
        self.assertEqual(self.lint("manual"), (1, [says]))
        self.write("docs/cfuzz-test.1", '.TP\n.BI \\-depth " n"\nHow deep.\n', "a")
        says = "docs/cfuzz-test.1: -depth: its default is 77, which is not said"
        self.assertEqual(self.lint("manual"), (1, [says]))

    def test_story_without_file(self):
        for page in ("docs/architecture.md", "docs/hacking.md"):
            self.write(page, "")
            shutil.copy(os.path.join(SOURCE, page), os.path.join(self.dir.name, page))
        _, before = self.lint("stories")
        self.write("docs/hacking.md", "`crash_sing` (`crash/crash_file.c`), `crash/odds.c`\n", "a")
        says = [line.split(": ", 1)[1] for line in self.lint("stories")[1] if line not in before]
        self.assertEqual(says, ["crash_sing: no such function in crash/crash_file.c",
                                "crash/odds.c: there is no such file"])

    def test_nothing_to_look_at(self):
        """A rule that sees no sources does not pass."""
        for part in ("plugin", "cfuzz-test", "runtime", "include"):
            shutil.rmtree(os.path.join(self.dir.name, part))
        self.assertEqual(self.lint("includes")[0], 1)
        self.assertEqual(self.lint("folders")[0], 1)


if __name__ == "__main__":
    unittest.main()
