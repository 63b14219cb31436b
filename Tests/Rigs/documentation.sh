#!/bin/sh
# Builds the documentation without a warning and counts what is documented.
#
# Usage: documentation.sh [FOLDER] [SCRATCH]    FOLDER/WellTempered.doccarchive is the result; SCRATCH is where SwiftPM
# builds, by default .build, which the tests have filled already
#
# The compiler writes the symbol graph, docc reads it: no plugin, so importers have no dependency to fetch for it.
# WellTempered re-exports its parts; the graph follows them, so that there is one module with everything in it.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
work=${1:-$here/.build-docs}
mkdir -p "$work"
work=$(cd "$work" && pwd)
scratch=${2:-$here/.build}
swift=${SWIFT:-swift}
cd "$here"
quiet() { "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }
# Its figures are those of Benchmarks/RESULTS.md, and the check fails for others.
pages="Sources/DSP/WellTempered/WellTempered.docc/TheMathematicsOfTheTracker.md
    Sources/DSP/WellTempered/WellTempered.docc/TheTransform.md"
sh Benchmarks/figures.sh --check $pages
sed 's/^\(lock within 5 c: median .* \)\([0-9.]* ms\)/\19\2/' Benchmarks/RESULTS.md > "$work/other.md"
! RESULTS="$work/other.md" sh Benchmarks/figures.sh --check $pages > "$work/log" 2>&1 || {
    echo "documentation: stale figures were not seen" >&2; exit 1; }
grep -q '^< | lock within 5 c: median' "$work/log" || { cat "$work/log" >&2; exit 1; }
echo "documentation: its figures are those of Benchmarks/RESULTS.md"
for target in WellTempered ALSABackend PracticeLog ScorePages; do
    quiet $swift build --scratch-path "$scratch" --target $target -j "${JOBS:-2}"
done
bin=$($swift build --scratch-path "$scratch" --show-bin-path)
sh Tests/Rigs/doc-examples.sh "$bin"
triple=$(swiftc -print-target-info | sed -n 's/.*"triple" *: *"\([^"]*\)".*/\1/p' | head -n 1)
parts=$(sed -n 's/^@_exported public import //p' Sources/DSP/WellTempered/WellTempered.swift | paste -s -d , -)
maps=
for map in Sources/C/*/module.modulemap "$bin"/*.build/module.modulemap; do maps="$maps -Xcc -fmodule-map-file=$map"; done
graph() {
    # $maps in words; none of the paths below Sources holds a space, and $bin is ours.
    quiet $swift symbolgraph-extract -module-name "$1" -target "$triple" -I "$bin/Modules" $maps \
        -output-dir "$work/$2" -minimum-access-level public -skip-inherited-docs -skip-synthesized-members \
        -experimental-allowed-reexported-modules="$parts"
}
rm -rf "$work/graph" "$work/other" "$work/WellTempered.doccarchive"
mkdir -p "$work/graph" "$work/other"
graph WellTempered graph
graph AudioIO other
graph ALSABackend other
quiet docc convert Sources/DSP/WellTempered/WellTempered.docc --additional-symbol-graph-dir "$work/graph" \
    --output-path "$work/WellTempered.doccarchive" --fallback-display-name WellTempered \
    --fallback-bundle-identifier org.welltempered.WellTempered --warnings-as-errors
if grep -i warning "$work/log" >&2; then exit 1; fi
pages=$(find "$work/WellTempered.doccarchive/data/documentation" -name '*.json' | wc -l)
echo "documentation: $pages pages, 0 warnings: $work/WellTempered.doccarchive"
python3 - "$work"/graph/*.symbols.json "$work"/other/*.symbols.json << 'PYTHON'
import json, sys

# Synthesized members, such as initializers of raw values, have no place in a source file.
counts, bare = {}, []
for path in sys.argv[1:]:
    graph = json.load(open(path))
    for symbol in graph["symbols"]:
        if "location" not in symbol:
            continue
        module = graph["module"]["name"]
        all, documented = counts.get(module, (0, 0))
        has = any(line["text"].strip() for line in symbol.get("docComment", {}).get("lines", []))
        counts[module] = (all + 1, documented + has)
        if not has:
            place = symbol["location"]["uri"].split("/Sources/")[-1]
            bare.append(f'{place}:{symbol["location"]["position"]["line"] + 1}: {".".join(symbol["pathComponents"])}')
for line in sorted(bare):
    print("  undocumented:", line)
for module, (all, documented) in sorted(counts.items()):
    print(f"documentation: {module}: {documented} of {all} public symbols, {100 * documented / all:.1f} %")
sys.exit(1 if bare or sum(all for all, _ in counts.values()) < 500 else 0)
PYTHON
