#!/usr/bin/env python3
"""Engraves the pages that `bars` measures the bar detector on, with the truth beside them.

    generate.py [--seed 0] [--dpi 150] [--pieces 2] FOLDER

Random but plausible LilyPond scores of five kinds, of one to four staves a system. Each page becomes KIND-PIECE-PAGE.png (gray)
and KIND-PIECE-PAGE.csv, in pixels: `page,WIDTH,HEIGHT`, then for each system `system,STAVES,TOP,BOTTOM,SPACE` and its bar lines
`bar,X`.

The truth comes from LilyPond's SVG, where `output-attributes` mark staves, bar lines and notes; that same SVG is what is drawn,
since a PDF of the same source may break its lines elsewhere. Strokes nearer than 1.6 staff spaces are one bar line: double,
repeated and final ones. A bar line before the first note of a system ends no bar and is left out.

The detector was made with seeds 1 and 2.

Needs lilypond and rsvg-convert (apt: lilypond, librsvg2-bin).
"""

import argparse
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

STEPS = "c d e f g a b".split()
KEYS = ["c \\major", "g \\major", "d \\minor", "ees \\major", "a \\major"]
NAMES = {16: "1", 8: "2", 4: "4", 2: "8", 1: "16"}
# Bars of a piece; how its staves are joined; octave, whether there are short notes, and clef of each staff.
KINDS = {
    "lead": (180, "", [("'", False, "treble")]),
    "dense": (120, "", [("''", True, "treble")]),
    "piano": (160, "\\new PianoStaff", [("'", True, "treble"), ("", True, "bass")]),
    "choir": (90, "\\new ChoirStaff", [("'", False, "treble"), ("", False, "bass")]),
    "quartet": (
        60,
        "\\new StaffGroup",
        [("''", True, "treble"), ("'", True, "treble"), ("'", False, "alto"), ("", False, "bass")],
    ),
}


def voice(rng, bars, octave, beats, dense):
    """Bars of notes, chords and rests, from semibreves to sixteenths."""
    words = []
    for _ in range(bars):
        left = beats * 4
        while left > 0:
            choices = [16, 8, 4, 4, 2, 2, 1, 1, 1] if dense else [8, 4, 4, 4, 2, 2]
            length = rng.choice([choice for choice in choices if choice <= left])
            sharp = "is" if rng.random() < 0.05 else ""
            word = rng.choice(STEPS) + sharp + octave + rng.choice(["", "", "'" if "'" in octave else ""])
            if rng.random() < 0.08:
                word = "r"
            elif rng.random() < 0.25 and length >= 2:
                word = f"<{word} {rng.choice(STEPS)}{octave}>"
            words.append(word + NAMES[length])
            left -= length
        words.append("|")
    return " ".join(words)


def sections(rng, bars):
    """Lengths of the sections of a piece, which all its staves share; every third is repeated."""
    lengths = []
    while sum(lengths) < bars:
        lengths.append(min(rng.choice([8, 12, 16]), bars - sum(lengths)))
    return lengths


def source(kind, seed):
    """A LilyPond score."""
    rng = random.Random(f"{kind} {seed}")
    bars, group, staves = KINDS[kind]
    beats, key, lengths = rng.choice([3, 4, 4]), rng.choice(KEYS), sections(rng, bars)
    parts = []
    for octave, dense, clef in staves:
        music = [voice(rng, length, octave, beats, dense) for length in lengths]
        music = ["\\repeat volta 2 { %s }" % m if n % 3 == 1 else m for n, m in enumerate(music)]
        parts.append(f'\\new Staff {{ \\clef {clef} \\time {beats}/4 \\key {key} {" ".join(music)} \\bar "|." }}')
    marks = [("Score", "BarLine", "bar"), ("Voice", "NoteHead", "note"), ("Voice", "Rest", "note"),
             ("Staff", "StaffSymbol", "staff")]
    contexts = " ".join(
        f"\\context {{ \\{context} \\override {grob}.output-attributes = #'((class . \"{name}\")) }}"
        for context, grob, name in marks)
    return (
        '\\version "2.24.0"\n\\paper { #(set-paper-size "a4") }\n'
        f'\\header {{ title = "{kind.capitalize()}" composer = "seed {seed}" tagline = ##f }}\n'
        f"\\score {{ {group} << {' '.join(parts)} >> \\layout {{ {contexts} }} }}\n")


