#!/usr/bin/env python3
"""Makes the sounds that `onsets` measures the detector and the canceller on, each onset known to the sample.

    generate.py [--seed 0] [--sound-font FILE] FOLDER

FOLDER/clean: sixteen recordings of 30 s. FOLDER/noisy: the same with 0.35 s of reverberation and pink noise 20 dB below.
FOLDER/takes: fifteen players over a metronome, see takes.py.

The limits of the detector were found with TimGM6mb.sf2 and the seeds 0 and 2000 (takes: seed 1); what is reported is
FluidR3_GM.sf2 and seed 1000 (takes: seed 3).

Needs fluidsynth and a sound font (apt: fluidsynth, timgm6mb-soundfont, fluid-soundfont-gm), and numpy, scipy, mido and
soundfile (pip).
"""

import argparse
import os

import numpy as np
import soundfile
from scipy.signal import fftconvolve

from instruments import RATE, fade_out, place, pluck, render
from takes import make_takes

SECONDS = 30
DRUMS = [36, 38, 37, 42, 46, 45, 41, 56, 49]
# Name, General MIDI program, lowest and highest key.
INSTRUMENTS = [
    ("guitar", 25, 40, 76), ("epick", 27, 40, 76), ("bass", 33, 28, 50), ("piano", 0, 36, 84),
    ("violin", 40, 55, 88), ("trumpet", 56, 55, 82), ("flute", 73, 60, 90),
]


def onset_frames(rng, shortest, longest):
    seconds, frames = 0.5, []
    while seconds < SECONDS - 0.8:
        frames.append(int(seconds * RATE))
        seconds += rng.uniform(shortest, longest)
    return frames


def noise_bursts(rng):
    mix, frames = np.zeros(SECONDS * RATE), onset_frames(rng, 0.1, 0.6)
    for frame in frames:
        count = int(0.08 * RATE)
        burst = rng.normal(0, 1, count) * np.exp(-np.arange(count) / (rng.uniform(0.004, 0.02) * RATE))
        place(mix, burst, 0, frame, 10 ** (rng.uniform(-24, 0) / 20))
    return mix, frames


def strings(rng, ringing):
    mix, frames = np.zeros(SECONDS * RATE), onset_frames(rng, 0.12, 0.7)
    for index, frame in enumerate(frames):
        sound = pluck(440 * 2 ** ((rng.integers(40, 77) - 69) / 12), rng, 2.0, rng.uniform(0.3, 0.9))
        if not ringing and index + 1 < len(frames):
            sound = fade_out(sound[: frames[index + 1] - frame].copy(), 240)
        place(mix, sound, 0, frame, 10 ** (rng.uniform(-14, 0) / 20))
    return mix, frames


def drums(rng, bank, keys):
    mix, frames = np.zeros(SECONDS * RATE), onset_frames(rng, 0.1, 0.5)
    for frame in frames:
        key = keys[rng.integers(len(keys))]
        sound, start = bank[(key, (50, 85, 120)[rng.integers(3)])]
        place(mix, sound, start, frame)
    return mix, frames


def melody(rng, font, program, lowest, highest):
    mix, frames = np.zeros(SECONDS * RATE), onset_frames(rng, 0.15, 0.7)
    notes = []
    for index, frame in enumerate(frames):
        following = frames[index + 1] if index + 1 < len(frames) else frame + RATE // 2
        seconds = (following - frame) / RATE * 0.95
        notes.append((int(rng.integers(lowest, highest)), int(rng.integers(50, 120)), seconds))
    for frame, (sound, start) in zip(frames, render(font, program, notes, slot=2.0, tail=0.3)):
        place(mix, sound, start, frame)
    return mix, frames


def recordings(font, seed):
    """Name, sound, onsets, noise in decibels of full scale, and the random numbers of each."""
    for index in range(3):
        rng = np.random.default_rng(seed + 100 + index)
        yield (f"noise_{index}", *noise_bursts(rng), -60, rng)
    for index in range(3):
        rng = np.random.default_rng(seed + 200 + index)
        yield (f"ks_{index}", *strings(rng, ringing=index == 2), -70, rng)
    pairs = [(key, velocity) for key in DRUMS for velocity in (50, 85, 120)]
    bank = dict(zip(pairs, render(font, 0, [(*pair, 0.3) for pair in pairs], drums=True)))
    for index in range(3):
        rng = np.random.default_rng(seed + 300 + index)
        yield (f"drums_{index}", *drums(rng, bank, DRUMS[:-1] if index < 2 else DRUMS), -70, rng)
    for name, program, lowest, highest in INSTRUMENTS:
        rng = np.random.default_rng(seed + 400 + program)
        yield (f"{name}_0", *melody(rng, font, program, lowest, highest), -70, rng)


def with_room(sound, rng):
    """Reverberation of 0.35 s, 9 dB below the direct sound, and pink noise 20 dB below both."""
    count = int(0.35 * RATE)
    tail = rng.normal(0, 1, count) * 10 ** (-3 * np.arange(count) / RATE / 0.35)
    tail *= 0.35 / np.sqrt((tail**2).sum())
    tail[0] = 1
    wet = fftconvolve(sound, tail)[: len(sound)]
    spectrum = np.fft.rfft(rng.normal(0, 1, len(wet)))
    frequency = np.fft.rfftfreq(len(wet), 1 / RATE)
    spectrum[1:] /= np.sqrt(frequency[1:])
    spectrum[frequency < 20] = 0
    pink = np.fft.irfft(spectrum, len(wet))
    return wet + pink * (wet.std() / pink.std() * 0.1)


def write(folder, name, sound, frames):
    soundfile.write(f"{folder}/{name}.wav", (sound / max(1, np.abs(sound).max())).astype(np.float32), RATE, subtype="PCM_16")
    with open(f"{folder}/{name}.csv", "w") as file:
        file.writelines(f"{frame / RATE:.6f}\n" for frame in frames)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--takes-seed", type=int, default=1)
    parser.add_argument("--sound-font", default="/usr/share/sounds/sf2/TimGM6mb.sf2")
    options = parser.parse_args()
    for part in ("clean", "noisy", "takes"):
        os.makedirs(f"{options.folder}/{part}", exist_ok=True)
    for index, (name, sound, frames, noise, rng) in enumerate(recordings(options.sound_font, options.seed)):
        sound = sound / max(1e-9, np.abs(sound).max()) * 0.7
        sound = sound + rng.normal(0, 10 ** (noise / 20), len(sound))
        write(f"{options.folder}/clean", name, sound, frames)
        noisy = with_room(sound, np.random.default_rng(700 + index))
        write(f"{options.folder}/noisy", name, noisy * 0.7 / np.abs(noisy).max(), frames)
    make_takes(f"{options.folder}/takes", options.sound_font, options.takes_seed)


if __name__ == "__main__":
    main()
