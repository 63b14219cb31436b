#!/bin/sh
# deb.sh FILE.deb [SUITE]   checks the package: lintian, then a fresh system (bookworm by default, trixie, or Ubuntu's noble)
# made by debootstrap, where apt installs the package with its dependencies and the programs run. The second part needs root
# and a mirror; without them the script unpacks the package, runs its programs here, and reports that.
set -eu
deb=$(realpath "$1") suite=${2:-bookworm}
# Ubuntu's are made from its own archive. Its key is verified where ubuntu-keyring is installed.
options= mirror= script=
case $suite in noble | jammy)
    mirror=http://archive.ubuntu.com/ubuntu script=/usr/share/debootstrap/scripts/gutsy options=--components=main,universe
    keys=/usr/share/keyrings/ubuntu-archive-keyring.gpg
    if [ -e $keys ]; then options="$options --keyring=$keys"; else options="$options --no-check-gpg"; fi
    ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
leave() {
    # Not while /proc is still mounted there.
    if mountpoint -q "$root/proc"; then umount "$root/proc" || return 0; fi
    rm -rf "$root" "$root.log"
}
trap leave EXIT
chmod 755 "$root"
say() { echo "deb: $*"; }

if command -v lintian > /dev/null; then
    # A statically linked program has unusual sections. Only what lintian calls an error counts.
    lintian --allow-root --fail-on error --tag-display-limit 0 "$deb"
    say "lintian finds no errors"
else
    say "no lintian here: not checked by it"
fi

# Runs the programs as a user of the package does; $1 precedes each command.
try() {
    for name in tuner metronome; do
        version=$($1 "/usr/bin/$name" --version)
        [ "$version" = "$(dpkg-deb -f "$deb" Version | sed 's/-1$//')" ] || { say "FAILED: $name is $version"; exit 1; }
        [ -s "$root/usr/share/man/man1/$name.1.gz" ] && [ -s "$root/usr/share/bash-completion/completions/$name" ] &&
            [ -s "$root/usr/share/zsh/vendor-completions/_$name" ] &&
            [ -s "$root/usr/share/fish/vendor_completions.d/$name.fish" ] ||
            { say "FAILED: $name lacks its page or a completion"; exit 1; }
    done
    note=$($1 /usr/bin/tuner --summary /usr/share/doc/well-tempered/examples/cello-c2.flac | tail -n 1)
    case $note in *" C2 "*) say "tuner hears:$note" ;; *) say "FAILED: cello-c2.flac is '$note'"; exit 1 ;; esac
    $1 /usr/bin/metronome 97.3 --bars 4 --render /tmp/click.wav
    [ "$(stat -c %s "$root/tmp/click.wav")" -gt 1000000 ] || { say "FAILED: click.wav is too small"; exit 1; }
    say "metronome writes a click track"
}

if [ "$(id -u)" = 0 ] && command -v debootstrap > /dev/null &&
    debootstrap --variant=minbase $options "$suite" "$root" $mirror $script > "$root.log" 2>&1; then
    mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
    cp "$deb" "$root/tmp/package.deb"
    chroot "$root" sh -c 'export DEBIAN_FRONTEND=noninteractive; apt-get -qq update &&
        apt-get -qq install -y --no-install-recommends /tmp/package.deb' > "$root.log" 2>&1 ||
        { cat "$root.log"; say "FAILED: apt does not install it"; exit 1; }
    say "installed by apt in a fresh $(. "$root/etc/os-release"; echo "$PRETTY_NAME")"
    try "chroot $root"
    chroot "$root" apt-get -qq purge -y well-tempered > "$root.log" 2>&1
    if [ -e "$root/usr/bin/tuner" ] || [ -e "$root/usr/share/doc/well-tempered" ]; then
        say "FAILED: files stay behind"; exit 1
    fi
    say "purged without a trace"
else
    say "no root, debootstrap or mirror: unpacked here, under $(. /etc/os-release; echo "$PRETTY_NAME")"
    [ ! -s "$root.log" ] || tail -n 3 "$root.log"
    rm -rf "$root" && mkdir -m 755 "$root" && dpkg-deb -x "$deb" "$root" && mkdir -p "$root/tmp"
    # Run in place: paths of the package below its root.
    for name in tuner metronome; do "$root/usr/bin/$name" --version > /dev/null; done
    here_run() { program=$1; shift; "$root$program" $(echo "$*" | sed "s| /tmp/| $root/tmp/|g; s| /usr/share| $root/usr/share|g"); }
    try here_run
fi
