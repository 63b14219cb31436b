# What `stream-probe soak` says of a stream on the test card `minutely`, line by line, and each thing that is wrong with it.
#
#   awk -v seconds=86400 -v isCapture=1 -f soak-verdict.awk FILE
#
# Words and numbers in turn; "pages" and "+-" belong to what is before them.
function wrong(what) { print "  WRONG: " what; isWrong = 1 }
function distance(a, b) { return a < b ? b - a : a - b }
# The card fails in turn by an xrun, a suspension, a broken device, one that is unplugged, and frames that vanish. Each is told
# as what it is: so many in all, and of each kind a fifth, rounded up or down. A device is opened anew after two of the five.
function isTold(name, share) {
    if (value[name] < int(faults / 5) * share || value[name] > int(faults / 5 + 1) * share)
        wrong(value[name] + 0 " " name ", of " faults " faults in turn")
}
{
    sub(/^soak /, "")
    for (i = 1; i < NF; i += 2) {
        value[$i] = $(i + 1)
        if ($i == "pages") {
            printf "  %-16s %s after a quarter, %s at the end\n", $i, $(i + 1), $(i + 2)
            pages = $(i + 2)
            i++
        } else if ($(i + 2) == "+-") {
            printf "  %-16s %s +- %s\n", $i, $(i + 1), $(i + 3)
            error = $(i + 3)
            i += 2
        } else printf "  %-16s %s\n", $i, $(i + 1)
    }
}
END {
    frames = value["frames"]
    # More than was asked for: simulated time does not wait for who looks at it.
    if (frames < 8000 * seconds) wrong(frames + 0 " frames of " 8000 * seconds)
    if (distance(value["hours"] * 3600, frames / 8000) > 1) wrong("the hours are not those of the frames")

    # A fault follows the one before after 480,000 frames and what is left of a transfer: a day has lost one at most, and the last
    # may still be to come.
    faults = value["xruns"] + value["suspensions"] + value["reopenings"] + value["discontinuities"]
    due = int(frames / 480000)
    if (faults > due || faults < due - 2 - 2 * due / 1440) wrong(faults " faults are told, of " due)
    isTold("xruns", 1)
    isTold("suspensions", 1)
    isTold("discontinuities", 1)
    isTold("reopenings", 2)
    # Where frames vanish it is half a second; every other fault loses some as well.
    if (value["lost"] < 4000 * value["discontinuities"]) wrong(value["lost"] + 0 " frames told as lost")

    if (!("files" in value)) wrong("nothing is said of open files")
    if (value["files"] > 0) wrong("more files are open")
    # The stream has been stopped, which closes the one of its device.
    if (value["files"] < -1) wrong("files are closed that were open before")
    if (pages == 0 || value["pages"] == 0 || pages - value["pages"] > 128) wrong("memory grew")

    # Known to a tenth of a ppm, wherever the end falls: a fault takes nothing away of what was learnt. And wrong by five standard
    # errors at most: by chance it is more once in two million runs.
    off = distance(value["ppm"], 500)
    if (!("ppm" in value) || !(off < 0.1 && off < 5 * error)) wrong("the rate of the card is not known")

    # Every frame that was transferred is read or told as dropped, and each fault is a gap before the next frame that is read.
    if (isCapture && value["read"] + value["dropped"] != frames) wrong(value["read"] + 0 " frames read of " frames + 0)
    if (isCapture && (value["gaps"] > faults || value["gaps"] < faults - 1))
        wrong(value["gaps"] + 0 " gaps, of " faults " faults")
    exit isWrong
}
