#!/usr/bin/env python3
"""Prints how many scores of melodies in usual rhythms, even and swung, are right, with the tempo given and with the tempo found.

    scores.py [--seed 77] [--sound-font FILE] TUNER

Twelve General MIDI instruments play sixteen bars of 4/4 each, at 76 and at 112 beats a minute, exactly, with even eighths and
with swung ones, two thirds of a beat and one third. `TUNER transcribe`
writes each melody down as MusicXML. A note is right if one of its pitch begins where it was played, in quarters from the
first, or in halves or eighths: twice as fast is the same rhythm. A score is right if nine notes of ten are. Where the tempo is
found, as many scores but one must be right as where it is given, of the even and of the swung ones. Exit status 1 where they are not.

Needs what melodies.py needs.
"""

import argparse
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import numpy as np

from instruments import RATE, place, render
from melodies import INSTRUMENTS, write

RHYTHMS = [
    [1, 1, 1, 1], [2, 1, 1], [1, 0.5, 0.5, 1, 1], [0.5, 0.5, 0.5, 0.5, 1, 1], [1.5, 0.5, 1, 1], [1, 1, 2],
    [0.5, 0.5, 1, 0.5, 0.5, 1],
]
SCALE = [0, 2, 4, 5, 7, 9, 11]
BARS = 16
# Of the melodies that are held for nine tenths of their notes.
HELD = 0.9
STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


def swing(time):
    """Where the halves of a beat are played."""
    return time + 1 / 6 if time % 1 == 0.5 else time


def melody(rng, lowest, is_swung):
    """Places and lengths in quarters, and keys."""
    notes, time, degree = [], 0.0, 7
    for _ in range(BARS):
        for length in RHYTHMS[rng.integers(len(RHYTHMS))]:
            degree = int(np.clip(degree + rng.choice([-3, -2, -1, -1, 0, 1, 1, 2, 3]), 0, 13))
            (start, end) = (swing(time), swing(time + length)) if is_swung else (time, time + length)
            notes.append((start, end - start, lowest + 12 * (degree // 7) + SCALE[degree % 7]))
            time += length
    return notes


def read(path):
    """Places in quarters, and keys, of the notes of a score."""
    notes, time, divisions = [], 0, 1
    for measure in ElementTree.parse(path).getroot().iter("measure"):
        for child in measure:
            divisions = int(child.findtext("divisions") or divisions)
            if child.tag != "note":
                continue
            pitch = child.find("pitch")
            is_tied = any(tie.get("type") == "stop" for tie in child.findall("tie"))
            if pitch is not None and not is_tied:
                key = STEPS[pitch.findtext("step")] + int(pitch.findtext("alter") or 0)
                notes.append((round(24 * time), key + 12 * int(pitch.findtext("octave")) + 12))
            time += int(child.findtext("duration")) / divisions
    return notes


def share(tuner, sound, notes, options, folder):
    """The share of notes that are right, and quarters of the score in one that was played; 0 without a score."""
    path = f"{folder}/score.musicxml"
    outcome = subprocess.run(
        [tuner, "transcribe", sound, "--musicxml", path, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if outcome.returncode != 0:
        return 0.0, 1
    found = set(read(path))
    levels = [
        (sum((round(24 * time * level), key) in found for time, _, key in notes) / len(notes), level) for level in (1, 2, 0.5)
    ]
    return max(levels, key=lambda pair: pair[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--sound-font", default="/usr/share/sounds/sf2/FluidR3_GM.sf2")
    parser.add_argument("tuner")
    options = parser.parse_args()
    counts = {False: [0, 0], True: [0, 0]}
    others = 0
    print(f"{'':22}{'given':>8}{'found':>8}   share of the notes that are right")
    with tempfile.TemporaryDirectory() as folder:
        for name, program, lowest, highest in INSTRUMENTS:
            for tempo, is_swung in ((76, False), (112, False), (76, True), (112, True)):
                rng = np.random.default_rng(options.seed + 1_000 * program + tempo)
                notes = melody(rng, min(lowest + 4, highest - 24), is_swung)
                quarter = 60 / tempo
                sounds = render(
                    options.sound_font, program, [(key, 90, length * HELD * quarter) for _, length, key in notes],
                    tail=0.35,
                )
                mix = np.zeros(int((4 * BARS * quarter + 2) * RATE))
                for (time, _, _), (sound, start) in zip(notes, sounds):
                    place(mix, sound, start, int((0.5 + time * quarter) * RATE))
                write(folder, "melody", mix, [], rng)
                given, _ = share(options.tuner, f"{folder}/melody.wav", notes, ["--tempo", str(tempo)], folder)
                found, level = share(options.tuner, f"{folder}/melody.wav", notes, [], folder)
                counts[is_swung][0] += given >= 0.9
                counts[is_swung][1] += found >= 0.9
                others += found >= 0.9 and level != 1
                title = f"{name} {tempo}" + (" swung" if is_swung else "")
                told = "" if level == 1 else f"   at {level * tempo:g}"
                print(f"{title:22}{given:8.2f}{found:8.2f}{told}", flush=True)
    count = 2 * len(INSTRUMENTS)
    for is_swung, (given, found) in counts.items():
        kind = "swung" if is_swung else "even"
        print(f"{kind} scores with nine notes of ten right: {given} of {count} with the tempo given, {found} with it found")
    print(f"{others} of them at half or twice the tempo")
    is_met = all(found >= given - 1 for given, found in counts.values())
    print("met" if is_met else "MISSED")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
