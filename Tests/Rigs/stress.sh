#!/bin/sh
# stress.sh BIN [MINUTES]   metronome and tuner in real time, each on a sound server of its own, while stress-ng keeps every core busy.
#
# The metronome hears its own clicks and compares them with its plan. The tuner hears an A4 that another process plays. What is
# lost must be counted and told, and the rest kept: the readings and the frames that the tuner says it has lost make up the time,
# and it reads to the end. Fails where they do not, where more clicks or notes are missing than the losses that were told
# explain, or where one of the two ends early: stress-verdict.sh.
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
# Two hours beside nothing would prove nothing.
[ -z "$hogs" ] || kill -0 "$hogs" || { echo "stress: stress-ng ended early: see its limits with stress-ng --cpu 2" >&2; exit 1; }
echo "metronome, $MINUTES min:"
sed 's/^/  /' "$work/metronome"
echo "tuner, $MINUTES min:"
sed 's/^/  /' "$work/told"
sh "$here/stress-verdict.sh" "$work" "$MINUTES"
