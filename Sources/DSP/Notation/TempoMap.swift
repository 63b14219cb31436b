public import Timebase

/// A tempo map as text: the bars of a piece with their meters and tempi, one entry a line.
///
/// Every map of klick is read, and gives klick's times:
///
///     # bars, meter, tempo, pattern, volume; a meter of 4/4 and an accent on the first beat unless said otherwise
///     intro:  8 120
///             8 3/4 120-140 X.x 0.5      # faster over these bars
///             1 4/4 100,110,120,130      # one tempo for each beat
///
/// What klick does not have stands in comments that klick skips, and holds for the next entry or for the whole file:
///
///     #: swing=2:1 sub=8th accent=3+2+2 poly=3:4 polymeter=4:3 gap=3:1 curve=time
///     #: @file mute=20 countin=2 gap=3:1 seed=7
///
/// A file that begins with `#!metronome 2` may also have `*` for bars without end, groups in the meter (2+2+3/8), exact
/// and counted tempi (100/3, 8.=96), ramps as 80..160, patterns with o, digits and strokes, `repeat 4 {` … `}`, and
/// `-> label` after an entry, which is taken the first time it is reached.
///
/// A `#:` that no `key=` or `@file` follows is a comment like any other.
///
/// Bounds, which klick does not have: 1 to 100,000,000 bars an entry, 1 to 16,384 beats a bar, each a whole note or a part
/// of one down to a 4,096th; tempi from 10⁻¹¹ to 1,000,000, in a file that begins with `#!metronome 2` from 1 to 1,000;
/// 200,000 entries with repeats and jumps written out. A tempo may have any number of decimals: it is taken exactly where
/// less than 2⁴⁰ stands above and below the line (nine decimals below 1,000 always fit), otherwise as the nearest fraction
/// that has, at 120 a minute less than 0.2 µs from it in a day.
///
/// A volume of 2 is twice as loud as one of 1, as with klick; but where the loudest stroke of the map would pass full scale,
/// the whole map is played that much softer, so that the proportions stay and nothing is cut off.
///
/// - SeeAlso: klick 0.12.2, "Tempo map files".
public struct TempoMap: Sendable, Hashable {
    /// The bars and what is played over them.
    public let plan: PracticePlan

    /// Reads a map.
    ///
    /// - Parameters:
    ///   - text: the whole file.
    ///   - file: its name, for messages.
    ///   - seed: chooses the beats that are left out at random, unless the file names one.
    /// - Throws: `NotationError` with the line and column of the first thing that is not understood.
    public init(parsing text: String, file: String, seed: UInt64 = 0) throws(NotationError) {
        var reader = TempoMapReader(text: text, file: file, seed: seed)
        plan = try reader.read()
    }
}
