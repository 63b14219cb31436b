#!/bin/sh
# tidy.sh COMMAND...   runs a command with a temporary folder of its own. It fails if files remain in that folder or processes
# of the command still run; it prints and removes both.
set -eu
# A short path: sockets are below it, and their paths have at most 107 characters.
TMPDIR=$(mktemp -d /tmp/wt-XXXXXX)
TMUX_TMPDIR=$TMPDIR TIDY_MARK=$TMPDIR
export TMPDIR TMUX_TMPDIR TIDY_MARK

# The ids of processes with the mark in their environment, except this one and its children, one on each line.
marked() {
    for folder in /proc/[0-9]*; do
        [ "${folder#/proc/}" != $$ ] || continue
        # Those of other users cannot be read.
        { tr '\0' '\n' < "$folder/environ" | grep -qx "TIDY_MARK=$TIDY_MARK"; } 2> /dev/null || continue
        # Not the processes of this pipe, and no zombies.
        parent=$(sed -n 's/^PPid:[[:space:]]*//p' "$folder/status" 2> /dev/null) || continue
        grep -q '^State:[[:space:]]*Z' "$folder/status" 2> /dev/null && continue
        [ "$parent" = $$ ] || [ -z "$parent" ] || echo "${folder#/proc/}"
    done
}
finish() {
    status=$?
    trap - EXIT
    # A process may need a moment to end.
    tries=0
    left=$(marked)
    while [ -n "$left" ] && [ $tries -lt 20 ]; do
        sleep 0.1
        tries=$((tries + 1)) left=$(marked)
    done
    for process in $left; do
        echo "still running: $process $(tr '\0' ' ' < "/proc/$process/cmdline" 2> /dev/null)" >&2
        kill -9 "$process" 2> /dev/null || :
        status=1
    done
    # SwiftPM's own files: empty marked folders, locks, generated sources.
    find "$TMPDIR" -mindepth 1 -maxdepth 1 ! -name 'TemporaryDirectory.*' ! -name '*.lock' \
        ! -name swift-generated-sources > "$TMPDIR/left.lock"
    if [ -s "$TMPDIR/left.lock" ]; then
        sed 's/^/left behind: /' "$TMPDIR/left.lock" >&2
        status=1
    fi
    rm -rf "$TMPDIR"
    exit $status
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
"$@"
