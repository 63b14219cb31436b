#!/bin/sh
# run.sh   measures everything and writes Benchmarks/RESULTS.md and Benchmarks/plots; `make bench` calls it.
#
# In three stages: builds; what gives the same figures however busy the machine is, beside the last build; what depends on
# the clock, one part after the other and nothing beside it. A measurement that fails is told and left out, and the script
# ends with 1. LOAD says in the page what else ran; the system's load average before the first build is told anyhow.
set -eu
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
jobs=${JOBS:-2}
results=$PWD/.build-bench-results
python=python3
[ ! -x .build-rivals/bin/python ] || python=$PWD/.build-rivals/bin/python
rm -rf "$results"
mkdir -p "$results"
load=$(cut -d ' ' -f 1 /proc/loadavg)
begun=$(date +%s)
now() { date +%s.%N; }
# took NAME SINCE: how long a stage or part took.
took() { now | awk -v name="$1" -v since="$2" '{ printf "bench: %-34s %6.1f s\n", name, $1 - since }' | tee -a "$results/seconds"; }

# Two builds at a time: each by itself leaves a core idle while it waits for a module that others need.
build_commands() {
    for product in tuner metronome; do
        $swift build $commands_flags -j "$jobs" --product $product > "$results/log-commands" 2>&1 ||
            { cat "$results/log-commands" >&2; return 1; }
    done
    took "built: tuner, metronome" "$since"
}
since=$(now)
commands_flags="-c release --static-swift-stdlib --traits FFTW -Xlinker --wrap=mktemp -Xswiftc -use-ld=bfd"
commands_flags="$commands_flags -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs"
commands_flags="$commands_flags -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xllvm -Xswiftc -align-all-functions=1"
commands_flags="$commands_flags -Xlinker -z -Xlinker now -Xlinker -T -Xlinker packaging/commands.ld"
build_commands & background=$!
release="--package-path Benchmarks -c release"
$swift build $release -j "$jobs"
tools=$($swift build $release --show-bin-path)
bench=$tools/bench
# What runs the kernels is built when it is first asked for something.
$swift package --package-path Benchmarks benchmark list --target KernelBenchmarks > "$results/log" 2>&1 || cat "$results/log"
took "built: the measuring tools" "$since"
wait $background
commands=$($swift build $commands_flags --show-bin-path)
built=$(($(date +%s) - begun))

without=$PWD/.build-bench-notraits
failed=
# measure NAME COMMAND...: one part.
measure() {
    name=$1
    since=$(now)
    shift
    "$@" || { failed="$failed $name"; echo "bench: $name failed" >&2; }
    took "$name" "$since"
}
# kept NAME TITLE TEXT COMMAND: what comes on standard input becomes a part.
kept() { "$bench" keep --results "$results" --as "$1" --title "$2" --text "$3" --command "$4"; }

