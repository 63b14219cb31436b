#!/bin/sh
# fuzz.sh [SECONDS [TARGET ...]]: libFuzzer with AddressSanitizer on everything that reads text or bytes from outside.
#
# One line for each target: runs, seconds, coverage in edges and in features (libFuzzer's cov and ft), inputs that it keeps, and
# the faults found. An input that fails is kept in Tests/Fuzz/corpora/TARGET, where `make check` replays it.
#
# In the environment:
#   RUNS=10000000   runs of each target in all: those of earlier calls count, also of one that was killed, until `make clean`.
#                   SECONDS is then the most for each target in this call; 0: no limit.
#   PLAIN=1         without sanitizers, which make a run up to sixteen times as long. Swift's own checks of bounds and overflow
#                   stay in.
#   LONGEST=256     inputs of at most so many bytes: short ones are read faster, and nearly every fault fits into a short one.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
SWIFT=${SWIFT:-swift} JOBS=${JOBS:-2} RUNS=${RUNS:-} PLAIN=${PLAIN:-} LONGEST=${LONGEST:-}
for number in "$seconds" "${RUNS:-0}" "${LONGEST:-1}"; do
    case $number in "" | *[!0-9]*)
        echo "fuzz: SECONDS, RUNS and LONGEST are whole numbers, not \"$number\": make fuzz SECONDS=60" >&2
        exit 2
        ;;
    esac
done
log=$(mktemp)
if [ -n "$PLAIN" ]; then
    build=.build-fuzz-plain sanitizers="-Xcc -fsanitize=fuzzer-no-link -Xcc -DPLAIN"
    for comparison in cmp1 cmp8 const_cmp1 const_cmp8; do
        sanitizers="$sanitizers -Xlinker --wrap=__sanitizer_cov_trace_$comparison"
    done
    # swift-argument-parser makes the definitions of a command's options anew seven times for each command line, by reflection:
    # three quarters of a run. A definition depends on the types alone, so this build keeps those that were made; the build with
    # sanitizers, and the commands, have the library as it is.
    parser=$build/checkouts/swift-argument-parser patch=$PWD/Tests/Fuzz/argument-parser.patch
    WELL_TEMPERED_FUZZ=1 $SWIFT package resolve --scratch-path "$build" > "$log" 2>&1 || { cat "$log" >&2; exit 1; }
    git -C "$parser" apply --reverse --check "$patch" 2> /dev/null || git -C "$parser" apply "$patch"
else
    build=.build-fuzz
    # toml++ calls U+FE16 to U+FEFE unreachable where it asks whether they are blanks, and says no all the same.
    sanitizers="--sanitize=address -Xcc -fsanitize=fuzzer-no-link,undefined -Xcc -fno-sanitize=unreachable \
        -Xcc -fsanitize-ignorelist=$PWD/Tests/Fuzz/sanitizer-ignore.txt"
fi
# libFuzzer has its own main; those of the commands get another name and are not called.
# shellcheck disable=SC2086
WELL_TEMPERED_FUZZ=1 $SWIFT build -c release --product fuzz $sanitizers -Xswiftc -sanitize=fuzzer \
    -Xswiftc -enable-testing \
    -Xswiftc -Xfrontend -Xswiftc -entry-point-function-name -Xswiftc -Xfrontend -Xswiftc main_of_a_command \
    -Xswiftc -use-ld=lld -Xlinker -z -Xlinker muldefs --scratch-path "$build" -j "$JOBS" > "$log" 2>&1 \
    || { cat "$log" >&2; exit 1; }
rm -f "$log"
fuzz=$PWD/$build/release/fuzz
work=$PWD/$build/work
mkdir -p "$work"
# The folders of inputs that ended the process lie in it.
FUZZ_FOLDER=$(mktemp -d /dev/shm/well-tempered-fuzz-XXXXXX)
export FUZZ_FOLDER
trap 'rm -rf "$FUZZ_FOLDER"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# total TARGET: the runs and the seconds of all its processes. One that was killed has told its runs now and then.
total() {
    cat "$work/$1".*.log 2> /dev/null | awk '
        function add() { runs += told; told = 0 }
        /^INFO: Seed/ { add() }
        /^#[0-9]/ { told = substr($1, 2) }
        /^stat::number_of_executed_units/ { told = $2 }
        /^seconds:/ { seconds += $2 }
        END { add(); printf "%d %d", runs, seconds }'
}

printf '%-18s %12s %8s %7s %9s %8s  %s\n' target runs seconds edges features corpus faults
"$fuzz" --targets 2> /dev/null | while read -r name longest; do
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    mkdir -p "$work/$name" "Tests/Fuzz/corpora/$name"
    [ -z "$LONGEST" ] || [ "$LONGEST" -ge "$longest" ] || longest=$LONGEST
    faults=0
    if [ -z "$RUNS" ]; then rm -f "$work/$name".*.log; fi
    before=$(total "$name")
    left=$((${RUNS:-0} - ${before% *}))
    count=$(find "$work" -name "$name.*.log" | wc -l)
    if [ -z "$RUNS" ] || [ "$left" -gt 0 ]; then
        count=$((count + 1)) began=$(date +%s)
        log=$work/$name.$count.log
        # TOMLKit 0.6 never frees a table: 270 bytes for each file of settings, of which a command reads one. A process reads
        # 700,000 of them, 190 MB, which fit beside the inputs that earlier ones have kept; the next call goes on.
        if [ "$name" = settings ] && [ "$left" -gt 700000 ]; then left=700000; fi
        # LeakSanitizer cannot see what a Swift global holds. 512 MB and 60 seconds by the clock bound what one input may take: a
        # process niced by 19 has waited for 11 of them. Swift's own backtrace would end it before libFuzzer has kept the input.
        # The same seed again would be the same runs.
        (cd "$work" && SWIFT_BACKTRACE=enable=no \
            ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16:allocator_may_return_null=1 \
            UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 XDG_CONFIG_HOME="$work/none" HOME="$work" \
            "$fuzz" "$name" -max_total_time="$seconds" ${RUNS:+-runs=$left -seed=$count} -max_len="$longest" \
            -timeout=60 -rss_limit_mb=512 -malloc_limit_mb=300 -print_final_stats=1 -print_funcs=0 \
            -artifact_prefix="$OLDPWD/Tests/Fuzz/corpora/$name/" \
            "$name" "$OLDPWD/Tests/Fuzz/corpora/$name" < /dev/null > "$log" 2>&1) || faults=1
        echo "seconds: $(($(date +%s) - began))" >> "$log"
    fi
    log=$work/$name.$count.log
    coverage=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)
    features=$(sed -n 's/.* ft: \([0-9]*\) .*/\1/p' "$log" | tail -1)
    # shellcheck disable=SC2046
    printf '%-18s %12s %8s %7s %9s %8s  %s\n' "$name" $(total "$name") "${coverage:-?}" "${features:-?}" \
        "$(find "$work/$name" -type f | wc -l)" "$faults"
    [ "$faults" -eq 0 ] || { grep -m3 -E "ERROR|Fatal error|precondition|SUMMARY" "$log" >&2; touch "$work/failed"; }
done
[ ! -e "$work/failed" ] || { rm "$work/failed"; echo "fuzz: faults are in Tests/Fuzz/corpora" >&2; exit 1; }
