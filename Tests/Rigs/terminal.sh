# Runs a command in a terminal emulator (tmux) on the test card, for tests. Sourced by bash with $BIN and $TEST_CARD_DIR
# set. Nothing waits for a fixed time: each expectation is polled for 30 s at most.
#
#   start COLUMNS ROWS 'ENVIRONMENT' COMMAND ARGUMENTS...   in a new terminal. NO_COLOR applies only if it is in
#                          ENVIRONMENT. A shell with job control waits for the command; jobs=+m before `start` turns
#                          job control off, as in a window without another program.
#   expect NAME PATTERN    looks for an extended regular expression on the screen; says ok NAME or FAILED NAME
#   press KEY PATTERN      types a key as tmux names it, then expects what it does
#   screen                 what is on the screen now
#   ended NAME STATUS      expects the command's end, the ordinary screen, the cursor and the keyboard's settings
#   process                the command's process id
#   away                   ends the terminal
#   pauses NAME PATTERN    types Ctrl-Z and `fg`, then expects a pattern; five times ok
#   in_background NAME PATTERN   types Ctrl-Z, `bg` and `fg`, then expects a pattern; five times ok
#   outlives COMMAND...    starts a command, takes its terminal away and expects that it ends; twice ok
# Each terminal has its own server, since a server that is about to end takes no new session. The socket is in the folder of
# the card and is removed with it.
terminal=wt$$ terminals=0
tm() { tmux -S "$TEST_CARD_DIR/$terminal" -f /dev/null "$@"; }
trap 'tm kill-server 2> /dev/null' EXIT
start() {
    columns=$1 rows=$2 environment=$3 command=$4
    shift 4
    rm -f before after paused go
    away 2> /dev/null
    terminals=$((terminals + 1)) terminal=wt$$-$terminals
    tm new-session -d -s t -x "$columns" -y "$rows" bash -c \
        "set ${jobs:--m}; stty -g > before
        # Not a loop: bash leaves those when a job stops.
        again() {
            stty -g > paused; until [ -s go ]; do sleep 0.05; done; how=\$(cat go); rm -f go paused
            case \$how in fg) fg > /dev/null; status=\$? ;; *) bg > /dev/null ;; esac
            [ \$status != 148 ] || again
        }
        env -u NO_COLOR XDG_CONFIG_HOME='$TEST_CARD_DIR/none' $environment '$BIN/$command' $*; status=\$?
        [ \$status != 148 ] || again
        echo \"status \$status\"; stty -g > after; exec sleep 100"
}
screen() { tm capture-pane -p -t t; }
expect() {
    for _ in $(seq 300); do
        if screen | grep -qE -- "$2"; then echo "ok $1"; return 0; fi
        sleep 0.1
    done
    echo "FAILED $1: no \"$2\" on the screen:"
    screen
    return 1
}
press() { tm send-keys -t t -- "$1" && expect "$1" "$2"; }
process() { pgrep -P "$(tm display -p -t t '#{pane_pid}')" | head -n 1; }
ended() {
    expect "$1" "status $2" || return
    for _ in $(seq 100); do [ -s after ] && break; sleep 0.1; done
    # The status is the first and the last text on the normal screen.
    if [ "$(tm display -p -t t '#{alternate_on} #{cursor_flag}')" = "0 1" ] && cmp -s before after &&
        [ "$(screen | sed '/^ *$/d' | tail -n 1)" = "status $2" ]; then echo "ok $1 terminal restored"
    else echo "FAILED $1: terminal not restored"; screen; fi
    away
}
away() {
    tm kill-server
}
stopped() {
    child=$(process)
    tm send-keys -t t C-z
    for _ in $(seq 300); do [ -s paused ] && break; sleep 0.1; done
    if grep -q '^State:.T' "/proc/$child/status"; then echo "ok $1 paused"; else echo "FAILED $1: not paused"; fi
    if [ "$(tm display -p -t t '#{alternate_on} #{cursor_flag}')" = "0 1" ]; then echo "ok $1 screen"
    else echo "FAILED $1: screen not restored while paused"; fi
    if cmp -s before paused; then echo "ok $1 keyboard"
    else echo "FAILED $1: keyboard not restored while paused"; fi
}
goes_on() {
    rm -f paused; echo fg > go
    expect "$1 goes on" "$2"
    if [ "$(tm display -p -t t '#{alternate_on} #{cursor_flag}')" = "1 0" ]; then echo "ok $1 screen again"
    else echo "FAILED $1: not on the other screen again"; fi
}
pauses() {
    stopped "$1"
    goes_on "$1" "$2"
}
in_background() {
    child=$(process)
    stopped "$1" | grep -v ' keyboard$'
    echo bg > go
    for _ in $(seq 100); do grep -q '^State:.[SR]' "/proc/$child/status" && [ -s paused ] && break; sleep 0.1; done
    # Long enough for many pictures.
    sleep 1
    if grep -q '^State:.[SR]' "/proc/$child/status" &&
        [ "$(tm display -p -t t '#{alternate_on} #{cursor_flag}')" = "0 1" ] && cmp -s before paused
    then echo "ok $1 background"; else echo "FAILED $1: stopped in the background, or drew there"; screen; fi
    goes_on "$1" "$2"
}
outlives() {
    start 80 24 LC_ALL=C "$@"
    expect "$1 without a terminal runs" 'Hz|BPM'
    child=$(process)
    tm kill-server
    for _ in $(seq 100); do kill -0 "$child" 2> /dev/null || break; sleep 0.1; done
    if kill -0 "$child" 2> /dev/null; then echo "FAILED $1: outlived its terminal"; else echo "ok $1 lost terminal"; fi
}
