#!/bin/sh
# melodies.sh TUNER PACKAGE OPTIONS...   makes melodies, beats and players, and prints what is made of them: notes, scores, tempo.
#
# The arguments after TUNER are those of `swift run` for the package of the benchmarks. Each table says what it asks for. It
# fails where a figure is missed, after all tables.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tuner=$1
shift
font=${SOUND_FONT:-/usr/share/sounds/sf2/FluidR3_GM.sf2}
[ -r "$font" ] || { echo "melodies: no sound font $font: name another in SOUND_FONT" >&2; exit 66; }
sounds=$(mktemp -d)
trap 'rm -rf "$sounds"' EXIT
status=0
table() {
    echo
    echo "== $*"
}
run() { ${SWIFT:-swift} run "$@" || status=1; }
python3 "$here/melodies.py" --sound-font "$font" "$sounds/melodies" || exit 1
python3 "$here/../beat-sounds/generate.py" --seed 1000 --sound-font "$font" "$sounds/beats" || exit 1
table "notes of 24 melodies, seed 0"
run "$@" notes "$sounds/melodies" --verbose
table "scores of 24 melodies, and of the same swung"
python3 "$here/scores.py" --sound-font "$font" "$tuner" || status=1
table "beats of 59 recordings, seed 1000"
run "$@" tempo "$sounds/beats"
run "$@" tempo cost
table "a metronome that follows 60 players, seed 2"
run "$@" follow --seed 2 --players 60
exit $status
