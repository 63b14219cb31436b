#!/bin/sh
# deb.sh TREE VERSION OUT   a Debian package of what `make install PREFIX=/usr DESTDIR=TREE` has put into TREE.
# What it depends on is read off the programs themselves (dpkg-shlibdeps). MAINTAINER may be set.
set -eu
tree=$(realpath "$1") version=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
share=$tree/usr/share
doc=$share/doc/well-tempered
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Debian keeps zsh's own folder for what the administrator puts there.
mkdir -p "$share/zsh/vendor-completions" "$doc" "$tree/DEBIAN" "$work/debian"
mv "$share/zsh/site-functions/"* "$share/zsh/vendor-completions"
rmdir "$share/zsh/site-functions"
# Completions are read, not run.
sed -i '1{/^#!/d}' "$share"/bash-completion/completions/*
gzip -9nf "$share"/man/man1/*.1
cp "$here/copyright" "$doc/copyright"
gzip -9nc "$here/../CHANGELOG.md" > "$doc/changelog.gz"
date=$(git -C "$here" log -1 --format=%aD 2> /dev/null || date -R)
maintainer=${MAINTAINER:-WellTempered maintainers <maintainers@example.com>}
printf 'well-tempered (%s-1) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$date" | gzip -9nc > "$doc/changelog.Debian.gz"
mkdir -p "$share/doc/well-tempered/examples"
cp "$here"/../samples/*.flac "$share/doc/well-tempered/examples"

printf 'Source: well-tempered\n\nPackage: well-tempered\nArchitecture: any\n' > "$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$tree/usr/bin/tuner" "$tree/usr/bin/metronome" "$tree/usr/bin/musicstand" | sed -n 's/^shlibs:Depends=//p')
# Debian 13 and Ubuntu 24.04 renamed libasound2 for the 64-bit time of 32-bit machines. With both names one file installs on
# all of them, and apt is not asked to choose among the packages that provide the old name.
depends=$(echo "$depends" | sed -E 's/libasound2(t64)?( \([^)]*\))?/libasound2t64 | libasound2\2/')
# Ubuntu's package of the same library has another name, and versions of its own.
depends=$(echo "$depends" | sed -E 's/libturbojpeg0?( \([^)]*\))?/libturbojpeg0\1 | libturbojpeg/')
[ -n "$depends" ] || { echo "deb.sh: dpkg-shlibdeps found nothing that the programs depend on" >&2; exit 1; }
cat > "$tree/DEBIAN/control" << CONTROL
Package: well-tempered
Version: $version-1
Architecture: $(dpkg --print-architecture)
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$tree" | cut -f 1)
Depends: $depends
Recommends: poppler-utils
Suggests: mupdf-tools, bubblewrap
Section: sound
Priority: optional
Description: instrument tuner and metronome for the terminal
 tuner shows the note that is played and its deviation in cents, from a
 microphone or from recordings, with instrument tunings, temperaments and
 Scala files. metronome plays exact beats: meters, accents, swing,
 polyrhythms, ramps, gaps and tempo maps, each beat shown as it is heard.
 musicstand shows scores in the browsers of tablets and phones, in step with
 the metronome.
CONTROL
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) > "$tree/DEBIAN/md5sums"
find "$tree" -type d -exec chmod 755 {} +
find "$tree/usr/share" -type f -exec chmod 644 {} +
dpkg-deb --root-owner-group -Zxz --build "$tree" "$out" > /dev/null
dpkg-deb --info "$out" | sed -n 's/^ \(Package\|Version\|Architecture\|Depends\|Installed-Size\):/\1:/p'
