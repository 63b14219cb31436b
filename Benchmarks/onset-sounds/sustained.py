#!/usr/bin/env python3
"""Makes melodies of bows, winds and voices that no sound font plays, harder than those of `melodies.py` and in the same form.

    sustained.py [--seed 0] FOLDER

Notes swell for 30 to 200 ms and fade for 50 to 350 ms under the next one, with vibrato, breath, notes that are sung up to, and
slurs in which one note fades while the next swells. The limits of the segmenter are found with seeds below 100.
"""

import argparse
import os

import numpy as np
from scipy.signal import butter, lfilter

from instruments import RATE, place
from melodies import TEMPI, melody, write

# Name, lowest and highest key; seconds of attack and of release, from and to; how fast harmonics fall, those at even numbers,
# formants in hertz, breath in decibels, vibrato in keys, the scoop from below in keys, and players.
PLAYERS = [
    ("bow", 50, 84, (0.04, 0.14), (0.08, 0.30), 1.1, 1.0, (500, 1_100, 2_600), -42, 0.20, 0.0, 1),
    ("lowbow", 36, 62, (0.06, 0.16), (0.08, 0.30), 0.9, 1.0, (250, 700, 1_500), -42, 0.15, 0.0, 1),
    ("section", 55, 86, (0.08, 0.20), (0.15, 0.35), 1.1, 1.0, (500, 1_100, 2_600), -46, 0.15, 0.0, 5),
    ("pipe", 60, 90, (0.03, 0.10), (0.05, 0.15), 2.0, 0.9, (), -24, 0.12, 0.0, 1),
    ("reed", 50, 80, (0.03, 0.09), (0.05, 0.15), 1.2, 0.15, (1_500,), -34, 0.05, 0.0, 1),
    ("brass", 52, 80, (0.03, 0.12), (0.05, 0.20), 0.9, 1.0, (1_200,), -44, 0.08, 0.3, 1),
    ("singer", 45, 74, (0.05, 0.14), (0.06, 0.20), 1.4, 1.0, (650, 1_080, 2_700), -36, 0.45, 1.0, 1),
    ("choir", 48, 76, (0.08, 0.20), (0.15, 0.35), 1.4, 1.0, (500, 900, 2_500), -40, 0.25, 0.4, 5),
]


def note(rng, key, seconds, attack, release, player):
    """The sound of one note, whose gate is open for `seconds`."""
    _, _, _, _, _, fall, even, formants, breath, vibrato, scoop, voices = player
    time = np.arange(int((seconds + release) * RATE)) / RATE
    rise = np.clip(time / attack, 0, 1)
    envelope = np.sin(np.pi / 2 * rise) ** 2 * np.exp(-6.9 * np.clip(time - seconds, 0, None) / release)
    sound = np.zeros(len(time))
    for _ in range(voices):
        rate, phase = rng.uniform(4.8, 6.2), rng.uniform(0, 2 * np.pi)
        swing = vibrato * np.clip((time - 0.12) / 0.2, 0, 1) * np.sin(2 * np.pi * rate * time + phase)
        spread = rng.normal(0, 0.08) if voices > 1 else 0
        start = scoop * rng.uniform(0.3, 1)
        course = key + swing + spread - start * np.exp(-time / 0.03)
        hertz = 440 * 2 ** ((course - 69) / 12)
        turns = np.cumsum(hertz) / RATE + rng.uniform()
        middle = 440 * 2 ** ((key - 69) / 12)
        for k in range(1, int(min(24, 9_000 / middle)) + 1):
            level = k**-fall * (even if k % 2 == 0 else 1)
            if formants:
                near = max(np.exp(-((k * middle - f) ** 2) / (2 * (0.3 * f) ** 2)) for f in formants)
                level *= 0.15 + near
            # The higher, the later: a swelling note becomes brighter.
            sound += level * envelope ** (1 + 0.12 * (k - 1)) * np.sin(2 * np.pi * k * turns + rng.uniform(0, 6.28))
    sound /= np.abs(sound).max()
    low, high = butter(1, [min(0.9, middle / 24_000), min(0.95, 8 * middle / 24_000)], "band")
    hiss = lfilter(low, high, rng.normal(0, 1, len(time)))
    # Breath comes before the tone.
    return sound + 10 ** (breath / 20) * hiss / hiss.std() * np.sqrt(envelope)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    print(f"seed {options.seed}")
    for number, player in enumerate(PLAYERS):
        name, lowest, highest, attacks, releases = player[:5]
        for index in range(len(TEMPI)):
            rng = np.random.default_rng(options.seed * 1_000 + 100 * number + index)
            notes, onsets, end = melody(rng, index, lowest, highest)
            mix, truth = np.zeros(int((end + 1.2) * RATE)), []
            for n, ((key, velocity, length), frame) in enumerate(zip(notes, onsets)):
                isSlurred = n + 1 < len(notes) and rng.random() < 0.3 and notes[n + 1][0] != key
                if isSlurred:
                    length = (onsets[n + 1] - frame) / RATE
                attack = min(rng.uniform(*attacks), 0.5 * length)
                sound = note(rng, key, length, attack, rng.uniform(*releases), player)
                start = int(np.argmax(np.abs(sound) > 0.01 * np.abs(sound).max()))
                place(mix, sound, start, frame, (velocity / 115) ** 2)
                truth.append((frame / RATE, frame / RATE + length, key))
            write(options.folder, f"{name}_{index}", mix, truth, rng)


if __name__ == "__main__":
    main()
