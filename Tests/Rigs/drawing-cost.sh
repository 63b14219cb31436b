#!/bin/bash
# drawing-cost.sh BIN   what the tuner's display costs: processor time of the thread that draws, as a share of a core, on a
# note in vibrato (so that needle, strobe and trail move all the time), in a terminal of each size. 1 % is the most.
#
# Run it as `test-card.sh run bash drawing-cost.sh BIN`; best on a machine that does nothing else.
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
seconds=8 worst=0 ticks=$(getconf CLK_TCK)
cost() { awk '{ sub(/.*[)] /, ""); print $12 + $13 }' "/proc/$child/task/$child/stat"; }
for size in '80 24' '200 50' '250 60'; do
    for view in needle strobe trail; do
        start $size LC_ALL=C.UTF-8 tuner --view $view
        for _ in $(seq 100); do screen | grep -q 'q quit' && ! screen | grep -q 'play a note' && break; sleep 0.1; done
        screen | grep -q 'play a note' && { echo "drawing-cost: no note is heard" >&2; exit 1; }
        child=$(process)
        before=$(cost)
        sleep $seconds
        spent=$(($(cost) - before))
        awk -v size="${size/ / x }" -v view=$view -v spent=$spent -v ticks="$ticks" -v seconds=$seconds \
            'BEGIN { printf "%-9s %-7s %4.2f %% of a core\n", size, view, 100 * spent / ticks / seconds }'
        [ "$spent" -le "$worst" ] || worst=$spent
        press q 'status 0' > /dev/null
    done
done
[ $((100 * worst)) -le $((ticks * seconds)) ] || { echo "drawing-cost: more than 1 %" >&2; exit 1; }
