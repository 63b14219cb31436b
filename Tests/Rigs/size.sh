#!/bin/sh
# size.sh BIN   how large the commands are as they are installed, without their symbols: at most 20 MB each.
set -eu
bin=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in tuner metronome musicstand; do
    strip -o "$folder/$name" "$bin/$name"
    bytes=$(stat -c %s "$folder/$name")
    echo "$name: $bytes bytes installed"
    [ "$bytes" -le 20000000 ] || { echo "size: $name has more than 20 MB" >&2; exit 1; }
    # What the linker left out is not missed.
    "$folder/$name" --version > "$folder/version"
    echo 'a4 = = 442' > "$folder/bad.toml"
    ! "$folder/$name" config --config "$folder/bad.toml" 2> "$folder/told" || { echo "size: $name reads no settings" >&2; exit 1; }
    grep -q "bad.toml" "$folder/told" || { cat "$folder/told" >&2; exit 1; }
done
