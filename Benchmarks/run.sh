#!/bin/sh
# run.sh   measures everything and writes Benchmarks/RESULTS.md and Benchmarks/plots; `make bench` calls it.
#
# A measurement that fails is told and left out, and the script ends with 1. LOAD says in the page what else ran;
# without it the page has the system's load averages.
set -eu
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
jobs=${JOBS:-2}
results=$PWD/.build-bench-results
python=python3
[ ! -x .build-rivals/bin/python ] || python=$PWD/.build-rivals/bin/python
rm -rf "$results"
mkdir -p "$results"
begun=$(date +%s)

release="-c release --static-swift-stdlib"
$swift build $release -j "$jobs"
commands=$($swift build $release --show-bin-path)
# Otherwise new files of ours would not be seen.
touch Benchmarks/Package.swift
build() { $swift build --package-path Benchmarks -c release -j "$jobs" "$@"; }
for product in bench accuracy RenderBenchmark TransformBenchmark; do build --product $product; done
tools=$(build --show-bin-path)
without=$PWD/.build-bench-notraits
TRAITS=none build --scratch-path "$without" --product accuracy
load() { cut -d ' ' -f 1 /proc/loadavg; }
before=$(load)
echo "built in $(($(date +%s) - begun)) s"

bench=$tools/bench
failed=
# measure NAME COMMAND...: one part.
measure() {
    name=$1
    shift
    "$@" || { failed="$failed $name"; echo "bench: $name failed" >&2; }
}
# kept NAME TITLE TEXT COMMAND: what comes on standard input becomes a part.
kept() { "$bench" keep --results "$results" --as "$1" --title "$2" --text "$3" --command "$4"; }

accuracy_table() {
    # Its status tells of misses, which the table shows.
    "$tools/accuracy" --tones 200 > "$results/with" || [ $? = 1 ] || return
    "$without/release/accuracy" --tones 200 > "$results/without" || [ $? = 1 ] || return
    awk 'FNR == 1 || /^(all met|[0-9]+ missed)/ { next }
        { name = substr($0, 1, 52); must = substr($0, 53, 16); value = substr($0, 69, 16); verdict = substr($0, 85) }
        NR == FNR { with[FNR] = value; ok[FNR] = verdict; next }
        !head++ { printf "%-52s%-16s%-18s%-7s %-18s%s\n", "", "must be", "with FFTW", "", "own FFT", "" }
        { printf "%-52s%-16s%-18s%-7s %-18s%s\n", name, must, with[FNR], ok[FNR], value, verdict }' \
        "$results/with" "$results/without" | sed 's/ *$//' |
        kept fftw "The tracker on generated sound, with FFTW and with the FFT of our own" \
            "Every figure that the tracker is held to, 200 tones, seed 1; the second pair of columns is built with the trait FFTW off." \
            "accuracy --tones 200; TRAITS=none"
}
transforms() {
    "$tools/TransformBenchmark" | kept transforms "The FFT of our own beside FFTW" \
        "Medians of one run in microseconds by the wall clock, forward; ratio of the two, and of the way back; how far apart they are." \
        TransformBenchmark
}
kernels() {
    $swift package --package-path Benchmarks --allow-writing-to-package-directory benchmark \
        --target KernelBenchmarks --no-progress > "$results/kernels" &&
        awk -f Benchmarks/kernel-table.awk "$results/kernels" |
        kept kernels "Wall and processor time of the parts" \
            "Nanoseconds per unit, percentiles of runs of 1,000 units, by ordo-one/benchmark." \
            "make bench-kernels"
}
render() {
    "$tools/RenderBenchmark" "$commands" | kept render "What an hour of clicks costs, beside klick" \
        "Seconds of processor time, user and system; klick -W and metronome write the same map." RenderBenchmark
}
startup() {
    sh Benchmarks/startup.sh "$commands" > "$results/startup" || [ $? = 1 ] || return
    sh Tests/Rigs/test-card.sh run python3 Benchmarks/startup-terminal.py "$commands" >> "$results/startup" ||
        [ $? = 1 ] || return
    kept startup "Start-up" \
        "From the start of a process to its first byte, ten runs; to the first frame and reading on a test card." \
        "make startup" \
        < "$results/startup"
}
live() {
    VA_DIR=$results/server sh Tests/Rigs/virtual-audio.sh run "$bench" live --commands "$commands" --results "$results"
}

measure accuracy "$bench" accuracy --results "$results" --python "$python"
measure lock "$bench" lock --results "$results" --python "$python"
measure costs "$bench" costs --results "$results"
measure transforms transforms
measure fftw accuracy_table
measure hops "$bench" hops --results "$results"
measure live live
measure startup startup
measure clicks "$bench" clicks --results "$results" --commands "$commands"
measure render render
measure kernels kernels
"$bench" report --results "$results" --output Benchmarks \
    --load "load average $before when the measurements began, $(load) at their end${LOAD:+: $LOAD}" || failed="$failed report"
echo "bench: $(($(date +%s) - begun)) s in all"
[ -z "$failed" ] || { echo "bench: failed:$failed" >&2; exit 1; }
