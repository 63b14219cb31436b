#!/bin/sh
# Checks the page's JavaScript: that it parses, that its names and types agree (TypeScript's checker, of Debian's
# node-typescript, reads plain JavaScript), and the style that lint.py knows. `make lint` runs this.
set -eu
cd "$(dirname "$0")/../../Sources/IO/Stand/Page"
for file in *.js; do
    node --check --experimental-default-type=module "$file"
done
tsc --allowJs --checkJs --noEmit --target es2022 --module es2022 --lib es2022,dom,dom.iterable \
    --noUnusedLocals --noUnusedParameters --noImplicitReturns --noFallthroughCasesInSwitch ./*.js
python3 ../../../../Tests/Browser/lint.py ./*.js index.html stand.css
