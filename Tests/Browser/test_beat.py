"""Light and vibration at the heard moment."""

import time
import unittest

import numpy

from browser import Device
from figures import FALSE_ALARM, SURE, later, later_in_blocks, rank
from stand import Listener, Stand

# What the machine does to any page: timers as vibration.js has them, and frames. For every other three seconds the page vibrates;
# for the others a control does in its place, in the same millisecond of the bar, so that both lie alike between the frames and
# beside what the page draws: on a busy machine that takes the processor from a timer that waits for its moment.
CONTROL = """
    window.control = [];
    window.controlFrames = [];
    let last = null;
    const frame = at => {
        if (last !== null) controlFrames.push(at - last);
        last = at;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const wait = at => {
        const left = at - performance.now();
        setTimeout(() => (left > 30 ? wait(at) : strike(at)), Math.max(0, left > 30 ? left - 30 : left - 3));
    };
    const strike = at => {
        const due = Math.max(at, timer.ran);
        while (performance.now() < at) { /* the last 3 ms */ }
        const now = performance.now();
        control.push([now - at, now - due]);
        next();
    };
    const grid = bar => arguments[0] + bar * 500;
    let bar = 0;
    const next = () => {
        do bar++; while (grid(bar) < performance.now() + 50 || Math.floor(bar / 6) % 2 === 0);
        wait(grid(bar));
    };
    // Before the call of the first bar of a turn, and after the last beat of the bar before it.
    const turn = six => setTimeout(() => {
        document.getElementById('vibration-on').click();
        turn(six + 1);
    }, grid(6 * six) - 200 - performance.now());
    turn(1);
    next();"""
LATE = 2  # ms
CLOCK = 0.5  # ms; what the page's clock may be off
FRAME = 17  # ms; one of 60 a second
# Bars of half a second, so that there are many; of two beats, so that there is a pattern; each first one flashes.
SHORT_BARS = "240 --meter 2/4"


class Beats(unittest.TestCase):
    PLAN = "120 --accent 4"

    def setUp(self):
        self.stand = Stand(plan=self.PLAN)
        self.addCleanup(self.stand.stop)
        self.listener = Listener(self.stand.port)

    def device(self, **options):
        device = Device(self.stand.address, **options)
        self.addCleanup(device.close)
        return device

    def revision(self):
        return max((revision for revision, _ in self.listener.beats), key=lambda each: len(self.listener.heard(each)))


class MomentTests(Beats):
    PLAN = SHORT_BARS

    def test_light_and_vibration_come_at_the_beat(self):
        device = self.device(touch=True)
        device.run("document.getElementById('vibration-on').click()")
        device.tap(410, 30)
        time.sleep(1)
        self.listener.command("start")
        time.sleep(2)
        first = min(beat["t"] / 1e6 for beat in self.listener.heard(self.revision()).values() if beat["beat"] == 1)
        device.run(CONTROL, first - 20 - device.origin)
        time.sleep(60)
        self.listener.command("stop")
        time.sleep(0.7)
        beats = numpy.array(sorted(beat["t"] / 1e6 for beat in self.listener.heard(self.revision()).values()))
        # A flash belongs to the frame that is seen at its time; lateness is that time less the beat's.
        flashes = device.trace("flashes")[4:]
        late = [seen - beat for beat, seen, *_ in flashes]
        print(f"\n  {len(late)} flashes: p50 {rank(late, .5):+.2f} ms, earliest {min(late):+.2f}, latest {max(late):+.2f}")
        self.assertGreater(len(late), 40)
        # A bar is 30 frames of 60 a second, so all flashes lie alike: at the nearest frame, half a frame off at most.
        self.assertLess(abs(rank(late, 0.5)), rank([frame for *_, frame in flashes], 0.5) / 2 + 0.5)
        # None is later than a frame, however long frames are on a machine that is busy; a beat that would be is not shown.
        self.assertLess(max(seen - beat - frame for beat, seen, _, frame in flashes), 0.01)
        # The page's notion of a frame is the machine's, and no flash is later than 17 ms more often than the machine's frames are
        # longer.
        frames = numpy.array(device.run("return controlFrames"))
        self.assertLess(abs(rank([frame for *_, frame in flashes], 0.5) - frames[frames < 50].mean()), 2)
        self.assertGreater(later(late, frames, FRAME), FALSE_ALARM)
        origin = device.origin
        calls = [(origin + at, pattern, {name: origin + moment for name, moment in timer.items()})
                 for at, pattern, _, timer in device.run("return seen.vibrations") if pattern]
        moments = [beats[abs(beats - (at + 20)).argmin()] - 20 for at, *_ in calls]
        off = numpy.array([at - moment for (at, *_), moment in zip(calls, moments)])
        # What is the page's doing, on any machine: a timer is asked for 3 ms before its moment, or at once where the one before
        # it came late. In the median, since a busy machine takes the page its processor in any millisecond.
        asked = [timer["due"] - max(moment - 3, timer["asked"]) for (*_, timer), moment in zip(calls, moments)]
        # The call is made at its moment, or at once where the timer came late.
        made = [at - max(moment, timer["ran"]) for (at, _, timer), moment in zip(calls, moments)]
        control, control_made = numpy.array(device.run("return control")).T
        by_blocks = later_in_blocks(abs(off), control, LATE)
        made_by_blocks = later_in_blocks(made, control_made, CLOCK)
        print(f"  {len(off)} bars felt: the call 20 ms before its beat p50 {rank(off, .5):+.2f}, |p95| {rank(abs(off), .95):.2f} ms; "
              f"later than {LATE} ms {(off > LATE).mean():.0%}, {len(control)} of a control {(control > LATE).mean():.0%} "
              f"(p95 {rank(control, .95):.2f}), t {by_blocks:.1f}; timers asked for {rank(asked, .5):+.2f} ms from where they "
              f"should be (p95 {rank(numpy.abs(asked), .95):.2f}), calls {rank(made, .5):+.2f} ms after their timers, the control's "
              f"{rank(control_made, .5):+.2f}, t {made_by_blocks:.1f}")
        self.assertGreater(len(off), 45, "each bar is felt")
        self.assertGreater(len(control), 45)
        self.assertEqual(calls[3][1], [60, 190, 25])
        self.assertGreater(min(off), -LATE, "no machine makes a timer early")
        self.assertLess(rank(numpy.abs(asked), 0.5), CLOCK)
        self.assertLess(max(numpy.abs(asked)), LATE)
        self.assertGreater(rank(made, 0.5), -CLOCK)
        # A machine that stalls makes any timer late, at times most of them: no call may be so more often than the control.
        self.assertLess(made_by_blocks, SURE)
        self.assertLess(by_blocks, SURE)


