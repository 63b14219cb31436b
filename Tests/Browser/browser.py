"""Chromium, driven: a device of a size, its clock and what it drew."""

import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

# What a page asks of the hardware is written down before the browser does it.
WITNESS = """
window.seen = { vibrations: [], locks: [], refused: [] };
document.addEventListener('securitypolicyviolation', event => seen.refused.push(event.violatedDirective + ' ' + event.blockedURI));
const vibrate = navigator.vibrate.bind(navigator);
Object.defineProperty(Navigator.prototype, 'vibrate', { configurable: true, value: pattern => {
  const now = performance.now(), done = vibrate(pattern);
  seen.vibrations.push([now, pattern, done, timer]);
  return done;
} });
// Of the timer that runs: when it was asked for, for when, and when the machine made it run.
let timer = {};
const setTimer = window.setTimeout.bind(window);
window.setTimeout = (call, wait = 0, ...rest) => {
  const asked = performance.now();
  return setTimer(() => {
    timer = { asked, due: asked + wait, ran: performance.now() };
    call(...rest);
  }, wait);
};
if (navigator.wakeLock) {
  const request = navigator.wakeLock.request.bind(navigator.wakeLock);
  navigator.wakeLock.request = async kind => {
    try { const lock = await request(kind); seen.locks.push('granted'); return lock; }
    catch (error) { seen.locks.push(error.name); throw error; }
  };
}
"""

# A server's clock that runs fast: every time it serves is changed on its way into the page, and back on its way out.
SKEW = """
(() => {
  const rate = 1 + %g * 1e-6;
  let origin = null;
  const fast = ns => { origin ??= ns; return origin + (ns - origin) * rate; };
  const slow = ns => origin + (ns - origin) / rate;
  const Real = WebSocket;
  window.standOrigin = () => origin;
  window.WebSocket = class extends Real {
    set onmessage(handler) {
      super.onmessage = handler && (event => {
        const message = JSON.parse(event.data);
        if (message.type === 'pong') { message.r = fast(message.r); message.s = fast(message.s); }
        for (const beat of message.beats ?? []) beat.t = fast(beat.t);
        handler({ data: JSON.stringify(message) });
      });
    }
    send(text) {
      const message = JSON.parse(text);
      if (message.at && origin !== null) message.at = Math.round(slow(message.at));
      super.send(JSON.stringify(message));
    }
  };
})();
"""


class Device:
    """A browser window on the stand's page."""

    def __init__(self, address, width=820, height=1180, ratio=1, touch=False, dark=False, still=False, skew=None, wait=True):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         f"--window-size={width},{height}", "--force-color-profile=srgb"):
            options.add_argument(argument)
        metrics = {"width": width, "height": height, "pixelRatio": ratio, "touch": touch}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.command("Performance.enable", timeDomain="timeTicks")
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}]
        self.command("Emulation.setEmulatedMedia", features=features)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=WITNESS)
        if skew is not None:
            self.command("Page.addScriptToEvaluateOnNewDocument", source=SKEW % skew)
        self.driver.get(address + "#trace")
        if wait:
            self.ready()

    def ready(self):
        """The first page is shown and its bars are found."""
        self.until("return document.querySelector('.sheet img')?.naturalWidth > 0", 30)
        self.until("return standTrace.sheets.score.bars.length > 0", 60)

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, name):
        return self.driver.find_element(By.ID, name)

    def click(self, name):
        """A control by its id, shown first if it is away."""
        self.run("document.body.classList.remove('away')")
        self.find(name).click()

    def text(self, name):
        return self.run("return document.getElementById(arguments[0]).textContent.trim()", name)

    def until(self, script, seconds=10):
        """Waits until a script's value is true; says what it was if it does not become so."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(script)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"after {seconds} s still {value!r}: {script}")
            time.sleep(0.02)

    def trace(self, name):
        return self.run("return standTrace[arguments[0]]", name)

    @property
    def origin(self):
        """The server's clock, in ms, at the page's time 0: both count CLOCK_MONOTONIC."""
        metrics = self.command("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "NavigationStart") * 1_000

    def touch(self, kind, *points, force=0.5):
        self.command("Input.dispatchTouchEvent", type=kind,
                     touchPoints=[{"x": x, "y": y, "force": force, "id": index} for index, (x, y) in enumerate(points)])

    def tap(self, x, y):
        """Short, however busy the machine is: a longer touch is another gesture."""
        self.command("Input.synthesizeTapGesture", x=int(x), y=int(y), duration=50, gestureSourceType="touch")

    def stroke(self, points, pressures=None, pointer="pen"):
        """A line by pen or mouse, in CSS pixels."""
        pressures = pressures or [0.5] * len(points)
        for index, ((x, y), force) in enumerate(zip(points, pressures)):
            kind = "mousePressed" if index == 0 else "mouseMoved"
            self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1,
                         pointerType=pointer, force=force)
        x, y = points[-1]
        self.command("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", buttons=0, clickCount=1,
                     pointerType=pointer)

    @property
    def complaints(self):
        """Errors of the page and what its policy refused. A lost server is no error of the page."""
        log = [entry["message"] for entry in self.driver.get_log("browser")
               if entry["level"] == "SEVERE" and "WebSocket" not in entry["message"] and "ERR_" not in entry["message"]]
        return log + self.run("return seen.refused")

    def close(self):
        if self.driver:
            self.driver.quit()
        self.driver = None
