#!/usr/bin/env python3
"""completion.py BIN: types command lines into interactive shells and checks what Tab offers.

Each shell runs in a terminal of its own (a pseudo-terminal), with the completion scripts that the commands print. A check
types the start of a command line and Tab, and looks for words on the screen. Prints ok or FAILED for each check.
"""
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

BIN = sys.argv[1]
SHELLS = sys.argv[2:] or ["bash", "zsh", "fish"]

# What is typed before Tab, and the words that Tab must show or insert. '!' marks one that must not appear.
CHECKS = [
    ("metronome --acc", ["--accent"]),
    ("metronome 120 --cou", ["--count-in"]),
    ("metronome ver", ["verify"]),
    ("metronome 120 --sound ", ["wood", "clave", "cowbell", "hihat"]),
    ("metronome 120 --sound=cl", ["--sound=clave"]),
    ("metronome 120 --sound vo", ["voice"]),
    ("metronome 120 --cross-sound ", ["cowbell", "!voice"]),
    ("metronome verify ta", ["take.flac"]),
    ("metronome verify take.flac 120 --js", ["--json"]),
    ("metronome so", ["song.map"]),
    ("metronome --map so", ["song.map", "!song.txt~"]),
    ("metronome calibrate la", ["latency"]),
    ("metronome 120 -D test", ["testcard"]),
    ("metronome 120 --render ne", ["new folder"]),
    ("tuner --tem", ["--temperament"]),
    ("tuner ta", ["take.flac"]),
    ("tuner --temperament val", ["vallotti"]),
    ("tuner --temperament=val", ["vallotti"]),
    ("tuner --instrument guit", ["guitar"]),
    ("tuner -i guitar --tuning DADG", ["DADGAD"]),
    ("tuner -i guitar --tuning open", ["open G"]),
    ("tuner --scale ", ["just.scl", "!take.flac"]),
    ("tuner --transpose Bb", ["Bb clarinet"]),
    ("tuner --stru", ["--strum"]),
    ("tuner --view st", ["strobe"]),
    ("tuner ana", ["analyze"]),
    ("tuner trans", ["transcribe"]),
    ("tuner transcribe --music", ["--musicxml"]),
    ("tuner analyze ta", ["take.flac"]),
    ("tuner analyze --plo", ["--plot"]),
    ("tuner analyze --aro", ["--around"]),
    ("tuner tone --col", ["--color"]),
    ("tuner tone --color or", ["organ"]),
    ("tuner -D test", ["testcard"]),
]


