#!/bin/sh
# The music stand's page in real Chromium, against the real server. MINUTES=30 is the long form; TESTS="test_marks" runs
# some of them. SUDO is the word to put before apt-get. Selenium lives in an environment of the project's own.
#
# Where Chromium or Selenium cannot be had, for want of a network or of Debian's packages, the tests are skipped, and the last
# line says so and why; with REQUIRED=1 that is a failure.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=$root/.build/browser/bin/python
mkdir -p "$root/.build"
log=$root/.build/browser.log

skip() {
    tail -n 3 "$log" >&2
    echo "test-browser: SKIPPED, the page was not tested: $1" >&2
    exit "${REQUIRED:-0}"
}
sh "$root/Tests/Rigs/install-missing.sh" "${SUDO:-}" chromium chromium-driver nodejs node-typescript python3-venv \
    > "$log" 2>&1 || skip "apt-get cannot install Chromium"
for program in chromium chromedriver node; do
    command -v $program > /dev/null || skip "$program is not installed"
done
if ! "$python" -c 'import selenium, websockets, numpy, axe_selenium_python' 2> /dev/null; then
    # A run that was cut off leaves a half one.
    rm -rf "$root/.build/browser"
    { python3 -m venv "$root/.build/browser" && "$python" -m pip --quiet --disable-pip-version-check install \
        selenium==4.51.0 websockets==17.4 numpy==2.4.6 axe-selenium-python==2.1.6; } > "$log" 2>&1 ||
        skip "pip cannot fetch Selenium from PyPI"
fi
# Chromium leaves folders behind.
TMPDIR=$(mktemp -d)
export TMPDIR PYTHONDONTWRITEBYTECODE=1
lock=
finish() {
    [ -z "$lock" ] || kill "$lock" 2> /dev/null || :
    rm -rf "$TMPDIR"
}
trap finish EXIT
cd "$here"
run() { "$python" -W ignore::ResourceWarning -m unittest "$@"; }
if [ -n "${TESTS:-}" ]; then
    # shellcheck disable=SC2086
    run $TESTS
    exit
fi
node --no-warnings --experimental-default-type=module --test --test-reporter=dot modules.test.js parts.test.js
# What takes minutes of mere waiting goes on beside the others.
run test_lock.LockTests > "$log" 2>&1 & lock=$!
networks=
[ "${MINUTES:-3}" -le 3 ] || networks=test_lock.NetworkTests
status=0
# shellcheck disable=SC2086
run test_look test_input test_marks test_beat test_survival test_corrections $networks || status=1
wait $lock || status=1
lock=
cat "$log"
exit $status
