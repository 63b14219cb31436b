#!/bin/sh
# soak.sh BIN [DAYS]   weeks of simulated time with a fault in each minute, and what was counted.
#
# First the engines and displays (Tests/Soak), then streams of both directions through all of alsa-lib, on the test card
# `minutely` in simulated time: in turn an xrun, a suspend, a broken device, an unplugged one, and half a second whose frames
# vanish, on a crystal that is fast by 500 ppm. Streams run at 8 kHz, so that a month passes in minutes.
set -eu
bin=$(cd "$1" && pwd) days=${2:-30}
cd "$(dirname "$0")/../.."
status=0
"$bin/soak" --days "$days" || status=1
for direction in "" --capture; do
    printf 'stream%s: %s days at 8 kHz through alsa-lib, every frame transferred\n' "${direction:+ (capture)}" "$days"
    sh Tests/Rigs/test-card.sh simulate "$bin/stream-probe" soak --device minutely --ppm 500 \
        --seconds "$(awk "BEGIN { print int(86400 * $days) }")" $direction > "${TMPDIR:-/tmp}/soak.$$" || status=1
    # Words and numbers in turn; "pages" and "+-" belong to what is before them.
    awk '{ sub(/^soak /, "")
        for (i = 1; i < NF; i += 2) {
            if ($i == "pages") {
                printf "  %-16s %s after a quarter, %s at the end\n", $i, $(i + 1), $(i + 2)
                bad += $(i + 2) - $(i + 1) > 128
                i++
            } else if ($(i + 2) == "+-") {
                # Known to a tenth of a ppm, wherever the end falls: a fault takes nothing away of what was learnt. And wrong by
                # five standard errors at most: by chance it is more once in two million runs.
                printf "  %-16s %s +- %s\n", $i, $(i + 1), $(i + 3)
                off = $(i + 1) - 500; if (off < 0) off = -off
                known = off < 0.1 && off < 5 * $(i + 3)
                i += 2
            } else printf "  %-16s %s\n", $i, $(i + 1)
            if ($i == "files") bad += $(i + 1) > 0
        } }
        END {
            if (bad) print "  WRONG: memory or open files grew"
            if (!known) print "  WRONG: the rate of the card is not known"
            exit bad || !known
        }' "${TMPDIR:-/tmp}/soak.$$" || status=1
    rm -f "${TMPDIR:-/tmp}/soak.$$"
done
[ $status -eq 0 ] && echo "soak: $days days, all right"
exit $status
