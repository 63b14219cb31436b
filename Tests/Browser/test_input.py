"""Keys, pedals, fingers, pen and mouse; commands from any device."""

import os
import tempfile
import time
import unittest

from selenium.webdriver.common.keys import Keys

from browser import Device
from figures import rank
from stand import Listener, Stand


class InputTests(unittest.TestCase):
    def setUp(self):
        self.stand = Stand()
        self.addCleanup(self.stand.stop)
        self.device = Device(self.stand.address, touch=True)
        self.addCleanup(self.device.close)

    def keys(self, *keys):
        self.device.find("stage").parent.switch_to.active_element.send_keys(*keys)

    def shown(self):
        """Pages that show, top first, and how far a scrolled score is."""
        return self.device.run("""
            const box = page => page.getBoundingClientRect();
            return [...document.querySelectorAll('.sheet')].filter(page => !page.hidden && box(page).bottom > 60 && box(page).top < innerHeight)
                .map(page => [Number(page.dataset.page), getComputedStyle(page).clipPath]);""")

    def is_running(self, listener):
        course = listener.last("course")
        return bool(course and course["isRunning"])

    def test_a_pedal_turns_half_pages_and_back(self):
        """Pedals are keyboards: PageDown and PageUp, or arrows."""
        for forward, back in ((Keys.PAGE_DOWN, Keys.PAGE_UP), (Keys.ARROW_RIGHT, Keys.ARROW_LEFT), (Keys.ARROW_DOWN, Keys.ARROW_UP)):
            self.assertEqual(self.shown(), [[1, "none"]])
            self.keys(forward)
            first, second = self.shown()
            self.assertEqual([first[0], second[0]], [1, 2])
            self.assertIn("inset", first[1], "the lower half of page 1")
            self.assertIn("inset", second[1], "the upper half of page 2")
            self.keys(forward)
            self.assertEqual(self.shown(), [[2, "none"]])
            self.keys(back, back)

    def test_space_starts_and_stops_and_enter_taps_the_tempo(self):
        listener = Listener(self.stand.port)
        self.keys(" ")
        self.device.until("return document.body.classList.contains('running')")
        self.assertTrue(self.is_running(listener))
        # A machine that does other things taps slower than it was told.
        self.device.until("""
            window.taps = [];
            addEventListener('keydown', (event) => { if (event.key === 'Enter') window.taps.push(event.timeStamp); }, true);
            return true""")
        for _ in range(6):
            self.keys(Keys.ENTER)
            time.sleep(0.4)
        bpm = float(self.device.until("const bpm = Number(document.getElementById('bpm').value); return bpm !== 120 && bpm"))
        taps = self.device.until("return window.taps.length === 6 && window.taps")
        intervals = [later - earlier for earlier, later in zip(taps, taps[1:])]
        # Whatever mean is taken, it lies between the shortest and the longest; a twentieth for what passes until a tap is noticed.
        slowest, fastest = 60_000 / max(intervals) / 1.05, 60_000 / min(intervals) * 1.05
        self.assertTrue(slowest < bpm < fastest, f"tapped every {intervals} ms, heard {bpm}")
        self.keys(" ")
        self.device.until("return !document.body.classList.contains('running')")
        self.assertFalse(self.is_running(listener))

    def test_keys_are_for_the_music_after_a_panel_and_a_choice(self):
        listener = Listener(self.stand.port)
        self.device.click("library-open")
        self.device.until("return document.getElementById('library').open")
        # In one step: the list is made anew when the server tells of scores.
        self.device.until("const button = document.querySelector('#scores button'); button?.click(); return Boolean(button)")
        self.device.until("return !document.getElementById('library').open")
        self.keys(" ")
        self.device.until("return document.body.classList.contains('running')")
        self.assertFalse(self.device.run("return document.getElementById('library').open"))
        self.keys(" ")
        self.device.until("return !document.body.classList.contains('running')")
        self.device.click("device-open")
        self.device.until("return document.getElementById('device').open")
        self.keys(Keys.ESCAPE)
        self.device.until("return !document.getElementById('device').open")
        # Taps of the tempo, and no panel.
        self.keys(" ")
        self.device.until("return document.body.classList.contains('running')")
        for _ in range(6):
            self.keys(Keys.ENTER)
            time.sleep(0.4)
        self.device.until("return document.getElementById('bpm').value !== '120'")
        self.assertFalse(self.device.run("return document.getElementById('device').open"))
        self.keys(" ")
        self.device.until("return !document.body.classList.contains('running')")
        # A section that a finger has chosen: the arrows turn pages.
        self.device.run("""
            document.getElementById('section-field').hidden = false;
            const section = document.getElementById('section');
            section.replaceChildren(...['A', 'B'].map(each => new Option(each)));
            section.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
            section.focus();""")
        self.keys(Keys.ARROW_DOWN)
        self.assertEqual(len(self.shown()), 2)
        self.assertEqual(self.device.run("return document.getElementById('section').value"), "", "nothing was chosen")
        # Who has come by the Tab key presses what is focused.
        for _ in range(20):
            self.keys(Keys.TAB)
            if self.device.run("return document.activeElement.id") == "library-open":
                break
        self.keys(Keys.ENTER)
        self.device.until("return document.getElementById('library').open")
        self.assertFalse(self.is_running(listener))

    def test_start_stop_tempo_and_jump_from_the_page(self):
        listener = Listener(self.stand.port)
        self.device.click("faster")
        self.device.until("return document.getElementById('bpm').value === '121'")
        self.device.run("const bpm = document.getElementById('bpm'); bpm.focus(); bpm.value = '96'; bpm.dispatchEvent(new Event('change'))")
        self.device.click("start")
        self.device.until("return standTrace.frames.length > 20")
        # A finger on the fourth bar of the second system, and “From bar …”.
        place = self.device.run("""
            const sheet = document.querySelector('.sheet').getBoundingClientRect();
            return [sheet.left + sheet.width * 0.55, sheet.top + sheet.height * 0.25];""")
        self.device.tap(*place)
        words = self.device.until("const from = document.getElementById('from'); return !from.hidden && from.textContent")
        bar = int(words.split()[-1])
        self.device.run("document.getElementById('from').click()")
        self.device.until(f"return document.getElementById('bar').textContent === 'Bar {bar}'", 8)
        bars = {beat["bar"] for beat in listener.last("course")["beats"]}
        self.assertIn(bar, bars)
        self.device.click("start")
        self.device.until("return document.getElementById('bar').textContent === 'Stopped'")

    def test_a_command_that_is_refused_is_told_with_its_reason_and_locks_nobody_out(self):
        self.device.run("""
            const section = document.getElementById('section');
            section.replaceChildren(new Option('nowhere'));
            section.value = 'nowhere';
            section.dispatchEvent(new Event('change'));""")
        said = self.device.until("const notice = document.getElementById('notice'); return !notice.hidden && notice.textContent")
        self.assertNotIn("key", said)
        self.assertEqual(self.device.text("state"), "")

    def test_nothing_jumps_when_the_tempo_changes_or_the_course_is_renewed(self):
        listener = Listener(self.stand.port)
        listener.command("start")
        self.device.until("return standTrace.frames.length > 60")
        for tempo in (90, 150, 200, 70):
            listener.command("tempo", tempo, when="beat")
            time.sleep(2)
        frames = self.device.trace("frames")
        speeds = [(later[1] - now[1]) / (later[0] - now[0]) for now, later in zip(frames, frames[1:]) if later[0] > now[0]]
        back = [later[1] - now[1] for now, later in zip(frames, frames[1:]) if later[1] < now[1] - 0.02]
        # A change may reach the page after the beat at which it was made: then one frame corrects what was drawn since.
        self.assertLessEqual(len(back), 4, f"the position goes back: {back}")
        self.assertTrue(all(step > -0.5 for step in back), f"the position goes back: {back}")
        self.assertLess(rank(speeds, 0.99) * 60_000, 200 * 1.1, "nor does it run faster than the fastest tempo")

    def test_a_finger_scrolls_and_two_pinch(self):
        self.device.run("document.querySelector('input[value=scroll]').click()")
        start = self.device.run("return document.querySelector('.sheet').getBoundingClientRect().top")
        self.device.touch("touchStart", (400, 800))
        for y in range(790, 500, -20):
            self.device.touch("touchMove", (400, y))
        self.device.touch("touchEnd")
        moved = start - self.device.run("return document.querySelector('.sheet').getBoundingClientRect().top")
        self.assertAlmostEqual(moved, 290, delta=30)
        width = self.device.run("return document.querySelector('.sheet').offsetWidth")
        self.device.touch("touchStart", (350, 500), (450, 500))
        for step in range(0, 101, 10):
            self.device.touch("touchMove", (350 - step, 500), (450 + step, 500))
        self.device.touch("touchEnd")
        larger = self.device.run("return document.querySelector('.sheet').offsetWidth")
        self.assertAlmostEqual(larger / width, 3, delta=0.3)
        # A sharper picture comes for the larger page.
        self.device.until("return Math.max(...[...document.querySelectorAll('.sheet img')].map(each => each.naturalWidth)) >= 2048", 15)

    def test_taps_at_the_sides_turn_and_a_swipe_too(self):
        self.device.tap(790, 600)
        self.assertEqual(len(self.shown()), 2)
        self.device.tap(30, 600)
        self.assertEqual(self.shown(), [[1, "none"]])
        self.device.touch("touchStart", (600, 600))
        for x in range(590, 400, -20):
            self.device.touch("touchMove", (x, 600))
        self.device.touch("touchEnd")
        self.assertEqual(len(self.shown()), 2)

    def test_the_controls_leave_while_it_runs_and_come_back_at_a_touch(self):
        self.device.click("start")
        self.device.until("return document.body.classList.contains('away')", 8)
        time.sleep(0.4)
        self.assertEqual(self.device.run("return getComputedStyle(document.getElementById('controls')).visibility"), "hidden")
        self.device.tap(410, 1_100)
        self.device.until("return !document.body.classList.contains('away')", 3)

    def test_the_pages_follow_the_music_and_wait_for_a_hand_that_turned(self):
        self.device.run("document.querySelector('input[value=scroll]').click()")
        listener = Listener(self.stand.port)
        listener.command("tempo", 400)
        listener.command("start")
        first = self.device.until("return standTrace.frames.length > 5 && standTrace.frames.at(-1)[2] + 1")
        self.device.until(f"return standTrace.frames.at(-1)[2] > {first + 50}", 30)
        self.keys(Keys.PAGE_UP)
        still = self.device.run("return standTrace.frames.at(-1)[2]")
        time.sleep(3)
        self.assertLess(abs(self.device.run("return standTrace.frames.at(-1)[2]") - still), 1_000)
        self.device.run("document.getElementById('follow').click()")
        self.assertTrue(self.device.run("return document.getElementById('follow').hidden"))

    def test_the_screen_is_kept_awake_after_a_touch_and_can_be_filled(self):
        self.device.tap(410, 600)
        self.device.until("return seen.locks.includes('granted')")
        self.device.click("device-open")
        self.assertIn("By a wake lock", self.device.text("abilities"))
        self.device.find("full").click()
        self.device.until("return document.fullscreenElement !== null")

    def test_bars_are_corrected_by_taps_and_everybody_gets_them(self):
        listener = Listener(self.stand.port)
        # When all bars are found, nothing comes but what the test does.
        self.device.until("return standTrace.sheets.score.systems.some(each => each.page === 3)", 60)
        self.device.run("document.getElementById('bars-open').click()")
        time.sleep(0.3)
        before = self.device.run("return standTrace.sheets.score.bars.length")
        self.assertIn(f"{before} bars", self.device.text("bars-note"))
        line = self.device.run("""
            const line = document.querySelector('.sheet svg line').getBoundingClientRect();
            return [line.left + line.width / 2, line.top + line.height / 2];""")
        self.device.tap(*line)
        self.device.until(f"return standTrace.sheets.score.bars.length === {before - 1}")
        self.device.run("document.getElementById('bars-first').value = '5'; document.getElementById('bars-accept').click()")
        listener.send({"type": "open", "score": self.device.run("return JSON.parse(localStorage['stand.settings']).score")})
        end = time.monotonic() + 5
        while time.monotonic() < end and not ((score := listener.last("score")) and score["first"] == 5):
            time.sleep(0.05)
        self.assertEqual(score["first"], 5)
        self.assertTrue(score["accepted"])
        self.assertEqual(sum(len(system["bars"]) for system in score["systems"]), before - 1)

    def test_what_others_correct_moves_no_page_that_a_hand_has_turned(self):
        listener = Listener(self.stand.port)
        score = self.device.run("return standTrace.sheets.score.id")
        # When all bars are found, nothing comes but what the test sends.
        self.device.until("return standTrace.sheets.score.systems.some(each => each.page === 3)", 60)
        self.keys(Keys.PAGE_DOWN, Keys.PAGE_DOWN)
        before = self.shown()
        self.assertEqual(before, [[2, "none"]])
        listener.send({"type": "order", "score": score, "text": "", "first": 3})
        self.device.until("return standTrace.sheets.score.first === 3")
        self.assertEqual(self.shown(), before)
        # A page that has scrolled from the beginning hears of it too.
        self.device.run("document.querySelector('input[value=scroll]').click()")
        self.device.driver.refresh()
        self.device.ready()
        listener.send({"type": "order", "score": score, "text": "", "first": 4})
        self.device.until("return standTrace.sheets.score.first === 4")
        self.assertEqual(self.device.complaints, [])

    def test_one_tap_on_each_system_as_it_begins_is_enough(self):
        """The fallback where no bars are found: they are counted by the metronome, even inside a system."""
        listener = Listener(self.stand.port)
        systems = self.device.run("return standTrace.sheets.score.systems.map(each => [each.page, each.y0, each.y1, each.bars.length])")
        first, second = systems[:2]
        self.device.run("document.getElementById('bars-open').click()")
        # Nothing of what was found: as on a photograph.
        # What the score's bars are may be told once more, from the test before.
        self.device.until("document.getElementById('bars-tap').click();"
                          "return document.getElementById('bars-note').textContent.includes('Start the metronome first')", 5)
        listener.command("tempo", 240)
        listener.command("start")
        self.device.until("return standTrace.frames.length > 30")
        self.device.run("document.getElementById('bars-tap').click()")
        place = """
            const sheet = document.querySelector('.sheet').getBoundingClientRect();
            return [sheet.left + sheet.width / 2, sheet.top + sheet.height * arguments[0] / 65536];"""
        begun = []
        for system, bars in ((first, 2), (second, 3)):
            at = self.device.run(place, (system[1] + system[2]) / 2)
            self.device.until("const bar = document.getElementById('bar').textContent; return bar !== 'Stopped' && bar !== '–'")
            # In the first half of a bar.
            self.device.until("return document.querySelector('#beats i').classList.contains('now')")
            self.device.tap(*at)
            said = self.device.text("bars-note")
            begun.append(int(said.split("from bar ")[1].split(".")[0]))
            wanted = begun[-1] + bars
            played = f"standTrace.frames.at(-1) && Number(document.getElementById('bar').textContent.split(' ')[1]) >= {wanted}"
            if system is first:
                self.device.until(f"return {played}", 20)
        time.sleep(2.5)
        self.device.run("document.getElementById('bars-tap').click()")
        counted = self.device.run("""
            return standTrace.sheets.score.systems.slice(0, 2).map(each => each.bars.map(bar => bar[1] - bar[0]).concat(each.bars.map(bar => bar[2])))""")
        count = len(counted[0]) // 2
        self.assertEqual(count, begun[1] - begun[0], "as many bars as were played between the taps")
        self.assertLessEqual(max(counted[0][:count]) - min(counted[0][:count]), 1, "they are even")
        self.assertEqual(set(counted[0][count:]), {"hand"})
        self.assertGreaterEqual(len(counted[1]) // 2, 2)
        listener.command("stop")


class OrderTests(unittest.TestCase):
    def test_repeats_and_jumps_of_a_map_are_followed_on_the_page(self):
        stand = Stand(song="#!metronome 2\nrepeat 2 {\nfirst: 2 300\n}\nsecond: 3 300 -> first\nlast: 2 300\n")
        self.addCleanup(stand.stop)
        device = Device(stand.address, touch=True)
        self.addCleanup(device.close)
        self.assertEqual(device.text("title"), "Song", "the score of the map's name is open")
        device.run("document.getElementById('bars-open').click()")
        order = device.run("return [document.getElementById('bars-order').value, document.getElementById('bars-order').readOnly]")
        self.assertEqual(order, ["1-2 1-5 1-2 1-7", True])
        device.run("document.getElementById('bars-cancel').click()")
        device.run("""window.printed = []; new MutationObserver(() => {
            const text = document.getElementById('bar').textContent;
            if (text.startsWith('Bar') && printed.at(-1) !== text) printed.push(text);
        }).observe(document.getElementById('bar'), { childList: true, characterData: true, subtree: true });""")
        device.click("start")
        device.until("return document.getElementById('bar').textContent === 'Stopped' && printed.length > 3", 40)
        numbers = [int(text.split()[1]) for text in device.run("return printed")]
        self.assertEqual(numbers, [1, 2, 1, 2, 3, 4, 5, 1, 2, 1, 2, 3, 4, 5, 6, 7])

    def test_an_entry_without_a_score_leaves_none_on_the_page(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        gig = os.path.join(folder.name, "gig.txt")
        with open(gig, "w") as file:
            file.write("Song: 120\nBlackbird: 90\n")
        stand = Stand(plan=f"--setlist {gig}")
        self.addCleanup(stand.stop)
        device = Device(stand.address)
        self.addCleanup(device.close)
        device.until("return document.getElementById('title').textContent === 'Song'")
        entry = "document.getElementById('library-open').click(); document.querySelectorAll('#sets ol button')[%d].click()"
        device.run(entry % 1)
        device.until("return document.getElementById('title').textContent === 'Blackbird'", 20)
        self.assertEqual(device.run("return document.querySelectorAll('.sheet').length"), 0)
        self.assertEqual(device.text("empty"), "The folder has no score named Blackbird. The beat is above.")
        self.assertTrue(device.run("return document.getElementById('empty').getBoundingClientRect().height > 0"))
        # Also for a page that is loaded now.
        device.driver.refresh()
        device.until("return document.getElementById('title').textContent === 'Blackbird'", 20)
        time.sleep(0.5)
        self.assertEqual(device.run("return document.querySelectorAll('.sheet').length"), 0)
        device.run(entry % 0)
        device.until("return document.getElementById('title').textContent === 'Song'", 20)
        device.ready()
        self.assertFalse(device.run("return document.getElementById('empty').getBoundingClientRect().height > 0"))
        self.assertEqual(device.complaints, [])


class FollowTests(unittest.TestCase):
    # In each frame: whether a score is shown, where the frame of the bar is, and whether the pages follow.
    FRAMES = """
        window.framed = [];
        const look = () => {
            const frame = document.querySelector('.frame'), box = frame?.getBoundingClientRect();
            const page = frame?.parentNode, text = document.getElementById('bar').textContent;
            framed.push(box ? [text, box.left, box.top, box.right, box.bottom, page.hidden] : [text, null]);
            requestAnimationFrame(look);
        };
        requestAnimationFrame(look);"""

    def test_a_slow_beat_is_drawn_until_the_next_one(self):
        stand = Stand(song="#!metronome 2\na: 1 4/4 200\nfermata: 1 1/4 8\nb: 1 4/4 200\n")
        self.addCleanup(stand.stop)
        device = Device(stand.address)
        self.addCleanup(device.close)
        device.click("start")
        device.until("return document.getElementById('bar').textContent === 'Bar 2'", 10)
        device.run(self.FRAMES)
        device.until("return document.getElementById('bar').textContent === 'Bar 3'", 12)
        seen = device.run("return framed")
        self.assertEqual({frame[0] for frame in seen}, {"Bar 2", "Bar 3"}, "and never “Stopped”")
        self.assertTrue(all(frame[1] is not None for frame in seen), "framed in every frame")
        beats = [frame[1] for frame in device.trace("frames")]
        self.assertTrue(all(now <= following for now, following in zip(beats, beats[1:])))

    def test_enlarged_pages_keep_the_bar_that_sounds_on_the_screen_until_a_hand_moves_them(self):
        stand = Stand(plan="300 --accent 4")
        self.addCleanup(stand.stop)
        device = Device(stand.address, width=390, height=844, touch=True, ratio=2)
        self.addCleanup(device.close)
        device.until("return standTrace.sheets.score.systems.some(each => each.page === 3)", 60)
        listener = Listener(stand.port)
        device.run(self.FRAMES)
        listener.command("start")
        for view in ("pages", "scroll"):
            device.run(f"document.querySelector('input[name=view][value={view}]').click()")
            device.run("""
                const wheel = { ctrlKey: true, deltaY: -100, clientX: 10, clientY: 100, bubbles: true, cancelable: true };
                for (let turn = 0; turn < 2; turn += 1) document.getElementById('stage').dispatchEvent(new WheelEvent('wheel', wheel));""")
            moved = 0
            for bar in (1, 30, 2):
                listener.command("jump", bar)
                device.until(f"const at = Number(document.getElementById('bar').textContent.split(' ')[1]); return at >= {bar} && at < {bar + 5}", 10)
                device.until("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
                device.run("framed.length = 0")
                time.sleep(5)
                # Read before the next jump: the frame in which a jump is drawn is another page's.
                seen = [frame for frame in device.run("return framed") if frame[1] is not None]
                self.assertGreater(len({frame[0] for frame in seen}), 4, "some bars were played")
                for text, left, top, right, bottom, hidden in seen:
                    self.assertFalse(hidden)
                    # Half of its height at least, below the strip above the score. What is less than a pixel is rounding.
                    self.assertTrue(-0.5 <= left and right <= 390.5, f"{view}, {text}: {left} to {right}")
                    self.assertTrue(bottom > 55 + (bottom - top) / 2 and top < 844 - (bottom - top) / 2, f"{view}, {text}: {top} to {bottom}")
                places = [frame[1] for frame in seen]
                bars = [frame[0] for frame in seen]
                # Inside a bar nothing moves sideways.
                moved += sum(abs(now - then) > 1 and bar == before for then, now, before, bar in zip(places, places[1:], bars, bars[1:]))
            self.assertEqual(moved, 0)
            device.touch("touchStart", (200, 500))
            for x in range(190, 100, -10):
                device.touch("touchMove", (x, 500 - (200 - x) // 2))
            device.touch("touchEnd")
            self.assertFalse(device.run("return document.getElementById('follow').hidden"), "a hand has moved the pages")
            still = device.run("return document.getElementById('content').style.transform")
            time.sleep(2)
            self.assertEqual(device.run("return document.getElementById('content').style.transform"), still)
            device.run("document.getElementById('follow').click()")
        self.assertEqual(device.complaints, [])

    def test_one_page_stands_in_the_middle_of_a_wide_window(self):
        stand = Stand()
        self.addCleanup(stand.stop)
        device = Device(stand.address, width=1024, height=600)
        self.addCleanup(device.close)
        # The last page of three, which has none beside it.
        device.find("stage").parent.switch_to.active_element.send_keys(Keys.PAGE_DOWN)
        boxes = device.run("""
            return [...document.querySelectorAll('.sheet')].filter(each => !each.hidden).map(each => each.getBoundingClientRect())
                .map(box => (box.left + box.right) / 2);""")
        self.assertEqual(len(boxes), 1)
        self.assertAlmostEqual(boxes[0], 512, delta=1)


class ReadOnlyTests(unittest.TestCase):
    def test_a_device_of_the_audience_sees_and_changes_nothing(self):
        stand = Stand("--read-only")
        self.addCleanup(stand.stop)
        device = Device(stand.address, touch=True)
        self.addCleanup(device.close)
        self.assertEqual(device.run("""
            return [...document.querySelectorAll('.player')].filter(each => each.getClientRects().length).map(each => each.id)"""), [])
        device.stroke([(300, 500), (400, 520)])
        self.assertFalse(device.run("return document.body.classList.contains('writing')"))


if __name__ == "__main__":
    unittest.main()
