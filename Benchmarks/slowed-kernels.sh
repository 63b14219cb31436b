#!/bin/sh
# slowed-kernels.sh   proves that `make bench-check` can fail: a copy of the repository in .build-slowed, in which the
# transform of our own and the harmonic fit do part of their work twice, has to be caught, and for these alone.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
copy=$here/.build-slowed
mkdir -p "$copy"
cd "$here"
# Only what changed is written, so that only that is built again.
git ls-files -z --cached --others --exclude-standard | rsync --archive --checksum --from0 --files-from=- . "$copy/"
twice() {
    file=$copy/$1
    line=$2
    [ "$(grep -cF "$line" "$file")" = 1 ] || { echo "slowed-kernels: not once in $1: $line" >&2; exit 1; }
    LINE=$line TWICE=$3 perl -pi -e 's/^(\s*)\Q$ENV{LINE}\E/$1$ENV{TWICE}\n$1$ENV{LINE}/' "$file"
}
twice Sources/DSP/Spectral/SplitFFT.swift 'lanes.transform(packed, into: z, by: between)' \
    'lanes.transform(packed, into: z, by: between)'
twice Sources/DSP/Pitch/HarmonicFit.swift 'directions.measureCurvature(of: unknowns, gram)' \
    'directions.measureCurvature(of: unknowns, gram)'
cd "$copy"
status=0
make bench-check > "$copy/.build-log" 2>&1 || status=$?
cat "$copy/.build-log"
[ "$status" != 0 ] || { echo "slowed-kernels: bench-check passes two slowed kernels" >&2; exit 1; }
for kernel in "FFT 1024, own " "FFT 4096, own " "FFT 16384, own " "one step of the harmonic fit "; do
    grep -q "^$kernel.*SLOWER\$" "$copy/.build-log" || { echo "slowed-kernels: not caught: $kernel" >&2; exit 1; }
done
for kernel in "FFT 4096, FFTW " "clicks: 120" "ring: "; do
    grep -q "^$kernel.* ok\$" "$copy/.build-log" || { echo "slowed-kernels: not slowed, but caught: $kernel" >&2; exit 1; }
done
echo "slowed-kernels: bench-check fails on the slowed kernels, and on those alone"
