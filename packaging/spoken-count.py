#!/usr/bin/env python3
"""Speaks the English count of the metronome again: Sources/C/CSpokenCount/english.wav and english-words.h.

    python3 packaging/spoken-count.py            # writes both
    python3 packaging/spoken-count.py --check    # compares instead, and fails where they differ

Needs flite 2.2 with the voice slt (Debian 12: flite 2.2-5) and Python 3.9 or later without packages. The same version of
flite gives the same bytes.

Each word is synthesised at the slowest rate that is short enough for it, cut out of its silence, and brought to the loudness
of the others. Its instant is the vowel onset: where the level between 300 and 3000 Hz first comes within 6 dB of its
maximum. That is about where the word is heard as a beat, its perceptual centre.

J. Morton, S. Marcus & C. Frankish, "Perceptual centers (P-centers)", Psychological Review 83(5), 1976.
S. M. Marcus, "Acoustic determinants of perceptual center (P-center) location", Perception & Psychophysics 30(3), 1981.
"""
import argparse
import array
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import wave

RATE = 16_000
# Name in the table, text for flite, longest duration in ms. "leven" is how players say eleven, and "uh" how they say the a of
# "one e and a". Numbers of one syllable fit into eighths at 120 BPM, the words of parts into sixteenths at 90 BPM.
WORDS = [
    ("1", "one", 250), ("2", "two", 230), ("3", "three", 250), ("4", "four", 240), ("5", "five", 250),
    ("6", "six", 250), ("7", "seven", 270), ("8", "eight", 230), ("9", "nine", 250), ("10", "ten", 230),
    ("11", "leven", 270), ("12", "twelve", 270), ("13", "thirteen", 300), ("14", "fourteen", 300),
    ("15", "fifteen", 300), ("16", "sixteen", 300), ("and", "and", 180), ("e", "e", 160), ("a", "uh", 160),
    ("trip", "trip", 170), ("let", "let", 170),
]
LONGEST_LEAD = 70 * RATE // 1_000
FADE_IN = 4 * RATE // 1_000
FADE_OUT = 15 * RATE // 1_000
# Peaks are limited to this ratio to the loudest 50 ms, so that words as loud as the others do not peak higher.
CREST = 10 ** (6.5 / 20)


