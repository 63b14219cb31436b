internal import Timebase

/// One line of a tempo map: `[label:] bars [meter] tempo [pattern] [volume]`.
internal struct MapEntry {
    /// The place of its first character.
    internal var place = MapPlace(line: 0, column: 1)
    internal var label: String?
    internal var bars: Int64?
    /// Its first bar, counted from 1 in the order in which the map is written.
    internal var firstBar: Int64 = 1
    internal var meter: Meter?
    internal var tempo = MapTempo.steady(Ratio(120))
    /// What the tempo counts: quarters, as in klick, unless another note value is given.
    internal var noteValue = NoteValue.quarter
    internal var tempoColumn = 1
    internal var pattern: AccentPattern?
    internal var patternColumn = 1
    internal var volume = 1.0
    /// The label to jump to, once.
    internal var jump: String?
    internal var jumpColumn = 1
    /// The `#:` comments before it.
    internal var pragmas = MapPragmas()
    internal var section: PlanSection?

    internal enum MapTempo {
        case steady(Ratio)
        case ramp(Ratio, Ratio, TempoCurve?)
        case perBeat([Ratio])
    }

    /// The section that the entry and the comments before it describe.
    ///
    /// - Throws: an error at the tempo or at the accents, which may be on another line.
    internal func makeSection(in text: MapText) throws(NotationError) -> PlanSection {
        // Without a meter four of the notes that the tempo counts; in klick's format those are quarters.
        let bar = meter ?? Meter(groups: [4], over: noteValue.denominator)
        let levels: [[AccentLevel]]
        do throws(PlanError) {
            levels = try pragmas.levels(pattern, meter: bar)
        } catch {
            let accents = pattern == nil ? pragmas.place(of: error) : nil
            throw text.problem(error, inWordAt: accents ?? MapPlace(line: place.line, column: patternColumn))
        }
        let tempo = try course(beats: bars.map { $0 * Int64(bar.beats) }, in: text)
        var section = PlanSection(tempo: tempo, levels: levels, meter: meter)
        pragmas.apply(to: &section)
        (section.label, section.bars, section.volume) = (label, bars, volume)
        return section
    }

    private func course(beats: Int64?, in text: MapText) throws(NotationError) -> TempoCourse {
        var course = TempoCourse(counting: noteValue, pieces: [])
        switch tempo {
        case .steady(let tempo): course.pieces = [TempoCourse.Piece(law: .steady(tempo))]
        case .ramp(let from, let to, let named):
            guard let beats else {
                throw text.problem(place.line, column: tempoColumn, "a ramp needs an end", remedy: "write its bars")
            }
            let law = TempoCourse.Law.ramp(from: from, to: to, beats: Double(beats), curve: named ?? pragmas.curve)
            course.pieces = [TempoCourse.Piece(law: law, beats: beats)]
        case .perBeat(let tempi):
            guard Int64(tempi.count) == beats else {
                let found = "\(tempi.count) tempi for \(beats.map { "\($0) beats" } ?? "bars without end")"
                throw text.problem(place.line, column: tempoColumn, found, remedy: "write one for each beat")
            }
            course.pieces = tempi.map { TempoCourse.Piece(law: .steady($0), beats: 1) }
        }
        return course
    }
}
