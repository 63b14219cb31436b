#!/bin/sh
# slowed-kernels.sh   proves that `make bench-check` can fail: a copy of the repository in .build-slowed, in which the
# transform of our own and the harmonic fit do part of their work twice, the clicks are not rendered and the ring is not
# among the kernels, has to be caught, and for these alone.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
copy=$here/.build-slowed
mkdir -p "$copy"
cd "$here"
# Only what changed is written, so that only that is built again.
git ls-files -z --cached --others --exclude-standard | rsync --archive --checksum --from0 --files-from=- . "$copy/"
# instead FILE TEXT NEW: what stands there once.
instead() {
    [ "$(grep -cF "$2" "$copy/$1")" = 1 ] || { echo "slowed-kernels: not once in $1: $2" >&2; exit 1; }
    OLD=$2 NEW=$3 perl -pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$copy/$1"
}
twice() { instead "$1" "$2" "$2; $2"; }
twice Sources/DSP/Spectral/SplitFFT.swift 'lanes.transform(packed, into: z, by: between)'
twice Sources/DSP/Pitch/HarmonicFit.swift 'directions.measureCurvature(of: unknowns, gram)'
instead Benchmarks/Sources/Kernels/ClickKernels.swift 'engine.value.render(into: &span)' '_ = span.count'
instead Benchmarks/Sources/Kernels/Kernel.swift ' + clicks + rings ' ' + clicks '
cd "$copy"
status=0
make bench-check-all > "$copy/.build-log" 2>&1 || status=$?
cat "$copy/.build-log"
[ "$status" != 0 ] || { echo "slowed-kernels: bench-check passes slowed, hollow and missing kernels" >&2; exit 1; }
# is VERDICT KERNEL...: what the first line of each has to end with.
is() {
    verdict=$1
    shift
    for kernel in "$@"; do
        grep -m 1 "^$kernel " "$copy/.build-log" | grep -q " $verdict\$" ||
            { echo "slowed-kernels: not $verdict: $kernel" >&2; exit 1; }
    done
}
is SLOWER "FFT 1024, own" "FFT 4096, own" "FFT 16384, own" "one step of the harmonic fit"
is VANISHED "clicks: 120 per minute" "clicks: sixteenths at 300 per minute"
is "NO KERNEL" "ring: 256 samples in and out"
is ok "FFT 4096, FFTW" "normalised difference, 4096 samples" "tracker: silence, waiting for an onset"
# The fit is in the trackers of notes.
! sed '1,/^kernel  /d; /^[0-9]* beyond/,$d' "$copy/.build-log" | grep -v ' ok$' |
    grep -vE '^(FFT [0-9]+, own|one step of the harmonic fit|tracker: a .*SLOWER|clicks:|ring:)' ||
    { echo "slowed-kernels: caught without a reason" >&2; exit 1; }
echo "slowed-kernels: bench-check fails on the slowed, the hollow and the missing kernels, and on those alone"
