#!/bin/sh
# demo.sh BIN   Run both commands on recordings. No sound card is needed.
set -eu
bin=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
echo '$ tuner --summary samples/*-*.flac'
"$bin/tuner" --summary samples/*-*.flac
echo
echo '$ tuner --strum samples/strum.flac'
"$bin/tuner" --strum samples/strum.flac
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
echo
echo '$ metronome 7/8 140 --accent 3+2+2 --dry-run --bars 2'
"$bin/metronome" 7/8 140 --accent 3+2+2 --dry-run --bars 2
echo
echo '$ metronome 97.3 --accent 4 --for 10m --render click.flac && metronome verify click.flac 97.3'
cd "$out"
"$bin/metronome" 97.3 --accent 4 --for 10m --render click.flac
"$bin/metronome" verify click.flac 97.3
