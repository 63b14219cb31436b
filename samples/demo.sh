#!/bin/sh
# demo.sh BIN   what both commands do, on recordings: no sound card needed.
set -eu
bin=$1
cd "$(dirname "$0")/.."
echo '$ tuner --summary samples/*.flac'
"$bin/tuner" --summary samples/*.flac
echo
echo '$ metronome 120 --accent 4 --bars 4 --render click.wav'
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$bin/metronome" 120 --accent 4 --bars 4 --render "$out/click.wav"
ls -l "$out/click.wav" | awk '{ print $5 " bytes of click track" }'
[ -s "$out/click.wav" ]
