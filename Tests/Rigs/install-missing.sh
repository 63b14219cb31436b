#!/bin/sh
# install-missing.sh SUDO PACKAGE...   installs the Debian packages that are missing, and prints their names.
# SUDO is the word to put before apt-get: "sudo", or nothing for root.
set -eu
sudo=$1
shift
if ! command -v swift > /dev/null 2>&1; then
    echo "swift is not installed: get Swift 6.3 or later from https://www.swift.org/install and put it on the PATH" >&2
    exit 1
fi
if ! command -v dpkg-query > /dev/null 2>&1; then
    echo "this is not Debian: install the equivalents of $* yourself" >&2
    exit 0
fi
missing=
for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || :)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# An old list can name versions that no longer exist: refresh it first.
$sudo apt-get -qq update
# shellcheck disable=SC2086
$sudo apt-get -qq install -y --no-install-recommends $missing > /dev/null
