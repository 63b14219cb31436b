// A drum machine: sixteen steps on an exact beat clock, three drums, written to a sound file.
//
//     swift run DrumMachine groove.wav
import AudioIO
@preconcurrency import Glibc
import WellTempered

// One step is a sixteenth. x strikes, X accents.
let pattern = [
    "X...x...X..x....",  // kick
    "....X.......X..x",  // snare
    "x.x.x.x.x.x.x.xx",  // hat
]
/// A drum of damped sines; the accent is louder, not higher.
func drum(_ name: String, _ frequencies: [Double], amplitude: Double, decay: Duration) -> ClickVoice {
    ClickVoice(
        name: name, partials: frequencies.map { .init($0.hertz, amplitude: amplitude, decay: decay) },
        attack: .microseconds(500),
        expressions: [.accent: .init(pitch: 1, loudness: 0.0.decibels)])
}

let drums = [
    drum("kick", [52, 98], amplitude: 1, decay: .milliseconds(100)),
    drum("snare", [187, 331, 1_130, 2_470], amplitude: 0.4, decay: .milliseconds(30)),
    drum("hat", [5_840, 7_310, 8_960, 10_240], amplitude: 0.15, decay: .milliseconds(12)),
]

func record(to path: String, bars: Int64 = 4, sampleRate: Hertz = 48.kilohertz) throws {
    // Steps are the beats of a clock four times as fast, so nothing is added up and nothing drifts.
    let clock = try BeatClock(sampleRate: sampleRate, tempo: Tempo(4 * 112))
    var track = ClickTrack(sounds: drums.map(ClickSound.voice), sampleRate: sampleRate)
    let rows = pattern.map { Array($0) }
    var sound = [Float](repeating: 0, count: Int(clock.frame(ofBeat: 16 * bars)))
    var frames = sound.mutableSpan
    for step in 0..<(16 * bars) {
        for (layer, row) in rows.enumerated() {
            switch row[Int(step % 16)] {
            case "X": track.strike(layer: layer, level: .accent, gain: 0.6, fraction: 0)
            case "x": track.strike(layer: layer, level: .normal, gain: 0.6, fraction: 0)
            default: break
            }
        }
        track.render(into: &frames, from: Int(clock.frame(ofBeat: step)), to: Int(clock.frame(ofBeat: step + 1)))
    }
    var file = try AudioFileWriter(path: path, sampleRate: sampleRate)
    try file.write(sound.span)
    try file.finish()
    print(path, sound.count, "frames")
}

do {
    try record(to: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "groove.wav")
} catch let error as AudioError {
    fputs(error.message + "\n", stderr)
    exit(1)
}
