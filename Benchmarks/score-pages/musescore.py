#!/usr/bin/env python3
"""Engraves pages by MuseScore 3 for `bars`, another engraver than the one that the bar detector was made with.

    musescore.py [--seed 0] FOLDER

Random MusicXML for one, two and four staves, with repeats. The truth is MuseScore's own: the boxes of the bars in its `.mpos`
file. Each page becomes NAME-PAGE.png (gray, 150 dpi, drawn by pdftoppm) and NAME-PAGE.csv as `generate.py` writes it.

No limit of the detector was ever changed for these pages.

Needs mscore3 and pdftoppm (apt: musescore3, poppler-utils).
"""

import argparse
import glob
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

DPI = 150
# The units of .mpos: pixels of the PNG export (300 dpi) times 12.
SCALE = DPI / (300 * 12)
# MuseScore's staff space: 1.764 mm.
SPACE = 1.764 / 25.4 * DPI
TYPES = {8: "half", 4: "quarter", 2: "eighth", 1: "16th"}


def note(rng, voice, staff, octaves, length):
    if rng.random() < 0.08:
        pitch = "<rest/>"
    else:
        pitch = f"<pitch><step>{rng.choice('CDEFGAB')}</step><octave>{rng.choice(octaves)}</octave></pitch>"
    return (f"<note>{pitch}<duration>{length}</duration><voice>{voice}</voice><type>{TYPES[length]}</type>"
            f"<staff>{staff}</staff></note>")


def part(rng, number, bars, staves, fifths, sections):
    """A part; every second section is repeated."""
    lines = [f'<part id="P{number}">']
    begins = {sum(sections[:n]): n for n in range(len(sections))}
    ends = {sum(sections[:n + 1]) - 1: n for n in range(len(sections))}
    for bar in range(bars):
        lines.append(f'<measure number="{bar + 1}">')
        if bar == 0:
            clefs = "".join(
                f'<clef number="{staff + 1}"><sign>{"GF"[staff]}</sign><line>{[2, 4][staff]}</line></clef>'
                for staff in range(staves))
            lines.append(
                f"<attributes><divisions>4</divisions><key><fifths>{fifths}</fifths></key><time><beats>4</beats>"
                f"<beat-type>4</beat-type></time><staves>{staves}</staves>{clefs}</attributes>")
        if begins.get(bar, 0) % 2 == 1:
            lines.append('<barline location="left"><repeat direction="forward"/></barline>')
        for staff in range(1, staves + 1):
            if staff > 1:
                lines.append("<backup><duration>16</duration></backup>")
            left = 16
            while left:
                length = rng.choice([value for value in (8, 4, 4, 2, 2, 1, 1) if value <= left])
                lines.append(note(rng, staff, staff, [4, 4, 5] if staff == 1 else [2, 3, 3], length))
                left -= length
        if ends.get(bar, 0) % 2 == 1:
            lines.append('<barline location="right"><repeat direction="backward"/></barline>')
        lines.append("</measure>")
    return "".join(lines) + "</part>"


def music(seed, bars, parts):
    """A score: each part has a number of staves."""
    rng = random.Random(f"musescore {seed} {parts}")
    sections = []
    while sum(sections) < bars:
        sections.append(min(rng.choice([5, 7, 8, 12]), bars - sum(sections)))
    fifths = rng.choice([-3, -1, 0, 2])
    names = "".join(f'<score-part id="P{n + 1}"><part-name>Part {n + 1}</part-name></score-part>' for n in range(len(parts)))
    body = "".join(part(rng, n + 1, bars, staves, fifths, sections) for n, staves in enumerate(parts))
    return f'<?xml version="1.0" encoding="UTF-8"?><score-partwise version="3.1"><part-list>{names}</part-list>{body}</score-partwise>'


def convert(source, target):
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen")
    subprocess.run(["mscore3", "-o", target, source], check=True, env=environment, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=120)


def engrave(name, text, staves, folder):
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "in.musicxml")
        with open(path, "w") as file:
            file.write(text)
        convert(path, os.path.join(work, "in.mpos"))
        convert(path, os.path.join(work, "in.pdf"))
        subprocess.run(["pdftoppm", "-png", "-gray", "-r", str(DPI), os.path.join(work, "in.pdf"),
                        os.path.join(work, "page")], check=True)
        pictures = sorted(glob.glob(os.path.join(work, "page-*.png")))
        boxes = [element.attrib for element in tree.parse(os.path.join(work, "in.mpos")).iter("element")]
        for number, picture in enumerate(pictures):
            out = os.path.join(folder, f"{name}-{number + 1}")
            with open(picture, "rb") as source, open(out + ".png", "wb") as target:
                data = source.read()
                target.write(data)
            rows = {}
            for box in boxes:
                if int(box["page"]) == number:
                    rows.setdefault(float(box["y"]), []).append(box)
            with open(out + ".csv", "w") as file:
                file.write(f"page,{int.from_bytes(data[16:20], 'big')},{int.from_bytes(data[20:24], 'big')}\n")
                for top, row in sorted(rows.items()):
                    bottom = top + float(row[0]["sy"])
                    file.write(f"system,{staves},{top * SCALE:.2f},{bottom * SCALE:.2f},{SPACE:.3f}\n")
                    file.writelines(f"bar,{(float(b['x']) + float(b['sx'])) * SCALE:.2f}\n" for b in row)
    return len(pictures)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("folder")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    print(f"seed {options.seed}", flush=True)
    for kind, bars, parts in (("lead", 160, [1]), ("piano", 160, [2]), ("quartet", 80, [1, 1, 1, 1])):
        pages = engrave(f"musescore {kind}-1", music(options.seed, bars, parts), sum(parts), options.folder)
        print(f"{kind}: {pages} pages", flush=True)


if __name__ == "__main__":
    sys.exit(main())
