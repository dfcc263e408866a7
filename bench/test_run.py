#!/usr/bin/env python3
"""test_run.py - what the benchmark reads out of engines' output, how it accounts for CPU time, and
how it computes."""

import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import branches
import engines
import fresh_formats
import formats
import libraries
import meter
import newest_formats
import other_formats
import plan
import publish
import report
import search


class Libraries(unittest.TestCase):
    def test_corpus_files_become_bytes(self):
        data = bytes(range(256)) + b'"\\x41'
        self.assertEqual(libraries.from_go(engines.go_bytes(data)), data)
        self.assertEqual(libraries.from_go('go test fuzz v1\n[]byte("\\a\\u00e9\\101")\n'),
                         b"\a\xc3\xa9A")
        self.assertIsNone(libraries.from_go("go test fuzz v1\nint(1)\n"))

    def test_seeds_have_the_checksums_of_their_formats(self):
        png = formats.png_file()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(png[-8:], b"IEND\xaeB`\x82")
        self.assertEqual(formats.der(0x30, bytes(200))[:3], b"\x30\x81\xc8")
        self.assertEqual(formats.db_file()[:15], b"SQLite format 3")
        self.assertEqual(other_formats.gif_file()[-2:], b"\0;")  # the end of its frame, and of the file
        tiff = other_formats.tiff_file()
        offset, size = (struct.unpack_from("<I", tiff, 10 + 12 * k + 8)[0] for k in (5, 8))
        self.assertEqual(offset + size, len(tiff))

    def test_fresh_seeds_are_what_their_formats_say(self):
        self.assertEqual(fresh_formats.ogg_crc(b"123456789"), 0x89A1897F)  # the check value of this CRC
        profile = fresh_formats.colour_file()
        self.assertEqual(struct.unpack_from(">I", profile)[0], len(profile))
        for k in range(struct.unpack_from(">I", profile, 128)[0]):
            name, at, size = struct.unpack_from(">4sII", profile, 132 + 12 * k)
            kinds = {b"desc": b"desc", b"wtpt": b"XYZ ", b"kTRC": b"curv"}
            self.assertEqual(profile[at : at + 4], kinds[name])
            self.assertLessEqual(at + size, len(profile))
        block = fresh_formats.wavpack_file()
        self.assertEqual(struct.unpack_from("<I", block, 4)[0] + 8, len(block))
        module = fresh_formats.tracker_file()
        instrument, pattern = struct.unpack_from("<HH", module, 98)
        self.assertEqual(module[instrument * 16 + 76 : instrument * 16 + 80], b"SCRS")
        self.assertEqual(struct.unpack_from("<H", module, pattern * 16)[0], 72)

    def test_newest_seeds_are_what_their_formats_say(self):
        self.assertEqual(newest_formats.crc(b"123456789", 8, 7), 0xF4)  # the check values of these CRCs
        self.assertEqual(newest_formats.crc(b"123456789", 16, 0x8005), 0xFEE8)
        sound = newest_formats.flac_file()
        frame = sound.index(b"\xff\xf8")
        self.assertEqual(newest_formats.crc(sound[frame:], 16, 0x8005), 0)
        cabinet = newest_formats.cab_file()
        self.assertEqual(struct.unpack_from("<I", cabinet, 8)[0], len(cabinet))
        at = struct.unpack_from("<I", cabinet, 36)[0]
        check, packed, whole = struct.unpack_from("<IHH", cabinet, at)
        self.assertEqual((at + 8 + packed, whole), (len(cabinet), 23))
        self.assertEqual(newest_formats.cab_sum(cabinet[at + 4 : at + 8], newest_formats.cab_sum(cabinet[at + 8 :])), check)
        objects, top, table = struct.unpack(">QQQ", newest_formats.plist_file()[-24:])
        self.assertEqual((objects, top), (5, 0))
        self.assertEqual(newest_formats.plist_file()[table : table + objects][0], len(b"bplist00"))

    def test_crashers_are_no_corpus(self):
        with tempfile.TemporaryDirectory() as made:
            at, to = pathlib.Path(made), pathlib.Path(made) / "all"
            for name, text in (("testdata/corpus/FuzzBench/seed0", "seed"), ("cache/fuzz/p/FuzzBench/a", "found"),
                               ("testdata/corpus/FuzzBench/582e0f", "crash")):
                (at / name).parent.mkdir(parents=True, exist_ok=True)
                (at / name).write_text(f'go test fuzz v1\n[]byte("{text}")\n')
            to.mkdir()
            libraries.ENGINES["cfuzz"].corpus(at, to)
            self.assertEqual({file.read_bytes() for file in to.iterdir()}, {b"seed", b"found"})

    def test_names_are_told_apart(self):
        names = [library.name for library in libraries.LIBRARIES]
        self.assertEqual(len(names), len(set(names)))


