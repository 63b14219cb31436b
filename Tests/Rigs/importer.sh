#!/bin/sh
# Checks WellTempered as an importer gets it:
# - a fresh package that depends on a tagged clone BY VERSION builds and runs, in release;
# - it needs neither ALSA nor libsndfile nor FFTW nor pkg-config to build, and links none of them and no Foundation;
# - with `traits: ["FFTW"]` it links FFTW, in debug;
# - every code block marked swift in README.md and in the documentation compiles and runs as printed;
# - the sample apps compile on that version and pass apps.sh.
#
# Usage: importer.sh [FOLDER]   (default .build-importer; kept between runs, so that only changes are built again)
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
work=${1:-$here/.build-importer}
mkdir -p "$work"
work=$(cd "$work" && pwd)
clone=$work/well-tempered
app=$work/app
swift=${SWIFT:-swift}

# The clone: the working tree, committed or not, under a new version after each change.
mkdir -p "$clone"
cd "$here"
if git rev-parse --git-dir > /dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard
else
    find . -path './.build*' -prune -o -type f -print0
fi | { cd "$clone" && find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} + && cd "$here" &&
    xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\0" "$file"; done' sh |
    tar --null --files-from=- --create | tar --extract --directory "$clone"; }
cd "$clone"
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test
[ -d .git ] || git init --quiet --initial-branch=main
git add --all
number=$(git tag | wc -l)
if ! git diff --cached --quiet || [ "$number" = 0 ]; then
    git commit --quiet --message "As it is"
    git tag "0.1.$number"
fi
version=$(git describe --tags --abbrev=0)

# The app: Importer.swift, and each code block as a program of its own.
rm -rf "$app/Sources"
mkdir -p "$app/Sources/Importer"
cp "$here/Tests/Rigs/importer/Importer.swift" "$app/Sources/Importer/main.swift"
blocks=0
for page in "$here/README.md" "$here"/Sources/DSP/WellTempered/WellTempered.docc/*.md; do
    [ -e "$page" ] || continue
    blocks=$(awk -v first="$blocks" -v folder="$app/Sources" '
        /^```swift/ { number++; name = "Block" first + number; system("mkdir -p " folder "/" name)
                      file = folder "/" name "/main.swift"; inside = 1; printf "" > file; next }
        /^```/      { inside = 0; close(file) }
        inside      { print > file }
        END         { print first + number }' "$page")
done
[ "$blocks" -gt 0 ] || { echo "importer: README.md has no Swift code block to compile" >&2; exit 1; }
for source in "$app"/Sources/Block*/main.swift; do
    if ! grep -q '^import WellTempered' "$source"; then
        { echo 'import WellTempered'; cat "$source"; } > "$work/block" && mv "$work/block" "$source"
    fi
done
names=$(cd "$app/Sources" && printf '"%s", ' *)
sed "s/^let names = .*/let names = [$names]/" "$here/Tests/Rigs/importer/Package.swift" > "$app/Package.swift"

# A pkg-config that fails, and no .pc files: an importer of the DSP needs none. With the trait it needs FFTW's.
mkdir -p "$work/pkgconfig" "$work/none" "$work/bin"
cp "$(pkg-config --variable=pcfiledir fftw3f)/fftw3f.pc" "$work/pkgconfig"
printf '#!/bin/sh\nexit 1\n' > "$work/bin/pkg-config"
chmod +x "$work/bin/pkg-config"
search=$PATH
cd "$app"
rm -f Package.resolved
# The last run built some of these for the apps.
unwanted='ArgumentParser TerminalUI Configuration tuner metronome Platform AudioIO ALSABackend'
for module in $unwanted; do find "$work" -path "*/release/$module.build" -prune -exec rm -rf {} +; done
quiet() { "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }
run_swift() {
    quiet $swift "$@" --scratch-path "$work/scratch" --cache-path "$work/cache" --config-path "$work/config" \
        --security-path "$work/security"
}
run_swift package update
grep -q "\"version\" : \"$version\"" Package.resolved || { echo "importer: not version $version" >&2; exit 1; }
for kind in 'on debug' 'off release'; do
    trait=${kind% *} configuration=${kind#* }
    export IMPORTER_FFTW=$trait PKG_CONFIG_PATH=
    case $trait in
        on) export PATH="$search" PKG_CONFIG_LIBDIR="$work/pkgconfig" ;;
        off) export PATH="$work/bin:$search" PKG_CONFIG_LIBDIR="$work/none" ;;
    esac
    run_swift build --configuration $configuration --product Importer -j "${JOBS:-2}"
    if [ $trait = off ] && grep -iE 'fftw|warning' "$work/log" >&2; then
        echo "importer: $configuration without the trait FFTW mentions it or warns" >&2; exit 1
    fi
    binary=$(find "$work/scratch/" -path "*/$configuration/Importer" -type f | head -n 1)
    libraries=$(ldd "$binary")
    case $libraries in *Foundation* | *asound* | *sndfile*)
        echo "importer: $configuration links more than the DSP: $libraries" >&2; exit 1 ;;
    esac
    linked=no
    case $libraries in *fftw3f*) linked=yes ;; esac
    symbols=$(nm "$binary" | grep -c fftw || true)
    if [ $trait = off ] && { [ $linked = yes ] || [ "$symbols" != 0 ]; }; then
        echo "importer: $configuration without the trait FFTW still holds $symbols symbols of it" >&2; exit 1
    fi
    if [ $trait = on ] && [ $linked = no ]; then
        echo "importer: with the trait FFTW it is not linked, so its absence elsewhere proves nothing" >&2; exit 1
    fi
    printf 'importer: version %s, trait %s, %s: ' "$version" $trait $configuration
    "$binary"
done
# The blocks also run as printed, with their preconditions checked.
run_swift build --configuration $configuration -j "${JOBS:-2}"
for source in "$app"/Sources/Block*; do
    block=$(dirname "$binary")/$(basename "$source")
    "$block" > "$work/log" 2>&1 || { echo "importer: this code block fails:" >&2; cat "$source/main.swift" "$work/log" >&2; exit 1; }
done
# What came along: our package, beside the app's own swift-system. Neither fetched nor built: what only the commands need,
# the commands themselves, and sound cards and sound files.
others=$(sed -n 's/.*"identity" : "\(.*\)".*/\1/p' Package.resolved | grep -vE '^(well-tempered|swift-system)$' || true)
[ -z "$others" ] || { echo "importer: one import brought more than itself: $others" >&2; exit 1; }
for module in $unwanted; do
    [ -z "$(find "$work/scratch/" -path "*/release/$module.build/*.o")" ] || {
        echo "importer: $module was built" >&2; exit 1; }
done
[ -n "$(find "$work/scratch/" -path '*/release/TunerEngine.build/*.o')" ] || {
    echo "importer: not even TunerEngine was built, so this proves nothing" >&2; exit 1; }
echo "importer: $blocks code blocks compiled and run; no ALSA, libsndfile, FFTW, pkg-config or Foundation; nothing fetched or built beyond the DSP"

# Apps without an audio layer of their own need those.
cp -R "$here/samples/apps/Sources/"* "$app/Sources"
apps=$(cd "$here/samples/apps/Sources" && printf '"%s", ' *)
sed -i "s/^let apps: .*/let apps: [String] = [$apps]/" "$app/Package.swift"
export PATH="$search"
unset PKG_CONFIG_LIBDIR PKG_CONFIG_PATH
run_swift build --configuration release -j "${JOBS:-2}"
sh "$here/Tests/Rigs/apps.sh" "$(dirname "$binary")"
