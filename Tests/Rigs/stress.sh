#!/bin/sh
# stress.sh BIN [MINUTES]   metronome and tuner in real time, each on a sound server of its own, while stress-ng keeps every core busy.
#
# The metronome hears its own clicks and compares them with its plan. The tuner hears an A4 that another process plays. What is
# lost must be counted and told, and the rest kept: the readings and the frames that the tuner says it has lost make up the time,
# and it reads to the end. Fails where they do not, or where one of the two ends early.
#
# OTHERS=1: without stress-ng, on a machine that other programs keep busy.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BIN=$(cd "$1" && pwd) MINUTES=${2:-120} VA_QUANTUM=256
case $MINUTES in "" | *[!0-9]* | 0)
    echo "stress: MINUTES is a whole number, not \"$MINUTES\": make stress MINUTES=120" >&2
    exit 2
    ;;
esac
work=$(mktemp -d /tmp/wt-stress-XXXXXX) hogs=
finish() {
    # shellcheck disable=SC2086
    [ -z "$hogs" ] || kill $hogs 2> /dev/null || :
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export BIN MINUTES VA_QUANTUM
if [ -z "${OTHERS:-}" ]; then
    stress-ng --quiet --cpu "$(nproc)" &
    hogs=$!
fi
(
    sh "$here/ten-minutes.sh" "$BIN" "${MINUTES}m" > "$work/metronome" 2>&1
    echo "status  $?" >> "$work/metronome"
) &
metronome=$!
VA_DIR=$work/tuner sh "$here/virtual-audio.sh" run sh -c '
    "$BIN/tuner" tone A4 --device va_feed --for $((60 * MINUTES + 60)) --no-config > "$VA_DIR/tone" 2>&1 & tone=$!
    { "$BIN/tuner" --json --verbose --for $((60 * MINUTES)) --no-config 2> "$VA_DIR/../told"; echo "status $?"; } | awk "
        /^status/ { status = \$2; next }
        {
            readings++
            match(\$0, /\"time_s\":[0-9.]+/); time = substr(\$0, RSTART + 9, RLENGTH - 9)
            if (\$0 !~ /\"midi\":69,/) { others++; next }
            match(\$0, /\"cents\":[-0-9.]+/); cents = substr(\$0, RSTART + 8, RLENGTH - 8)
            if (cents < 0) cents = -cents
            if (cents > 1) wrong++
            if (cents > worst) worst = cents
        }
        END { printf \"%d %.6f %d %d %.3f %d\", readings, time, others, wrong, worst, status }" > "$VA_DIR/../readings"
    kill $tone 2> /dev/null || :'
wait $metronome || :
echo "metronome, $MINUTES min:"
sed 's/^/  /' "$work/metronome"
echo "tuner, $MINUTES min:"
sed 's/^/  /' "$work/told"
# "tuner: 3 xruns, 1 jumps, 1025 frames lost; ...", and "120 clicks in 59.5 s, 0 lost, 0 extra".
numbers() { sed -n "$1" "$2" | tail -1; }
losses=$(numbers 's/.*: \([0-9]*\) xruns, \([0-9]*\) jumps, \([0-9]*\) frames lost.*/\1 \2 \3/p' "$work/told")
clicks=$(numbers 's/.*: \([0-9]*\) clicks in [0-9.]* s, \([0-9]*\) lost.*/\1 \2/p' "$work/metronome")
echo "$(cat "$work/readings") ${losses:-0 0 -1} ${clicks:-0 0}" | awk -v minutes="$MINUTES" '{
    # A reading for each 256 frames at 48 kHz.
    missing = $2 * 48000 - $1 * 256
    printf "  readings %d, the last at %.3f s; %d without the A, %d off by more than a cent, the worst %.3f cents\n", $1, $2, $3, $4, $5
    printf "  frames without a reading %d, told as lost %d; exit status %d\n", missing, $9, $6
    # Each loss may begin and end within a hop. A last hop may be missing.
    isTold = $9 >= 0 && missing >= $9 - 256 && missing <= $9 + 512 * (1 + $7 + $8)
    # Two clicks a second; the last one may not be heard any more.
    isWhole = $6 == 0 && $2 >= 60 * minutes - 1 && $10 + $11 >= 120 * minutes - 1
    print isTold && isWhole ? "met" : "MISSED"
    exit !(isTold && isWhole)
}'
