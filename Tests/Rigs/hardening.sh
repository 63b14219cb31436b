#!/bin/sh
# hardening.sh BIN   what the commands leave to somebody who finds a fault in them: at any address, code that cannot be written,
# no data that can be run, and constants and addresses that are read-only once they are relocated.
set -eu
bin=$1
for name in tuner metronome musicstand; do
    fail() {
        echo "hardening: $name $1" >&2
        exit 1
    }
    told=$(readelf -ldSW "$bin/$name")
    has() { echo "$told" | grep -Eq "$1"; }
    has '^Elf file type is DYN' || fail "is no position-independent program"
    has '^ +GNU_RELRO ' || fail "has no segment GNU_RELRO: see packaging/commands.ld"
    has 'FLAGS.* NOW' || fail "binds functions when they are called, by a table that can be written"
    has '^ +GNU_STACK .* RW ' || fail "has a stack that can be run"
    ! has '^ +LOAD .* RWE ' || fail "has a segment that can be written and run"
    has ' \.rodata +PROGBITS' || fail "has no section .rodata"
    ! has ' \.rodata +PROGBITS .* W' || fail "has constants that can be written: see packaging/commands.ld"
done
echo "hardening: all three have RELRO, and nothing that can be written and run"
