import ArgumentParser
import Configuration
import Intonation
import Music

@testable import MetronomeCLI
@testable import tuner

extension FuzzTarget {
    /// The values of the metronome's options, below the parser of command lines: a letter for the option, and its value, on each
    /// line. The parser takes some milliseconds for each command line, and what is ours some microseconds.
    static let metronomeOptions = FuzzTarget(name: "metronome-options", longest: 256) { bytes in
        guard var command = plainMetronome else { return }
        for (option, value) in options(bytes) {
            switch option {
            case "A": command.beat.accent = value
            case "M": command.beat.meter = value
            case "s": command.beat.subdivision = value
            case "w": command.beat.swing = value
            case "p": command.beat.poly = value
            case "q": command.beat.polymeter = value
            case "t": command.beat.step = value
            case "b": command.beat.bounce = true
            case "v": command.beat.speed = value
            case "T": command.beat.tempo = value
            case "c": command.practice.countIn = value
            case "g": command.practice.gap = value
            case "m": command.practice.mute = value
            case "B": command.practice.bars = value
            case "f": command.practice.duration = value
            case "F": command.practice.firstBar = Int64(value)
            case "l": command.practice.label = value
            case "V": command.sounds.volume = value
            case "S": command.sounds.sound = value
            default: command.typed.append(value)
            }
        }
        command.practice.seed = 1
        guard (try? command.sounds.read()) != nil, let grid = try? command.readPlan() else { return }
        _ = try? command.firstBars(of: grid)
    }

    /// The values of the tuner's options, in the same form.
    static let tuningOptions = FuzzTarget(name: "tuning-options", longest: 256) { bytes in
        guard var tuning = plainTuning else { return }
        for (option, value) in options(bytes) {
            switch option {
            case "a": tuning.a4 = value
            case "t": tuning.temperament = value
            case "k": tuning.key = value
            case "s": tuning.sweeten = value
            case "n": tuning.names = value
            case "o": tuning.octaves = value
            case "x": tuning.transpose = value
            case "i": tuning.instrument = value
            case "T": tuning.tuning = value
            case "c": tuning.capo = Int(value)
            default: tuning.string = Int(value)
            }
        }
        guard (try? tuning.validate()) != nil, let finder = try? tuning.finder() else { return }
        for hertz in [27.5, 440, 441.3, 4_186] {
            guard let pitch = finder.pitch(of: Hertz(hertz)) else { continue }
            precondition(pitch.deviation.value.isFinite, "\(hertz) Hz is \(pitch.deviation.value) cents off")
        }
    }

    /// The lines, each of the first letter and the rest.
    private static func options(_ bytes: UnsafeRawBufferPointer) -> [(Character, String)] {
        bytes.words.prefix(16).compactMap { word in word.first.map { ($0, String(word.dropFirst())) } }
    }
}

/// Commands without any argument; parsed once, and copied for each input.
private let plainMetronome = try? MetronomeCommand.parse([])
private let plainTuning = try? TuningOptions.parse([])
