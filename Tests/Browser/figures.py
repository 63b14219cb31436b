"""What tests reckon with: ranks and lines, which a machine that stalls for 30 ms now and then does not upset."""

import math

import numpy


def rank(values, part):
    return float(numpy.quantile(numpy.asarray(values, dtype=float), part))


def chance(hits, of, control_hits, control_of):
    """How probable so many hits are, or more, if they are no likelier than those of a control (Fisher's exact test)."""
    whole, part = of + control_of, hits + control_hits
    ways = sum(math.comb(of, each) * math.comb(control_of, part - each) for each in range(hits, min(of, part) + 1))
    return ways / math.comb(whole, part)


def later(values, control, bound):
    """How probable it is that values lie above `bound` so often if they are as those of a control are; the same for bounds that
    the control itself exceeds in half, a tenth and a twentieth of its cases, for a machine whose control is late too."""
    values, control = numpy.asarray(values, dtype=float), numpy.asarray(control, dtype=float)
    bounds = {bound} | {max(bound, rank(control, part)) for part in (0.5, 0.9, 0.95)}
    chances = [chance(int((values > each).sum()), len(values), int((control > each).sum()), len(control)) for each in bounds]
    return min(1.0, min(chances) * len(bounds))


BLOCKS = 16
# Student's t of 15 degrees of freedom that chance exceeds once in 40,000 cases: once in 10,000 with the four bounds of `later`.
SURE = 5.61


def later_in_blocks(values, control, bound):
    """Student's t of how much more of the values than of a control, interleaved with them, is above `bound`, or above those that
    the control exceeds in half, a tenth and a twentieth of its cases.

    Unlike `later` it does not take one value for independent of the next: a machine that is busy makes timers late for seconds.
    """
    blocks = list(zip(numpy.array_split(numpy.asarray(values, dtype=float), BLOCKS),
                      numpy.array_split(numpy.asarray(control, dtype=float), BLOCKS)))
    worst = -math.inf
    for each in {bound} | {max(bound, rank(control, part)) for part in (0.5, 0.9, 0.95)}:
        more = numpy.array([(own > each).mean() - (other > each).mean() for own, other in blocks])
        error = more.std(ddof=1) / math.sqrt(BLOCKS)
        worst = max(worst, more.mean() / error if error > 0 else math.inf if more.mean() > 0 else 0)
    return worst


# A test that compares with a control fails this often where nothing is wrong.
FALSE_ALARM = 1e-4


def slope(times, values, steps=12):
    """Change of the values a minute: a line through the medians of `steps` parts."""
    times, values = numpy.asarray(times, dtype=float), numpy.asarray(values, dtype=float)
    parts = numpy.array_split(numpy.arange(len(times)), steps)
    middles = [(numpy.median(times[part]), numpy.median(values[part])) for part in parts]
    return float(numpy.polyfit([each[0] / 60_000 for each in middles], [each[1] for each in middles], 1)[0])


def beat_times(beats):
    """Heard times in ms by beat number, as arrays to interpolate in."""
    numbers = sorted(beats)
    return numpy.array(numbers, dtype=float), numpy.array([beats[number]["t"] / 1e6 for number in numbers])


def drawn_errors(frames, beats, origin, rate=1.0, base=0.0):
    """For each frame, how far (in ms) what was drawn is from what is heard when the frame is seen.

    `frames` are [page's time, beats drawn, ...]; `origin` is the server's true clock at the page's time 0. With a skewed
    clock the beats are served at base + (t - base) * rate, and the page's clock is told so too: the truth is then the same
    beats and the same skew.
    """
    numbers, heard = beat_times(beats)
    heard = base + (heard - base) * rate
    frames = numpy.array([frame[:2] for frame in frames], dtype=float)
    inside = (frames[:, 1] >= numbers[0]) & (frames[:, 1] <= numbers[-1])
    frames = frames[inside]
    true = base + (origin + frames[:, 0] - base) * rate
    return frames[:, 0], numpy.interp(frames[:, 1], numbers, heard) - true