class Output(unittest.TestCase):
    def test_cfuzz_last_line_wins(self):
        text = (
            "fuzz: elapsed: 0s, gathering baseline coverage: 2/2 completed, now fuzzing with 1 workers\n"
            "fuzz: elapsed: 3s, execs: 102244 (34066/sec), new interesting: 2 (total: 5)\n"
            "fuzz: elapsed: 1m4s, execs: 302244 (33333/sec), new interesting: 2 (total: 5)\n"
            "PASS\n"
        )
        self.assertEqual(engines.cfuzz_executions(text), 302244)

    def test_cfuzz_without_a_progress_line(self):
        self.assertIsNone(engines.cfuzz_executions("the target wrote execs: 5 (5/sec)\nFAIL\n"))

    def test_cfuzz_unknown_flag(self):
        text = "flag provided but not defined: -keepfuzzing\nusage: cfuzz-test [flags]\n"
        self.assertEqual(engines.unknown_flag(text), "-keepfuzzing")
        self.assertIsNone(engines.unknown_flag("PASS\n"))
        with self.assertRaisesRegex(engines.Unavailable, "no -keepfuzzing"):
            engines.Cfuzz(None, "cfuzz-test").executions(text, None)

    def test_libfuzzer(self):
        text = "#4\tpulse  exec/s: 5\nstat::number_of_executed_units: 5338\nstat::peak_rss_mb: 28\n"
        self.assertEqual(engines.libfuzzer_executions(text), 5338)
        self.assertIsNone(engines.libfuzzer_executions("#4\tpulse  exec/s: 5\n"))

    def test_afl(self):
        text = "run_time          : 2\nexecs_done        : 61700\nexecs_per_sec     : 30850.00\n"
        self.assertEqual(engines.afl_executions(text), 61700)
        self.assertIsNone(engines.afl_executions("execs_per_sec     : 30850.00\n"))

    def test_bare(self):
        self.assertEqual(engines.bare_result("execs: 2048 counters: 26 new: 3\n"), (2048, 26))
        self.assertIsNone(engines.bare_result("bare: x: cannot be read, or no memory\n"))

    def test_corpus_file(self):
        self.assertEqual(
            engines.go_bytes(b'a"\\\n\xff'), 'go test fuzz v1\n[]byte("a\\x22\\x5c\\x0a\\xff")\n'
        )


class Search(unittest.TestCase):
    def rows(self, label, *runs, barrier="FuzzA"):
        return [dict(group="search", barrier=barrier, label=label, round=i, solved=s > 0,
                     execs=100 * (i + 1), s=abs(s), command="c") for i, s in enumerate(runs)]

    def group(self):
        lanes = [search.Cfuzz(None, "cfuzz"), search.Cfuzz(None, "off"),
                 search.LibFuzzer(None, "libFuzzer"), search.LibFuzzer(None, "profile")]
        return search.Search("search", "Barriers",
                             [("FuzzA", "a magic", True), ("FuzzB", "a product", False)], lanes, 2, 3)

    def test_cells(self):
        self.assertEqual(search.cell(self.rows("cfuzz", 0.1, 0.3, -2)), "2 of 3: 150, 0.20 s")
        self.assertEqual(search.cell(self.rows("cfuzz", -2, -2)), "0 of 2")
        self.assertEqual(search.cell([]), "")

    def test_a_run_in_vain_counts_twice_its_limit(self):
        self.assertAlmostEqual(search.par2(self.rows("cfuzz", 1, -2), 2), 2)

    def test_summary_and_lines(self):
        rows = self.rows("cfuzz", 0.1, 0.1) + self.rows("cfuzz", 0.1, -2, barrier="FuzzB")
        rows += self.rows("libFuzzer", 0.05, 0.05) + self.rows("profile", -2, -2)
        totals = search.summary(self.group(), rows)
        self.assertEqual(totals["cfuzz", "bytes"][:2], (1, 1))
        self.assertEqual(totals["cfuzz", "all"][:2], (1, 2))
        self.assertEqual(totals["off", "all"], (0, 0, None))
        text = "\n".join(search.lines(self.group(), rows))
        self.assertIn("cfuzz 1 of 1 (0.10 s); off not available; libFuzzer 1 of 1 (0.05 s)", text)
        self.assertIn("libFuzzer was done sooner at: a magic.", text)
        self.assertEqual(search.lines(self.group(), []), [])

    def test_barriers_are_there(self):
        text = "".join(p.read_text() for p in search.TARGETS.glob("*.c"))
        for name, _ in search.BYTES:
            self.assertIn(f"BYTES({name})", text)
        for name, _ in search.OTHERS:
            self.assertIn(f"({name}", text)

    def test_barriers_compile_for_libfuzzer(self):
        wrap = search.HERE / "wrap" / "barriers"
        for name, _ in search.BYTES:
            subprocess.run(["clang-19", "-fsyntax-only", f"-DBARRIER={name}", f"-I{wrap}", f"-I{search.TARGETS}",
                            wrap / "entry.c"], check=True)


