#!/bin/sh
# sanitize.sh KIND BIN [PATTERN]   runs the tests of both commands on commands that were built with a sanitizer.
#
#   KIND      address (with undefined behaviour in the C and C++ targets) or thread
#   BIN       the folder with the sanitizers' commands
#   PATTERN   the tests to run; by default all that run commands and need no sound server. Not those that limit memory and
#             threads: a sanitizer takes more than that for itself.
#
# The tests are those of .build-test/release. A sanitizer writes each fault to a file: one of them, or one test that fails,
# and this script fails.
set -eu
kind=$1 bin=$(cd "$2" && pwd)
pattern=${3:-TunerCommandTests|MetronomeCommandTests}
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
# LeakSanitizer cannot see what a Swift global holds. The test card's clock is preloaded before the sanitizer.
options="log_path=$reports/report:print_stacktrace=1:halt_on_error=1"
export ASAN_OPTIONS="$options:detect_leaks=0:allocator_may_return_null=1:verify_asan_link_order=0"
export UBSAN_OPTIONS="$options"
export TSAN_OPTIONS="$options"
export WELL_TEMPERED_BIN="$bin"
status=0
sh Tests/Rigs/run-tests.sh .build-test/release "$kind" --filter "$pattern" --skip ResourceTests \
    || status=1
found=$(find "$reports" -type f | wc -l)
find "$reports" -type f | head -n 5 | while read -r file; do head -n 40 "$file" >&2; done
echo "$kind: $found faults reported by the sanitizer"
[ "$found" -eq 0 ] && exit $status
exit 1
