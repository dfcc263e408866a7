#!/usr/bin/env python3
"""run.py - the pages of "cfuzz-test report" and of -http in headless Chromium: README.md says more.

    run.py [--build DIR] [--keep DIR]

Exit status: 0 passed, 1 failed, 77 skipped.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from devtools import Browser, Missing

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
LIMIT = 120  # seconds of one command, and of waiting for one thing
VIEWS = [(scheme, width) for scheme in ("light", "dark") for width in (1400, 400)]

PACKAGE = r"""
#include <stdlib.h>
#include <cfuzz.h>

/* </code></td></tr></table><script>alert("source")</script> */
int never_reached(int n)
{
    return n + 1;
}

static unsigned checksum(const uint8_t *p, size_t n)
{
    unsigned h = 7;

    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 16777619u;
    return h;
}

FUZZ_SETUP(FuzzBad)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("<script>alert('seed')</script>"));
    cfuzz_add(f, CFUZZ_BYTES("\"'><img src=x onerror=alert(2)>"));
}

FUZZ_TEST(FuzzBad, []byte)(cfuzz_t *t, const uint8_t *p, size_t n)
{
    if (n > 0 && p[0] == '<')
        cfuzz_error(t, "</pre><script>alert('%.*s')</script>", (int)n, (const char *)p);
    if (n > 8 && checksum(p, n) == 0x12345678)
        abort();
}

