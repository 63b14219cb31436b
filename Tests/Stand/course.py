"""course.py MUSICSTAND   what devices were told of the beats to come, against the moments at which these were heard.

Runs the command on ALSA's null device, through a ramp, changes of tempo, jumps, stops and starts from devices, and compares
each beat that was heard with the last course that a device had before it. Then ends the program by SIGKILL, starts it again
and checks that it goes on in the bar where it would be."""
import json
import os
import shutil
import sys
import time

from client import Device, Stand

# The line through the clock of the stream moves by some tens of microseconds while it settles: its first seconds are the
# widest. A twentieth of a frame of a screen is allowed.
TOLERANCE_NS = 800_000


def compare(stand, device, name):
    """Every beat that was heard lies where the last course before it had it."""
    heard = stand.heard()
    errors, missed = [], 0
    for beat in heard:
        told = None
        # A course that came when the beat was over tells nothing, and each takes the place of the one before.
        before = [course for course in courses(device) if course["came"] <= beat["t"]]
        for promised in before[-1]["beats"] if before else []:
            if promised["n"] == beat["n"]:
                told = promised
        if told is None:
            missed += 1
            continue
        # A command took effect less than the way to the device before the beat: it learns so while the beat is heard.
        if (told["bar"], told["beat"], told["of"]) != (beat["bar"], beat["beat"], beat["of"]):
            missed += 1
            continue
        errors.append(told["t"] - beat["t"])
    worst = max(abs(error) for error in errors)
    print(f"{name}: {len(errors)} beats foretold, {missed} not, worst {worst / 1e6:.3f} ms")
    assert len(errors) >= 20 and worst <= TOLERANCE_NS
    return missed


def lead(binary):
    """A page that hears nothing for 30 s has the beats of that time, whatever the tempo; its messages have a bound."""
    for tempo, least, most in (("40", 64, 64), ("240", 140, 176), ("1000", 530, 560)):
        stand = Stand(binary, [tempo, "--accent", "4"])
        device = Listener(stand.port)
        device.watch(3, stand)
        course = courses(device)[-1]
        ahead = [beat["t"] - course["came"] for beat in course["beats"] if beat["t"] > course["came"]]
        print(f"{tempo} a minute: {len(ahead)} beats ahead, {ahead[-1] / 1e9:.1f} s")
        # What has been rendered and is not heard yet comes on top: up to a buffer, in which 1000 a minute have some beats.
        # A stall of the machine between the message and its arrival makes them fewer: eight beats of 1000 a minute are half a second.
        assert least - 8 <= len(ahead) <= most + 16, len(ahead)
        assert ahead[-1] > (31e9 if tempo == "1000" else 38e9)
        stand.stop()
        shutil.rmtree(stand.folder)


def courses(device):
    return [message for message in device.kept if message["type"] == "course"]


class Listener(Device):
    def next(self):
        message = super().next()
        message["came"] = time.monotonic_ns()
        return message


def main(binary):
    lead(binary)
    stand = Stand(binary, ["100..180", "over", "8", "bars", "--accent", "4"])
    device = Listener(stand.port)
    device.watch(40, stand)
    assert compare(stand, device, "ramp") <= 4
    stand.stop()
    shutil.rmtree(stand.folder)

    stand = Stand(binary, ["150", "--accent", "4"])
    device, other = Listener(stand.port), Listener(stand.port)
    device.watch(8, stand)
    assert other.command("tempo", "beat", 200)["type"] == "done"
    device.watch(8, stand)
    assert device.command("jump", "bar", 40)["type"] == "done"
    device.watch(12, stand)
    assert any(beat["bar"] >= 40 for beat in stand.heard())
    assert device.command("tempo", "bar", 170)["type"] == "done"
    device.watch(8, stand)
    assert device.command("stop", "bar")["type"] == "done"
    while not (courses(device) and not courses(device)[-1]["isRunning"]):
        device.next()
    assert stand.heard()[-1]["beat"] == 4, "it stopped before a bar"
    count = len(stand.heard())
    assert other.command("toggle")["type"] == "done"
    device.watch(12, stand)
    assert stand.heard()[count]["bar"] == 1 and stand.heard()[count]["beat"] == 1
    assert device.command("section", "now", "nowhere")["type"] == "refused"
    missed = compare(stand, device, "tempo, jump, stop, start")
    # Beats before the device came, and those that were on their way to the ear when a command took effect.
    assert missed <= 12, missed

    before = stand.heard()[-1]
    stand.process.kill()
    stand.process.wait()
    os.remove(stand.log)
    stand.start()
    while not stand.heard():
        time.sleep(0.02)
    first = stand.heard()[0]
    bars = (first["t"] - before["t"]) / 1e9 * 170 / 60 / 4
    print(f"killed in bar {before['bar']}, back after {(first['t'] - before['t']) / 1e9:.2f} s in bar {first['bar']}")
    assert abs(first["bar"] - before["bar"] - bars) <= 1.01
    assert stand.stop() == 143
    stand.start()
    while len(stand.heard()) < 1:
        time.sleep(0.02)
    stand.stop()
    shutil.rmtree(stand.folder)
    print("course: passed")


try:
    main(sys.argv[1])
finally:
    Stand.end_all()
