"""startup-terminal.py BIN   how long the commands take on a terminal of 80 by 24, from their start to the first frame that
is drawn, and the tuner to the first reading of a tone that sounds already: median of ten runs each. Then how much later
than a beat is heard the metronome's flash has reached the terminal, over 32 beats.

Asked: a frame within 100 ms, a reading within 250 ms, a flash within a frame of a screen of 60 Hz; above a limit it ends
with 1. Run by Tests/Rigs/test-card.sh, whose
card hears the tone and plays in real time. Needs an idle machine.
"""
import array, math, os, pty, re, select, signal, statistics, struct, sys, termios, time, fcntl

BIN = sys.argv[1]
RUNS = 10
LONGEST = 10  # seconds until a run counts as failed
FRAME_END = b"\x1b[?2026l"  # the end of a synchronised update: the frame is whole


def terminal_run(command, marks):
    """Runs a command until all marks were seen on its terminal; seconds from its start to each."""
    start = time.monotonic()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", LC_ALL="C.UTF-8", XDG_CONFIG_HOME="/no/such")
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.execv(command[0], command)
    seen, text = {}, b""
    while len(seen) < len(marks) and time.monotonic() - start < LONGEST:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                text += os.read(terminal, 65536)
            except OSError:
                break
            now = time.monotonic() - start
            for name, pattern in marks.items():
                if name not in seen and re.search(pattern, text):
                    seen[name] = now
    os.kill(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
    os.close(terminal)
    if len(seen) < len(marks):
        sys.exit(f"{' '.join(command)}: no {set(marks) - set(seen)} within {LONGEST} s: {text[-300:]!r}")
    return seen


def measure(title, command, marks, limits):
    runs = [terminal_run(command, marks) for _ in range(RUNS)]
    good = True
    for name, limit in limits.items():
        times = sorted(1000 * run[name] for run in runs)
        median = statistics.median(times)
        missed = median > limit
        print(f"{title + ': ' + name:<42} median {median:6.1f} ms, {times[0]:.1f} to {times[-1]:.1f}; limit {limit}"
              + "  MISSED" * missed)
        good &= not missed
    return good


with open(os.path.join(os.environ["TEST_CARD_DIR"], "in.raw"), "wb") as tone:
    samples = array.array("f")
    for n in range(48_000 * LONGEST):
        value = 0.5 * math.sin(2 * math.pi * 441.5 * n / 48_000)
        samples.extend((value, value))
    samples.tofile(tone)

frame = re.escape(FRAME_END)
# Of "441.50 Hz" only what changes is written: the space is on the screen already.
good = measure(
    "tuner", [f"{BIN}/tuner"], {"first frame": frame, "first reading of a tone": rb"441\.[45]\d"},
    {"first frame": 100, "first reading of a tone": 250})
good &= measure(
    "tuner --json", [f"{BIN}/tuner", "--json"], {"first reading of a tone": rb'"hz":441\.[45]'},
    {"first reading of a tone": 250})
good &= measure("metronome 120", [f"{BIN}/metronome", "120"], {"first frame": frame}, {"first frame": 100})


def flashes(beats_a_minute, bars):
    """Seconds from the moment a beat is heard, as the card tells it, to the light on the terminal."""
    folder = os.environ["TEST_CARD_DIR"]
    log = os.path.join(folder, "flash.log")
    with open(os.path.join(folder, "asound.conf"), "a") as conf:
        conf.write(f'pcm.flash {{ type testcard outfile "{folder}/flash.raw" logfile "{log}" }}\n')
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", LC_ALL="C.UTF-8", XDG_CONFIG_HOME="/no/such")
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.execv(f"{BIN}/metronome", ["metronome", str(beats_a_minute), "-D", "flash", "--rate", "48000", "--flash",
                                      "--bars", str(bars)])
    lit, text = [], b""
    while True:
        try:
            text += os.read(terminal, 65536)
        except OSError:
            break
        # A flash turns the whole screen round, from its first place on; it counts when the last byte of it has come.
        while FRAME_END in text:
            frame, text = text.split(FRAME_END, 1)
            if b"\x1b[1;1H\x1b[0;7m" in frame:
                lit.append(time.clock_gettime(time.CLOCK_MONOTONIC))
    os.waitpid(pid, 0)
    first, nanoseconds = open(log).readline().split()
    start = int(nanoseconds) / 1e9 - int(first) / 48_000
    beats = [start + k * 60 / beats_a_minute for k in range(4 * bars)]
    if len(lit) != len(beats):
        sys.exit(f"{len(lit)} flashes on {len(beats)} beats")
    return [light - beat for light, beat in zip(lit, beats)]


times = sorted(1000 * late for late in flashes(150, 8))
median = statistics.median(times)
missed = not (-1 < times[0] and times[-1] < 1000 / 60)
print(f"{'metronome 150: flash after the beat':<42} median {median:6.1f} ms, {times[0]:.1f} to {times[-1]:.1f}; limit 16.7"
      + "  MISSED" * missed)
good &= not missed
sys.exit(0 if good else 1)