class Branches(unittest.TestCase):
    def rows(self, library, engine, *counts, group="branches"):
        return [dict(group=group, lane=f"{library}, {engine}", library=library, engine=engine,
                     round=i, branches=n) for i, n in enumerate(counts)]

    def test_table_and_line(self):
        [group] = branches.groups(True)
        rows = self.rows("json", "cfuzz", 10, 30, 20) + self.rows("json", "libFuzzer", 16)
        self.assertIn("| cJSON | 20 (10 to 30) | not available | 16 (16 to 16) | 1.25 x |",
                      branches.table(group, rows))
        self.assertEqual(branches.lines(group, rows), [
            "Branches of libraries after 1 CPU seconds, by those of libFuzzer: 1.25 x on cJSON."])
        self.assertEqual(branches.lines(group, []), [])

    def test_from_nothing_has_rows_of_its_own(self):
        plain, nothing = branches.groups(False)
        rows = self.rows("archive", "cfuzz", 30) + self.rows("archive", "libFuzzer", 20)
        self.assertEqual(branches.lines(nothing, rows), [])
        rows += self.rows("archive", "cfuzz", 30, 40, group=nothing.name)
        rows += self.rows("archive", "libFuzzer", 28, 28, group=nothing.name)
        self.assertEqual(branches.lines(nothing, rows), [
            "Branches of libraries after 20 CPU seconds from nothing, by those of libFuzzer: 1.25 x on minizip."])
        goals = [goal for goal in plan.wanted([plain, nothing], 0) if goal.lane == "archive, cfuzz"]
        self.assertEqual(report.goals(goals, rows)[4],
                         "| branches of minizip from nothing, against libFuzzer | at least 1.30 x | 1.25 x | missed |")

    def test_harnesses_are_there(self):
        for library in libraries.LIBRARIES:
            self.assertEqual(len(list((libraries.HERE / "libraries").rglob(f"{library.name}.c"))), 1, library.name)


class Numbers(unittest.TestCase):
    def test_ratios_are_of_one_round(self):
        self.assertEqual(report.ratios({0: 8, 1: 30, 3: 5}, {0: 2, 1: 10, 2: 1}), [4, 3])

    def test_numbers(self):
        shown = [report.number(n) for n in (2_880_000, 730_123, 98.53, 999_900, 3.14159)]
        self.assertEqual(shown, ["2.88 M", "730 k", "98.5", "1.00 M", "3.14"])

    def test_times(self):
        self.assertEqual(report.times([4, 2, 3]), "3.00 x (2.00 to 4.00)")
        self.assertEqual(report.times([]), "")

    def test_goals(self):
        def goal(**fields):
            base = dict(group="g", lane="a", base="", base_group="", key="rate", at_most=False)
            return types.SimpleNamespace(**{**base, **fields})

        rows = [
            dict(group="g", lane=lane, round=r, rate=rate)
            for lane, rates in (("a", (50, 20, 90)), ("b", (10, 10, 10)))
            for r, rate in enumerate(rates)
        ]
        lines = report.goals(
            [
                goal(text="ratio", base="b", wanted=5),
                goal(text="rate", wanted=51),
                goal(text="low", wanted=51, at_most=True),
                goal(text="none", lane="c", wanted=1),
            ],
            rows,
        )
        self.assertEqual(
            lines[4:8],
            [
                "| ratio | at least 5.00 x | 5.00 x | met |",
                "| rate | at least 51.0 | 50.0 | missed |",
                "| low | at most 51.0 | 50.0 | met |",
                "| none | at least 1.00 | not available | |",
            ],
        )


    def test_behind(self):
        def lane(label):
            return types.SimpleNamespace(label=label)

        lanes = [lane("cfuzz"), lane("slower"), lane("faster")]
        group = types.SimpleNamespace(name="g", title="rates", target="t", lanes=lanes)
        rows = [dict(group="g", lane=lane, round=0, rate=rate)
                for lane, rate in (("cfuzz", 10), ("slower", 5), ("faster", 25))]
        self.assertEqual(report.behind([group], rows)[4:],
                         ["| t | rates | faster | 2.50 x |", ""])
        self.assertEqual(report.behind([group], rows[:2]), [])


