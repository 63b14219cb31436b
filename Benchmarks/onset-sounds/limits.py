#!/usr/bin/env python3
"""Makes melodies at the limits of the note segmenter, for `notes FOLDER --real --verbose`, one line for each kind.

    limits.py vibrato [--seed 0] FOLDER
    limits.py slurs FOLDER
    limits.py repeats [--seed 0] [--sound-font FILE] FOLDER

vibrato: slurred tones of eight partials with a vibrato of 4.5 to 6.8 Hz that swings by 0 to 120 cents to either side, every
other melody with a dip between the notes: twelve melodies of ten notes for each depth. NAME is vibrato60 for 60 cents.

slurs: chromatic and major scales up and down, mordents, turns and alternations of semitones and tones, with 100 to 250 ms a note
and slurs of 20 to 80 ms, without a vibrato, from A3, A4 and E5. NAME is chromatic-40 for slurs of 40 ms.

repeats: sixteen notes of one pitch, 15 ms apart, every 300, 200, 150 and 100 ms, as instruments of a sound font play them, at
two pitches each. NAME is piano-150ms.

FOLDER/NAME_N.wav has its notes in FOLDER/NAME_N.csv: onset and end in seconds, MIDI key.

Needs numpy and soundfile (pip), and for `repeats` what melodies.py needs.
"""

import argparse
import os

import numpy as np

from instruments import RATE, place, render
from melodies import write

DEPTHS = (0, 30, 50, 60, 80, 100, 120)
STEPS = [-7, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 7]
# Name, General MIDI program, two keys.
REPEATERS = [
    ("piano", 0, (40, 64)), ("nylon", 24, (45, 64)), ("bass", 33, (28, 40)), ("violin", 40, (57, 69)),
    ("trumpet", 56, (64, 76)), ("clarinet", 71, (55, 70)), ("flute", 73, (72, 81)),
]
INTERVALS = (0.3, 0.2, 0.15, 0.1)


def hertz(key):
    return 440 * 2 ** ((key - 69) / 12)


def slurred(notes, vibrato, slope, has_dips, rng, slur=0.03):
    """The sound of notes (onset, end, key): `slur` seconds from pitch to pitch, partials that fall by a power of their number."""
    start, end = notes[0][0], notes[-1][1]
    count = int((end - start) * RATE)
    time = np.arange(count) / RATE
    key = np.zeros(count)
    for onset, until, pitch in notes:
        key[int((onset - start) * RATE) : int((until - start) * RATE)] = pitch
    glide = int(slur * RATE)
    key = np.convolve(np.pad(key, (glide // 2, glide - 1 - glide // 2), mode="edge"), np.ones(glide) / glide, "valid")
    rate, depth = vibrato
    key += depth / 100 * np.sin(2 * np.pi * rate * time + rng.uniform(0, 2 * np.pi))
    phase = 2 * np.pi * np.cumsum(hertz(key)) / RATE
    level = np.minimum(1, time / 0.03) * np.minimum(1, (time[-1] - time) / 0.05)
    if has_dips:
        for onset, _, _ in notes[1:]:
            level *= 1 - 0.97 * np.exp(-(((time - (onset - start) + 0.02) / 0.02) ** 2))
    tone = sum(np.sin(k * phase) / k**slope * (hertz(key) * k < 20_000) for k in range(1, 9)) * level
    sound = np.zeros(int((end + 0.5) * RATE))
    sound[int(start * RATE) : int(start * RATE) + count] = tone
    return sound


def vibrato(folder, seed):
    rng = np.random.default_rng(seed + 5)
    for depth in DEPTHS:
        for number in range(12):
            notes, time, key = [], 0.5, int(rng.integers(45, 80))
            for _ in range(10):
                length = float(rng.choice([0.35, 0.5, 0.7, 1.0]))
                notes.append((time, time + length, key))
                time += length
                step = int(rng.choice(STEPS))
                key = key + step if 42 <= key + step <= 84 else key - step
            sound = slurred(notes, (rng.uniform(4.5, 6.8), depth), rng.uniform(0.7, 1.6), number % 2 == 1, rng)
            write(folder, f"vibrato{depth}_{number}", sound, notes, rng)


def slurs(folder):
    rng = np.random.default_rng(0)
    major = [0, 2, 4, 5, 7, 9, 11, 12, 11, 9, 7, 5, 4, 2, 0]
    figures = [("chromatic", list(range(13)) + list(range(11, -1, -1))), ("major", major)]
    for step in (1, -1, 2, -2):
        figures += [("mordent", [0, step, 0]), ("turn", [0, step, 0, -step, 0])]
    figures += [(f"alternation{step}", [0, step] * 8) for step in (1, 2)]
    numbers = {}
    for slur in (0.02, 0.04, 0.06, 0.08):
        for length in (0.1, 0.125, 0.15, 0.2, 0.25):
            if slur > 0.6 * length:
                continue
            for base in (57, 69, 76):
                for figure, steps in figures:
                    notes, time = [], 0.5
                    for place, step in enumerate(steps):
                        is_held = figure in ("mordent", "turn") and place in (0, len(steps) - 1)
                        notes.append((time, time + (0.5 if is_held else length), base + step))
                        time = notes[-1][1]
                    name = f"{figure}-{round(1_000 * slur)}"
                    number = numbers[name] = numbers.get(name, -1) + 1
                    write(folder, f"{name}_{number}", slurred(notes, (5, 0), 1, False, rng, slur), notes, rng)


def repeats(folder, font, seed):
    rng = np.random.default_rng(seed + 6)
    for name, program, keys in REPEATERS:
        for interval in INTERVALS:
            for number, key in enumerate(keys):
                notes = [(key, 80 + int(rng.integers(0, 20)), interval - 0.015) for _ in range(16)]
                mix, truth = np.zeros(int((16 * interval + 2) * RATE)), []
                for index, (sound, start) in enumerate(render(font, program, notes, tail=0.35)):
                    onset = 0.5 + index * interval
                    place(mix, sound, start, int(onset * RATE))
                    truth.append((onset, onset + interval - 0.015, key))
                write(folder, f"{name}-{round(1_000 * interval)}ms_{number}", mix, truth, rng)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["vibrato", "slurs", "repeats"])
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sound-font", default="/usr/share/sounds/sf2/TimGM6mb.sf2")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    print(f"seed {options.seed}")
    if options.kind == "vibrato":
        vibrato(options.folder, options.seed)
    elif options.kind == "slurs":
        slurs(options.folder)
    else:
        repeats(options.folder, options.sound_font, options.seed)


if __name__ == "__main__":
    main()
