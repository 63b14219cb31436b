#!/bin/sh
# soak.sh BIN [DAYS]   weeks of simulated time with a fault in each minute, and what was counted.
#
# First the engines and displays (Tests/Soak), then streams of both directions through all of alsa-lib, on the test card
# `minutely` in simulated time: in turn an xrun, a suspend, a broken device, an unplugged one, and half a second whose frames
# vanish, on a crystal that is fast by 500 ppm. Streams run at 8 kHz, so that a month passes in minutes. What they say is judged
# by soak-verdict.awk.
set -eu
bin=$(cd "$1" && pwd) days=${2:-30}
seconds=$(awk "BEGIN { print int(86400 * $days) }")
cd "$(dirname "$0")/../.."
status=0
"$bin/soak" --days "$days" || status=1
for direction in "" --capture; do
    printf 'stream%s: %s days at 8 kHz through alsa-lib, every frame transferred\n' "${direction:+ (capture)}" "$days"
    sh Tests/Rigs/test-card.sh simulate "$bin/stream-probe" soak --device minutely --ppm 500 \
        --seconds "$seconds" $direction > "${TMPDIR:-/tmp}/soak.$$" || status=1
    awk -v seconds="$seconds" -v isCapture="${direction:+1}" \
        -f Tests/Rigs/soak-verdict.awk "${TMPDIR:-/tmp}/soak.$$" || status=1
    rm -f "${TMPDIR:-/tmp}/soak.$$"
done
[ $status -eq 0 ] && echo "soak: $days days, all right"
exit $status