class Plan(unittest.TestCase):
    def groups(self, short):
        nothing = pathlib.Path("nothing")
        targets = plan.named_targets([nothing], nothing, plan.FULL_EDGES)
        secs = 0.7 if short else 3
        groups, _ = plan.plan(targets, short, secs, [0, 1], engines.Builder(nothing, 2), "cfuzz-test")
        return groups

    def test_a_quick_look_is_planned_for_two_minutes(self):
        self.assertLess(plan.planned(self.groups(True), 1, True), 110)

    def test_all_is_planned_for_three_quarters_of_an_hour(self):
        self.assertLess(plan.planned(self.groups(False), 5, False), 48 * 60)

    def test_goals_have_their_rows(self):
        groups = self.groups(False)
        lanes = {(g.name, getattr(row, "label", row)) for g in groups
                 for row in (g.figures if isinstance(g, plan.Figures) else g.lanes)}
        lanes |= {(g.name, f"{library.name}, {lane}") for g in groups if isinstance(g, branches.Branches)
                  for library in g.libraries for lane in g.lanes}
        goals = plan.wanted(groups, plan.FULL_EDGES)
        self.assertEqual(len(goals), 21 + 4 + 5 + sum(
            bool(f.goal) for g in groups if isinstance(g, plan.Figures) for f in g.figures))
        for goal in goals:
            self.assertIn((goal.group, goal.lane), lanes)
            self.assertIn((goal.base_group or goal.group, goal.base or goal.lane), lanes)


class Publish(unittest.TestCase):
    def test_between_the_markers(self):
        text = f"a\n{publish.BEGIN}\nold\n{publish.END}\nb\n"
        want = f"a\n{publish.BEGIN}\n\nnew\n\n{publish.END}\nb\n"
        self.assertEqual(publish.replaced(text, "new\n"), want)
        self.assertEqual(publish.replaced(want, "new\n"), want)

    def test_no_markers(self):
        for text in ("a\n", publish.BEGIN, f"{publish.END}{publish.BEGIN}"):
            with self.assertRaises(ValueError):
                publish.replaced(text, "new")

    def test_headings(self):
        self.assertEqual(publish.nested("## A\n# of ##\n## B\n"), "### A\n# of ##\n### B\n")


class Meter(unittest.TestCase):
    def run_shell(self, script, **options):
        with tempfile.TemporaryDirectory() as directory:
            log = pathlib.Path(directory, "log")
            usage = meter.run(["sh", "-c", script], log=log, **options)
            return usage, log.read_text()

    def test_children_and_orphans_count(self):
        spin = 'python3 -c "import time\nwhile time.process_time() < 0.3: pass"'
        usage, _ = self.run_shell(f"({spin} &) ; {spin} ; sleep 1", budget=None)
        self.assertEqual((usage.why, usage.status), ("exit", 0))
        self.assertGreaterEqual(usage.cpu, 0.6)
        self.assertLess(usage.root_cpu, 0.3)

    def test_interrupted_at_the_budget(self):
        script = 'trap "echo stopped; exit 7" INT; while :; do :; done'
        usage, log = self.run_shell(script, budget=0.2)
        self.assertEqual((usage.why, usage.status, log), ("budget", 7, "stopped\n"))
        self.assertGreaterEqual(usage.cpu, 0.2)

    def test_interrupted_in_the_background_of_a_script(self):
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self.test_interrupted_at_the_budget()
        finally:
            signal.signal(signal.SIGINT, before)

    def test_nothing_is_left_behind(self):
        _, log = self.run_shell("sleep 100 & echo $!", budget=None)
        self.assertFalse(pathlib.Path("/proc", log.strip()).exists())

    def test_start_is_told_apart(self):
        script = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo now; while :; do :; done"
        usage, _ = self.run_shell(script, budget=0.2, mark="now", memory=True)
        self.assertEqual(usage.why, "budget")
        self.assertGreater(usage.start["cpu"], 0)
        self.assertGreaterEqual(usage.cpu - usage.start["cpu"], 0.2)
        self.assertGreater(usage.pss, 0)

    def test_without_a_mark(self):
        usage, _ = self.run_shell("sleep 0.2", budget=None)
        self.assertEqual((usage.start, usage.pss), ({}, 0))

    def test_missing_program(self):
        with tempfile.TemporaryDirectory() as directory:
            with self.assertRaisesRegex(RuntimeError, "no-such-program: not found"):
                meter.run(["no-such-program"], 1, pathlib.Path(directory, "log"))


if __name__ == "__main__":
    unittest.main()
