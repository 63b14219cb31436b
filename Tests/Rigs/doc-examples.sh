#!/bin/sh
# Type-checks every Swift example in the documentation comments; importer.sh compiles and runs those of README.md and of the
# articles. An example above a public declaration has only what an importer can see; one above a declaration of the package
# has its module.
#
# Usage: doc-examples.sh BIN    BIN is where SwiftPM has built WellTempered and WellTemperedAudio (--show-bin-path)
set -eu
bin=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here"
python3 - "$work" << 'PYTHON'
import pathlib, re, sys

work, count, inner = pathlib.Path(sys.argv[1]), 0, 0

def write(origin, code, module=None):
    """One example in a function of its own; imports and extensions stay at file scope."""
    global count, inner
    if module: inner += 1
    count += 1
    top = [line for line in code if re.match(r"(import|extension) ", line) and (line.startswith("import ") or line.endswith("{}"))]
    body = [line for line in code if line not in top and not line.startswith("// Package.swift")]
    imports = ["WellTempered"] + ([module] if module else ["AudioIO", "ALSABackend"] if "/IO/" in origin else [])
    text = [f"import {name}" for name in imports if f"import {name}" not in top]
    text += [f"// {origin}"] + top + [f"private func example{count}() throws {{"] + body + ["}"]
    (work / f"{'inner' if module else 'example'}{count}.swift").write_text("\n".join(text) + "\n")

def fenced(lines):
    """Each fenced Swift block, with the number of its first line."""
    block = None
    for number, line in enumerate(lines, 1):
        if line.strip() == "```swift":
            block, start = [], number
        elif line.strip() == "```" and block is not None:
            yield start, block
            block = None
        elif block is not None:
            block.append(line)

swift = re.compile(r"^\s*(let|var|try|while|if let|guard|for \w+ in) |\.\w+\(.*\)$|= *try ")
unfenced = []
for path in sorted([*pathlib.Path("Sources/DSP").rglob("*.swift"), *pathlib.Path("Sources/IO").rglob("*.swift")]):
    lines = path.read_text().splitlines()
    i = 0
    while i < len(lines):
        comment = []
        while i < len(lines) and re.match(r"\s*///", lines[i]):
            comment.append(re.sub(r"^\s*/// ?", "", lines[i]))
            i += 1
        if not comment:
            i += 1
            continue
        start, declaration = i - len(comment) + 1, []
        while i < len(lines) and re.match(r"\s*@", lines[i]) and not re.search(r"\b(public|package)\b", lines[i]):
            i += 1
        if i < len(lines) and (access := re.search(r"\b(public|package)\b", lines[i])):
            for number, code in fenced(comment):
                module = path.parts[2] if access[0] == "package" else None
                write(f"{path}:{start + number - 1}", code, module)
            # An indented example would not be checked.
            inside = False
            for number, line in enumerate(comment):
                inside = inside != line.strip().startswith("```")
                if not inside and line.startswith("    ") and swift.search(line):
                    unfenced.append(f"{path}:{start + number}: {line.strip()}")
for line in unfenced:
    print(f"doc-examples: not in a ```swift fence, so nobody compiles it: {line}", file=sys.stderr)
print(f"doc-examples: {count - inner} above public declarations, {inner} above those of the package")
sys.exit(1 if unfenced or count - inner < 5 or inner < 5 else 0)
PYTHON
maps=
for map in Sources/C/*/module.modulemap "$bin"/*.build/module.modulemap; do maps="$maps -Xcc -fmodule-map-file=$map"; done
check() {
    # $maps in words; none of the paths below Sources holds a space.
    swiftc -typecheck -swift-version 6 -suppress-warnings -parse-as-library -I "$bin/Modules" $maps "$@"
}
check "$work"/example*.swift || { echo "doc-examples: an example does not compile" >&2; exit 1; }
# SwiftPM names a package after its folder.
name=$(basename "$here" | tr '[:upper:]' '[:lower:]' | tr -c 'a-z0-9\n' _)
check -package-name "$name" "$work"/inner*.swift || { echo "doc-examples: an example does not compile" >&2; exit 1; }
# The check fails for an example that does not compile.
printf 'import WellTempered\nfunc wrong() throws { _ = try TunerEngine(sampleRate: 48_000) }\n' > "$work/wrong.swift"
! check "$work/wrong.swift" 2> "$work/log" || { echo "doc-examples: a wrong example was not seen" >&2; exit 1; }
grep -q Hertz "$work/log" || { cat "$work/log" >&2; exit 1; }
echo "doc-examples: all of them compile"
