import Intonation
import MetronomeEngine
import Music
import Pitch
import TerminalUI
import TestSignals
import Timebase
import TunerUI

/// The terminal displays for a week: the pictures and lines of both commands, of models that hear what the engines tell.
final class DisplaySoak: SoakPart {
    private static let rate = 48_000
    private var strokes: PlanStrokes
    private var next: BeatEvent?
    private var metronome: MetronomeModel
    private var tuner: TunerModel
    private var tunerLine = TunerLine(unicode: true, tolerance: 2.cents, response: .steady, hasStrings: false)
    private let metronomeLine = MetronomeLine(unicode: true)
    private var metronomeScreen = Screen(colored: true), tunerScreen = Screen(colored: true)
    private let finder: NoteFinder
    private var random = SeededGenerator(seed: 23)
    private var reading: Int64 = 0
    private var (beats, readings, pictures, bytes, lines) = (0, 0, 0, 0, 0)
    private var outside = 0

    init() throws {
        let plan = try PracticePlan(tempo: Tempo(120), meter: Meter(7, 8))
        let (grid, tuning) = (try PlanGrid(plan), try Tuning())
        let strokes = try PlanStrokes(plan, sampleRate: Self.rate.hertz)
        self.strokes = strokes
        next = self.strokes.next()
        metronome = MetronomeModel(grid: grid)
        metronome.flashes = true
        finder = NoteFinder(tuning: tuning)
        tuner = TunerModel(finder: finder)
    }

    var title: String {
        "displays: every beat at 120 per minute and 20 readings a second; two pictures of each display a second, sizes from "
            + "1x1 to 250x60, one line of each a second"
    }

    func runMinute(_ number: Int) {
        var (columns, rows) = (80, 24)
        switch number % 10 {
        // The largest terminal first, for which buffers grow once.
        case 0 where number < 100: (columns, rows) = (250, 60)
        case 0: (columns, rows) = (Int.random(in: 1...250, using: &random), Int.random(in: 1...60, using: &random))
        case 1: metronome.run(false)  // Stopped for a minute.
        case 2: metronome.run(true)
        case 3: tuner.fallSilent("the device is gone: waiting for it")
        case 4: tuner.toggleHold()
        case 5: tuner.toggleHold()
        case 6: tuner.forget()
        case 7: (metronome.showsHelp, tuner.showsHelp) = (!metronome.showsHelp, !tuner.showsHelp)
        case 8: metronome.trouble = metronome.trouble == nil ? "the device is gone: waiting for it" : nil
        default:
            tuner.view = TunerModel.View.allCases[number / 10 % TunerModel.View.allCases.count]
            metronome.isBig.toggle()
        }
        for second in 0..<60 {
            let time = Double(number * 60 + second)
            for half in [0.0, 0.5] {
                hear(until: time + half)
                draw(columns, rows)
            }
            metronome.say("second \(second)")
            lines += metronomeLine.text(metronome, columns: columns).isEmpty ? 0 : 1
            lines += tunerLine.text(columns: columns).isEmpty ? 0 : 1
        }
    }

    private func hear(until seconds: Double) {
        while let beat = next, Double(beat.frame) <= seconds * Double(Self.rate) {
            if beat.isBeat {
                metronome.hear(beat, at: Double(beat.frame) / Double(Self.rate))
                beats += 1
            } else {
                metronome.hear(stroke: beat)
            }
            next = strokes.next()
        }
        metronome.advance(to: seconds)
        while Double(reading) / 20 < seconds {
            reading += 1
            tell(at: reading * Int64(Self.rate / 20))
        }
    }

    /// A note of two seconds that wanders by some cents, then a second of silence.
    private func tell(at frame: Int64) {
        let isVoiced = reading % 60 < 40
        var heard = PitchReading(frame: frame, state: isVoiced ? .voiced : .silence, level: (-20.0).decibels)
        if isVoiced {
            heard.frequency = Hertz(Double(110 + 30 * (reading / 60 % 12)) * (1 + 0.001 * random.normal()))
            heard.periodicity = heard.frequency
        }
        let note = TunedNote(heard, clock: SampleClock(nominalRate: Self.rate.hertz), finder: finder)
        tuner.hear(note)
        tunerLine.hear(note)
        readings += 1
    }

    private func draw(_ columns: Int, _ rows: Int) {
        let (metronome, tuner) = (metronome, tuner)
        let beat = MetronomeScreen.draw(
            metronome, on: metronomeScreen.blank(columns: columns, rows: rows, unicode: true))
        let note = TunerScreen.draw(tuner, on: tunerScreen.blank(columns: columns, rows: rows, unicode: true))
        outside += beat.columns == max(1, columns) && note.rows == max(1, rows) ? 0 : 1
        bytes += metronomeScreen.update(to: beat).count + tunerScreen.update(to: note).count
        pictures += 2
    }

    var counters: [(name: String, value: String)] {
        [
            ("beats told", "\(beats)"), ("readings told", "\(readings)"), ("pictures", "\(pictures)"),
            ("bytes for terminals", "\(bytes)"), ("lines", "\(lines)"),
        ]
    }

    var complaints: [String] {
        (outside == 0 ? [] : ["a picture has another size than its terminal"])
            + (bytes > 0 && lines > 0 ? [] : ["nothing was drawn"])
    }
}
