#!/bin/sh
# Measures the round trip of sound through a private PipeWire, at periods from 64 to 1,024 frames and buffers of three
# periods: a table beside the figures of a program in C (poll loop, SCHED_FIFO, the same rig).
#
#   round-trip.sh BIN    the folder with stream-probe
#
# loop: frames from the request for a click's block to its return from the microphone (median). residual: the difference
# of the two streams' clocks for a click, in frames. late: how often a heartbeat with audio priority was late by 256 frames
# or more; if it ever was, the figures of small periods show the machine rather than the program.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
printf '%6s  %7s  %6s  %7s  %-28s  %5s  %5s  %4s\n' period 'loop C' loop ms residual xruns jumps late
for row in 64:258 128:511 256:1022 512:2046 1024:4094; do
    period=${row%:*} in_c=${row#*:}
    VA_DIR=/tmp/va-$$-$period VA_QUANTUM=$period VA_LOOP=1 PERIOD=$period BIN=$bin IN_C=$in_c \
        sh "$here/virtual-audio.sh" run sh -c '
        "$BIN/stream-probe" heartbeat --seconds 30 > "$XDG_RUNTIME_DIR/heartbeat" & beating=$!
        line=$("$BIN/stream-probe" loop --seconds 20 --input default --period $PERIOD --buffer $((3 * PERIOD)))
        kill $beating 2> /dev/null
        late=$(grep -c "^late" "$XDG_RUNTIME_DIR/heartbeat" || :)
        echo "$line" | awk -v late="$late" -v c="$IN_C" -v period="$PERIOD" "{
            for (i = 1; i < NF; i++) at[\$i] = i
            r = at[\"residual\"]; x = at[\"xruns\"]; d = at[\"discontinuities\"]; l = \$(at[\"loop\"] + 1)
            residual = \$(r + 1) \" \" \$(r + 2) \" \" \$(r + 3) \" \" \$(r + 4)
            printf \"%6d  %7d  %6.0f  %7.2f  %-28s  %2d %2d  %2d %2d  %4d\n\", period, c, l, l / 48, residual,
                \$(x + 1), \$(x + 2), \$(d + 1), \$(d + 2), late
            if (l - c > period || c - l > period) exit 1
        }"' || bad=1
    rm -rf "/tmp/va-$$-$period"
done
[ -z "${bad:-}" ] || { echo "more than a period away from the program in C" >&2; exit 1; }
