#!/bin/sh
# check-again.sh TIMES BUSY   runs `make check` TIMES times beside BUSY busy loops, and prints a line for each.
#
# A test that fails by luck fails in one of some runs, and on a busy machine first. `load` is the mean number of processes that
# wanted a core in the last 15 minutes. What a run that failed has printed is kept. Fails where one has failed.
set -eu
times=$1 busy=$2
cd "$(dirname "$0")/../.."
for number in "$times" "$busy"; do
    case $number in "" | *[!0-9]*)
        echo "check-again: TIMES and BUSY are whole numbers, not \"$number\": make check-again TIMES=10 BUSY=2" >&2
        exit 2
        ;;
    esac
done
loops=
stop() {
    # shellcheck disable=SC2086
    [ -z "$loops" ] || kill $loops 2> /dev/null || :
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for _ in $(seq "$busy"); do
    (while :; do :; done) &
    loops="$loops $!"
done
mkdir -p .build
failed=0
printf '%4s  %-12s  %6s  %7s  %6s\n' run began result minutes load
for run in $(seq "$times"); do
    log=.build/check-$run.log began=$(date +%s) day=$(date '+%d %b %H:%M') result=green
    "${MAKE:-make}" --no-print-directory check > "$log" 2>&1 || result=red failed=$((failed + 1))
    minutes=$((($(date +%s) - began + 30) / 60))
    printf '%4d  %-12s  %6s  %7d  %6s\n' "$run" "$day" "$result" "$minutes" "$(cut -d ' ' -f 3 /proc/loadavg)"
    if [ $result = green ]; then
        rm "$log"
    else
        grep -E '✘|failed|FAIL|error: |Error ' "$log" | head -8 | sed 's/^/      /'
        echo "      $log"
    fi
done
echo "$((times - failed)) of $times runs of make check green beside $busy busy loops"
[ $failed -eq 0 ]
