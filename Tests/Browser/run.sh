#!/bin/sh
# The music stand's page in real Chromium, against the real server. MINUTES=30 is the long form; TESTS="test_marks" runs
# some of them. Selenium lives in an environment of the project's own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=$root/.build/browser/bin/python
if ! "$python" -c 'import selenium, websockets, numpy, axe_selenium_python' 2> /dev/null; then
    mkdir -p "$root/.build"
    python3 -m venv "$root/.build/browser"
    "$python" -m pip --quiet --disable-pip-version-check install \
        selenium==4.51.0 websockets==17.4 numpy==2.4.6 axe-selenium-python==2.1.6
fi
export PYTHONDONTWRITEBYTECODE=1
cd "$here"
if [ -z "${TESTS:-}" ]; then
    node --no-warnings --experimental-default-type=module --test --test-reporter=dot modules.test.js
fi
exec "$python" -W ignore::ResourceWarning -m unittest ${TESTS:-test_look test_input test_marks test_beat test_survival test_lock}
