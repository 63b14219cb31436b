#!/bin/sh
# Checks the C library as an importer uses it: installs it into a temporary prefix, finds it through pkg-config, and uses it
# from C and Python. The C programs run under valgrind and AddressSanitizer without a finding.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quiet() { "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }
for tool in valgrind gcc python3 pkg-config sox; do
    command -v $tool > /dev/null || { echo "c-library: $tool is missing: apt-get install $tool" >&2; exit 1; }
done
quiet make -C "$here" install-c PREFIX="$work/usr" DESTDIR=
library=$work/usr/lib/libwelltempered.so.0
export PKG_CONFIG_PATH="$work/usr/lib/pkgconfig" LD_LIBRARY_PATH="$work/usr/lib"
flags=$(pkg-config --cflags --libs welltempered)

# The header equals what the compiler makes of the Swift functions, and the check fails when they differ.
header=$here/Sources/C/CWellTempered/include/well_tempered.h
quiet sh -c 'sh "$1" "$2" > "$3"' - "$here/packaging/c-header.sh" "$here/.build-c/release" "$work/fresh.h"
diff "$header" "$work/fresh.h" > "$work/log" || {
    echo "c-library: the header (<) is not what its functions are (>); make c-header" >&2; cat "$work/log" >&2; exit 1; }
mkdir "$work/changed"
cp "$here"/Sources/DSP/EmbeddingC/*.swift "$work/changed"
sed -i 's/public func wt_tuner_hop(_ tuner: wt_tuner_handle?) -> Int32/public func wt_tuner_hop(_ tuner: wt_tuner_handle?) -> Int64/
    s/return Int32(\(.*\.hop)\)$/return Int64(\1/' "$work/changed/Tuner.swift"
quiet sh -c 'sh "$1" "$2" "$4" > "$3"' - "$here/packaging/c-header.sh" "$here/.build-c/release" "$work/changed.h" "$work/changed"
diff "$header" "$work/changed.h" > "$work/log" && { echo "c-library: a changed function was not seen" >&2; exit 1; }
grep -q '^> int64_t wt_tuner_hop' "$work/log" || { cat "$work/log" >&2; exit 1; }
echo "c-library: the header is what the compiler makes of the functions, and a change of one of them is seen"

# Header and library have the same functions, and the library exports nothing else.
grep -oE '\bwt_[a-z0-9_]+\(' "$header" | tr -d '(' | sort -u > "$work/declared"
nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | sort -u > "$work/exported"
diff "$work/declared" "$work/exported" > "$work/log" || {
    echo "c-library: header (<) and library (>) differ:" >&2; cat "$work/log" >&2; exit 1; }
needed=$(objdump -p "$library" | awk '/NEEDED/ { print $2 }' | tr '\n' ' ')
case $needed in *swift* | *fftw* | *asound*) echo "c-library: it needs $needed" >&2; exit 1 ;; esac
echo "c-library: $(wc -l < "$work/exported") functions, declared and exported alike; needs $needed"

# The headers by themselves are valid C99 and C++.
for language in "c -std=c99" "c++ -std=c++11"; do
    gcc -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$header"
done

memcheck() { valgrind --quiet --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect --error-exitcode=99 "$@"; }
gcc -std=gnu11 -O1 -g -Wall -Wextra -Werror "$here/Tests/Rigs/embedding/functions.c" -o "$work/functions" $flags -lm
memcheck "$work/functions" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
[ ! -s "$work/log" ] || { cat "$work/log" >&2; exit 1; }
if memcheck "$work/functions" fault > "$work/log" 2>&1; then
    echo "c-library: valgrind did not see a handle that was destroyed twice" >&2; exit 1
fi
echo "c-library: valgrind: 0 findings, and it sees a fault made on purpose"
gcc -std=gnu11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
    "$here/Tests/Rigs/embedding/functions.c" -o "$work/functions-asan" $flags -lm
"$work/functions-asan" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
[ ! -s "$work/log" ] || { cat "$work/log" >&2; exit 1; }
if "$work/functions-asan" fault > "$work/log" 2>&1; then
    echo "c-library: AddressSanitizer did not see a handle that was destroyed twice" >&2; exit 1
fi
echo "c-library: AddressSanitizer: 0 findings, and it sees a fault made on purpose"

gcc -O2 -Wall -Wextra -Werror "$here/samples/embedding/tune.c" -o "$work/tune" $flags
sox "$here/samples/guitar-a4.flac" -t f32 -c 1 -r 48000 - > "$work/guitar.f32"
memcheck "$work/tune" 48000 < "$work/guitar.f32" > "$work/out"
grep -qE '^A4 [+-][0-4]\.[0-9] cents' "$work/out" || { echo "c-library: tune.c said:" >&2; cat "$work/out" >&2; exit 1; }
echo "c-library: tune.c: $(head -n 1 "$work/out")"
status=0
"$work/tune" 1 < /dev/null 2> "$work/out" || status=$?
[ $status = 2 ] || { echo "c-library: tune.c ended with $status at a wrong rate" >&2; exit 1; }

python3 "$here/samples/embedding/click.py" 97.3 3+2+2 "$work/click.wav" "$library" > "$work/out"
# Bar 4, beat 7 is beat 27: 27 · 600 · 48,000 / 973 = 799,177.8.
grep -qx 'frame 799178: bar 4 beat 7 of 7, level 1' "$work/out" || {
    echo "c-library: click.py said:" >&2; cat "$work/out" >&2; exit 1; }
loudest=$(sox "$work/click.wav" -n stat 2>&1 | awk '/Maximum amplitude/ { print $3 }')
awk -v loudest="$loudest" 'BEGIN { exit !(loudest > 0.3) }' || { echo "c-library: click.wav is silent" >&2; exit 1; }
echo "c-library: click.py: $(wc -l < "$work/out") beats, the last at $(tail -n 1 "$work/out"); peak $loudest"

quiet make -C "$here" uninstall PREFIX="$work/usr" DESTDIR=
left=$(find "$work/usr" ! -type d)
[ -z "$left" ] || { echo "c-library: uninstall-c left $left" >&2; exit 1; }
