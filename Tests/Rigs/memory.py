#!/usr/bin/env python3
"""memory.py BIN [PART/PARTS]   the peak memory of the commands for the largest input of each kind that they accept or refuse.

1/2 is the first of every two. One line for each: exit status, peak in MB, seconds of processor time. Fails where a peak is
above 200 MB.
"""
import os
import resource
import sqlite3
import struct
import subprocess
import sys
import tempfile

LIMIT = 200


def wav(tag, size, channels=1, body=b"", bits=16, kind=1, rate=48_000):
    frame = channels * bits // 8
    form = struct.pack("<IHHIIHH", 16, kind, channels, rate, min(rate * frame, 2**32 - 1), frame % 2**16, bits)
    return tag + struct.pack("<I", 2**32 - 1) + b"WAVE", b"fmt " + form + b"data" + struct.pack("<I", size) + body


def inputs(folder):
    """The files, each the worst of its kind, and the command lines that read them."""
    def write(name, content):
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    head, rest = wav(b"RIFF", 2**32 - 16, 2, bytes(65_536), 32, 3)
    yield "a WAV header that promises 4 GB", ["tuner", write("huge.wav", head + rest)]
    head, rest = wav(b"RF64", 2**32 - 1, 1, bytes(65_536))
    sizes = b"ds64" + struct.pack("<IQQQI", 28, 2**43, 2**42, 2**40, 0)
    yield "an RF64 header that promises 2^40 frames", ["metronome", "verify", write("rf64.wav", head + sizes + rest), "120"]
    head, rest = wav(b"RIFF", 1_024 * 2 * 2_000, 1_024, bytes(1_024 * 2 * 2_000))
    yield "1,024 channels", ["tuner", "--summary", write("channels.wav", head + rest)]
    sound = write("short.wav", b"".join(wav(b"RIFF", 9_600, 1, bytes(9_600))))
    yield "10,000 files", ["tuner", "--summary", *[sound] * 10_000]
    yield "--poly 4096:4095", ["metronome", "120", "--poly", "4096:4095", "--dry-run"]
    yield "a polymeter of 930,000 beats", [
        "metronome", "120", "--meter", "7/4", "--polymeter", "61:59:37", "--dry-run"]
    yield "a polymeter of 3.9 million beats", [
        "metronome", "10", "--meter", "485/4", "--polymeter", "43:47:4", "--dry-run"]
    yield "the most voices and parts", [
        "metronome", "120", "--poly", "64:63", "--sub", "12", "--meter", "64/4", "--dry-run"]
    sections = "".join(f"{i % 9 + 1} {i % 7 + 2}/4 {100 + i % 50}.{i}\n" for i in range(60_000))
    yield "a map of 60,000 sections", ["metronome", write("sections.map", sections), "--dry-run"]
    yield "a map of 120,000 sections", ["metronome", write("sections2.map", sections * 2), "--dry-run"]
    most = 2 << 20
    empty = "\n" * (most - 8)
    yield "a map of 2 million empty lines", ["metronome", write("lines.map", empty + "1 120\n"), "--dry-run"]
    yield "a map with a comment of 2 MB", ["metronome", write("comment.map", "#" * (most - 8) + "\n1 120\n"), "--dry-run"]
    yield "a set list of 2 million empty lines", [
        "metronome", "--setlist", write("empty.txt", empty + "a: 120\n"), "--dry-run"]
    yield "a scale of 2 million empty lines", ["tuner", "--scale", write("empty.scl", empty), sound]
    yield "a mapping of a million comments", [
        "tuner", "--scale", write("few.scl", "x\n1\n2/1\n"), "--mapping", write("empty.kbm", "!\n" * (most // 2)), sound]
    yield "a map of 10^12 bars", ["metronome", write("bars.map", f"{10**12} 120\n"), "--dry-run"]
    nested = "#!metronome 2\n" + "repeat 100000 {\n" * 16 + "1 120\n" + "}\n" * 16
    yield "repeats that unroll to 10^80 bars", ["metronome", write("nested.map", nested), "--dry-run"]
    yield "a file above the limit of 2 MiB", ["metronome", write("big.map", b"#" * (3 << 20)), "--dry-run"]
    yield "a MIDI file of 17 hours of 32nds", [
        "metronome", "1000", "--sub", "32nd", "--for", "17h", "--render", os.path.join(folder, "day.mid")]
    yield "an hour rendered", ["metronome", "120", "--for", "1h", "--render", os.path.join(folder, "hour.flac")]
    scale = "x\n16384\n" + "".join(f"{i * 1.2:.4f}\n" for i in range(1, 16_385))
    yield "a scale of 16,384 pitches", ["tuner", "--scale", write("big.scl", scale), sound]
    tables = "".join(f"[a{i}]\nb = {i}\n" for i in range(60_000))
    yield "settings of 60,000 tables", ["tuner", "--config", write("tables.toml", tables), "--list-instruments"]
    settings = "[tuner]\n" + "".join(f"k{i:x} = 1\n" for i in range(170_000))
    yield "170,000 settings", ["tuner", "--config", write("many.toml", settings), "--list-instruments"]
    name = "[" + "t" * (2_000_000) + "]\na = 1\n"
    yield "a table with a name of 2 MB", ["tuner", "--config", write("name.toml", name), "--list-instruments"]
    yield "settings nested 100,000 deep", [
        "tuner", "--config", write("deep.toml", "a = " + "[" * 100_000), "--list-instruments"]
    yield "a setting of 200,000 parts", [
        "tuner", "--config", write("parts.toml", ".".join(["a"] * 200_000) + " = 1\n"), "--list-instruments"]
    yield "500,000 damaged tables", ["tuner", "--config", write("points.toml", "x\n" + "[.\n" * 500_000), "--list-instruments"]
    yield "600,000 tables in one line", [
        "tuner", "--config", write("line.toml", "a = " + "{a=" * 600_000), "--list-instruments"]
    entries = "".join(f"song {i}: 80..160/32b --poly 7:11\n" for i in range(1_000))
    yield "a set list of 1,000 entries", ["metronome", "--setlist", write("gig.txt", entries), "--dry-run"]
    take = struct.pack("<480h", *[int(9_000 * (i % 109) / 109) for i in range(480)]) * 100
    hours = write("take.wav", b"".join(wav(b"RIFF", 96_000 * 5_700, 1, b"")))
    with open(hours, "ab") as file:
        for _ in range(5_700):
            file.write(take)
    half = write("half.wav", b"".join(wav(b"RIFF", 96_000 * 1_800, 1, b"")))
    with open(half, "ab") as file:
        for _ in range(1_800):
            # A note and silence: a second of the take is a tone.
            file.write(take[:24_000] + bytes(72_000))
    yield "a review of half an hour", ["metronome", "review", half, "120"]
    yield "a review with the densest plan", ["metronome", "review", half, "1000", "--sub", "32nd", "--json"]
    # Ten clicks a second, of which one is missing, so that the recording is heard twice.
    tick = struct.pack("<80h", *[(20_000 >> n // 8) * (-1) ** (n // 2) for n in range(80)])
    ticks = (tick + bytes(1_600 - len(tick))) * 18_000
    ticks = ticks[:160_000] + bytes(1_600) + ticks[161_600:]
    clicks = write("clicks.wav", b"".join(wav(b"RIFF", len(ticks), 1, ticks, rate=8_000)))
    yield "18,000 clicks to verify", ["metronome", "verify", clicks, "600"]
    more = write("more.wav", b"".join(wav(b"RIFF", 2 * len(ticks), 1, ticks * 2, rate=8_000)))
    yield "36,000 clicks to verify", ["metronome", "verify", more, "600"]
    head, rest = wav(b"RIFF", 2**31 - 1, 1, b"")
    endless = write("endless.wav", head + rest[:12] + struct.pack("<I", 2**31 - 1) + rest[16:])
    os.truncate(endless, 2**31)
    yield "a click of 2 GB at 2^31 frames a second", ["metronome", "120", "--sound", endless, "--dry-run"]
    yield "3,000 recordings of a player's names", [
        "metronome", "120", "--sound", ",".join(["a/b.wav"] * 3_000), "--dry-run"]
    yield "a tempo of 100,000 digits", ["metronome", "1" * 100_000, "--dry-run"]
    yield "accents of 100,000 beats", ["metronome", "120", "--accent", "X" * 100_000, "--dry-run"]
    yield "a name of 100,000 letters", ["tuner", "--instrument", "guitar " * 14_000, sound]
    yield "offsets of 20,000 notes", ["tuner", "--sweeten", ",".join(["E2=-2.3"] * 12_000), sound]
    yield "a practice log of 300,000 sessions", ["metronome", "log", "--export", "json"]
    yield "a set list with a piece of 100,000 letters", [
        "metronome", "120", "--piece", "p" * 100_000, "--dry-run"]
    yield "analysis of 95 minutes, with its picture", [
        "tuner", "analyze", hours, "--plot", os.path.join(folder, "take.svg")]
    # As many notes as in 95 minutes of five a second, in half the time.
    melody = write("melody.wav", b"".join(wav(b"RIFF", 96_000 * 2_850, 1, b"")))
    notes = [struct.pack("<4800h", *[int(9_000 * (i % period) / period) if i < 4_200 else 0 for i in range(4_800)])
             for period in (109, 97, 87, 82, 73)]
    with open(melody, "ab") as file:
        for _ in range(5_700):
            # Ten notes a second.
            file.write(b"".join(notes))
    yield "a melody of 28,500 notes, as JSON and picture", [
        "tuner", "analyze", melody, "--json", "--plot", os.path.join(folder, "melody.svg")]
    yield "95 minutes written down, with a score", [
        "tuner", "transcribe", hours, "--midi", os.path.join(folder, "take.mid"), "--musicxml",
        os.path.join(folder, "take.musicxml"), "--tempo", "97"]
    # Files of the player's own, which other commands would read.
    for name in ["well-tempered", ".local/state/well-tempered"]:
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    yield "presets of 2 million empty lines", [
        "metronome", "90", "--save", "other", "--dry-run", write("well-tempered/presets", empty + "a: 120\n")][:5]
    cards = '{"cards":[' + ",".join(["{}"] * (most // 3 - 8)) + "]}"
    yield "calibrations of 700,000 cards", [
        "metronome", "calibrate", "--show", write(".local/state/well-tempered/calibration.json", cards)][:3]


def practise(folder, metronome, environment):
    """A practice log that the program began, with 300,000 sessions and texts of any length."""
    subprocess.run([metronome, "log", "--off"], env=environment, check=True)
    log = sqlite3.connect(os.path.join(folder, "well-tempered", "practice.sqlite"))
    # The newest are all of letters of four bytes.
    rows = ((i * 60, f"piece {i % 500} " + ("\U0001F3BB" * 2_000 if i > 299_000 else "x" * 200)) for i in range(300_000))
    log.executemany(
        "INSERT INTO session (program, began, seconds, piece, plan) VALUES ('metronome', ?, 60, ?, '120 --accent 4')", rows)
    log.commit()
    log.close()


def main():
    folder = sys.argv[1]
    part, parts = map(int, sys.argv[2].split("/")) if len(sys.argv) > 2 else (1, 1)
    worst = 0
    print(f"{'input':44} {'status':>6} {'MB':>6} {'s':>6}")
    with tempfile.TemporaryDirectory() as work:
        environment = {
            **os.environ, "ALSA_CONFIG_PATH": "/dev/null", "XDG_CONFIG_HOME": work, "XDG_DATA_HOME": work, "HOME": work}
        practise(work, os.path.join(folder, "metronome"), environment)
        for index, (name, (command, *arguments)) in enumerate(inputs(work)):
            if index % parts != part - 1:
                continue
            process = subprocess.Popen(
                [os.path.join(folder, command), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, env=environment,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)))
            complaint = process.stderr.read().decode(errors="replace").strip()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            code, peak = os.waitstatus_to_exitcode(status), usage.ru_maxrss / 1_024
            print(f"{name:44} {code:6} {peak:6.0f} {usage.ru_utime + usage.ru_stime:6.1f}", flush=True)
            if code < 0 or code not in (0, 2, 66):
                print(f"memory.py: {name}: ended with status {code}: {complaint}", file=sys.stderr)
                worst = float("inf")
            elif code and not complaint:
                print(f"memory.py: {name}: refused without a word", file=sys.stderr)
                worst = float("inf")
            worst = max(worst, peak)
    if worst > LIMIT:
        sys.exit(f"memory.py: the limit is {LIMIT} MB")
    print(f"memory: at most {worst:.0f} MB")


if __name__ == "__main__":
    main()
