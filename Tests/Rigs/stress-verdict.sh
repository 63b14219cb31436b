#!/bin/sh
# stress-verdict.sh FOLDER MINUTES   "met", or what is wrong and "MISSED", by what stress.sh has written into FOLDER:
#
#   metronome   what `metronome --verify --verbose` printed, and "status N"
#   told        what `tuner --verbose` printed on standard error
#   readings    readings, time of the last, without the A, off by more than a cent, the worst in cents, exit status
set -eu
cd "$1"
# last PATTERN FILE: the numbers of the last line that a pattern finds.
last() { sed -n "s/$1/p" "$2" | tail -1; }
# "tuner: 3 xruns, 1 jump, 1025 frames lost; ...".
summary='.*: \([0-9]*\) xruns*, \([0-9]*\) jumps*, \([0-9]*\) frames lost.*/\1 \2 \3'
# "120 clicks in 59.5 s, 0 lost, 0 extra", "streams 0 xruns playing, 0 listening, 0 jumps, 0 frames lost".
clicks='.*: \([0-9]*\) clicks in [0-9.]* s, \([0-9]*\) lost, \([0-9]*\) extra.*/\1 \2 \3'
streams='.*streams \([0-9]*\) xruns playing, \([0-9]*\) listening, \([0-9]*\) jumps, \([0-9]*\) frames lost.*/\1 \2 \3 \4'
{
    echo "readings $(cat readings)"
    echo "told $(last "$summary" told)"
    echo "clicks $(last "$clicks" metronome)"
    echo "streams $(last "$streams" metronome)"
    sed -n 's/^status  */status /p' metronome
} | awk -v minutes="$2" '
    function wrong(what) { print "  WRONG: " what; isWrong = 1 }
    { fields[$1] = NF; for (i = 2; i <= NF; i++) value[$1, i - 1] = $i }
    END {
        split("readings 7 told 4 clicks 4 streams 5 status 2", needed)
        for (i = 1; i in needed; i += 2) if (fields[needed[i]] != needed[i + 1]) wrong("nothing is said of the " needed[i])

        # The tuner: a reading for each 256 frames at 48 kHz, and those that it says it has lost, make up the time.
        missing = value["readings", 2] * 48000 - value["readings", 1] * 256
        others = value["readings", 3]; off = value["readings", 4]
        losses = value["told", 1] + value["told", 2]; told = value["told", 3]
        printf "  readings %d, the last at %.3f s; %d without the A, %d off by more than a cent, the worst %.3f cents\n", \
            value["readings", 1], value["readings", 2], others, off, value["readings", 5]
        printf "  frames without a reading %d, told as lost %d; exit status %d\n", missing, told, value["readings", 6]
        if (value["readings", 6] != 0) wrong("the tuner ended with status " value["readings", 6])
        if (value["readings", 2] < 60 * minutes - 1) wrong("the tuner ended early")
        # Each loss may begin and end within a hop. A last hop may be missing. For frames that are lost there may be readings, too:
        # silence stands for them.
        if (missing < -256 || missing > told + 512 * (1 + losses)) wrong("frames are lost and not told")
        # After a loss the pitch is acquired anew for some 0.1 s. That is 19 readings, and those whose window has the break in it
        # are as many again. At the beginning the tone may not have started.
        if (others + off > 10 + 40 * losses)
            wrong(others " readings without the A and " off " that are off, with " losses " losses told")

        # The metronome: two clicks a second; the last one may not be heard any more.
        heard = value["clicks", 1]; lost = value["clicks", 2]; extra = value["clicks", 3]; status = value["status", 1]
        # A break takes one click or none, and one more for each half second of it.
        breaks = value["streams", 1] + value["streams", 2] + value["streams", 3]
        most = breaks + (breaks ? int(value["streams", 4] / 24000) : 0)
        printf "  clicks heard %d, lost %d, extra %d, of %d; told losses explain %d; exit status %d\n", heard, lost, extra, \
            120 * minutes, most, status
        if (heard + lost < 120 * minutes - 1) wrong("the metronome ended early")
        if (lost > most) wrong(lost " clicks are lost, and the losses told explain " most)
        # One that comes too late for its place is lost there, and extra where it is.
        if (extra > most) wrong(extra " clicks are extra, and the losses told explain " most)
        if (status != 0 && !(status == 1 && lost > 0 && breaks > 0)) wrong("the metronome ended with status " status)
        print isWrong ? "MISSED" : "met"
        exit isWrong
    }'
