internal import Configuration
internal import Music
internal import Notation
internal import Synthesis
internal import TerminalUI
internal import Timebase

/// The values that keys edit while the metronome plays: meter, accents, parts of the beat, swing, sound, volume.
///
/// A value becomes an option of the command, so that everything is checked and laid out as on the command line.
struct PlanEditor: Sendable {
    enum Field: String, CaseIterable, Sendable { case meter, accents, parts, swing, sound, volume }

    private(set) var command: MetronomeCommand
    private(set) var field = Field.meter
    /// What is being typed instead of the value.
    var typed: String?

    init(_ command: MetronomeCommand) { self.command = command }

    mutating func move(by count: Int) {
        let fields = Field.allCases
        let at = fields.firstIndex(of: field) ?? 0
        (field, typed) = (fields[(at + count + fields.count) % fields.count], nil)
    }

    /// The usual values of the current field, in order. Values that do not fit the plan are passed over.
    var usual: [String] {
        switch field {
        case .meter: ["2/4", "3/4", "4/4", "5/4", "6/4", "7/4", "3/8", "6/8", "7/8", "9/8", "12/8"]
        case .accents: ["none", "2", "3", "4", "6", "2+3", "3+2", "2+2+3", "3+2+2", "X.x.", "XxoX", "only"]
        case .parts: ["1", "8th", "triplet", "16th", "quintuplet", "sextuplet"]
        case .swing: ["50", "55", "60", "66.67", "70", "75"]
        case .sound: ClickSound.names
        case .volume: []
        }
    }

    /// The value of a field as it is shown.
    func value(of field: Field, _ model: MetronomeModel) -> String {
        switch field {
        case .meter:
            command.beat.meter ?? model.beat.map { "\($0.beatsInBar)/\($0.beatValue.number)" } ?? "-"
        case .accents:
            command.beat.accent ?? command.typed.last.flatMap { TempoWords.isPattern($0) ? $0 : nil } ?? "meter's"
        case .parts: command.beat.subdivision ?? "1"
        case .swing: command.beat.swing ?? "50"
        case .sound: model.sound
        case .volume: fixedPoint(model.volume.value, decimals: 0) + " dB"
        }
    }

    /// The command with another value in the current field, which concerns the plan.
    func changed(to value: String) -> MetronomeCommand {
        var other = command
        switch field {
        case .meter:
            // A meter among the words says the same.
            if command.typed.count > 1 { other.typed.removeAll(where: TempoWords.isMeterWord) }
            other.beat.meter = value
            // The accents of another meter do not fit it.
            if (try? other.readPlan()) == nil { other = other.withAccents(nil) }
        case .accents: other = other.withAccents(value)
        case .parts: other.beat.subdivision = value
        case .swing: other.beat.swing = value
        case .sound, .volume: break
        }
        return other
    }

    /// Takes a command that was laid out.
    mutating func take(_ other: MetronomeCommand) { (command, typed) = (other, nil) }

    /// The texts of the footer, the longest first: the current field in brackets.
    func texts(_ model: MetronomeModel) -> [String] {
        let own = typed.map { $0 + "_" } ?? value(of: field, model)
        let all = Field.allCases.map {
            $0 == field ? "[\($0.rawValue) \(own)]" : "\($0.rawValue) \(value(of: $0, model))"
        }
        return [
            all.joined(separator: "  ") + "   arrows; e ends", all.joined(separator: "  "),
            "[\(field.rawValue) \(own)]  arrows, or type; e ends", "[\(field.rawValue) \(own)]  e ends",
        ]
    }
}

extension MetronomeCommand {
    fileprivate func withAccents(_ accents: String?) -> MetronomeCommand {
        var other = self
        if other.typed.count > 1, let last = other.typed.last, TempoWords.isPattern(last) { other.typed.removeLast() }
        other.beat.accent = accents
        return other
    }
}
