"""webdriver.py - headless Chromium through chromedriver, with the standard library alone.

The protocol is WebDriver (https://www.w3.org/TR/webdriver2/); colour schemes and console messages are
Chromium's own. Only what run.py needs is here.
"""
import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request

START_SECONDS = 60  # a loaded machine starts a browser slowly


class Missing(Exception):
    """Chromium or chromedriver is not installed."""


class Browser:
    """One window. A context manager, at whose end nothing is left running."""

    def __init__(self):
        chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        driver = shutil.which("chromedriver")
        if not chromium or not driver:
            raise Missing("chromium and chromedriver (Debian packages chromium, chromium-driver)")
        self.home = tempfile.mkdtemp(prefix="cfuzz-browser-")
        self.log = open(os.path.join(self.home, "driver.log"), "w+")
        self.session = None
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=self.log, stderr=subprocess.STDOUT,
                                       start_new_session=True)
        try:
            self.base = f"http://127.0.0.1:{self.port()}"
            flags = ["--headless=new", "--disable-gpu", "--no-sandbox", "--disable-dev-shm-usage",
                     "--hide-scrollbars", f"--user-data-dir={self.home}/profile"]
            self.session = self.post("/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                "goog:chromeOptions": {"binary": chromium, "args": flags}}}})["sessionId"]
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            if self.session:
                self.call("DELETE", "")
        except OSError:
            pass
        try:
            os.killpg(self.driver.pid, signal.SIGKILL)  # a group of its own
        except ProcessLookupError:
            pass
        self.driver.wait()
        self.log.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def port(self):
        """The port that chromedriver chose, out of what it prints."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.driver.poll() is None:
            self.log.seek(0)
            for line in self.log:
                if "was started successfully on port" in line:
                    return int(line.strip().rstrip(".").rsplit(" ", 1)[1])
            time.sleep(0.05)
        raise RuntimeError("chromedriver did not start")

    def request(self, method, path, body):
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"},
                                         method=method)
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                    request, timeout=START_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise RuntimeError(f"{path}: {e.read().decode()[:400]}") from None

    def post(self, path, body):
        return self.request("POST", path, body)

    def call(self, method, path, body=None):
        return self.request(method, f"/session/{self.session}{path}", body if body is not None else {})

    # ---- what tests do ---------------------------------------------------------------------

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def script(self, text, *args):
        return self.call("POST", "/execute/sync", {"script": text, "args": list(args)})

    def click(self, selector, index=0):
        """Clicks the index-th element that selector finds, as a person does: it has to be visible."""
        found = self.call("POST", "/elements", {"using": "css selector", "value": selector})
        element = list(found[index].values())[0]
        self.call("POST", f"/element/{element}/click")

    def console(self):
        """What the console got since the last call."""
        return [f"{m['level']}: {m['message']}" for m in self.call("POST", "/se/log", {"type": "browser"})]

    def scheme(self, name):
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {
            "features": [{"name": "prefers-color-scheme", "value": name}]}})

    def size(self, width, height):
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}})

    def screenshot(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("GET", "/screenshot")))