# figures PROGRAM FILE ROWS...: rows of the tracker's table. Its status tells of misses, which the table shows.
figures() {
    program=$1
    file=$2
    shift 2
    only=
    for rows in "$@"; do only="$only --only $rows"; done
    "$program" --tones 200 $only > "$file" || [ $? = 1 ] || return
}
sounds="steady bound bound-long noises plucks lock lowest moving ringing"
figures_without() {
    since=$(now)
    TRAITS=none $swift build $release -j 1 --scratch-path "$without" --product accuracy > "$results/log" 2>&1 ||
        { cat "$results/log" >&2; return 1; }
    took "beside these: built without FFTW" "$since"
    since=$(now)
    figures "$without/release/accuracy" "$results/without" $sounds || return
    took "beside these: its figures" "$since"
}
# Run when nothing else is.
accuracy_table() {
    [ -s "$results/with" ] && [ -s "$results/without" ] || return
    figures "$tools/accuracy" "$results/with-cost" cost || return
    figures "$without/release/accuracy" "$results/without-cost" cost || return
    for side in with without; do
        grep -vhE '^(seed |all met|[0-9]+ missed)' "$results/$side" "$results/$side-cost" |
            sed 's/, uncertain by / +- /' > "$results/$side-all" || return
    done
    awk '{ name = substr($0, 1, 52); must = substr($0, 53, 16); value = substr($0, 69, 16); verdict = substr($0, 85) }
        NR == FNR { with[FNR] = value; ok[FNR] = verdict; names[FNR] = name; next }
        name != names[FNR] { print "bench: not the same row: " name > "/dev/stderr"; exit 1 }
        !head++ { printf "%-52s%-16s%-18s%-7s %-18s%s\n", "", "must be", "with FFTW", "", "own FFT", "" }
        { printf "%-52s%-16s%-18s%-7s %-18s%s\n", name, must, with[FNR], ok[FNR], value, verdict }' \
        "$results/with-all" "$results/without-all" > "$results/both" || return
    sed 's/ *$//' "$results/both" |
        kept fftw "The tracker on generated sound, with FFTW and with the FFT of our own" \
            "Every figure that the tracker is held to on generated sound, 200 tones (4,000 beside the bound), seed 1; the second pair of columns is built with the trait FFTW off. Its lock times are those of 14 notes from B0 to E6, half of them under 150 Hz, and so are longer than those of the 86 notes from B0 to C8 above." \
            "accuracy --tones 200; TRAITS=none"
}
transforms() {
    "$tools/TransformBenchmark" > "$results/transforms" || return
    kept transforms "The FFT of our own beside FFTW" \
        "Medians of one run in microseconds by the wall clock, forward; ratio of the two, and of the way back; how far apart they are. RealFFT has FFTW plan with FFTW_ESTIMATE, so that the same plan rounds the same way in every run; the last columns tell what FFTW_MEASURE, which tries plans first, makes of it, our time over that, and how long it tries." \
        TransformBenchmark < "$results/transforms"
}
kernels() {
    $swift package --package-path Benchmarks --allow-writing-to-package-directory benchmark \
        --target KernelBenchmarks --no-progress > "$results/kernels" || { cat "$results/kernels" >&2; return 1; }
    awk -f Benchmarks/kernel-table.awk "$results/kernels" |
        kept kernels "Wall and processor time of the parts" \
            "Nanoseconds per unit, percentiles of runs of 1,000 units, by ordo-one/benchmark." \
            "make bench PART=kernels"
}
render() {
    "$tools/RenderBenchmark" "$commands" > "$results/render" || return
    kept render "What an hour of clicks costs, beside klick" \
        "Seconds of processor time, user and system; klick -W and metronome write the same map." RenderBenchmark \
        < "$results/render"
}
startup() {
    sh Benchmarks/startup.sh "$commands" > "$results/startup" || [ $? = 1 ] || return
    sh Tests/Rigs/test-card.sh run python3 Benchmarks/startup-terminal.py "$commands" >> "$results/startup" ||
        [ $? = 1 ] || return
    kept startup "Start-up" \
        "From the start of a process to its first byte, ten runs; to the first frame and reading on a test card." \
        "make bench PART=startup" \
        < "$results/startup"
}
live() {
    VA_DIR=$results/server sh Tests/Rigs/virtual-audio.sh run "$bench" live --commands "$commands" --results "$results"
}

# Figures that other work on the machine does not change, on one core; on the other the last build, its figures, and one
# more part.
beside() {
    status=0
    figures_without || status=1
    since=$(now)
    "$bench" lock --results "$results" --python "$python" > "$results/lock" || status=1
    took "beside these: lock" "$since"
    return $status
}
beside & background=$!
measure "real notes" "$bench" real-notes --results "$results" --python "$python"
measure accuracy "$bench" accuracy --results "$results" --python "$python"
measure "tracker's figures" figures "$tools/accuracy" "$results/with" $sounds
measure clicks "$bench" clicks --results "$results" --commands "$commands"
wait $background || { failed="$failed lock-or-without-FFTW"; echo "bench: no lock times or figures without FFTW" >&2; }
cat "$results/lock"

measure fftw accuracy_table
measure costs "$bench" costs --results "$results"
measure transforms transforms
measure render render
measure kernels kernels
measure hops "$bench" hops --results "$results"
measure live live
measure startup startup
all=$(($(date +%s) - begun))
"$bench" report --results "$results" --output Benchmarks \
    --load "load average $load before the first build${LOAD:+: $LOAD}" \
    --took "$all s: $built s of builds, then $((all - built)) s" || failed="$failed report"
pages=Sources/DSP/WellTempered/WellTempered.docc
sh Benchmarks/figures.sh $pages/TheMathematicsOfTheTracker.md $pages/TheTransform.md || failed="$failed figures"
echo "bench: where the time went"
cat "$results/seconds"
echo "bench: $(($(date +%s) - begun)) s in all"
[ -z "$failed" ] || { echo "bench: failed:$failed" >&2; exit 1; }
