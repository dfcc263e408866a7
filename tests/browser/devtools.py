"""devtools.py - a headless Chromium and one page of it, with the standard library alone.

The protocol is Chromium's own (https://chromedevtools.github.io/devtools-protocol/), spoken over two pipes:
messages are JSON, with a NUL behind each. Only what run.py needs is here.
"""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

WAIT_SECONDS = 60  # for one answer: a loaded machine starts a browser slowly
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

# Where a person would click on the element, or why it cannot be clicked. "leaves" says that the click
# loads another page.
PLACE = """
const element = document.querySelectorAll(arguments[0])[arguments[1]];
if (!element) return { why: "no such element" };
element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
const box = element.getClientRects()[0];
if (!box || box.width === 0 || box.height === 0) return { why: "it has no size" };
const x = box.x + box.width / 2, y = box.y + box.height / 2;
const there = document.elementFromPoint(x, y);
if (!there || !(element.contains(there) || there.contains(element)))
  return { why: "it lies below " + (there ? there.outerHTML.slice(0, 200) : "nothing") };
const link = element.closest("a[href]");
return { x, y, leaves: link !== null && link.href.split("#")[0] !== location.href.split("#")[0] };
"""


class Missing(Exception):
    """No Chromium is installed."""


class Browser:
    """One page. A context manager, at whose end nothing is left running."""

    def __init__(self):
        binary = next(filter(None, map(shutil.which, NAMES)), None)
        if binary is None:
            raise Missing("chromium-headless-shell or chromium (Debian packages of these names)")
        self.home = tempfile.mkdtemp(prefix="cfuzz-browser-")
        self.log = open(os.path.join(self.home, "log"), "wb")
        self.read, self.number, self.messages, self.loads = b"", 0, [], 0
        flags = ["--headless", "--disable-gpu", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe",
                 f"--user-data-dir={self.home}/profile", "about:blank"]
        # It reads from descriptor 3 and writes to 4.
        self.process = subprocess.Popen(["sh", "-c", 'exec "$@" 3<&0 4>&1 0</dev/null 1>&2', "sh", binary, *flags],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
                                        env=dict(os.environ, HOME=self.home), start_new_session=True)
        self.session = None
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log"):
                self.call(domain + ".enable")
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # a group of its own
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.log.close()
        for _ in range(50):  # its processes write until they are gone
            shutil.rmtree(self.home, ignore_errors=True)
            if not os.path.exists(self.home):
                break
            time.sleep(0.1)

    # ---- messages --------------------------------------------------------------------------

    def receive(self, end):
        """The next message."""
        while b"\0" not in self.read:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise RuntimeError(f"Chromium says nothing in {WAIT_SECONDS} s")
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                with open(self.log.name, errors="replace") as f:
                    raise RuntimeError("Chromium ended: " + f.read()[-2000:])
            self.read += more
        line, self.read = self.read.split(b"\0", 1)
        return json.loads(line)

    def send(self, method, params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session is not None:
            message["sessionId"] = self.session
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        self.process.stdin.flush()
        return self.number

    def call(self, method, **params):
        number, end = self.send(method, params), time.monotonic() + WAIT_SECONDS
        while True:
            message = self.receive(end)
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.note(message)

    def note(self, message):
        """Keeps what an event has to say."""
        method, params = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loads += 1
        elif method == "Runtime.consoleAPICalled":
            self.messages.append(f"{params['type']}: {[a.get('value', a.get('description')) for a in params['args']]}")
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.messages.append(f"exception: {details['text']} {details.get('exception', {}).get('description')}")
        elif method == "Log.entryAdded":
            self.messages.append(f"{params['entry']['level']}: {params['entry']['text']} {params['entry'].get('url')}")
        elif method == "Page.javascriptDialogOpening":
            self.messages.append(f"{params['type']}: {params['message']}")
            self.send("Page.handleJavaScriptDialog", {"accept": True})  # else the page stands still

    def wait_load(self, before):
        """Returns when a page has been loaded since self.loads was before."""
        end = time.monotonic() + WAIT_SECONDS
        while self.loads == before:
            self.note(self.receive(end))

    # ---- what tests do ---------------------------------------------------------------------

    def open(self, url):
        before = self.loads
        answer = self.call("Page.navigate", url=url)
        if answer.get("errorText"):
            raise RuntimeError(f"{url}: {answer['errorText']}")
        if "loaderId" in answer:  # otherwise it is another place on the same page
            self.wait_load(before)

    def script(self, text, *args):
        """What the body of a function returns that has these arguments."""
        answer = self.call("Runtime.evaluate", returnByValue=True,
                           expression=f"(function () {{ {text} }}).apply(null, {json.dumps(args)})")
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{text}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def click(self, selector, index=0):
        """Clicks the index-th element that selector finds, as a person does: it has to be visible."""
        place = self.script(PLACE, selector, index)
        if "why" in place:
            raise RuntimeError(f"click {selector} {index}: {place['why']}")
        before = self.loads
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place["x"], y=place["y"], button="left", clickCount=1)
        if place["leaves"]:
            self.wait_load(before)

    def console(self):
        """What the console got since the last call, and dialogs."""
        self.script("return 0")  # what was said before is here afterwards
        messages, self.messages = self.messages, []
        return messages

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)

    def screenshot(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
