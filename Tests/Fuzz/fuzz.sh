#!/bin/sh
# fuzz.sh [SECONDS [TARGET ...]]: libFuzzer with AddressSanitizer on everything that reads text or bytes from outside.
#
# One line for each target: runs, seconds, coverage in edges and in features (libFuzzer's cov and ft), inputs that it keeps, and
# the faults found. An input that fails is kept in
# Tests/Fuzz/corpora/TARGET, where `make check` replays it.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
SWIFT=${SWIFT:-swift} JOBS=${JOBS:-2}
# toml++ calls U+FE16 to U+FEFE unreachable where it asks whether they are blanks, and says no all the same.
# libFuzzer has its own main; those of the commands get another name and are not called.
log=$(mktemp)
WELL_TEMPERED_FUZZ=1 $SWIFT build -c release --product fuzz --sanitize=address -Xswiftc -sanitize=fuzzer \
    -Xswiftc -enable-testing -Xcc -fsanitize=fuzzer-no-link,undefined -Xcc -fno-sanitize=unreachable \
    -Xcc -fsanitize-ignorelist="$PWD/Tests/Fuzz/sanitizer-ignore.txt" \
    -Xswiftc -Xfrontend -Xswiftc -entry-point-function-name -Xswiftc -Xfrontend -Xswiftc main_of_a_command \
    -Xswiftc -use-ld=lld -Xlinker -z -Xlinker muldefs --scratch-path .build-fuzz -j "$JOBS" > "$log" 2>&1 \
    || { cat "$log" >&2; exit 1; }
rm -f "$log"
fuzz=$PWD/.build-fuzz/release/fuzz
work=$PWD/.build-fuzz/work
mkdir -p "$work"
printf '%-18s %12s %8s %7s %9s %8s  %s\n' target runs seconds edges features corpus faults
"$fuzz" --targets 2> /dev/null | while read -r name longest; do
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    mkdir -p "$work/$name" "Tests/Fuzz/corpora/$name"
    log=$work/$name.log
    # LeakSanitizer cannot see what a Swift global holds. 512 MB and 10 seconds bound what one input may take.
    (cd "$work" && ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16:allocator_may_return_null=1 \
        UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 XDG_CONFIG_HOME="$work/none" HOME="$work" "$fuzz" "$name" -max_total_time="$seconds" -max_len="$longest" \
        -timeout=10 -rss_limit_mb=512 -malloc_limit_mb=300 -print_final_stats=1 \
        -artifact_prefix="$OLDPWD/Tests/Fuzz/corpora/$name/" \
        "$name" "$OLDPWD/Tests/Fuzz/corpora/$name" < /dev/null > "$log" 2>&1) && faults=0 || faults=1
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    taken=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$log" | tail -1)
    coverage=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)
    features=$(sed -n 's/.* ft: \([0-9]*\) .*/\1/p' "$log" | tail -1)
    printf '%-18s %12s %8s %7s %9s %8s  %s\n' "$name" "${runs:-?}" "${taken:-?}" "${coverage:-?}" "${features:-?}" \
        "$(find "$work/$name" -type f | wc -l)" "$faults"
    [ "$faults" -eq 0 ] || { grep -m3 -E "ERROR|Fatal error|precondition|SUMMARY" "$log" >&2; touch "$work/failed"; }
done
[ ! -e "$work/failed" ] || { rm "$work/failed"; echo "fuzz: faults are in Tests/Fuzz/corpora" >&2; exit 1; }
