#!/bin/sh
# A sound card inside the process, for tests (see pcm_testcard.c).
#
#   test-card.sh build DIR             compile the plug-in into DIR and write DIR/asound.conf
#   test-card.sh run COMMAND...        run COMMAND where the devices below exist; DIR is $TEST_CARD_DIR or temporary
#   test-card.sh simulate COMMAND...   the same in simulated time, for devices with `virtual 1` (see test_clock.c)
#
# Devices: default (hears DIR/in.raw, plays into DIR/out.raw), fast (x50), drift, noserver, busy, forbidden, rate441,
# mono, xrun, suspended, broken, unplugged, stalled. More: append `pcm.NAME { type testcard ... }` to DIR/asound.conf.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

# compile SOURCE LIBRARY FLAGS...   into $dir; taken from $TEST_CARD_CACHE, where that is set and nothing has changed
compile() {
    source=$here/$1 library=$2
    shift 2
    cached=${TEST_CARD_CACHE:-$dir}/$library
    if [ -z "${TEST_CARD_CACHE:-}" ] || [ ! -f "$cached" ] || [ "$source" -nt "$cached" ]; then
        mkdir -p "${cached%/*}"
        # Under another name first, since another process may be loading it.
        gcc -O2 -Wall -Wextra -fPIC -shared -o "$cached.$$" "$source" "$@"
        mv "$cached.$$" "$cached"
    fi
    [ "$cached" = "$dir/$library" ] || ln -sf "$cached" "$dir/$library"
}
build() {
    dir=$1
    command -v gcc > /dev/null || { echo "test-card: no C compiler: apt-get install gcc" >&2; exit 1; }
    [ -f /usr/include/alsa/pcm_external.h ] || {
        echo "test-card: no ALSA headers: apt-get install libasound2-dev" >&2; exit 1; }
    [ -f /usr/share/alsa/alsa.conf ] || { echo "test-card: no ALSA: apt-get install libasound2-data" >&2; exit 1; }
    mkdir -p "$dir"
    compile pcm_testcard.c libasound_module_pcm_testcard.so -DPIC -lasound -ldl -lm
    compile test_clock.c test_clock.so
    # Without the hooks at the top of ALSA's own file: what they load (a desktop's sound server) would replace "default".
    awk '/^@hooks \[/ { skip = 1 } !skip { print } /^\]/ { skip = 0 }' /usr/share/alsa/alsa.conf > "$dir/alsa.conf"
    sed "s|@DIR@|$dir|g" "$here/test-card.conf" > "$dir/asound.conf"
}
case "${1:-}" in
    build) build "$2" ;;
    run | simulate)
        mode=$1
        shift
        mine=
        [ -n "${TEST_CARD_DIR:-}" ] || { TEST_CARD_DIR=$(mktemp -d); mine=$TEST_CARD_DIR; }
        export TEST_CARD_DIR
        [ -f "$TEST_CARD_DIR/asound.conf" ] || build "$TEST_CARD_DIR"
        rc=0
        if [ "$mode" = simulate ]; then
            LD_PRELOAD="$TEST_CARD_DIR/test_clock.so" ALSA_CONFIG_PATH="$TEST_CARD_DIR/asound.conf" "$@" || rc=$?
        else
            ALSA_CONFIG_PATH="$TEST_CARD_DIR/asound.conf" "$@" || rc=$?
        fi
        [ -z "$mine" ] || rm -rf "$mine"
        exit $rc ;;
    *) echo "usage: $0 build DIR | run COMMAND... | simulate COMMAND..." >&2; exit 2 ;;
esac
