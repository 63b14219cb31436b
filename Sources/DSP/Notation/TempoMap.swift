public import Timebase

extension PracticePlan {
    /// Reads a tempo map: the bars of a piece with their meters and tempi, one entry per line.
    ///
    /// It reads every map of klick, with the same times:
    ///
    ///     # bars, meter, tempo, pattern, volume; a meter of 4/4 and an accent on the first beat unless said otherwise
    ///     intro:  8 120
    ///             8 3/4 120-140 X.x 0.5      # faster over these bars
    ///             1 4/4 100,110,120,130      # one tempo for each beat
    ///
    /// Additions to klick's format are comments, which klick skips. They apply to the next entry or to the whole file:
    ///
    ///     #: swing=2:1 sub=8th accent=3+2+2 poly=3:4 polymeter=4:3 gap=3:1 curve=time
    ///     #: @file mute=20 countin=2 gap=3:1 seed=7
    ///
    /// A file that starts with `#!metronome 2` may also contain `*` for bars without end, groups in the meter (2+2+3/8), exact
    /// and counted tempi (100/3, 8.=96), ramps such as 80..160, patterns with `o`, digits and `/`, `repeat 4 {` … `}`, and
    /// `-> label` after an entry, which jumps the first time. A tempo counts quarters unless it names another note value, which
    /// without a meter is also the beat: `2 8=140` is two bars of four eighths.
    ///
    /// Limits, which klick does not have: 1 to 100,000,000 bars per entry; 1 to 16,384 beats per bar, each a whole note to a
    /// 4,096th; tempi from 10⁻¹¹ to 1,000,000, after `#!metronome 2` from 1 to 1,000; 60,000 entries with repeats and jumps
    /// expanded. A tempo may have any number of decimals: it is exact if numerator and denominator are below 2⁴⁰, otherwise
    /// the nearest such fraction, at 120 BPM less than 0.2 µs off per day.
    ///
    /// Volumes are linear, as in klick. If the loudest stroke would exceed full scale, the whole map plays softer.
    ///
    /// - SeeAlso: klick 0.12.2, "Tempo map files".
    ///
    /// - Parameters:
    ///   - text: the contents of the file.
    ///   - file: its name, for messages.
    ///   - seed: for random muting, unless the file sets one.
    /// - Throws: `NotationError` with the line and column of the first error.
    public init(tempoMap text: String, file: String, seed: UInt64 = 0) throws(NotationError) {
        self = try TempoMap.sections(parsing: text, file: file, seed: seed).plan
    }
}

/// The parts of the notation of tempo maps.
package enum TempoMap {
    /// The sections of a map, laid out; `PlanGrid.playing` adds the rest of its plan.
    package static func sections(parsing text: String, file: String, seed: UInt64) throws(NotationError) -> PlanGrid {
        var reader = TempoMapReader(text: text, file: file, seed: seed)
        return try reader.read()
    }
}
