// A metronome in an audio callback. The audio thread renders; the main thread prints each beat when it is heard.
//
//     swift run ClickInACallback [device] [bpm] [seconds]
import ALSABackend
import AudioIO
@preconcurrency import Glibc
import WellTempered

/// What the audio thread calls. The same engine works in a JACK, PortAudio or AVAudioSourceNode callback.
struct Callback: FrameRenderer, ~Copyable {
    var engine: MetronomeEngine

    @_noLocks mutating func render(into frames: inout MutableSpan<Float>) { engine.render(into: &frames) }
}

func play(on device: String, tempo: Tempo, for time: Duration) throws {
    let output = try PlaybackDevice(.playback(device: device))
    let metronome = try Metronome(PracticePlan(tempo: tempo), sampleRate: output.format.sampleRate)
    var beats = metronome.events
    var stream = try PlaybackStream(output, playing: Callback(engine: metronome.engine))
    let end = MonotonicTime.now() + time
    while MonotonicTime.now() < end, stream.failure == nil {
        while let beat = beats.pop() {
            // The event arrives when the beat is rendered; the beat is heard when the device has played its frame.
            while let heard = stream.heardTime(ofFrame: beat.frame), MonotonicTime.now() < heard { usleep(500) }
            print(beat.bar, beat.beat, beat.level == .accent ? "TICK" : "tock")
            fflush(nil)
        }
        usleep(2_000)
    }
    stream.stop()
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    try play(
        on: arguments.first ?? "default", tempo: try Tempo(parsing: arguments.count > 1 ? arguments[1] : "120"),
        for: .seconds(arguments.count > 2 ? Double(arguments[2]) ?? 4 : 4))
} catch let error as AudioError {
    fputs(error.message + "\n", stderr)
    exit(1)
} catch let error as NotationError {
    fputs(error.message + "\n", stderr)
    exit(1)
}
