#!/bin/bash
# drawing-cost.sh BIN   the cost of the displays: processor time of the drawing thread as a share of a core, for each size of
# terminal. The tuner hears a note with vibrato, so that needle, strobe and trail always move; the metronome plays
# sixteenths at a usual and at a high tempo. The limit is 1 %.
#
# Run it as `test-card.sh run bash drawing-cost.sh BIN`; best on an idle machine.
set -u
BIN=$(cd "$1" && pwd) here=$(cd "$(dirname "$0")" && pwd)
cd "$TEST_CARD_DIR"
. "$here/terminal.sh"
# ±30 cents at 5.5 Hz round 440 Hz, partials as of a violin.
python3 - << 'END'
import array, math
rate, phase, samples = 48000, 0.0, array.array("f")
for n in range(200 * rate):
    phase += 2 * math.pi * 440 * 2 ** (30 / 1200 * math.sin(2 * math.pi * 5.5 * n / rate)) / rate
    value = 0.1 * (math.sin(phase) + math.sin(2 * phase) / 2 + math.sin(3 * phase) / 3)
    samples.extend((value, value))
samples.tofile(open("in.raw", "wb"))
END
seconds=8 worst=0
# Processor time in nanoseconds if the kernel reports it, otherwise in ticks of about 10 ms; then the number of writes, one
# for each picture.
cost() {
    local task=/proc/$child/task/$child
    if [ -r "$task/schedstat" ]; then cut -d ' ' -f 1 "$task/schedstat"
    else awk -v ticks="$(getconf CLK_TCK)" '{ sub(/.*[)] /, ""); printf "%d\n", ($12 + $13) / ticks * 1e9 }' "$task/stat"
    fi
    awk '/^syscw/ { print $2 }' "$task/io"
}
# measure SIZE PATTERN COMMAND...   once PATTERN is on the screen
measure() {
    local size=$1 pattern=$2 before after
    shift 2
    start $size LC_ALL=C.UTF-8 "$@"
    for _ in $(seq 100); do screen | grep -q 'q quit' && screen | grep -qE "$pattern" && break; sleep 0.1; done
    screen | grep -qE "$pattern" || { echo "drawing-cost: $* shows no $pattern" >&2; exit 1; }
    child=$(process)
    before=$(cost)
    sleep $seconds
    after=$(cost)
    set -- "${size/ / x }" "$*" $before $after
    awk -v size="$1" -v command="$2" -v spent=$(($5 - $3)) -v pictures=$(($6 - $4)) -v seconds=$seconds 'BEGIN {
        printf "%-9s %-24s %4.2f %% of a core, %4.1f pictures/s\n", size, command, spent / seconds / 1e7, pictures / seconds }'
    [ $(($5 - $3)) -le "$worst" ] || worst=$(($5 - $3))
    press q 'status 0' > /dev/null
}
for size in '80 24' '200 50' '250 60'; do
    # A frequency at the end of a line, or large cents, appear with a note.
    for view in needle strobe trail; do measure "$size" '[0-9] Hz *$|cents *$' tuner --view $view; done
    for tempo in 120 300; do measure "$size" "BPM" metronome $tempo --sub 16th; done
done
[ "$worst" -le $((seconds * 10000000)) ] || { echo "drawing-cost: more than 1 %" >&2; exit 1; }
