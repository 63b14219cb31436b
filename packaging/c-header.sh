#!/bin/sh
# c-header.sh BUILT [SOURCES]   prints well_tempered.h: what the Swift compiler says of the `@c` functions in SOURCES
# (Sources/DSP/EmbeddingC), their comments included. BUILT is where SwiftPM has built them: `swift build --show-bin-path`.
#
# The compiler writes the header for Clang and Swift: 300 lines of macros, then the declarations. Taken are the
# declarations, in C that every compiler reads: without macros and nullability (a null pointer is allowed everywhere), and
# with the comments as they were written (the compiler makes HTML of what they mark). A name that it did not know how to
# write in C would be left out there, and the library would have a function that the header has not: c-library.sh compares.
set -eu
built=$1
here=$(cd "$(dirname "$0")/.." && pwd)
sources=${2:-$here/Sources/DSP/EmbeddingC}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
maps=
for map in "$here"/Sources/C/*/module.modulemap "$built"/*.build/module.modulemap; do
    maps="$maps -Xcc -fmodule-map-file=$map"
done
# $maps in words: a folder whose name holds a space cannot be built in.
swiftc -typecheck -parse-as-library -swift-version 6 -module-name EmbeddingC "$sources"/*.swift $maps \
    -I "$built/Modules" -I "$here/Sources/C/CWellTempered/include" \
    -enable-upcoming-feature InternalImportsByDefault -emit-clang-header-path "$work/emitted.h"
sed -n '/^extern "C" {$/,/^} \/\/ extern "C"$/p' "$work/emitted.h" | sed '1,3d' | sed '/^#if/,$d' > "$work/declarations"
sed -i -E '
    /^\/\/\//!s/\b(SWIFT_EXTERN|_Nullable|_Nonnull|SWIFT_NOEXCEPT|SWIFT_WARN_UNUSED_RESULT)\b ?//g
    /^\/\/\//!{ s/ +;/;/; s/\* /*/g; }
    s/<\/?code>/`/g; s/[“”]/"/g; s/’/'"'"'/g; s/^\/\/\//\/\//' "$work/declarations"
# What none of this knows must not come to C unseen.
if grep -nE 'SWIFT_|_Null|</?[a-z]+>|&[a-z]+;' "$work/declarations" >&2; then
    echo "c-header: the compiler wrote what this script does not understand" >&2; exit 1
fi
grep -q '^[a-z].*\bwt_[a-z_]*(.*);$' "$work/declarations" || { echo "c-header: the compiler declared nothing" >&2; exit 1; }
cat << 'TOP'
#ifndef WELL_TEMPERED_H
#define WELL_TEMPERED_H

// WellTempered for C and whatever calls C: a tuner's ear and a metronome, as shared library `welltempered`.
//
//     cc app.c $(pkg-config --cflags --libs welltempered)
//
// Made by `make c-header` from the functions in Sources/DSP/EmbeddingC: change those.
//
// Threads: one handle belongs to one thread at a time; different handles have nothing to do with each other.
// Real time: functions marked REAL TIME neither allocate, lock, wait nor call the system, and the Swift compiler has
// checked that; call them from an audio callback. `create` and `destroy` allocate and free: call them elsewhere.
// A null handle is allowed everywhere and does nothing.

#include "well_tempered_types.h"

#ifdef __cplusplus
extern "C" {
#endif

TOP
cat "$work/declarations"
cat << 'END'
#ifdef __cplusplus
}
#endif
#endif
END
