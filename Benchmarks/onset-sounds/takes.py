"""Players over a metronome that the microphone hears too.

Each take lasts 40 s: a count-in of four beats, then eighths, triplets or sixteenths with a lateness of known mean and
spread, and three bars of rest. NAME.wav has three channels, so that any level can be mixed: the player, the click (the median
peak of its ordinary beats as loud as that of the player's notes), and noise at -50 dB. The click comes through a loudspeaker
that distorts in every other take, and through one of two rooms, between which it moves from second 13 to 27. Its clock is
0, +20 or -20 ppm off, and its latency is known to ±20 samples.
"""

import os

import numpy as np
import soundfile
from scipy.signal import butter, fftconvolve, sosfilt

from instruments import RATE, fade_out, place, pluck, render, room

COUNT = 40 * RATE
# Instrument, tempo, parts of a beat, sound of the click.
TAKES = [
    ("gtr", 80, 2, "sine"), ("gtr", 132, 2, "wood"), ("gtr", 100, 4, "beep"), ("gtr", 66, 3, "wood"),
    ("drm", 96, 4, "sine"), ("drm", 160, 2, "beep"), ("drm", 120, 3, "wood"), ("drm", 74, 4, "wood"),
    ("pno", 110, 2, "sine"), ("pno", 84, 3, "beep"), ("bas", 124, 2, "wood"), ("bas", 90, 4, "sine"),
    ("vln", 88, 2, "sine"), ("flt", 76, 2, "wood"), ("tpt", 104, 2, "beep"),
]
# General MIDI program, lowest and highest key.
PROGRAMS = {"pno": (0, 40, 84), "bas": (33, 28, 52), "vln": (40, 55, 88), "flt": (73, 60, 90), "tpt": (56, 55, 82)}
MONOPHONIC = ("bas", "vln", "flt", "tpt")


def clicks(kind, rng):
    """Accent, beat and part of a beat: higher to lower, +4, 0 and -6 dB."""
    base = {"sine": 1_320, "wood": 1_500, "beep": 1_000}[kind] * 2 ** (rng.uniform(-3, 3) / 12)
    result = []
    for ratio, level in ((4 / 3, 4), (1, 0), (0.8, -6)):
        frequency = base * ratio
        count = int({"sine": 0.04, "wood": 0.05, "beep": 0.03}[kind] * RATE)
        time = np.arange(count) / RATE
        if kind == "sine":
            sound = np.sin(2 * np.pi * frequency * time) * np.exp(-time / 0.006)
        elif kind == "beep":
            sound = np.sin(2 * np.pi * frequency * time) * np.minimum(1, np.minimum(time, time[::-1]) / 0.001)
        else:
            sound = rng.normal(0, 1, count) * np.exp(-time / 0.008) * np.minimum(1, time / 0.0003)
            band = [frequency * 0.6, min(frequency * 2.2, 9_000)]
            sound = sosfilt(butter(2, band, "band", fs=RATE, output="sos"), sound)
        sound *= np.minimum(1, (count - 1 - np.arange(count)) / 96)
        result.append(sound / np.abs(sound).max() * 10 ** (level / 20) * 0.6)
    return result


def notes_of(font, instrument, rng):
    """One-shots of peak 1, each with the index of its beginning."""
    if instrument == "drm":
        spec = [(key, int(v), 0.3) for key in (36, 36, 38, 38, 42, 46, 45, 41, 37) for v in rng.integers(45, 120, 3)]
        rendered = render(font, 0, spec, drums=True, slot=2.0)
    else:
        program, lowest, highest = PROGRAMS[instrument]
        lengths = rng.uniform(0.12, 0.5, 60)
        spec = [(int(rng.integers(lowest, highest)), int(rng.integers(50, 120)), float(s)) for s in lengths]
        rendered = render(font, program, spec, slot=2.0, tail=0.3 if instrument in ("pno", "bas") else 0.15)
    return [(sound / max(1e-6, np.abs(sound).max()), start) for sound, start in rendered]


def plan(tempo, parts, has_parts, rng):
    """The clicks as (frame, sound), the player's onsets, and the end of the count-in."""
    step, start, count_in = 60 / tempo / parts * RATE, 0.25 * RATE, 4 * parts
    mean, spread = rng.uniform(-20, 20), rng.uniform(4, 15)
    rests = set(rng.choice(np.arange(1, 12), 3, replace=False))
    beats, onsets, last, k = [], [], -1e9, 0
    while start + k * step < COUNT - 0.5 * RATE:
        grid, is_beat = int(round(start + k * step)), k % parts == 0
        if is_beat or has_parts:
            beats.append((grid, 0 if k % (4 * parts) == 0 else 1 if is_beat else 2))
        bar = (k - count_in) // (4 * parts)
        if k >= count_in and bar not in rests and rng.random() > 0.2:
            onset = int(round(grid + np.clip(rng.normal(mean, spread), -55, 55) * RATE / 1_000))
            if onset - last > 0.05 * RATE:
                onsets.append(onset)
                last = onset
        k += 1
    return beats, onsets, int(start + count_in * step)


