import Configuration
import Music
import Platform
import Rhythm
import ScoreFiles
import TerminalUI
import Transcription

/// Where the beats of a score are, and its tempi.
struct ScoreGrid {
    private(set) var positions: BeatPositions
    /// One at least.
    private(set) var tempi: [TempoMark]

    /// A bar of 4/4 and the first beat of the next.
    private static let fewestBeats = 5

    /// The grid of the tempo that is given, or the one that is heard. Where bars and values are a guess, it says so.
    ///
    /// - Parameter heard: the beats that were heard, where no tempo is given.
    init(of notes: [MelodyNote], _ heard: TempoReport?, _ options: GridOptions, stepsPerBeat: Int) throws {
        if let tempo = options.tempo {
            positions = BeatPositions(tempo: tempo, fitting: notes, stepsPerBeat: stepsPerBeat)
            tempi = [TempoMark(perMinute: tempo)]
            return
        }
        let starts = notes.map(\.start.inSeconds).sorted()
        let (meter, around) = (try options.parsedMeter(), try options.aroundHeard().map(Double.init))
        if let heard, let found = MelodyGrid(starts: starts, found: heard, around: around, meter: meter),
            let positions = BeatPositions(beats: found.quarters.times.map { .seconds($0) })
        {
            self.positions = positions
            tempi = found.quarters.tempi.map {
                TempoMark(quarter: $0.quarter, perMinute: Self.rounded($0.perMinute))
            }
            found.complain(starts, guess: "bars and values")
            if around == nil { tellLevel(found) }
            return
        }
        let step = meter.perHeardBeat / meter.perQuarter
        guard !starts.isEmpty else {
            throw CommandError(
                .input, "no note was heard: there is no score to write",
                remedy: "listen to the recording, and record closer to the instrument")
        }
        guard let heard, heard.beats.count >= Self.fewestBeats, let tempo = heard.beatsPerMinute,
            let positions = BeatPositions(
                beats: heard.beats.map { .seconds(heard.seconds($0)) }, from: .seconds(starts.first ?? 0), step: step)
        else {
            throw CommandError(
                .input, "no beat was heard in the melody",
                remedy: "give its tempo in quarter notes a minute, as in --tempo 97")
        }
        self.positions = positions
        tempi = [TempoMark(perMinute: Self.rounded(tempo * step))]
        TerminalUI.complain(
            "tuner",
            "the notes do not keep to the beat that was heard, \(fixedPoint(tempi[0].perMinute, decimals: 1)) quarters a "
                + "minute: bars and values are a guess. Give the tempo, as in --tempo 97, or about how fast it is with --around"
        )
    }

    /// The same beats, counted so that the first note begins so many quarters before the first bar.
    func beginning(withUpbeat upbeat: Double, _ notes: [MelodyNote]) -> ScoreGrid {
        let places = notes.map { positions.position(of: $0.start) }
        guard let first = places.min() else { return self }
        var grid = self
        let start = BeatParts(places).place(of: first).position + upbeat
        grid.positions = positions.counted(from: start)
        grid.tempi = tempi.map { $0.counted(from: start) }
        return grid
    }

    /// Says which tempo the score is in, and how to have it at half or twice that: notes alone do not tell which is meant.
    private func tellLevel(_ found: MelodyGrid) {
        TerminalUI.complain(
            "tuner",
            "the score has \(fixedPoint(tempi[0].perMinute, decimals: 1)) quarters a minute, as was heard; "
                + TempoSummary.otherLevels(found.tempo, unit: found.meter.perHeardBeat / found.meter.perQuarter))
    }

    /// To a tenth.
    private static func rounded(_ tempo: Double) -> Double { (10 * tempo).rounded() / 10 }
}
