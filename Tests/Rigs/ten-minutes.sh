#!/bin/sh
# Plays the metronome for ten minutes through a private PipeWire at a period of 256 frames, and records it:
# clicks lost, drift, the worst onset, xruns.
#
#   ten-minutes.sh BIN [TIME]    the folder with metronome and stream-probe; 10m
#
# late: how often a heartbeat with audio priority was late by a period or more. If it ever was, losses show the machine
# rather than the program.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BIN=$(cd "$1" && pwd) TIME=${2:-10m} VA_DIR=/tmp/va-$$ VA_QUANTUM=256 VA_LOOP=1
export BIN TIME VA_DIR VA_QUANTUM VA_LOOP
trap 'rm -rf "$VA_DIR"' EXIT
sh "$here/virtual-audio.sh" run sh -c '
    "$BIN/stream-probe" heartbeat --seconds 36000 > "$VA_DIR/heartbeat" & beating=$!
    status=0
    "$BIN/metronome" 120 --accent 4 --for "$TIME" --verify --verbose || status=$?
    kill $beating 2> /dev/null
    echo "late    $(grep -c "^late" "$VA_DIR/heartbeat" || :) heartbeats"
    exit $status'
