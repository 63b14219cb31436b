#!/bin/sh
# Kills the sound server of a metronome seven times: memory, open files and reopenings after each restart.
#
#   server-restarts.sh BIN    the folder with stream-probe
#
# The first restart loads what a second connection of PipeWire's plug-in needs. After it, memory may grow by 1 MB at most,
# which is 200 kB for each restart.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
export VA_DIR="/tmp/va-$$-restarts" RIG="$here/virtual-audio.sh" BIN="$bin"
trap 'rm -rf "$VA_DIR"' EXIT
sh "$RIG" run sh -c '
    export VA_DIR=${XDG_RUNTIME_DIR%/run}
    "$BIN/stream-probe" play --seconds 55 > "$VA_DIR/player" & player=$!
    sleep 3
    printf "%8s  %8s  %10s\n" restarts "memory MB" "open files"
    for n in 1 2 3 4 5 6 7; do
        kill -9 "$(cat "$VA_DIR/pipewire.pid")"
        sleep 1
        sh "$RIG" start > /dev/null
        sleep 4
        pages=$(cut -d" " -f2 /proc/$player/statm) files=$(ls /proc/$player/fd | wc -l)
        [ $n -ne 2 ] || { first=$pages; open=$files; }
        [ -n "$pages" ] && [ "$files" -gt 0 ] || { echo "the player ended too soon" >&2; exit 1; }
        echo "$n $pages $files" | awk "{ printf \"%8d  %8.2f  %10d\n\", \$1, \$2 / 256, \$3 }"
    done
    wait $player
    grep "^end" "$VA_DIR/player" | tr "," "\n" | grep -E "xruns|reopenings|lost"
    grep -q "reopenings: 7," "$VA_DIR/player" || { echo "not every restart was noticed" >&2; exit 1; }
    [ $((pages - first)) -lt 256 ] && [ "$files" -le "$open" ] || { echo "it grows" >&2; exit 1; }
'
