"""How the page looks, at three sizes, light and dark; what it says; and that all can use it."""

import os
import time
import unittest

from axe_selenium_python import Axe

from browser import Device
from stand import ROOT, Listener, Stand

SIZES = {"phone": (390, 844, 2, True), "tablet": (820, 1180, 1, True), "laptop": (1280, 800, 1, False)}
SCREENS = os.environ.get("SCREENS") or os.path.join(ROOT, ".build/screens")


class LookTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stand = Stand()
        cls.listener = Listener(cls.stand.port)

    @classmethod
    def tearDownClass(cls):
        cls.listener.command("stop")
        cls.listener.close()
        cls.stand.stop()

    def device(self, size="tablet", **options):
        width, height, ratio, touch = SIZES[size]
        device = Device(self.stand.address, width, height, ratio, touch, **options)
        self.addCleanup(device.close)
        return device

    def keep(self, device, name):
        os.makedirs(SCREENS, exist_ok=True)
        path = os.path.join(SCREENS, name + ".png")
        device.driver.save_screenshot(path)
        self.assertGreater(os.path.getsize(path), 5_000, "a picture of nothing")

    def test_pictures_at_three_sizes_light_and_dark(self):
        for size in SIZES:
            for theme in ("light", "dark"):
                with self.subTest(size=size, theme=theme):
                    device = self.device(size, dark=theme == "dark")
                    self.listener.command("stop")
                    time.sleep(0.5)
                    self.keep(device, f"{size}-{theme}")
                    self.assertEqual(device.run("return document.documentElement.dataset.theme"), theme)
                    self.assertLessEqual(device.run("return document.documentElement.scrollWidth - innerWidth"), 0)
                    self.listener.command("start")
                    time.sleep(5)
                    device.run("document.body.classList.add('away')")
                    time.sleep(0.4)
                    self.keep(device, f"{size}-{theme}-running")
                    self.assertEqual(device.complaints, [])
                    device.close()

    def test_pictures_of_panels(self):
        self.listener.command("stop")
        for size in SIZES:
            device = self.device(size, dark=size == "laptop")
            for panel, opener in (("device", "device-open"), ("library", "library-open")):
                device.click(opener)
                time.sleep(0.2)
                self.keep(device, f"{size}-{panel}")
                if panel == "device":
                    device.run("const panel = document.getElementById('device'); panel.scrollTop = panel.scrollHeight")
                    self.keep(device, f"{size}-help")
                device.run("document.getElementById(arguments[0]).close()", panel)
            device.click("pen")
            time.sleep(0.2)
            self.keep(device, f"{size}-pen")
            device.run("document.getElementById('pen-done').click(); document.getElementById('bars-open').click()")
            time.sleep(0.2)
            self.keep(device, f"{size}-bars")
            device.run("document.getElementById('bars-cancel').click()")
            device.close()

    def test_no_serious_barrier_for_anybody(self):
        """axe-core's rules; contrast is measured on what is drawn."""
        self.listener.command("stop")
        found = []
        for size, dark in (("phone", False), ("tablet", True), ("laptop", False)):
            device = self.device(size, dark=dark)
            states = {
                "stopped": "",
                "device": "document.getElementById('device-open').click()",
                "library": "document.getElementById('device').close(); document.getElementById('library-open').click()",
                "pen": "document.getElementById('library').close(); document.getElementById('pen').click()",
                "bars": "document.getElementById('pen-done').click(); document.getElementById('bars-open').click()",
            }
            for state, script in states.items():
                device.run(script)
                time.sleep(0.3)
                axe = Axe(device.driver)
                axe.inject()
                result = axe.run()
                self.assertGreater(len(result["passes"]), 10, "the rules looked at something")
                for each in result["violations"]:
                    if each["impact"] in ("serious", "critical"):
                        found += [f"{size}, {state}: {each['id']}: {node['html'][:120]}" for node in each["nodes"]]
            device.close()
        self.assertEqual(found, [])

    def test_everything_to_touch_is_large_enough(self):
        """44 CSS px, WCAG 2.5.5; the metronome's own buttons 60, for a hand that comes from an instrument."""
        device = self.device("phone")
        small = device.run("""
            document.getElementById('pen').click();
            const small = [];
            for (const each of document.querySelectorAll('button, select, input:not([type=radio]):not([type=checkbox]), fieldset label')) {
                const box = each.getBoundingClientRect();
                if (box.width && (box.height < 44 || box.width < 44) && each.id !== 'bpm') small.push(each.id || each.textContent);
            }
            document.getElementById('pen-done').click();
            return [small, document.getElementById('start').offsetHeight];""")
        self.assertEqual(small[0], [])
        self.assertGreaterEqual(small[1], 60)

    def test_the_page_says_plainly_what_this_browser_cannot_do(self):
        device = self.device("phone")
        device.click("device-open")
        said = device.text("abilities")
        for words in ("Vibration", "Screen stays awake", "Full screen", "Without network"):
            self.assertIn(words, said)

    def test_an_iphone_hears_that_it_cannot_vibrate(self):
        device = self.device("phone", wait=True)
        device.command("Emulation.setUserAgentOverride", userAgent="Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)")
        device.command("Page.addScriptToEvaluateOnNewDocument", source="delete Navigator.prototype.vibrate")
        device.driver.refresh()
        device.ready()
        device.click("device-open")
        self.assertIn("Apple lets no page vibrate", device.text("abilities"))
        self.assertTrue(device.run("return document.getElementById('vibration-on').disabled"))

    def test_the_first_page_is_there_at_once(self):
        Device(self.stand.address).close()  # the server draws the page once
        device = self.device()
        shown = []
        for _ in range(5):
            device.driver.refresh()
            device.until("return document.querySelector('.sheet img')?.complete", 20)
            device.until("return performance.getEntriesByType('resource').some(each => each.name.includes('/page/') && each.responseEnd > 0)")
            entry = device.run("""return performance.getEntriesByType('resource').filter(each => each.name.includes('/page/'))
                .map(each => [each.startTime, each.responseEnd])[0]""")
            shown.append(entry)
        took = sorted(end - start for start, end in shown)
        whole = sorted(end for _, end in shown)
        print(f"\n  cached page: {took[2]:.0f} ms; from the address to the first page {whole[2]:.0f} ms")
        self.assertLess(took[2], 50)
        self.assertLess(whole[2], 1_000)


if __name__ == "__main__":
    unittest.main()