def speak(text, stretch):
    """The samples of a text, and where its first sound begins."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "word.wav")
        command = ["flite", "-voice", "slt", "--setf", f"duration_stretch={stretch:.2f}", "-psdur", "-t", text]
        printed = subprocess.run(command + ["-o", path], check=True, capture_output=True, text=True).stdout
        with wave.open(path) as file:
            assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2)
            samples = array.array("h", file.readframes(file.getnframes()))
    if sys.byteorder == "big":
        samples.byteswap()
    first = float(re.match(r"pau:([\d.]+)", printed)[1])
    return [float(x) for x in samples], int(first * RATE)


def filtered(samples, kind, frequency):
    """A second-order Butterworth filter, forwards and backwards: no delay."""
    w = 2 * math.pi * frequency / RATE
    alpha, cosine = math.sin(w) / math.sqrt(2), math.cos(w)
    edge = (1 - cosine if kind == "low" else 1 + cosine) / 2
    b = [edge, 2 * edge if kind == "low" else -2 * edge, edge]
    a0, a1, a2 = 1 + alpha, -2 * cosine, 1 - alpha
    for _ in range(2):
        x1 = x2 = y1 = y2 = 0.0
        result = []
        for x in samples:
            y = (b[0] * x + b[1] * x1 + b[2] * x2 - a1 * y1 - a2 * y2) / a0
            x1, x2, y1, y2 = x, x1, y, y1
            result.append(y)
        samples = result[::-1]
    return samples


def energy(samples, milliseconds):
    """The energy under a Hann window around each sample."""
    half = milliseconds * RATE // 2_000
    window = [0.5 + 0.5 * math.cos(math.pi * n / (half + 1)) for n in range(-half, half + 1)]
    total = sum(window)
    squares = [0.0] * half + [x * x for x in samples] + [0.0] * half
    return [
        sum(w * s for w, s in zip(window, squares[n : n + 2 * half + 1])) / total for n in range(len(samples))
    ]


def vowel_onset(samples):
    """The sample at which the level from 300 to 3000 Hz first comes within 6 dB of its maximum."""
    band = energy(filtered(filtered(samples, "high", 300), "low", 3_000), 10)
    quarter = max(band) / 4
    return next(n for n, value in enumerate(band) if value >= quarter)


def cut(samples, begin, longest):
    """A word without silence around it and its instant; None if it is too long."""
    peak = max(abs(x) for x in samples)
    # 34 dB below the peak: less is masked by the next word.
    end = max(n for n, x in enumerate(samples) if abs(x) > 0.02 * peak) + FADE_OUT // 2
    # Labels may precede the sound. 46 dB: the weakest consonant, the th of three, is louder.
    begin = max(begin, next(n for n, x in enumerate(samples) if abs(x) > 0.005 * peak) - FADE_IN)
    if end - begin > longest * RATE // 1_000:
        return None
    instant = vowel_onset(samples)
    begin = max(begin, instant - LONGEST_LEAD)
    word = samples[begin:end]
    for n in range(FADE_IN):
        word[n] *= (n + 1) / (FADE_IN + 1)
    for n in range(FADE_OUT):
        word[-1 - n] *= (n + 1) / (FADE_OUT + 1)
    return word, instant - begin


def leveled(samples):
    """The word with the loudest 50 ms at RMS 1, and peaks rounded off above CREST."""
    for _ in range(4):
        loudest = math.sqrt(max(energy(samples, 50)))
        samples = [x / loudest for x in samples]
        knee = 0.7 * CREST
        room = CREST - knee
        samples = [
            math.copysign(knee + room * math.tanh((abs(x) - knee) / room), x) if abs(x) > knee else x for x in samples
        ]
    return samples


def make():
    """The two files as bytes."""
    words = []
    for name, text, longest in WORDS:
        for step in range(18, 7, -1):
            word = cut(*speak(text, step / 20), longest)
            if word:
                break
        else:
            sys.exit(f"{text} does not fit into {longest} ms")
        samples, instant = word
        words.append((name, leveled(samples), instant))
        print(f"{name:5} {instant / 16:5.1f} ms before its instant, {len(samples) / 16:5.1f} ms, stretch {step / 20}")
    gain = 32_000 / max(abs(x) for _, samples, _ in words for x in samples)
    data, rows, first = b"", [], 0
    for name, samples, instant in words:
        data += struct.pack(f"<{len(samples)}h", *(round(x * gain) for x in samples))
        rows.append(f'    {{"{name}", {first}, {len(samples)}, {instant}}},\n')
        first += len(samples)
    # RIFF, PCM, mono, 16 bits: a header of 44 bytes.
    header = struct.pack(
        "<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 1, RATE, 2 * RATE, 2, 16, b"data",
        len(data))
    table = (
        "// Written by packaging/spoken-count.py: the word, its first sample in english.wav, how many it has, and which of\n"
        "// them is the vowel onset.\n"
    )
    return {"english.wav": header + data, "english-words.h": (table + "".join(rows)).encode()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the files in the repository")
    isCheck = parser.parse_args().check
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Sources", "C", "CSpokenCount")
    version = subprocess.run(["flite", "--version"], capture_output=True, text=True).stdout
    if "flite-2.2" not in version:
        sys.exit("this is not flite 2.2, and its words would differ")
    for name, content in make().items():
        path = os.path.join(folder, name)
        if isCheck:
            with open(path, "rb") as file:
                if file.read() != content:
                    sys.exit(f"{name} differs")
            print(f"{name} is the same")
        else:
            with open(path, "wb") as file:
                file.write(content)


if __name__ == "__main__":
    main()
