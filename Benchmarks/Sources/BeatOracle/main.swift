// A million beats of each of six tempi at each of three rates, each compared with integers of any size: the scheduler that
// the audio thread steps through, and `BeatClock`. Ten seconds for all 18,000,000. `make bench PART=beats`.
//
//     swift run -c release BeatOracle
//     swift run -c release BeatOracle sound               # renders them too and looks for each click: `make bench PART=beats-sound`
//     swift run -c release BeatOracle sound 120 48000     # one pair of the 18, 139 hours
//
// The sound of all 18 pairs is 3,390 hours and takes some minutes of one core.
//
// Ends with status 1 if one beat is misplaced.
import BigInt
import Foundation
import WellTempered

let beats: Int64 = 1_000_000
let tempi: [(text: String, above: Int, below: Int)] = [
    ("120", 120, 1), ("97.3", 973, 10), ("100/3", 100, 3), ("130", 130, 1), ("133.7", 1_337, 10),
    ("250.7", 2_507, 10),
]

/// Beat k by its definition, k · 60 · rate / tempo: the frame nearest to it, half a frame upwards, and what is left over
/// the frame below as a share.
struct Oracle {
    let period: BigInt
    let above: BigInt

    init(sampleRate: Int, above: Int, below: Int) {
        (period, self.above) = (BigInt(60) * BigInt(sampleRate) * BigInt(below), BigInt(above))
    }

    func place(of beat: Int64) -> (nearest: Int64, floor: Int64, fraction: Double) {
        let exact = BigInt(beat) * period
        let (floor, remainder) = exact.quotientAndRemainder(dividingBy: above)
        return (Int64((2 * exact + above) / (2 * above)), Int64(floor), Double(Int64(remainder)) / Double(Int64(above)))
    }
}

/// Beats that are not where the oracle has them, and the drift of the last against the first in millionths.
func check(_ tempo: Tempo, sampleRate: Int, oracle: Oracle) throws -> (misplaced: Int, drift: Double) {
    var strokes = try PlanStrokes(try PracticePlan(tempo: tempo), sampleRate: sampleRate.hertz)
    let clock = try BeatClock(sampleRate: sampleRate.hertz, tempo: tempo)
    var (misplaced, last) = (0, (frame: Int64(0), exact: 1.0))
    for k in 0..<beats {
        guard let beat = strokes.next() else { return (misplaced + Int(beats - k), 0) }
        let place = oracle.place(of: k)
        // The share is a quotient of two 53-bit numbers in both: equal to the last bit.
        let isRight =
            beat.frame == place.nearest && beat.floorFrame == place.floor && beat.fraction == place.fraction
            && clock.frame(ofBeat: k) == place.nearest
        misplaced += isRight ? 0 : 1
        last = (beat.frame, Double(place.floor) + place.fraction)
    }
    return (misplaced, (Double(last.frame) / last.exact - 1) * 1e6)
}

/// Clicks that do not begin on the oracle's frames in the sound itself: the first sample that is not zero after one
/// hundredth of a second of silence.
func checkSound(_ tempo: Tempo, sampleRate: Int, oracle: Oracle) throws -> Int {
    let plan = try PracticePlan(tempo: tempo, accents: AccentPattern.none)
    var metronome = try Metronome(plan, sampleRate: sampleRate.hertz, eventCapacity: 1_024)
    let (size, end) = (8_192, oracle.place(of: beats - 1).nearest)
    let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: size)
    let words = UnsafeRawBufferPointer(block).bindMemory(to: SIMD8<UInt32>.self)
    defer { block.deallocate() }
    var (found, wrong, quiet) = (Int64(0), 0, sampleRate)
    while metronome.engine.position <= end {
        let start = metronome.engine.position
        var span = block.mutableSpan
        metronome.engine.render(into: &span)
        while metronome.events.pop() != nil {}
        for (index, eight) in words.enumerated() {
            if eight == SIMD8() {
                quiet += 8
                continue
            }
            for lane in 0..<8 where eight[lane] & 0x7FFF_FFFF != 0 {
                // Zeros since the last sample that was none: those of this word are not counted yet.
                if quiet + lane > sampleRate / 100 {
                    if found < beats, oracle.place(of: found).nearest != start + Int64(8 * index + lane) { wrong += 1 }
                    found += 1
                }
                quiet = -lane - 1
            }
            quiet += 8
        }
    }
    return wrong + Int(abs(beats - found))
}

func padded(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }

let words = Array(CommandLine.arguments.dropFirst())
let isForSound = words.first == "sound"
var total = 0
print("  tempo    rate     beats  misplaced" + (isForSound ? "  clicks misplaced" : "  drift in ppm"))
for (text, above, below) in tempi where words.count < 2 || words[1] == text {
    for sampleRate in [44_100, 48_000, 96_000] where words.count < 3 || words[2] == "\(sampleRate)" {
        let tempo = try Tempo(parsing: text)
        let oracle = Oracle(sampleRate: sampleRate, above: above, below: below)
        let (misplaced, drift) = try check(tempo, sampleRate: sampleRate, oracle: oracle)
        let clicks = isForSound ? try checkSound(tempo, sampleRate: sampleRate, oracle: oracle) : 0
        let end = isForSound ? padded("\(clicks)", 18) : String(format: "%14.6f", abs(drift))
        print(padded(text, 7) + padded("\(sampleRate)", 8) + padded("\(beats)", 10) + padded("\(misplaced)", 11) + end)
        // Into a file as well, for the sound takes long.
        fflush(nil)
        total += misplaced + clicks
    }
}
print(total == 0 ? "none misplaced" : "\(total) misplaced")
exit(total == 0 ? 0 : 1)
