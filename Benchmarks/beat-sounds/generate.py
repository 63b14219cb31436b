#!/usr/bin/env python3
"""Makes the recordings that `tempo` measures the beat tracker on, each beat known to the sample.

    generate.py [--seed 0] [--sound-font FILE] FOLDER

59 recordings of 30 s, FAMILY_NAME.wav with the beats in seconds in FAMILY_NAME.csv: steady drums and piano with eighths from 40
to 240 beats per minute, a bare click, ramps of up to 2.7 beats per minute in a second, swing of 2:1, players who scatter by 5,
10 and 20 ms, and syncopated drums.

The limits of the tracker were found with TimGM6mb.sf2 and seed 0; what is reported is FluidR3_GM.sf2 and seed 1000.

Needs fluidsynth and a sound font (apt: fluidsynth, timgm6mb-soundfont, fluid-soundfont-gm), and numpy, scipy, mido and
soundfile (pip).
"""

import argparse
import os
import sys

import numpy as np
import soundfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "onset-sounds"))
from instruments import RATE, place, render  # noqa: E402

SECONDS = 30
# General MIDI drums: kick, snare, hi-hat loud and soft, side stick; key and velocity.
KICK, SNARE, HAT, SOFT_HAT, STICK = (36, 110), (38, 105), (42, 80), (42, 60), (37, 90)
CHORDS = [(48, 60, 64, 67), (53, 57, 60, 65), (55, 59, 62, 67), (48, 60, 64, 69)]


class Recording:
    """A family, a name, the tempo as a function of time, and how it is played."""

    def __init__(self, name, tempo, instrument, swing=0.5, jitter=0.0, syncopated=False):
        self.name, self.tempo, self.instrument = name, tempo, instrument
        self.swing, self.jitter, self.syncopated = swing, jitter, syncopated


def steady(tempo):
    return lambda time: tempo


def ramp(first, last):
    return lambda time: first + (last - first) * time / SECONDS


def recordings():
    result = []
    for tempo in (40, 50, 60, 72, 84, 96, 108, 120, 132, 150, 168, 186, 210, 240):
        for instrument in ("drums", "piano"):
            result.append(Recording(f"steady_{instrument}_{tempo}", steady(tempo), instrument))
    for tempo in (60, 90, 133):
        result.append(Recording(f"click_{tempo}", steady(tempo), "click"))
    for first, last in ((80, 160), (120, 90), (60, 90), (140, 100)):
        for instrument in ("drums", "piano"):
            result.append(Recording(f"ramp_{instrument}_{first}-{last}", ramp(first, last), instrument))
    for tempo in (90, 120, 160):
        for instrument in ("drums", "piano"):
            result.append(Recording(f"swing_{instrument}_{tempo}", steady(tempo), instrument, swing=2 / 3))
    for jitter in (5, 10, 20):
        for tempo in (100, 130):
            for instrument in ("drums", "piano"):
                name = f"jitter{jitter}_{instrument}_{tempo}"
                result.append(Recording(name, steady(tempo), instrument, jitter=jitter / 1_000))
    for tempo in (95, 115):
        result.append(Recording(f"syncopated_drums_{tempo}", steady(tempo), "drums", syncopated=True))
    return result


def beat_times(tempo):
    """From 0.5 s on: the times at which the integral of the tempo is a whole number."""
    time, result, step = 0.5, [], 1e-4
    while time < SECONDS - 0.3:
        result.append(time)
        beat = 0.0
        while beat < 1:
            share = tempo(time) / 60 * step
            time += step * min(1, (1 - beat) / share)
            beat += share
    return result


def play(recording, drums, piano, rng):
    beats, mix = beat_times(recording.tempo), np.zeros(SECONDS * RATE)

    def put(sound, time, gain=1.0):
        late = rng.normal(0, recording.jitter) if recording.jitter else 0
        place(mix, sound[0], sound[1], int(round((time + late) * RATE)), gain)

    for index, time in enumerate(beats):
        following = beats[index + 1] if index + 1 < len(beats) else time + 60 / recording.tempo(time)
        period, in_bar = following - time, index % 4
        half = time + period * recording.swing
        if recording.instrument == "click":
            put(drums[STICK], time)
        elif recording.instrument == "drums":
            put(drums[KICK if in_bar in (0, 2) else SNARE], time)
            put(drums[HAT], time)
            put(drums[SOFT_HAT], half)
            if recording.syncopated and in_bar in (1, 3):
                put(drums[KICK], time + period * 0.75)
        else:
            chord = CHORDS[index // 4 % 4]
            if in_bar in (0, 2):
                for key in chord:
                    put(piano[key], time, 0.5)
            else:
                put(piano[chord[0]], time)
            put(piano[chord[1 + index % 3]], half, 0.7)
    return beats, mix


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sound-font", default="/usr/share/sounds/sf2/TimGM6mb.sf2")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    hits = [KICK, SNARE, HAT, SOFT_HAT, STICK]
    drums = dict(zip(hits, render(options.sound_font, 0, [(*hit, 0.3) for hit in hits], drums=True)))
    keys = sorted({key for chord in CHORDS for key in chord})
    piano = dict(zip(keys, render(options.sound_font, 0, [(key, 90, 0.5) for key in keys], slot=2.0, tail=0.4)))
    for index, recording in enumerate(recordings()):
        rng = np.random.default_rng(options.seed + 1_001 + index)
        beats, sound = play(recording, drums, piano, rng)
        sound = sound / np.abs(sound).max() * 0.7
        sound = sound + rng.normal(0, 10 ** (-70 / 20), len(sound))
        path = f"{options.folder}/{recording.name}"
        soundfile.write(path + ".wav", sound.astype(np.float32), RATE, subtype="PCM_16")
        with open(path + ".csv", "w") as file:
            file.writelines(f"{time:.6f}\n" for time in beats)
    print(f"{len(recordings())} recordings, seed {options.seed}, {os.path.basename(options.sound_font)}")


if __name__ == "__main__":
    main()
