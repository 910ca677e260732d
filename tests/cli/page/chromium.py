"""A headless Chromium, told what to do by its debugging pipe: no driver, no library."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


def find():
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    return None


class Browser:
    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="chromium-", dir=".")
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()
        # it reads commands from 3 and answers on 4
        line = f'exec "$0" "$@" 3<&{to_read} 4>&{from_write}'
        self.process = subprocess.Popen(
            ["bash", "-c", line, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--remote-debugging-pipe",
             "--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage", "--hide-scrollbars",
             f"--user-data-dir={os.path.abspath(self.profile)}", "about:blank"],
            pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.n, self.rest, self.events = 0, b"", []

    def receive(self):
        while b"\0" not in self.rest:
            data = os.read(self.back, 1 << 16)
            if not data:
                raise RuntimeError("the browser has ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **params):
        self.n += 1
        message = {"id": self.n, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.n:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def end(self):
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            self.process.kill()
        os.close(self.to)
        os.close(self.back)
        self.process.wait(20)
        shutil.rmtree(self.profile, ignore_errors=True)


KEYS = {" ": ("Space", 32), "ArrowRight": ("ArrowRight", 39), "ArrowLeft": ("ArrowLeft", 37), "ArrowUp": ("ArrowUp", 38),
        "Home": ("Home", 36), "End": ("End", 35), "Tab": ("Tab", 9), "Enter": ("Enter", 13), "+": ("Equal", 187), "-": ("Minus", 189)}


class Page:
    """One page: what it computes, keys, the pointer, pictures; what it complained of."""

    def __init__(self, browser, url, width=1280, height=900, dark=False):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.look(width, height, dark)
        browser.events.clear()
        self.call("Page.navigate", url=url)
        self.wait("location.href !== 'about:blank' && document.readyState === 'complete'")

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def look(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression, seconds=120):
        """Whether it comes true. An exception is no answer yet: a page that is loading has not made its variables."""
        until = time.time() + seconds
        while True:
            try:
                if self.value(expression):
                    return True
            except RuntimeError as e:
                if time.time() > until:
                    raise e
            if time.time() > until:
                return False
            time.sleep(0.05)

    def key(self, key):
        code, number = KEYS[key]
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        params = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **params)
        self.call("Input.dispatchKeyEvent", type="keyUp", **params)

    def pointer(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left",
                  buttons=1 if kind != "mouseReleased" else 0, clickCount=0 if kind == "mouseMoved" else 1)

    def box(self, selector):
        """x, y, width, height on the screen, scrolled to."""
        return self.value(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{ block: "center", behavior: "instant" }}); const b = e.getBoundingClientRect();
            return [b.x, b.y, b.width, b.height]; }})()""")

    def click(self, selector, fx=0.5, fy=0.5):
        x, y, w, h = self.box(selector)
        self.pointer("mousePressed", x + fx * w, y + fy * h)
        self.pointer("mouseReleased", x + fx * w, y + fy * h)

    def picture(self, path, whole=True):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))

    def complaints(self):
        """Errors and warnings of the console, uncaught exceptions, requests to elsewhere."""
        self.value("1")
        out = []
        for e in self.browser.events:
            if e.get("sessionId") != self.session:
                continue
            p = e["params"]
            if e["method"] == "Runtime.exceptionThrown":
                out.append(json.dumps(p["exceptionDetails"])[:400])
            elif e["method"] == "Log.entryAdded":
                out.append(p["entry"]["text"] + " " + p["entry"].get("url", ""))
            elif e["method"] == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
                out.append(json.dumps(p["args"])[:400])
        return out

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.browser.events
                if e.get("sessionId") == self.session and e["method"] == "Network.requestWillBeSent"]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
