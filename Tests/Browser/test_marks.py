"""Writing on the page: on two devices, with and without a network."""

import time
import unittest

from browser import Device
from network import Network
from stand import Stand

# Whether ink is drawn at a place of page 1, in parts of its width and height, give or take 2 pixels.
INK = """
    const [x, y] = arguments, ink = document.querySelector('.sheet canvas');
    const data = ink.getContext('2d').getImageData(Math.round(x * ink.width) - 2, Math.round(y * ink.height) - 2, 5, 5).data;
    return data.some((value, index) => index % 4 === 3 && value > 0);"""
PLACE = """
    const box = document.querySelector('.sheet').getBoundingClientRect();
    return arguments[0].map(([x, y]) => [Math.round(box.left + x * box.width), Math.round(box.top + y * box.height)]);"""
WAITING = """
    const done = arguments[0], open = indexedDB.open('stand', 1);
    open.onsuccess = () => {
        const all = open.result.transaction('marks').objectStore('marks').getAll();
        all.onsuccess = () => { open.result.close(); done(all.result.length); };
    };"""


class MarkTests(unittest.TestCase):
    def setUp(self):
        self.stand = Stand()
        self.addCleanup(self.stand.stop)

    def device(self, address=None, **options):
        device = Device(address or self.stand.address, **options)
        self.addCleanup(device.close)
        return device

    def ink(self, device, x, y, wanted=True, seconds=5):
        end = time.monotonic() + seconds
        while device.run(INK, x, y) != wanted:
            self.assertLess(time.monotonic(), end, f"ink at {x}, {y} should be {wanted}")
            time.sleep(0.05)

    def waiting(self, device, wanted, seconds=5):
        end = time.monotonic() + seconds
        while (count := device.driver.execute_async_script(WAITING)) != wanted:
            self.assertLess(time.monotonic(), end, f"{count} marks wait, not {wanted}")
            time.sleep(0.05)

    def line(self, device, y):
        """From a quarter to three quarters of page 1, in CSS pixels of the window."""
        return device.run(PLACE, [[0.25 + step / 40, y] for step in range(21)])

    def test_a_pen_writes_at_once_and_the_other_device_sees_it(self):
        one, other = self.device(), self.device(touch=True)
        one.stroke(self.line(one, 0.3), [0.2 + 0.03 * step for step in range(21)])
        self.ink(one, 0.5, 0.3)
        self.ink(other, 0.5, 0.3)
        self.waiting(one, 0)
        one.click("pen")
        one.find("undo").click()
        self.ink(other, 0.5, 0.3, False)
        one.find("redo").click()
        self.ink(other, 0.5, 0.3)

    def test_harder_is_thicker(self):
        device = self.device()
        device.stroke(self.line(device, 0.3), [0.1] * 21)
        device.stroke(self.line(device, 0.4), [1.0] * 21)
        thick = device.run("""
            const ink = document.querySelector('.sheet canvas');
            return [0.3, 0.4].map(y => {
                const column = ink.getContext('2d').getImageData(ink.width / 2, Math.round(y * ink.height) - 20, 1, 40).data;
                return column.filter((_, index) => index % 4 === 3).reduce((sum, alpha) => sum + alpha / 255, 0);
            });""")
        self.assertGreater(thick[1], 1.8 * thick[0])

    def test_marker_eraser_text_and_layers(self):
        device = self.device()
        device.click("pen")
        device.run("document.querySelector('#tools [value=marker]').click()")
        device.stroke(self.line(device, 0.3), pointer="mouse")
        self.ink(device, 0.5, 0.3)
        device.run("document.querySelector('#tools [value=eraser]').click()")
        device.stroke(device.run(PLACE, [[0.5, 0.28], [0.5, 0.32]]), pointer="mouse")
        self.ink(device, 0.5, 0.3, False)
        device.run("document.querySelector('#tools [value=text]').click(); const layer = document.getElementById('layer');"
                   "layer.value = '1'; layer.dispatchEvent(new Event('change'))")
        device.stroke(device.run(PLACE, [[0.3, 0.4]]), pointer="mouse")
        device.until("return document.getElementById('text-panel').open")
        device.find("text").send_keys("HHHHHH dolce")
        device.find("text-write").click()
        device.until("return !document.getElementById('text-panel').open")
        found = """
            const ink = document.querySelector('.sheet canvas');
            const data = ink.getContext('2d').getImageData(0.3 * ink.width, 0.38 * ink.height, 100, 0.02 * ink.height).data;
            return data.some((value, index) => index % 4 === 3 && value > 0);"""
        device.until(found)
        device.run("document.querySelector('#layers input[value=\"1\"]').click()")
        self.assertFalse(device.run(found), "layer 2 is hidden")

    def test_a_finger_writes_only_while_the_pen_is_out(self):
        device = self.device(touch=True)
        for out in (False, True):
            if out:
                device.run("document.getElementById('pen').click()")
            points = self.line(device, 0.5)
            device.touch("touchStart", points[0])
            for point in points[1:]:
                device.touch("touchMove", point)
            device.touch("touchEnd")
            if not out:
                # The swipe turned a page: back.
                device.run("dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp' }))")
            self.ink(device, 0.5, 0.5, out)

    def test_marks_of_thirty_seconds_without_network_arrive_and_merge(self):
        network = Network(self.stand.port)
        self.addCleanup(network.close)
        away, home = self.device(f"http://127.0.0.1:{network.port}/"), self.device()
        home.click("start")
        away.until("return standTrace.frames.length > 10")
        away.stroke(self.line(away, 0.2))
        self.ink(home, 0.5, 0.2)
        network.cut()
        away.stroke(self.line(away, 0.3))
        away.stroke(self.line(away, 0.35))
        away.run("document.getElementById('undo').click()")
        home.stroke(self.line(home, 0.4))
        before = away.trace("frames")[-1]
        away.until("return document.getElementById('state').textContent.includes('going on')", 12)
        time.sleep(30)
        after = away.trace("frames")[-1]
        self.assertAlmostEqual(after[1] - before[1], (after[0] - before[0]) / 500, delta=0.1, msg="it goes on by itself at 120")
        self.ink(away, 0.5, 0.3)
        self.waiting(away, 2)
        self.assertFalse(home.run(INK, 0.5, 0.3))
        network.heal()
        self.ink(home, 0.5, 0.3, seconds=8)
        self.ink(away, 0.5, 0.4, seconds=8)
        self.assertFalse(home.run(INK, 0.5, 0.35), "what was undone while away stays undone")
        self.waiting(away, 0)
        self.assertEqual(away.text("state"), "")

    def test_marks_are_there_after_the_server_was_killed_and_the_page_closed(self):
        device = self.device()
        device.stroke(self.line(device, 0.3))
        self.waiting(device, 0)
        self.stand.kill()
        device.stroke(self.line(device, 0.4))
        self.waiting(device, 1)
        self.stand.start()
        self.waiting(device, 0, 10)
        device.driver.refresh()
        device.ready()
        self.ink(device, 0.5, 0.3)
        self.ink(device, 0.5, 0.4)


if __name__ == "__main__":
    unittest.main()