def play(font, instrument, onsets, rng):
    """The player, dry: 20 dB of dynamics, chords now and then."""
    mix = np.zeros(COUNT)
    bank = None if instrument == "gtr" else notes_of(font, instrument, rng)
    for index, onset in enumerate(onsets):
        following = onsets[index + 1] if index + 1 < len(onsets) else None
        gain = 10 ** (rng.uniform(-20, 0) / 20)
        voices = 1
        if instrument in ("gtr", "pno") and rng.random() < 0.12:
            voices += int(rng.integers(1, 3))
        for voice in range(voices):
            at = onset + (int(rng.uniform(0, 0.003) * RATE) if voice else 0)
            if instrument == "gtr":
                sound = pluck(440 * 2 ** ((rng.integers(40, 72) - 69) / 12), rng, 2.0, rng.uniform(0.3, 0.9))
                sound, start = sound / np.abs(sound).max(), 0
                sound = fade_out(sound[: following - at if following else RATE].copy(), 240)
            else:
                sound, start = bank[rng.integers(len(bank))]
                if instrument in MONOPHONIC and following:
                    # Damped within 5 ms (bass) or 20 ms into the next note.
                    overlap = 0 if instrument == "bas" else 480
                    count = following - at + start + overlap
                    sound = fade_out(sound[:count].copy(), 240 if instrument == "bas" else 960)
            place(mix, sound, start, at, gain * (0.8 if voice else 1))
    return mix


def at_microphone(beats, sounds, is_distorted, ppm, error, reverberation, rng):
    """The click through loudspeaker and rooms."""
    responses = [room(rng, reverberation, 40 + error + 96, rng.uniform(0, 8)) for _ in range(2)]
    responses[1] = responses[1] * 10 ** (rng.uniform(-2, 2) / 20)
    band = butter(2, [rng.uniform(120, 300), rng.uniform(6_000, 12_000)], "band", fs=RATE, output="sos")

    def loudspeaker(sound):
        filtered = sosfilt(band, np.pad(sound, (0, 480)))
        return np.tanh(1.5 * filtered) / 1.5 if is_distorted else filtered

    played = [loudspeaker(sound) for sound in sounds]
    mixes = []
    for response in responses:
        echoes, mix = [fftconvolve(sound, response) for sound in played], np.zeros(COUNT)
        for grid, sound in beats:
            time = grid * (1 + ppm * 1e-6) - 40
            first = int(np.floor(time))
            size = len(echoes[sound]) + 64
            phase = np.exp(-2j * np.pi * np.arange(size // 2 + 1) * (time - first) / size)
            shifted = np.fft.irfft(np.fft.rfft(echoes[sound], size) * phase, size)
            # A click close to the beginning has nothing before it.
            skip = max(0, -first)
            count = min(size - 32, COUNT - first)
            mix[first + skip : first + count] += shifted[skip:count]
        mixes.append(mix)
    share = np.clip((np.arange(COUNT) / RATE - 13) / 14, 0, 1)
    return mixes[0] * (1 - share) + mixes[1] * share


def make_takes(folder, font, seed):
    os.makedirs(folder, exist_ok=True)
    for index, (instrument, tempo, parts, kind) in enumerate(TAKES):
        rng = np.random.default_rng(seed * 1_000 + index)
        beats, onsets, start = plan(tempo * 2 ** rng.uniform(-0.1, 0.1), parts, index % 2 == 1, rng)
        sounds = clicks(kind, rng)
        player = play(font, instrument, onsets, rng)
        reverberation = rng.uniform(0.2, 0.6)
        # The player's own room; the direct sound stays where it is.
        own = room(rng, reverberation, 20, 12)[20:]
        own[:17], own[0] = 0, 1
        player = fftconvolve(player, own)[:COUNT]
        player /= np.abs(player).max() * 2
        error = rng.uniform(-20, 20)
        click = at_microphone(beats, sounds, index % 2 == 0, (0, 20, -20)[index % 3], error, reverberation, rng)
        peak = np.median([np.abs(player[onset : onset + int(0.08 * RATE)]).max() for onset in onsets])
        loud = [np.abs(click[grid : grid + int(0.06 * RATE)]).max() for grid, sound in beats if sound == 1]
        click *= peak / np.median(loud)
        noise = rng.normal(0, 10 ** (-50 / 20), COUNT)
        name = f"{folder}/{instrument}_{index:02d}"
        channels = np.stack([player, click, noise], 1).astype(np.float32)
        soundfile.write(name + ".wav", channels, RATE, subtype="FLOAT")
        longest = max(map(len, sounds))
        voices = np.stack([np.pad(sound, (0, longest - len(sound))) for sound in sounds], 1)
        soundfile.write(name + ".voices.wav", voices.astype(np.float32), RATE, subtype="FLOAT")
        with open(name + ".csv", "w") as file:
            file.writelines(f"{onset / RATE:.7f}\n" for onset in onsets)
        with open(name + ".clicks.csv", "w") as file:
            file.write(f"{start},-1\n")
            # Predicted to within ±20 samples: the latency is 96 samples, the error is not known.
            file.writelines(f"{grid + 96},{sound}\n" for grid, sound in beats)
