#!/usr/bin/env python3
"""test_run.py - what the benchmark reads out of engines' output, how it accounts for CPU time, and
how it computes."""

import pathlib
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import engines
import meter
import report


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

    def test_nothing_is_left_behind(self):
        _, log = self.run_shell("sleep 100 & echo $!", budget=None)
        self.assertFalse(pathlib.Path("/proc", log.strip()).exists())

    def test_missing_program(self):
        with tempfile.TemporaryDirectory() as directory:
            with self.assertRaisesRegex(RuntimeError, "no-such-program: not found"):
                meter.run(["no-such-program"], 1, pathlib.Path(directory, "log"))


if __name__ == "__main__":
    unittest.main()
