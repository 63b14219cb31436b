#!/bin/sh
# apps.sh [BIN]   runs the nine programs of samples/apps on real sound and checks their output. The live ones use the test
# card (test-card.sh). BIN is the folder with the programs, as importer.sh builds them; without BIN this script builds them.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The package names every program that has a folder.
named=$(${SWIFT:-swift} package --package-path "$here/samples/apps" --scratch-path "$here/.build-apps" dump-package |
    jq -r '.targets[].name' | sort | paste -s -d ' ')
folders=$(cd "$here/samples/apps/Sources" && echo *)
[ "$named" = "$folders" ] || { echo "apps: the package has $named, its folder $folders" >&2; exit 1; }
bin=${1:-$here/.build-apps/release}
if [ $# = 0 ]; then
    touch "$here/samples/apps/Package.swift" # or files added to ours since the last build would not be seen
    ${SWIFT:-swift} build --package-path "$here/samples/apps" --scratch-path "$here/.build-apps" -c release \
        -j "${JOBS:-2}" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
fi
for source in "$here"/samples/apps/Sources/*/main.swift; do
    lines=$(wc -l < "$source")
    [ "$lines" -le 70 ] || { echo "apps: $source has $lines lines, more than 70" >&2; exit 1; }
done
# expect NAME PATTERN: a line of the last output matches the pattern.
expect() {
    grep -qE "$2" "$work/out" || { echo "apps: $1 did not say '$2' but:" >&2; cat "$work/out" >&2; exit 1; }
    echo "apps: $1: $(grep -E "$2" "$work/out" | tail -n 1 | sed "s|$here/||;s|$work/||")"
}

"$bin/PitchOfAFile" "$here/samples/guitar-a4.flac" > "$work/out"
expect PitchOfAFile ' A4 -?[0-3]\.[0-9] cents'

# Four bars at 112 beats per minute: 16 · 60 · 48,000 / 112 frames. sox reads what libsndfile wrote.
"$bin/DrumMachine" "$work/groove.wav" > "$work/out"
expect DrumMachine ' 411429 frames'
sox "$work/groove.wav" -n stat 2>&1 | sed 's/  */ /g' > "$work/out"
expect DrumMachine '^Maximum amplitude: 0\.[1-9]'

# The groove is on its grid: 0 ms but for the attack of the drums.
"$bin/TimingOfATake" "$work/groove.wav" 112 > "$work/out"
expect TimingOfATake '^1[56] notes, mean -?[01]\.[0-9]+ ms'

# Its tempo is found; the drums of each step begin alike.
"$bin/BeatOfATake" "$work/groove.wav" 112 > "$work/out"
expect BeatOfATake '^1[4-7] beats, (111\.9[5-9]|112\.0).* BPM'

# One note of a guitar.
"$bin/NotesOfATake" "$here/samples/guitar-a4.flac" > "$work/out"
expect NotesOfATake '^A4 -?[0-3]\.[0-9]+ cents, 0\.'

# The G string of the sample is 12 cents flat.
"$bin/StringsOfAStrum" "$here/samples/strum.flac" guitar > "$work/out"
expect StringsOfAStrum '^  G3 -(11\.9|12\.0)[0-9]* ± 0\.[0-9]+ cents$'

"$bin/DetectorOfYourOwn" "$here/samples/panflute-e4.flac" > "$work/out"
expect DetectorOfYourOwn 'crossings 332.0 Hz, ours 332.0 Hz: -?[0-3].0 cents'

# An error goes to standard error, and the status is not 0.
for name in PitchOfAFile NotesOfATake DetectorOfYourOwn TimingOfATake BeatOfATake StringsOfAStrum; do
    instrument=112
    [ $name = StringsOfAStrum ] && instrument=guitar
    status=0
    "$bin/$name" "$work/none.wav" $instrument > "$work/out" 2> "$work/err" || status=$?
    [ $status = 1 ] && [ ! -s "$work/out" ] && grep -q none.wav "$work/err" || {
        echo "apps: $name ended with $status at a file that is not there" >&2; exit 1; }
done

export TEST_CARD_DIR="$work/card"
sh "$here/Tests/Rigs/test-card.sh" build "$TEST_CARD_DIR"
# Two seconds of A4, 10 cents sharp, and two of E5 in tune.
sox -n -r 48000 -c 2 -e floating-point -b 32 -t raw "$TEST_CARD_DIR/in.raw" \
    synth 2 sine 442.549 sine 442.549 gain -12 : synth 2 sine 659.255 sine 659.255 gain -12
# The line comes when the second note begins, in simulated time: nothing is lost on a busy machine.
printf 'pcm.mine { type testcard virtual 1 infile "%s/in.raw" }\n' "$TEST_CARD_DIR" >> "$TEST_CARD_DIR/asound.conf"
rm -f "$work/out"
TEST_CLOCK_TURNS=20000 timeout 60 \
    sh "$here/Tests/Rigs/test-card.sh" simulate "$bin/IntonationMeter" mine > "$work/out" &
meter=$!
tries=0
while [ ! -s "$work/out" ] && [ $tries -lt 280 ]; do
    sleep 0.2
    tries=$((tries + 1))
done
kill $meter 2> /dev/null || true
wait $meter 2> /dev/null || true
expect IntonationMeter '^A4 (9\.[5-9]|10\.[0-5]) ± [0-2]\.'
sh "$here/Tests/Rigs/test-card.sh" run "$bin/ClickInACallback" default 240 2 > "$work/out"
expect ClickInACallback '^2 1 TICK$'
sox -t raw -r 48000 -c 2 -e floating-point -b 32 "$TEST_CARD_DIR/out.raw" -n stat 2>&1 | sed 's/  */ /g' > "$work/out"
expect ClickInACallback '^Maximum amplitude: 0\.[3-9]'