FUZZ_TEST(FuzzFine, int)(cfuzz_t *t, int n)
{
    if (n == 1000003)
        cfuzz_log(t, "that one");
}
"""


class Failed(Exception):
    """What was not as it has to be."""


def need(holds, what):
    if not holds:
        raise Failed(what)


class Run:
    def __init__(self, build, keep):
        self.tool = os.path.join(build, "bin", "cfuzz-test")
        self.keep = keep
        self.work = tempfile.mkdtemp(prefix="cfuzz-browser-test-")
        self.env = dict(os.environ, CFUZZCACHE=os.path.join(self.work, "cache"))
        self.package = os.path.join(self.work, "<b>&'pkg")
        os.makedirs(self.package)
        with open(os.path.join(self.package, "<img src=x>.c"), "w") as f:
            f.write(PACKAGE)

    def cfuzz(self, *args, status=0):
        p = subprocess.run([self.tool, *args], cwd=self.work, env=self.env, timeout=LIMIT,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        need(p.returncode == status, f"cfuzz-test {args}: status {p.returncode}\n{p.stdout}")
        return p.stdout

    # ---- pages ---------------------------------------------------------------------------

    def check(self, b, where):
        """What has to hold of any page that is open."""
        messages = b.console()
        need(messages == [], f"{where}: console: {messages}")
        width, inner = b.script("return [document.documentElement.scrollWidth, window.innerWidth]")
        need(width <= inner, f"{where}: {width} pixels wide in a window of {inner}")
        back = b.script("return getComputedStyle(document.body).backgroundColor")
        need(back not in ("", "rgba(0, 0, 0, 0)"), f"{where}: no style sheet")
        foreign = b.script("return performance.getEntriesByType('resource').map(r => r.name)"
                           ".filter(n => new URL(n).origin !== location.origin)")
        need(foreign == [], f"{where}: from elsewhere: {foreign}")
        need(b.script("return document.scripts.length") == 1, f"{where}: a script that is not ours")

    def look(self, b, base, page, prefix=""):
        colours = set()
        for scheme, width in VIEWS:
            b.scheme(scheme)
            b.size(width, 1000)
            b.open(base + page)
            self.check(b, f"{page} {scheme} {width}")
            colours.add(b.script("return getComputedStyle(document.body).backgroundColor"))
            if self.keep:
                height = b.script("return document.documentElement.scrollHeight")
                b.size(width, min(height, 4000))
                b.screenshot(os.path.join(self.keep, f"{prefix}{page.removesuffix('.html')}-{scheme}-{width}.png"))
        need(len(colours) == 2, f"{page}: light and dark have one background")
        b.scheme("light")
        b.size(1400, 1000)

    def click_all(self, b, base, page):
        """Clicks everything that is not a link, then each link on the index."""
        b.open(base + page)
        for kind in ("thead button", "summary", "input[data-run]"):
            for i in range(b.script("return document.querySelectorAll(arguments[0]).length", kind)):
                visible = b.script("return document.querySelectorAll(arguments[0])[arguments[1]]"
                                   ".checkVisibility({contentVisibilityAuto: true})", kind, i)
                if visible:
                    b.click(kind, i)
        self.check(b, f"{page} clicked")

    # ---- the tests -----------------------------------------------------------------------

    def report(self, b):
        for seed in ("1", "2"):
            self.cfuzz("-run=None", "-fuzz=FuzzFine", "-fuzztime=1500000x", "-parallel=1", "-solve=false",
                       "-seed", seed, self.package)
        self.cfuzz("-run=None", "-fuzz=FuzzBad", "-fuzztime=300000x", "-parallel=1", "-keepfuzzing", "-seed=1",
                   self.package, status=1)
        self.cfuzz("report", "-sanitizers=all", "-o", "out", self.package)
        out = os.path.join(self.work, "out")
        base = "file://" + out + "/"
        pages = sorted(n for n in os.listdir(out) if n.endswith(".html"))
        need(pages == ["index.html", "source-0-0.html", "test-0.html", "test-1.html"], f"pages: {pages}")
        for page in pages:
            self.look(b, base, page)
            self.click_all(b, base, page)

        # A click on a head sorts, a second one the other way round.
        b.open(base + "index.html")
        names = "return [...document.querySelectorAll('#package-0 table')[0].tBodies[0].rows].map(r => r.cells[0].innerText)"
        b.click("#package-0 thead button", 0)
        up = b.script(names)
        b.click("#package-0 thead button", 0)
        need(up == sorted(up) and b.script(names) == up[::-1] and len(up) == 2, f"sorted: {up}")
        # A link leads to the page of the test, and back.
        b.click("#package-0 tbody a", 0)
        need(b.script("return document.querySelector('h1').innerText") == up[1], "the page of a test")
        b.click("header a")
        need("Fuzzing report" in b.script("return document.body.innerText"), "the way back")
        # A function that was never reached leads to its line.
        b.click(".names a", 0)
        need(b.script("return document.querySelector('tr:target').innerText.includes('{')"), "the line")
        need(b.script("return document.querySelector('tr:target').className") == "never", "never ran")

        # What each sanitizer said of a test is behind its name in the table of builds.
        b.open(base + "index.html")
        b.click(".builds tbody a", 0)
        need(b.script("return document.querySelector('#builds .builds').tBodies[0].rows[0].cells[1].className") == "bad",
             "an input that failed")
        before = b.script("return document.querySelector('#builds').innerText")
        b.click("#builds summary", 0)
        need(len(b.script("return document.querySelector('#builds').innerText")) > len(before) + 40, "what was said")

        # A run's curves are hidden, and shown again.
        fine = "test-1.html" if "FuzzFine" in open(os.path.join(out, "test-1.html")).read(2000) else "test-0.html"
        b.open(base + fine)
        shown = "return [...document.querySelectorAll('.run')].filter(r => r.getClientRects().length > 0).length"
        before = b.script(shown)
        b.click("input[data-run]", 0)
        need(before >= 6 and b.script(shown) == before // 2, f"curves: {before}, {b.script(shown)}")
        b.click("input[data-run]", 0)
        need(b.script(shown) == before, "curves come back")

        # What others wrote is text.
        b.open(base + ("test-0.html" if fine == "test-1.html" else "test-1.html"))
        text = b.script("return document.body.innerText")
        need("</pre><script>alert('<script>alert('seed')</script>')</script>" in text, text)
        need("Comparisons that block" in text and "checksum(p, n)" in text, text)
        values = b.script("return document.querySelector('#inputs tbody .values').innerText")
        need(values.strip() == "[]byte(\"<script>alert('seed')</script>\")", f"values: {values}")
        need(b.script("return document.images.length") == 0, "an image came out of text")
        self.check(b, "the end")

    def live(self, b):
        p = subprocess.Popen([self.tool, "-run=None", "-fuzz=.", "-fuzztime=10m", "-keepfuzzing",
                              "-http=127.0.0.1:0", "-parallel=1", self.package], cwd=self.work, env=self.env,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            url = None
            for line in p.stdout:
                found = re.search(r"(http://127\.0\.0\.1:\d+/) shows how it goes", line)
                if found:
                    url = found.group(1)
                    break
            need(url, "no address")
            self.wait(lambda: self.opened(b, url), "a test on the page")
            self.look(b, url, "index.html", "live-")
            count = "return document.querySelector('tbody .num[data-sort]:nth-of-type(4)').dataset.sort"
            first = self.wait(lambda: b.script(count), "a count")
            self.wait(lambda: b.script(count) != first, "a count that grows by itself")
            self.check(b, "live")
            b.click("tbody a", 0)
            self.wait(lambda: b.script("return document.querySelectorAll('.run').length") > 0, "curves")
            self.look(b, url, "test-0.html", "live-")
            # A run that was hidden stays so when the page is renewed.
            b.click("input[data-run]", 0)
            b.script("document.querySelector('main').dataset.old = ''")
            self.wait(lambda: b.script("return document.querySelector('main').dataset.old === undefined"),
                      "a page that was renewed")
            need(not b.script("return document.querySelector('input[data-run]').checked"), "it is shown again")
            self.check(b, "live test")
            # The corpus is listed while somebody looks at the page, with the slowest inputs first.
            rows = "return [...document.querySelectorAll('#%s tbody tr')].map(r => [...r.cells].map(c => c.innerText))"
            listed = self.wait(lambda: b.script(rows % "inputs"), "the inputs")
            origins = {row[2] for row in listed}
            need(origins <= {"seed", "cache"} and len(origins) == 2 and all(row[1].strip() for row in listed),
                 f"inputs: {listed[:3]}")
            need(any("alert('seed')" in row[1] for row in listed), "the seed's values")
            times = b.script("return [...document.querySelectorAll('#slowest tbody tr')]"
                             ".map(r => Number(r.cells[5].dataset.sort))")
            need(times and times == sorted(times, reverse=True) and times[0] > 0, f"slowest: {times}")
            self.click_all(b, url, "test-0.html")
            self.orders(b, url)
            b.open(url + "test-0.html")
            # Ctrl-C: the page stays as it was.
            p.send_signal(2)
            p.stdout.read()
            need(p.wait(LIMIT) == 1, "the end of the run")
            self.wait(lambda: b.script("return document.body.classList.contains('gone')"), "the end on the page")
            need(b.script("return document.querySelectorAll('.run').length") > 0, "curves at the end")
        finally:
            if p.poll() is None:
                p.kill()
            p.wait()
            p.stdout.close()

    def orders(self, b, url):
        """Lines that ran and what sanitizers say are found out beside the fuzzing, by a button."""
        b.open(url)
        buttons = "return [...document.querySelectorAll('button[data-post]')].map(b => b.dataset.post + ' ' + b.innerText)"
        # What the report's run kept of the builds is there already, with its time.
        need(b.script(buttons) == ["sanitizers-0 Renew", "coverage-0 Find out"], b.script(buttons))
        self.wait(lambda: b.script("return document.querySelectorAll('.builds tbody tr').length") == 2, "kept builds")
        need(b.script("return document.querySelectorAll('a[href^=source-]').length") == 0, "no source yet")
        b.click("button[data-post='coverage-0']")
        self.wait(lambda: b.script("return document.querySelectorAll('a[href^=source-]').length") > 0, "lines")
        self.check(b, "live coverage")
        text = b.script("return document.body.innerText")
        need("Lines that the inputs reach, as of 20" in text and "never_reached" in text, text)
        self.look(b, url, "index.html", "live-lines-")
        self.look(b, url, "source-0-0.html", "live-")
        b.open(url)
        b.click(".names a", 0)
        need(b.script("return document.querySelector('tr:target').className") == "never", "never ran")
        b.open(url)
        before = b.script("return document.querySelector('.builds').closest('section').innerText")
        need("Every input, run in each build, as of 20" in before, before)
        self.click_all(b, url, "index.html")  # the buttons of orders are not among these

    @staticmethod
    def opened(b, url):
        b.open(url)
        return b.script("return document.querySelectorAll('tbody tr').length") > 0

    @staticmethod
    def wait(holds, what):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            value = holds()
            if value:
                return value
            time.sleep(0.1)
        raise Failed(f"not seen in {LIMIT} s: {what}")


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--build", default=os.path.join(SOURCE, "build"))
    args.add_argument("--keep")
    args = args.parse_args()
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    try:
        browser = Browser()
    except Missing as e:
        print(f"browser: skipped: not installed: {e}")
        return 77
    run = Run(os.path.abspath(args.build), args.keep)
    try:
        with browser as b:
            run.report(b)
            run.live(b)
    except Failed as e:
        print(f"browser: FAILED: {e}")
        return 1
    finally:
        shutil.rmtree(run.work, ignore_errors=True)
    print("browser: ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
