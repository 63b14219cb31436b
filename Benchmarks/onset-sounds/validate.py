#!/usr/bin/env python3
"""Prints whether the scores of melodies validate against the schema of MusicXML 4.0, and what MuseScore reads in them.

    validate.py [--seed 5] [--sound-font FILE] [--pages FOLDER] TUNER

Twelve General MIDI instruments play 12 bars each, in 4/4, 3/4, 6/8, 7/8, 5/4 and 2/2, up to 40 ms early or late. `TUNER
transcribe` writes each melody down twice: with the tempo and the meter given, then as it is heard. In turn the score is
transposed, in another clef, with shorter values, with an upbeat. For each score:

- `schema`: the errors of the schema, as the package musicxml of PyPI carries it.
- `complaints`: the lines that MuseScore prints when it opens the score, but for those that say that it does.
- `other`: notes that the score has and MuseScore's copy of it has not, or the other way round: place, written pitch and
  length, ties counted as one note; bars, key signature, meter, clef and transposition count as well.

Two controls show that the checks find something: a score with a step that does not exist, one with a bar that is too long.
Exit status 1 where a score has an error, a complaint or a difference, or a control has none. --pages keeps the scores and
MuseScore's pages of them.

Needs what melodies.py needs, MuseScore (apt: musescore3), and musicxml and xmlschema (pip).
"""

import argparse
import collections
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import numpy as np
import xmlschema

from instruments import RATE, place, render
from melodies import INSTRUMENTS, write
from scores import HELD, SCALE

BARS = 12
# The quarters of a bar, and the lengths that fill one.
METERS = {
    "4/4": [[1, 1, 1, 1], [1.5, 0.5, 1, 0.5, 0.5], [2, 0.25, 0.75, 1]],
    "3/4": [[1, 1, 1], [1.5, 0.5, 1], [2, 0.5, 0.5]],
    "6/8": [[0.5, 0.5, 0.5, 1.5], [1, 0.5, 1, 0.5], [1.5, 1.5]],
    "7/8": [[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], [1, 1, 1.5], [1, 0.5, 0.5, 1, 0.5]],
    "5/4": [[1, 1, 1, 1, 1], [1.5, 0.5, 1, 2], [3, 1, 0.5, 0.5]],
    "2/2": [[2, 2], [1, 1, 2], [3, 0.5, 0.5]],
}
# Options of transcribe, in turn.
OTHERS = [
    [], ["--transpose", "Bb clarinet"], ["--shortest", "1/32"], ["--clef", "alto"], ["--upbeat", "1/4"],
    ["--transpose", "Eb alto saxophone", "--a4", "442"], ["--clef", "guitar"], ["--shortest", "1/8"],
]
TEMPO = 92
# Sixteenths at the tempo are 163 ms; a player is early or late by a part of that.
LATENESS = 0.04
# What MuseScore prints of a score that it opens without a complaint.
SILENCE = re.compile(r"\s*$|convert <|\s*to <|\.\.\. success!|QStandardPaths: ")


