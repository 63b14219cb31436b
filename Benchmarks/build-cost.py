"""build-cost.py SWIFT BUILD OPTIONS...   what the music stand adds to a build, in seconds of processor time; at most 200.

Builds metronome in a new folder, the one of --scratch-path, and then musicstand, which has all of it and the server."""
import resource
import shutil
import subprocess
import sys

MOST_SECONDS = 200


def seconds(product):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    built = subprocess.run([*command, "--product", product], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if built.returncode:
        sys.exit(built.stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


command = sys.argv[1:]
folder = command[command.index("--scratch-path") + 1]
shutil.rmtree(folder, ignore_errors=True)
try:
    alone = seconds("metronome")
    more = seconds("musicstand")
finally:
    shutil.rmtree(folder, ignore_errors=True)
is_missed = more > MOST_SECONDS
print(f"metronome: {alone:.0f} s of a core; musicstand: {more:.0f} s more, at most {MOST_SECONDS}{' MISSED' if is_missed else ''}")
sys.exit(is_missed)
