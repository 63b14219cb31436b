#!/usr/bin/env python3
"""Makes the melodies that `notes` measures the note segmenter on, each note known to the sample.

    melodies.py [--seed 0] [--sound-font FILE] FOLDER
    melodies.py [--seed 0] --real NOTES FOLDER

Twelve General MIDI instruments play a melody each at 90 and at 140 beats a minute: steps and leaps up to an octave, repeated
notes, legato to staccato, rests. FOLDER/NAME_N.wav has its notes in FOLDER/NAME_N.csv: onset and end in seconds, MIDI key.
The beginning of a note is its first sample above -40 dB of its peak; its end is where the key is released.

--real plays recorded notes instead: NOTES is a folder of sound files with a table manifest.csv that names, for each file, its
pitch in hertz (consensus_hz) and the seconds from which it is steady (steady_from_s, steady_to_s). One melody is made for
each instrument that has three notes or more, of its own notes only. What lies below half of a note's pitch, the rumble of a
room, is no part of its beginning: of two trombones it is above -40 dB from the first sample on, and the tone 53 and 56 ms later;
of the others the beginning moves by 8 ms at most.

The limits of the segmenter were found with TimGM6mb.sf2 and seed 0; what is reported is FluidR3_GM.sf2.

Needs fluidsynth and a sound font (apt: fluidsynth, timgm6mb-soundfont, fluid-soundfont-gm), and numpy, scipy, mido and
soundfile (pip).
"""

import argparse
import csv
import math
import os

import numpy as np
import soundfile
from scipy.signal import butter, resample_poly, sosfilt, sosfilt_zi

from instruments import RATE, fade_out, place, render

# Name, General MIDI program, lowest and highest key.
INSTRUMENTS = [
    ("nylon", 24, 40, 76), ("steel", 25, 40, 79), ("epick", 27, 40, 76), ("bass", 33, 28, 52), ("piano", 0, 40, 84),
    ("violin", 40, 55, 88), ("cello", 42, 38, 67), ("trumpet", 56, 54, 82), ("flute", 73, 60, 90),
    ("clarinet", 71, 50, 80), ("altosax", 65, 49, 78), ("voice", 53, 48, 76),
]
TEMPI = (90, 140)
STEPS = [-7, -5, -4, -3, -2, -2, -1, 1, 2, 2, 3, 4, 5, 7, 0, 12, -12]


def write(folder, name, sound, notes, rng):
    """Peak 0.7, with noise at -70 dB."""
    sound = sound / max(1e-9, np.abs(sound).max()) * 0.7 + rng.normal(0, 10 ** (-70 / 20), len(sound))
    soundfile.write(f"{folder}/{name}.wav", sound.astype(np.float32), RATE, subtype="PCM_16")
    with open(f"{folder}/{name}.csv", "w") as file:
        file.writelines(f"{onset:.6f},{end:.6f},{key:.4f}\n" for onset, end, key in notes)


def melody(rng, index, lowest, highest):
    """Keys, velocities and lengths, the frame of each onset, and the end in seconds."""
    quarter, time = 60 / TEMPI[index], 0.5
    notes, onsets, key = [], [], (lowest + highest) // 2
    while time < 24:
        length = quarter * rng.choice([0.5, 0.5, 1, 1, 1.5, 2] if index == 0 else [0.25, 0.25, 0.5, 0.5, 1])
        share = rng.choice([0.95, 0.8, 0.55], p=[0.6, 0.3, 0.1])
        step = int(rng.choice(STEPS))
        following = key + step if lowest <= key + step <= highest else key - step
        key = min(max(following, lowest), highest)
        notes.append((int(key), int(rng.integers(60, 115)), float(length * share)))
        onsets.append(int(time * RATE))
        time += length
        if rng.random() < 0.08:
            time += quarter
    return notes, onsets, time


def synthetic(folder, font, seed):
    for name, program, lowest, highest in INSTRUMENTS:
        for index in range(len(TEMPI)):
            rng = np.random.default_rng(seed + 7_000 + program * 10 + index)
            notes, onsets, end = melody(rng, index, lowest, highest)
            mix = np.zeros(int((end + 1.2) * RATE))
            sounds = render(font, program, notes, slot=4.0, tail=0.35)
            for frame, (sound, start) in zip(onsets, sounds):
                place(mix, sound, start, frame)
            truth = [(at / RATE, at / RATE + length, key) for at, (key, _, length) in zip(onsets, notes)]
            write(folder, f"{name}_{index}", mix, truth, rng)


def beginning(sound, frequency):
    """The first sample above -40 dB of the peak, of what lies above half of the pitch."""
    filter = butter(2, frequency / 2, "highpass", fs=RATE, output="sos")
    # As if the first sample had stood there before: where a recording was cut, the rumble does not begin.
    tone, _ = sosfilt(filter, sound, zi=sosfilt_zi(filter) * sound[0])
    return int(np.argmax(np.abs(tone) > 0.01 * np.abs(tone).max()))


def recorded(notes_folder):
    """The notes of each instrument: sound, key, and its beginning."""
    found = {}
    with open(f"{notes_folder}/manifest.csv", newline="") as file:
        for row in csv.DictReader(file):
            path = f"{notes_folder}/{row.get('file', '')}"
            instrument = row.get("instrument", "")
            is_note = row.get("kind", "note") == "note" and row.get("flag", "") in ("", "short")
            if not is_note or not row.get("consensus_hz") or not os.path.isfile(path):
                continue
            sound, rate = soundfile.read(path, dtype="float32", always_2d=True)
            sound = sound.mean(1)
            if rate != RATE:
                divisor = math.gcd(rate, RATE)
                sound = resample_poly(sound, RATE // divisor, rate // divisor)
            if len(sound) < RATE // 2 or np.abs(sound).max() < 1e-4:
                continue
            sound = sound / np.abs(sound).max()
            frequency = float(row["consensus_hz"])
            start = beginning(sound, frequency)
            key = 69 + 12 * np.log2(frequency / 440)
            found.setdefault(instrument, []).append((sound, start, key))
    return {name: notes for name, notes in found.items() if len(notes) >= 3}


def real(folder, notes_folder, seed):
    for number, (instrument, bank) in enumerate(sorted(recorded(notes_folder).items())):
        rng = np.random.default_rng(seed + 9_000 + number)
        time, mix, truth = 0.5, np.zeros(int(26 * RATE)), []
        while time < 24:
            sound, start, key = bank[rng.integers(len(bank))]
            length = rng.choice([0.2, 0.3, 0.45, 0.6, 0.9])
            length = min(length, (len(sound) - start) / RATE - 0.05)
            count = start + int(length * RATE)
            # Damped within 30 ms.
            note = fade_out(sound[: count + int(0.03 * RATE)].copy(), int(0.03 * RATE))
            frame = int(time * RATE)
            place(mix, note, start, frame, 10 ** (rng.uniform(-9, 0) / 20))
            truth.append((frame / RATE, frame / RATE + length, key))
            time += length + rng.choice([0, 0.02, 0.1])
        write(folder, f"{instrument.replace('_', '-')}_0", mix, truth, rng)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sound-font", default="/usr/share/sounds/sf2/TimGM6mb.sf2")
    parser.add_argument("--real", help="a folder of recorded notes with manifest.csv")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    print(f"seed {options.seed}")
    if options.real:
        real(options.folder, options.real, options.seed)
    else:
        synthetic(options.folder, options.sound_font, options.seed)


if __name__ == "__main__":
    main()
