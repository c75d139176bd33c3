"""Chromium by its DevTools protocol: the least of it that a test of a page needs.

    with Browser() as browser:
        page = browser.page("http://127.0.0.1:8080/_play/")
        page.evaluate("document.title")
"""

import base64
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


class Browser:
    """A headless Chromium with a profile of its own."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="browser-")
        program = shutil.which("chromium") or shutil.which("google-chrome")
        options = ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={self.folder}", "--disable-gpu",
                   "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-sync",
                   "--disable-component-update", "--hide-scrollbars", "--disable-dev-shm-usage"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        self.process = subprocess.Popen([program, *options, "about:blank"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"ws://([^/]+)", line):
                self.address = found.group(1)
                # What Chromium says from here on is read by nobody; a full pipe would stop it.
                self.drain = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)
                return self
        raise RuntimeError("Chromium does not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.drain.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def page(self, url):
        request = urllib.request.Request(f"http://{self.address}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request) as answer:
            target = json.load(answer)
        page = Page(self.address, "/" + target["webSocketDebuggerUrl"].split("/", 3)[3])
        page.open(url)
        return page


class Page:
    """A tab; its messages and errors are kept in `messages`."""

    def __init__(self, address, path):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.socket.recv(4096)
        self.bytes = self.bytes.split(b"\r\n\r\n", 1)[1]
        self.number = 0
        self.messages = []
        for domain in ["Page", "Runtime", "Log", "DOM"]:
            self.call(domain + ".enable")

    def take(self, count):
        while len(self.bytes) < count:
            more = self.socket.recv(1 << 16)
            if not more:
                raise RuntimeError("Chromium is gone")
            self.bytes += more
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def receive(self):
        """A whole message; Chromium sends texts that may come in several frames."""
        text = b""
        while True:
            first, second = self.take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.take(8))[0]
            text += self.take(length)
            if first & 128:
                return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        data = json.dumps({"id": self.number, "method": method, "params": parameters}).encode()
        head = bytes([129])
        if len(data) < 126:
            head += bytes([128 | len(data)])
        elif len(data) < 1 << 16:
            head += bytes([254]) + struct.pack(">H", len(data))
        else:
            head += bytes([255]) + struct.pack(">Q", len(data))
        # A mask of zeros leaves the data as it is.
        self.socket.sendall(head + bytes(4) + data)
        while (message := self.receive()).get("id") != self.number:
            self.note(message)
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return message["result"]

    def note(self, message):
        if message["method"] == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif message["method"] == "Log.entryAdded" and message["params"]["entry"]["level"] in ("error", "warning"):
            entry = message["params"]["entry"]
            self.messages.append(f"{entry['text']} {entry.get('url', '')}")

    def open(self, url):
        self.evaluate("window.isLeft = true")
        self.call("Page.navigate", url=url)
        self.wait("!window.isLeft && document.readyState === 'complete'")

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def wait(self, script, seconds=20):
        """Waits until a script is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.evaluate(f"Boolean({script})"):
                return
            time.sleep(0.02)
        raise AssertionError(f"never true: {script}")

    def type(self, text):
        self.call("Input.insertText", text=text)

    def press(self, key, modifiers=0):
        codes = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39,
                 "End": 35, "Home": 36, " ": 32, "a": 65}
        event = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": codes[key],
                 "modifiers": modifiers}
        if key == "Enter":
            event["text"] = "\r"
        if key == "a" and modifiers:
            event["commands"] = ["selectAll"]
        self.call("Input.dispatchKeyEvent", type="keyDown", **event)
        for name in ["commands", "text"]:
            event.pop(name, None)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def click(self, selector):
        found = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;"
            " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        assert found, f"no {selector}"
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=found[0], y=found[1], button="left", clickCount=1)

    def screen(self, width, height, dark=False, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1,
                  mobile=phone)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def drag(self, kind, path):
        """Drags a file over the middle of the page, as `dragEnter`, `dragOver` or `drop`."""
        data = {"items": [], "files": [path], "dragOperationsMask": 1}
        self.call("Input.dispatchDragEvent", type=kind, x=300, y=300, data=data)

    def spoken(self):
        """What a screen reader is told: role, name and properties of each node that it does not pass over."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(node["role"]["value"], node.get("name", {}).get("value", ""),
                 {each["name"]: each["value"].get("value") for each in node.get("properties", [])})
                for node in nodes if not node["ignored"] and "role" in node]

    def choose(self, selector, path):
        """Puts a file into an input."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[path])