def marked(text):
    """The groups that carry a class of ours, with what they hold."""
    for match in re.finditer(r'<g class="(staff|bar|note)">', text):
        depth = 1
        for tag in re.finditer(r"<(/?)g[ >]", text[match.end():]):
            depth += -1 if tag[1] else 1
            if depth == 0:
                yield match[1], text[match.end():match.end() + tag.start()]
                break


def attribute(name, text):
    match = re.search(rf'\b{name}="([-\d.]+)"', text)
    return float(match[1]) if match else None


def truth(text, staves_in_system):
    """The systems of a page of SVG: rows, notes and bar lines in staff spaces."""
    number = r"([-\d.]+)"
    staves, strokes, notes = [], [], []
    for kind, body in marked(text):
        shapes = re.findall(rf'translate\({number}, {number}\)[^"]*">\s*<(line|rect|path|circle|polygon)([^>]*)>', body)
        if kind == "staff":
            lines = [(float(x), float(y), rest) for x, y, shape, rest in shapes if shape == "line"]
            rows = sorted(y for _, y, _ in lines)
            staves.append((rows[0], rows[-1], lines[0][0] + attribute("x1", lines[0][2])))
        elif kind == "note":
            notes += [(float(x), float(y)) for x, y, _, _ in shapes]
        else:
            for x, y, shape, rest in shapes:
                # Dots and other small parts are no strokes.
                if shape == "rect" and attribute("height", rest) > 2.5:
                    left = float(x) + attribute("x", rest)
                    strokes.append((left, left + attribute("width", rest), float(y)))
    staves.sort()
    if len(staves) % staves_in_system:
        raise SystemExit("a page breaks a system")
    systems = []
    for first in range(0, len(staves), staves_in_system):
        group = staves[first:first + staves_in_system]
        top, bottom = group[0][0], group[-1][1]
        start = min(x for x, y in notes if top - 5 <= y <= bottom + 5)
        lines = []
        for left, right, y in sorted(stroke for stroke in strokes if top <= stroke[2] <= bottom):
            if lines and left - lines[-1][1] < 1.6:
                lines[-1][1] = max(right, lines[-1][1])
            else:
                lines.append([left, right])
        systems.append((top, bottom, [(left + right) / 2 for left, right in lines if left > start]))
    return systems


def engrave(kind, seed, name, folder, dpi):
    """Writes the pages of one piece."""
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, "in.ly"), "w") as file:
            file.write(source(kind, seed))
        command = ["lilypond", "-s", "-dbackend=svg", "-dno-point-and-click", "-o", os.path.join(work, "page"),
                   os.path.join(work, "in.ly")]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        pages = glob.glob(os.path.join(work, "page*.svg"))
        pages.sort(key=lambda path: int((re.findall(r"page-(\d+)", path) or [1])[0]))
        for number, path in enumerate(pages, 1):
            with open(path) as file:
                text = file.read()
            width, height = (float(v) for v in re.search(r'viewBox="([^"]+)"', text)[1].split()[2:])
            out = os.path.join(folder, f"{name}-{number}")
            subprocess.run(["rsvg-convert", "-d", str(dpi), "-p", str(dpi), "-b", "white", "-o", out + ".png", path],
                           check=True)
            with open(out + ".png", "rb") as file:
                header = file.read(24)
            pixels = int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")
            # The picture is rounded up to whole pixels; its scale is not.
            scale = dpi / 25.4 * float(re.search(r'<svg[^>]* width="([\d.]+)mm"', text)[1]) / width
            with open(out + ".csv", "w") as file:
                file.write(f"page,{pixels[0]},{pixels[1]}\n")
                for top, bottom, bars in truth(text, len(KINDS[kind][2])):
                    file.write(f"system,{len(KINDS[kind][2])},{top * scale:.2f},{bottom * scale:.2f},{scale:.3f}\n")
                    file.writelines(f"bar,{x * scale:.2f}\n" for x in bars)
    return len(pages)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dpi", type=int, default=150)
    parser.add_argument("--pieces", type=int, default=2, help="of each kind")
    parser.add_argument("folder")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    print(f"seed {options.seed}, {options.dpi} dpi", flush=True)
    for kind in KINDS:
        for piece in range(1, options.pieces + 1):
            pages = engrave(kind, f"{options.seed} {piece}", f"{kind}-{piece}", options.folder, options.dpi)
            print(f"{kind}-{piece}: {pages} pages", flush=True)


if __name__ == "__main__":
    sys.exit(main())
