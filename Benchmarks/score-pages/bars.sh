#!/bin/sh
# bars.sh PACKAGE OPTIONS...   engraves pages by LilyPond and MuseScore and prints how many of their bars are found.
#
# The arguments are those of `swift run` for the package of the benchmarks. It fails where a figure is missed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
python3 "$here/generate.py" --seed 2026 "$pages/clean"
python3 "$here/generate.py" --seed 2026 --dpi 100 "$pages/coarse"
python3 "$here/musescore.py" --seed 3 "$pages/musescore"
${SWIFT:-swift} run "$@" bars "$pages/clean" --coarse "$pages/coarse" --musescore "$pages/musescore"
