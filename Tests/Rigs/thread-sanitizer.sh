#!/bin/sh
# thread-sanitizer.sh SCRATCH   builds both commands with ThreadSanitizer into SCRATCH/release.
#
# swiftc 6.3.1 cannot compile vector code under ThreadSanitizer: it ends with "Broken module found". So the modules that only
# compute are built without it, and all that more than one thread touches is built with it. SwiftPM has no setting for that
# but unsafe flags, which the package does not use: they are added to a copy of its manifest, beside links to its folders.
set -eu
cd "$(dirname "$0")/../.."
scratch=$1
mkdir -p "$scratch"
scratch=$(cd "$scratch" && pwd)
copy=$scratch/package
mkdir -p "$copy"
for folder in Sources Tests; do ln -sfn "$PWD/$folder" "$copy/$folder"; done
flags='[.unsafeFlags(["-sanitize=thread"])]'
sed -e '/^func target(/,/^}/s/swiftSettings: sharedSettings/swiftSettings: watched(name)/' \
    -e "/^func command(/,/^}/s/: .executableTarget(\(.*\)swiftSettings: sharedSettings)/: .executableTarget(\1swiftSettings: watched(name), linkerSettings: $flags)/" \
    Package.swift > "$copy/Package.new"
cat >> "$copy/Package.new" <<END

func watched(_ name: String) -> [SwiftSetting] {
    ["Spectral", "Pitch", "Strum", "Rhythm", "Synthesis"].contains(name) ? sharedSettings : sharedSettings + $flags
}
END
# Only a manifest that has changed is planned anew.
cmp -s "$copy/Package.new" "$copy/Package.swift" || cp "$copy/Package.new" "$copy/Package.swift"
[ ! -f Package.resolved ] || cp Package.resolved "$copy/Package.resolved"
[ "$(grep -c 'watched(name)' "$copy/Package.swift")" = 2 ] || { echo "thread-sanitizer.sh: Package.swift has changed" >&2; exit 1; }
for command in tuner metronome; do
    ${SWIFT:-swift} build -c release --traits FFTW -Xswiftc -use-ld=lld -Xcc -fsanitize=thread --package-path "$copy" \
        --scratch-path "$scratch" --product $command -j "${JOBS:-2}"
done