class Shell:
    """An interactive shell in a pseudo-terminal."""

    def __init__(self, name, folder, home):
        self.name = name
        environment = {
            "HOME": home, "PATH": BIN + ":/usr/bin:/bin", "TERM": "vt100", "LC_ALL": "C.UTF-8", "COLUMNS": "200",
            "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "ALSA_CONFIG_PATH": os.path.join(home, "alsa.conf"),
            "BASH_SILENCE_DEPRECATION_WARNING": "1", "fish_features": "no-query-term",
        }
        command = {
            "bash": ["bash", "--noprofile", "--rcfile", os.path.join(home, "bashrc"), "-i"],
            "zsh": ["zsh", "-i"],
            "fish": ["fish", "-i"],
        }[name]
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        import fcntl, struct, termios
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        # The shell is ready when it has run a command whose text is not that of the command line.
        self.until("echo READ''Y\n", "READY")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read(self, seconds):
        """What comes within a time without output."""
        text = ""
        while select.select([self.terminal], [], [], seconds)[0]:
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                break
            if not data:
                break
            text += data.decode(errors="replace")
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|\x1b\][^\x07]*\x07|\x0f|\x00", "", text)

    def until(self, text, pattern, least=120):
        self.type(text)
        seen, end = "", time.monotonic() + least
        while pattern not in seen and time.monotonic() < end:
            seen += self.read(0.2)
        return seen

    def tab(self, text, words):
        """What appears after text and Tab, until it holds all words or 40 seconds have passed."""
        self.type(text)
        self.read(0.3)
        self.type("\t")
        seen, end, tabs = "", time.monotonic() + 40, 1
        while time.monotonic() < end:
            seen += self.read(0.4)
            if all(self.holds(text, seen, word) for word in words if not word.startswith("!")):
                break
            # bash lists at the second Tab.
            if tabs < 3:
                self.type("\t")
                tabs += 1
        self.type("\x03")
        self.read(0.3)
        return seen

    @staticmethod
    def holds(text, seen, word):
        """Whether a word was shown, or the rest of it inserted after what was typed."""
        plain = seen.replace("\\", "").replace("\x08", "").replace("\x07", "").replace("\r", "").replace("\n", "")
        typed = re.split(r"[ =]", text)[-1]
        if word in plain or word in seen.replace("\\", ""):
            return True
        whole = word.startswith("--") and text.split(" ")[-1] or typed
        return whole != "" and word.startswith(whole) and plain.lstrip().startswith(word[len(whole):])

    def close(self):
        os.close(self.terminal)
        for _ in range(100):
            if os.waitpid(self.process, os.WNOHANG)[0]:
                return
            time.sleep(0.05)
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as base:
        home, folder = os.path.join(base, "home"), os.path.join(base, "work")
        os.makedirs(os.path.join(home, "fish", "completions"))
        # Without this folder fish reads all manual pages into it, in a process that outlives the shell.
        os.makedirs(os.path.join(home, "fish", "generated_completions"))
        os.makedirs(os.path.join(folder, "new folder"))
        for name in ["take.flac", "take two.wav", "song.map", "song.txt~", "just.scl"]:
            open(os.path.join(folder, name), "w").close()
        with open(os.path.join(home, "alsa.conf"), "w") as file:
            file.write('pcm.testcard { type null hint { show on description "A card" } }\n'
                       'pcm.default { type null }\nctl.default { type hw card 0 }\n'
                       'defaults.namehint.showall on\ndefaults.namehint.basic on\n'
                       'defaults.namehint.extended on\n')
        with open(os.path.join(home, "bashrc"), "w") as file:
            file.write("PS1='$ '\n[ -r /usr/share/bash-completion/bash_completion ] && "
                       ". /usr/share/bash-completion/bash_completion\n")
        with open(os.path.join(home, ".zshrc"), "w") as file:
            file.write("PS1='$ '\nunsetopt zle_bracketed_paste 2>/dev/null\nautoload -Uz compinit\ncompinit -u -D\n"
                       "setopt no_always_last_prompt no_list_beep\nLISTMAX=0\n")
        os.makedirs(os.path.join(home, "functions"))
        for program in ["tuner", "metronome"]:
            def script(shell):
                return subprocess.run([os.path.join(BIN, program), "--generate-completion-script", shell],
                                      capture_output=True, text=True, check=True).stdout
            with open(os.path.join(home, "bashrc"), "a") as file:
                file.write(script("bash"))
            with open(os.path.join(home, "functions", "_" + program), "w") as file:
                file.write(script("zsh"))
            with open(os.path.join(home, "fish", "completions", program + ".fish"), "w") as file:
                file.write(script("fish"))
        with open(os.path.join(home, ".zshrc")) as file:
            rest = file.read()
        with open(os.path.join(home, ".zshrc"), "w") as file:
            file.write("fpath=(%s $fpath)\n" % os.path.join(home, "functions") + rest)
        with open(os.path.join(home, "fish", "config.fish"), "w") as file:
            file.write("set -g fish_greeting ''\nfunction fish_prompt; echo '$ '; end\n"
                       "set -g fish_autosuggestion_enabled 0\n")
        for name in SHELLS:
            shell = Shell(name, folder, home)
            for text, words in CHECKS:
                seen = shell.tab(text, words)
                wrong = [word for word in words if Shell.holds(text, seen, word.lstrip("!")) == word.startswith("!")]
                if wrong:
                    failed += 1
                    print("FAILED %s: %s<Tab> lacks or wrongly has %s: %r" % (name, text, wrong, seen[-300:]))
                else:
                    print("ok %s: %s<Tab>" % (name, text))
            shell.close()
    return 1 if failed else 0


sys.exit(main())