class BeatTests(Beats):
    def test_never_four_flashes_in_a_second_at_any_tempo(self):
        device = self.device()
        self.listener.command("start")
        for tempo in (40, 60, 110, 170, 181, 240, 300, 400):
            self.listener.command("tempo", tempo)
            time.sleep(3)
        self.listener.command("stop")
        seen = [at for _, at, *_ in device.trace("flashes")]
        self.assertGreater(len(seen), 20)
        for first, fourth in zip(seen, seen[3:]):
            self.assertGreater(fourth - first, 999 - 17, "a frame's width is allowed for")

    def test_with_reduced_motion_nothing_flashes(self):
        device = self.device(still=True)
        self.listener.command("start")
        time.sleep(3)
        self.assertGreater(len(device.trace("frames")), 0)
        self.assertEqual(device.trace("flashes"), [])

    def test_the_light_is_a_narrow_edge_with_a_shape_of_its_own_for_the_first_beat(self):
        device = self.device()
        areas = device.run("""
            const light = document.getElementById('light'), found = [];
            for (const beat of ['first', 'other']) {
                light.dataset.beat = beat;
                let area = 0;
                for (const strip of light.children) {
                    const box = strip.getBoundingClientRect();
                    area += box.width * box.height;
                }
                found.push(area / innerWidth / innerHeight);
            }
            return found;""")
        self.assertLess(areas[0], 0.031)
        self.assertLess(areas[1], areas[0] * 0.6)

    def test_the_sliders_move_the_light_and_are_kept(self):
        device = self.device()
        device.run("""const slider = document.getElementById('light-ms'); slider.value = '60';
            slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change'));""")
        self.listener.command("start")
        time.sleep(5)
        late = [seen - beat for beat, seen, *_ in device.trace("flashes")]
        self.assertLess(abs(rank(late, 0.5) - 60), 9)
        device.driver.refresh()
        device.ready()
        self.assertEqual(device.run("return document.getElementById('light-ms').value"), "60")
        # By the server too, for a browser that forgets: after a restart, with nothing but the device's own id.
        self.stand.stop_process()
        self.stand.start()
        device.run("const key = 'stand.settings', all = JSON.parse(localStorage[key]); localStorage[key] = JSON.stringify({ device: all.device })")
        device.driver.refresh()
        device.ready()
        device.until("return document.getElementById('light-ms').value === '60'")


if __name__ == "__main__":
    unittest.main()
