"""Sounds whose beginnings are known to the sample: notes of a SoundFont, plucked strings, rooms.

Every note of a SoundFont is rendered alone on a boundary of 64 frames, to which fluidsynth rounds events, and its beginning
is its first sample above -40 dB of its peak. Mixes then put that sample on an exact frame.
"""

import subprocess
import tempfile

import mido
import numpy as np
import soundfile
from scipy.signal import lfilter

RATE = 48_000


def render(font, program, notes, drums=False, slot=4.0, tail=0.6):
    """Notes (key, velocity, seconds) as pairs of sound and the index of its beginning."""
    file = mido.MidiFile(ticks_per_beat=480)
    track = mido.MidiTrack()
    file.tracks.append(track)
    channel = 9 if drums else 0
    # 960 ticks a second.
    track.append(mido.MetaMessage("set_tempo", tempo=500_000, time=0))
    track.append(mido.Message("program_change", channel=channel, program=program, time=0))
    step, last = int(slot * 960), 0
    for index, (key, velocity, seconds) in enumerate(notes):
        on = (index + 1) * step
        off = on + max(1, int(seconds * 960))
        track.append(mido.Message("note_on", channel=channel, note=key, velocity=velocity, time=on - last))
        track.append(mido.Message("note_off", channel=channel, note=key, velocity=0, time=off - on))
        last = off
    track.append(mido.MetaMessage("end_of_track", time=step))
    with tempfile.TemporaryDirectory() as folder:
        file.save(folder + "/a.mid")
        subprocess.run(
            ["fluidsynth", "-ni", "-R", "0", "-C", "0", "-g", "0.8", "-r", str(RATE), "-F", folder + "/a.wav", "-T", "wav"]
            + ["-O", "float", font, folder + "/a.mid"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        sound, _ = soundfile.read(folder + "/a.wav", dtype="float32", always_2d=True)
    sound = sound.mean(1)
    result = []
    for index, (_, _, seconds) in enumerate(notes):
        first = int((index + 1) * slot * RATE)
        count = int((min(slot, 2.0) if drums else min(slot, seconds + tail)) * RATE)
        note = sound[first : first + count].copy()
        note = np.pad(note, (0, count - len(note)))
        fade = int(0.02 * RATE)
        note[-fade:] *= np.linspace(1, 0, fade)
        peak = np.abs(note).max()
        result.append((note, 0 if peak < 1e-5 else int(np.argmax(np.abs(note) > 0.01 * peak))))
    return result


def place(mix, sound, start, frame, gain=1.0):
    """Adds a sound so that its sample `start` lies on `frame`."""
    first = frame - start
    if first < 0:
        sound, first = sound[-first:], 0
    count = min(len(sound), len(mix) - first)
    if count > 0:
        mix[first : first + count] += gain * sound[:count]


def fade_out(sound, count):
    """Ends a sound over its last `count` samples, in place."""
    count = min(count, len(sound))
    if count:
        sound[-count:] *= np.linspace(1, 0, count)
    return sound


def pluck(frequency, rng, seconds=2.0, bright=0.5, decay=0.996):
    """A plucked string (Karplus & Strong, Computer Music Journal 7(2), 1983); it begins with its first sample."""
    count = int(seconds * RATE)
    period = RATE / frequency
    whole = int(period - 0.5)
    fraction = period - 0.5 - whole
    burst = np.zeros(count)
    burst[:whole] = lfilter([bright], [1, -(1 - bright)], rng.uniform(-1, 1, whole))
    loop = np.zeros(whole + 3)
    loop[0] = 1
    loop[whole : whole + 3] -= np.convolve([0.5, 0.5], [1 - fraction, fraction]) * decay
    return lfilter([1], loop, burst).astype(np.float32)


def room(rng, reverberation, delay, ratio):
    """A room's response: direct sound after `delay` samples, eight reflections, a tail that falls by 60 dB in
    `reverberation` seconds; `ratio` is direct to reverberant sound in decibels."""
    count = int(0.7 * RATE)
    time = np.arange(count) / RATE
    tail = lfilter([0.35], [1, -0.65], rng.normal(0, 1, count) * 10 ** (-3 * time / reverberation))
    tail[: int(delay + 0.003 * RATE)] = 0
    early = np.zeros(count)
    for _ in range(8):
        at = int(delay + rng.uniform(0.0008, 0.03) * RATE)
        early[at] += rng.choice([-1, 1]) * rng.uniform(0.3, 1) * np.exp(-(at - delay) / RATE / 0.03)
    reverberant = tail / np.sqrt((tail**2).sum()) + 0.8 * early / np.sqrt((early**2).sum())
    reverberant /= np.sqrt((reverberant**2).sum())
    direct = np.zeros(count)
    taps, first = np.arange(-16, 17), int(delay)
    direct[first - 16 : first + 17] += np.sinc(taps - (delay - first)) * np.hanning(35)[1:-1]
    return direct + reverberant * 10 ** (-ratio / 20)
