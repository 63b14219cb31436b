#!/bin/sh
# startup.sh BIN   how long the commands take from their start to the first byte of output: median of ten runs.
# What is asked: under 50 ms for `metronome 120 --render` to a pipe.
set -eu
bin=$1
sample=$(dirname "$0")/../samples/cello-c2.flac
first_byte() {
    name=$1
    shift
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        before=$(date +%s%N)
        "$@" 2> /dev/null | head -c 1 > /dev/null
        after=$(date +%s%N)
        echo $(((after - before) / 1000))
    done | sort -n | awk -v name="$name" '{ t[NR] = $1 } END { printf "%-40s %6.1f ms\n", name, (t[5] + t[6]) / 2000 }'
}
first_byte "metronome 120 --render -" "$bin/metronome" 120 --render -
first_byte "tuner --json samples/cello-c2.flac" "$bin/tuner" --json "$sample"
first_byte "(the same for \`cat\`, for comparison)" cat "$sample"
