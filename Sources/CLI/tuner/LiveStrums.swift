import AudioIO
import Configuration
import Intonation
import Strum
import TerminalUI
internal import TunerUI

/// The strums of a live stream. Their engine runs on the analysis thread and is made anew when the player's strings change.
struct LiveStrums {
    /// The clock of the stream.
    let clock: SampleClock
    /// Up to where a string is in tune.
    let tolerance: Cents
    /// The strings that the engine is for; `nil` while there is none.
    private var strings: StrummedStrings?
    /// Which engine it is: pictures of the one before may still come.
    private var generation = 0

    init(clock: SampleClock, tolerance: Cents) { (self.clock, self.tolerance) = (clock, tolerance) }

    /// Starts an engine for the strings of `--strum`.
    ///
    /// - Parameter others: the tunings that they may be in.
    mutating func start(
        _ command: Listen, _ finder: NoteFinder, others: [StringTuning], on analysis: borrowing AnalysisThread
    ) throws {
        let wanted = try command.strummedStrings(finder, others: others)
        let engine = try wanted.engine(
            for: command.device, sampleRate: clock.nominalRate, .device, remedy: "ask with -r for a rate")
        pass(engine, for: wanted, to: analysis)
    }

    /// Makes another engine if the player's strings, or what the player wants to see, has changed.
    ///
    /// - Parameter others: the tunings that the strings may be in.
    mutating func follow(_ model: inout TunerModel, others: [StringTuning], on analysis: borrowing AnalysisThread) {
        defer { model.board.isPossible = strings != nil }
        let mode = model.board.mode
        let isWanted = mode == .strum || mode == .auto && model.finder.seeksStrums
        if isWanted, let strings, strings.serve(model.finder, others: others) { return }
        if !isWanted, strings == nil { return }
        let wanted = isWanted ? try? StrummedStrings(model.finder, others: others) : nil
        if let wanted, let engine = try? wanted.engine(sampleRate: clock.nominalRate) {
            pass(engine, for: wanted, to: analysis)
        } else {
            pass(nil, for: nil, to: analysis)
        }
    }

    /// The next picture of a strum, or of another sound.
    ///
    /// - Parameter isExpected: whether the player said that strums come.
    func next(
        from analysis: inout AnalysisThread, _ finder: NoteFinder, isExpected: Bool
    ) -> TunedStrum? {
        while let (heard, generation) = analysis.nextStrum() {
            guard generation == self.generation, let strings else { continue }
            if let strum = TunedStrum(
                heard, of: strings, clock: clock, finder: finder, tolerance: tolerance, isExpected: isExpected)
            {
                return strum
            }
        }
        return nil
    }

    private mutating func pass(
        _ engine: consuming StrumEngine?, for strings: StrummedStrings?, to analysis: borrowing AnalysisThread
    ) {
        generation += 1
        self.strings = strings
        analysis.hearStrums(by: engine, generation: generation)
    }
}
