#!/bin/sh
# run-tests.sh BIN NAME ARGUMENTS...   runs the tests of the package built in the folder BIN, those that the arguments
# select (--filter and --skip take patterns), and prints what failed, what was skipped, and a line with the counts.
#
# It runs the test program directly: `swift test` reads its output in blocks and loses each block that ends inside a
# character, which can include the last line. The result is the report that the program writes to a file after all tests:
# without a report, with no test in it, or with a failure, this script fails, whatever the exit status.
#
# The whole output stays in BIN/NAME.log, the report in BIN/NAME.xml.
set -eu
bin=$1 name=$2
shift 2
program=$(find "$bin/" -maxdepth 1 -name '*PackageTests.xctest')
log=$bin/$name.log report=$bin/$name.xml
rm -f "$log" "$report"
# The test card is compiled once, not for each test.
TEST_CARD_CACHE=$(cd "$bin" && pwd)/test-card
export TEST_CARD_CACHE
status=0
"$program" --testing-library swift-testing --xunit-output "$report" "$@" > "$log" 2>&1 || status=$?
fail() {
    echo "$name: $*; the whole output: $log" >&2
    exit 1
}
grep -E '^(✘|↳)' "$log" | grep -vE '^↳ (Testing Library|Target)' >&2 || :
[ -s "$report" ] || { tail -n 20 "$log" >&2; fail "the tests ended with status $status and without a report"; }
count() { sed -n "s/.*<testsuite .*[ ]$1=\"\([0-9]*\)\".*/\1/p" "$report" | head -n 1; }
tests=$(count tests) failures=$(count failures) errors=$(count errors) skipped=$(count skipped)
[ "${tests:-0}" -gt 0 ] || fail "no test in the report (status $status)"
[ "$status" = 0 ] && [ "$failures" = 0 ] && [ "${errors:-0}" = 0 ] || fail "$failures of $tests tests failed (status $status)"
sed -n "s/^➜ Test \(.*\) skipped.*/$name: skipped: \1/p" "$log"
seconds=$(sed -n 's/.*<testsuite .* time="\([0-9]*\.[0-9]\).*/\1/p' "$report" | head -n 1)
echo "$name: $((tests - ${skipped:-0})) tests passed in $seconds s"
