#!/bin/sh
# figures.sh PAGE...   puts what RESULTS.md has measured into the tables of these pages of the documentation; with --check
# it only tells which of them are stale, and ends with 1. A row is found by its first column: the name that the table of
# the tracker's figures has for it, or the size of a transform.
set -eu
results=${RESULTS:-$(cd "$(dirname "$0")" && pwd)/RESULTS.md}
check=
[ "$1" != --check ] || { check=yes; shift; }
work=$(mktemp)
trap 'rm -f "$work"' EXIT
stale=
for page in "$@"; do
    # The columns of the tracker's figures lie as run.sh prints them.
    LC_ALL=C awk '
        function trimmed(text) { gsub(/^ +| +$/, "", text); return text }
        NR == FNR && /^```/ { inside = !inside }
        NR == FNR && inside && $1 ~ /^[0-9]+$/ && NF >= 6 {
            row[$1] = sprintf("%.3g µs | %.3g µs | %.2f | %.2f | %.1e", $2, $3, $4, $5, $6) }
        NR == FNR && inside && length($0) > 95 {
            row[trimmed(substr($0, 1, 52))] = trimmed(substr($0, 69, 18)) " | " trimmed(substr(substr($0, 95), 1, 18)) }
        NR == FNR { next }
        !/^\|/ { table = 0 }
        /^\|/ && ++table > 2 {
            split($0, cell, "|")
            key = name = trimmed(cell[2])
            if (key ~ /^[0-9,]+$/) gsub(/,/, "", key)
            if (!(key in row)) { print "figures: RESULTS.md has no row \"" key "\"" > "/dev/stderr"; exit 1 }
            print "| " name " | " row[key] " |"
            next
        }
        { print }' "$results" "$page" > "$work"
    cmp -s "$work" "$page" && continue
    if [ "$check" ]; then stale="$stale $page"; diff "$page" "$work" || true; else cat "$work" > "$page"; fi
done
[ -z "$stale" ] || { echo "figures: not what RESULTS.md says:$stale; sh Benchmarks/figures.sh$stale" >&2; exit 1; }
