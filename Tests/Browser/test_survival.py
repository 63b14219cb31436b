"""A server that dies, a network that goes: the musician plays on."""

import os
import subprocess
import tempfile
import time
import unittest

from browser import Device
from figures import drawn_errors, rank
from network import Network
from stand import HERE, Listener, Stand


class SurvivalTests(unittest.TestCase):
    def setUp(self):
        self.stand = Stand()
        self.addCleanup(self.stand.stop)

    def test_server_killed_and_back_the_same_bar_within_two_seconds(self):
        device = Device(self.stand.address)
        self.addCleanup(device.close)
        device.click("start")
        device.until("return standTrace.frames.length > 120", 60)
        self.stand.kill()
        time.sleep(1)
        last = device.trace("frames")[-1]
        self.assertLess(device.run("return performance.now()") - last[0], 200, "frames go on without a server")
        self.stand.start()
        # From the moment at which the server answers: how long it takes to start is the machine's affair.
        began = time.monotonic()
        device.until("return document.getElementById('state').textContent === ''", 20)
        took = time.monotonic() - began
        listener = Listener(self.stand.port)
        time.sleep(0.5)
        shown = int(device.text("bar").split()[-1])
        now = device.run("return standTrace.clock.serverTime(performance.now())")
        beats = sorted(listener.last("course")["beats"], key=lambda beat: beat["t"])
        playing = [beat["bar"] for beat in beats if beat["t"] / 1e6 <= now]
        print(f"\n  back after {took:.2f} s, in bar {shown}")
        self.assertLess(took, 2)
        self.assertIn(shown, (playing[-1], playing[-1] - 1))

    def test_a_server_that_ends_is_told_from_a_network_that_goes(self):
        device = Device(self.stand.address)
        self.addCleanup(device.close)
        device.click("start")
        device.until("return standTrace.frames.length > 60", 60)
        self.stand.stop_process()
        device.until("return document.getElementById('state').textContent === 'musicstand has ended'", 5)
        # Nothing sounds any more, and the page shows so.
        self.assertEqual(device.text("start"), "Start")
        frames = len(device.trace("frames"))
        time.sleep(0.5)
        self.assertEqual(len(device.trace("frames")), frames, "no beat is drawn")
        device.click("start")
        device.until("return document.getElementById('notice').textContent.includes('no connection')", 2)
        device.until("return document.getElementById('notice').textContent.includes('no effect')", 10)
        self.stand.start()
        device.until("return document.getElementById('state').textContent === ''", 20)

    def test_without_network_it_goes_on_by_itself_and_finds_back(self):
        network = Network(self.stand.port)
        self.addCleanup(network.close)
        device = Device(f"http://127.0.0.1:{network.port}/")
        self.addCleanup(device.close)
        listener = Listener(self.stand.port)
        device.click("start")
        device.until("return standTrace.frames.length > 300", 15)
        network.cut()
        cut = device.run("return performance.now()")
        time.sleep(30)
        healed = device.run("return performance.now()")
        self.assertIn("going on", device.text("state"))
        network.heal()
        device.until("return document.getElementById('state').textContent === ''", 6)
        time.sleep(3)
        times, errors = drawn_errors(device.trace("frames"), listener.heard(), device.origin)
        away = (times > cut) & (times < healed)
        print(f"\n  30 s without network: drawn minus heard |p99| {rank(abs(errors[away]), .99):.2f} ms; "
              f"back: {rank(abs(errors[times > healed]), .5):.2f} ms")
        self.assertLess(rank(abs(errors[away]), 0.99), 17)
        self.assertLess(rank(abs(errors[times > healed]), 0.99), 17)

    def test_without_network_it_jumps_to_pages_that_were_never_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            # Twelve pages.
            subprocess.run(["pdfunite", *[os.path.join(HERE, "scores/Sonata.pdf")] * 4, os.path.join(folder, "Song.pdf")], check=True)
            device, stand, _ = self.play(folder, "#!metronome 2\na: 2 4/4 120\n")
            count = int(device.until("return standTrace.sheets.score?.bars.length > 9 && standTrace.sheets.score.systems.at(-1).page === 12"
                                     " && standTrace.sheets.score.bars.length", 90))
            device.close()
            stand.stop()
            # From the third bar to the last page but one, and back to the middle.
            last, middle = count * 10 // 12 + 2, count * 5 // 12 + 2
            song = (f"#!metronome 2\na: 3 2/4 120 -> z\nb: {middle - 4} 2/4 120\nc: 9 2/4 120 -> end\n"
                    f"d: {last - middle - 9} 2/4 120\nz: 9 2/4 120 -> c\nend: 40 2/4 120\n")
            device, stand, network = self.play(folder, song)
            device.until(f"return standTrace.sheets.score?.bars.length === {count}", 90)
            device.click("start")
            device.until("return document.getElementById('bar').textContent === 'Bar 2'", 15)
            time.sleep(0.5)
            network.cut()
            seen, end = set(), time.monotonic() + 28
            while time.monotonic() < end:
                time.sleep(0.5)
                page, width = device.run("const sheet = document.querySelector('.frame')?.closest('.sheet');"
                                         "return sheet ? [Number(sheet.dataset.page), sheet.querySelector('img').naturalWidth] : [0, 1]")
                self.assertGreater(width, 0, f"page {page} is white")
                seen.add(page)
            self.assertIn("going on", device.text("state"))
            print(f"\n  without network: pages {sorted(seen)} of 12 were played from")
            self.assertTrue({11, 6} <= seen | {page + 1 for page in seen}, seen)
            network.heal()
            device.until("return document.getElementById('state').textContent === ''", 10)

    def play(self, folder, song):
        stand = Stand(scores=folder, song=song)
        self.addCleanup(stand.stop)
        network = Network(stand.port)
        self.addCleanup(network.close)
        device = Device(f"http://127.0.0.1:{network.port}/", wait=False)
        self.addCleanup(device.close)
        return device, stand, network


if __name__ == "__main__":
    unittest.main()