def melody(rng, meter, lowest):
    """Places and lengths in quarters, and keys."""
    notes, time, degree = [], 0.0, 7
    for _ in range(BARS):
        for length in METERS[meter][rng.integers(len(METERS[meter]))]:
            degree = int(np.clip(degree + rng.choice([-3, -2, -1, -1, 0, 1, 1, 2, 3]), 0, 13))
            # One in twelve is not played: a rest.
            if time == 0 or rng.random() > 1 / 12:
                notes.append((time, length, lowest + 12 * (degree // 7) + SCALE[degree % 7]))
            time += length
    return notes, time


def perform(rng, font, program, notes, quarters, folder, name):
    """A recording of the notes."""
    quarter = 60 / TEMPO
    sounds = render(font, program, [(key, 90, length * HELD * quarter) for _, length, key in notes], tail=0.35)
    mix = np.zeros(int((quarters * quarter + 2) * RATE))
    for (time, _, _), (sound, start) in zip(notes, sounds):
        place(mix, sound, start, int((0.5 + time * quarter + rng.uniform(-LATENESS, LATENESS)) * RATE))
    write(folder, name, mix, [], rng)


def read(path):
    """What a musician sees in a score, each as often as it is there."""
    seen, time, divisions, tied = collections.Counter(), Fraction(0), 1, {}
    for measure in ElementTree.parse(path).getroot().iter("measure"):
        seen["bar", time] += 1
        for child in measure:
            if child.tag == "attributes":
                divisions = int(child.findtext("divisions") or divisions)
                for tag, parts in (
                    ("key", ["fifths"]), ("time", ["beats", "beat-type"]), ("clef", ["sign", "line", "clef-octave-change"]),
                    ("transpose", ["diatonic", "chromatic", "octave-change"]),
                ):
                    for sign in child.findall(tag):
                        # What is not said is none, as 0 is.
                        seen[(tag, time, *(sign.findtext(part) or "0" for part in parts))] += 1
            if child.tag != "note":
                continue
            length, pitch = Fraction(int(child.findtext("duration")), divisions), child.find("pitch")
            if pitch is not None:
                name = pitch.findtext("step"), pitch.findtext("alter") or "0", pitch.findtext("octave")
                ties = {tie.get("type") for tie in child.findall("tie")}
                start, before = tied.pop(name, (time, 0)) if "stop" in ties else (time, 0)
                if "start" in ties:
                    tied[name] = start, before + length
                else:
                    seen["note", start, name, before + length] += 1
            time += length
    for name, (start, length) in tied.items():
        seen["tied to nothing", start, name, length] += 1
    return seen


def the_schema():
    """The schema that the package musicxml carries, with the modules that it imports, and nothing from the network."""
    package = os.path.dirname(importlib.util.find_spec("musicxml").origin)
    folder = os.path.join(package, "generate_classes")
    return xmlschema.XMLSchema(
        os.path.join(folder, "musicxml_4_0.xsd"), allow="local", use_fallback=True,
        locations={"http://www.w3.org/XML/1998/namespace": os.path.join(folder, "xml.xsd")},
        uri_mapper=lambda uri: os.path.join(folder, "xml.xsd") if uri.endswith("/xml.xsd") else uri,
    )


def open_in_musescore(path, folder):
    """The complaints of MuseScore, and the copy of a score that it has written; also a page of it, beside the score."""
    base = os.path.splitext(path)[0]
    job = os.path.join(folder, "job.json")
    with open(job, "w") as file:
        json.dump([{"in": path, "out": [base + ".copy.musicxml", base + ".pdf"]}], file)
    outcome = subprocess.run(
        ["mscore3", "-j", job], env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": folder},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
    )
    told = [line for line in outcome.stdout.splitlines() if not SILENCE.match(line)]
    if outcome.returncode != 0:
        told.append(f"exit status {outcome.returncode}")
    return told, base + ".copy.musicxml"


def damaged(path, pattern, replacement):
    """A copy of a score with its first match of a pattern replaced."""
    with open(path) as file:
        text = file.read()
    name = os.path.splitext(path)[0] + "-damaged.musicxml"
    with open(name, "w") as file:
        file.write(re.sub(pattern, replacement, text, count=1))
    return name


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--sound-font", default="/usr/share/sounds/sf2/FluidR3_GM.sf2")
    parser.add_argument("--pages")
    parser.add_argument("tuner")
    options = parser.parse_args()
    schema = the_schema()
    faults, count, notes_read, last = 0, 0, 0, None
    print(f"{'':46}{'notes':>7}{'schema':>8}{'complaints':>12}{'other':>7}")
    with tempfile.TemporaryDirectory() as folder:
        pages = options.pages or folder
        os.makedirs(pages, exist_ok=True)
        for index, (name, program, lowest, highest) in enumerate(INSTRUMENTS):
            meter = list(METERS)[index % len(METERS)]
            rng = np.random.default_rng(options.seed + 1_000 * program)
            notes, quarters = melody(rng, meter, min(lowest + 4, highest - 24))
            perform(rng, options.sound_font, program, notes, quarters, folder, name)
            for kind, given in (("given", ["--tempo", str(TEMPO), "--meter", meter]), ("heard", ["--meter", meter])):
                path = os.path.join(pages, f"{name}-{kind}.musicxml")
                more = OTHERS[count % len(OTHERS)]
                count += 1
                outcome = subprocess.run(
                    [options.tuner, "transcribe", f"{folder}/{name}.wav", "--musicxml", path, *given, *more],
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                )
                title = f"{name} {meter} {kind} {' '.join(more[:2])}"
                if outcome.returncode != 0:
                    print(f"{title:46}  no score: {outcome.stderr.strip()}")
                    faults += 1
                    continue
                last = path
                errors = list(schema.iter_errors(path))
                complaints, copy = open_in_musescore(path, folder)
                ours, theirs = read(path), read(copy) if os.path.exists(copy) else collections.Counter()
                others = (ours - theirs) + (theirs - ours)
                read_now = sum(number for thing, number in ours.items() if thing[0] == "note")
                notes_read += read_now
                print(f"{title:46}{read_now:7}{len(errors):8}{len(complaints):12}{others.total():7}", flush=True)
                for line in [error.reason for error in errors[:3]] + complaints[:3] + [str(other) for other in others][:3]:
                    print(f"    {line}")
                faults += bool(errors) + bool(complaints) + bool(others) + (read_now == 0)
        if last is None:
            print("MISSED: no score was written")
            return 1
        unfit = list(schema.iter_errors(damaged(last, "<step>.", "<step>H")))
        complaints, _ = open_in_musescore(damaged(last, "<duration>(\\d+)", "<duration>1\\1"), folder)
    print(f"controls: {len(unfit)} errors of the schema, {len(complaints)} complaints")
    print(f"{count} scores with {notes_read} notes; errors, complaints or differences in {faults}")
    is_met = faults == 0 and unfit and complaints
    print("met" if is_met else "MISSED")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
