// What is felt of a bar.

const FIRST = 60, ACCENT = 40, OTHER = 25; // ms; below 20 to 30 a motor is not felt
const SHARE = 0.4; // of a beat at most
const FASTEST = 240; // beats a minute; above, the first of each bar only

/** The first felt beat of a bar and the pattern from it on, or null if the bar is silent. */
export function pattern(beats, endOfBar) {
    const felt = beats.filter((beat) => beat.level > 0 && (beat.bpm <= FASTEST || beat.beat === 1));
    if (!felt.length) return null;
    const steps = [];
    felt.forEach((beat, index) => {
        const following = felt[index + 1]?.time ?? endOfBar;
        const full = beat.beat === 1 ? FIRST : beat.level >= 2 ? ACCENT : OTHER;
        const pulse = Math.round(Math.min(full, (following - beat.time) * SHARE));
        // Rounded from the beat's own time, so that roundings do not add up over the bar.
        steps.push(pulse, Math.round(following - felt[0].time) - Math.round(beat.time - felt[0].time) - pulse);
    });
    return { time: felt[0].time, steps: steps.slice(0, -1) };
}
