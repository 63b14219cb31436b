/// One way of tuning an instrument's strings: `standard`, `DADGAD`, `niagari`.
public struct StringTuning: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// The strings at concert pitch, in the order in which players name them (a guitar's from the low E), grouped by course:
    /// a pair of strings that are played as one.
    public let courses: [[Note]]
    /// Whether the first course in the list is number 1, as on the koto. On most instruments the last one is.
    public let countsFromFirst: Bool

    /// A tuning. Courses without a string are left out.
    public init(name: String, courses: [[Note]], countsFromFirst: Bool = false) {
        (self.name, self.countsFromFirst) = (name, countsFromFirst)
        self.courses = courses.filter { !$0.isEmpty }
    }

    /// Reads a tuning from note names with octaves, separated by spaces.
    ///
    /// An entry is a string (`E2`), a course (`E2/E3`), the white keys from one note to another (`C1..G7`), the same with
    /// some letters flat (`C2..A6:BEA`), or all keys (`A0~C8`).
    public init(name: String, strings text: some StringProtocol, countsFromFirst: Bool = false) throws(NameError) {
        var courses: [[Note]] = []
        var column = 1
        for word in String(text).split(separator: " ", omittingEmptySubsequences: false) {
            defer { column += word.count + 1 }
            if word.isEmpty { continue }
            do throws(NameError) {
                courses += try Self.courses(word)
            } catch {
                throw error.shifted(by: column - 1, in: String(text))
            }
        }
        guard !courses.isEmpty else {
            throw .notANote(text: String(text), column: 1, expected: "a note with its octave, as in E2")
        }
        self.init(name: name, courses: courses, countsFromFirst: countsFromFirst)
    }

    /// All strings in the order of `courses`.
    public var strings: [Note] { courses.flatMap { $0 } }

    /// The number that players give to a string's course, from 1; 0 if there is no such string.
    ///
    /// - Parameter index: a position in `strings`.
    public func courseNumber(ofString index: Int) -> Int {
        var first = 0
        for (course, notes) in courses.enumerated() {
            first += notes.count
            if index < first { return countsFromFirst ? course + 1 : courses.count - course }
        }
        return 0
    }

    /// Whether an earlier string of the same course has the same pitch, as on a mandolin. The two cannot be told apart.
    ///
    /// - Parameter index: a position in `strings`.
    public func isDouble(_ index: Int) -> Bool {
        let (all, course) = (strings, courseNumber(ofString: index))
        guard all.indices.contains(index) else { return false }
        return all[..<index].indices.contains { all[$0] == all[index] && courseNumber(ofString: $0) == course }
    }

    /// The tuning with a capo on a fret: every string that many semitones higher, a banjo's short fifth string included.
    public func capo(_ fret: Int) -> StringTuning {
        let interval = Interval(semitones: fret)
        return StringTuning(
            name: name, courses: courses.map { $0.map { $0 + interval } }, countsFromFirst: countsFromFirst)
    }

    /// This tuning with its courses moved to these letters by the smallest interval; `nil` unless there is one letter for
    /// each course. Small letters need blanks between them: in `ebe` the b could be a string or a flat.
    func lettered(_ text: String) -> StringTuning? {
        var classes: [Int] = []
        let words = text.split(separator: " ")
        if words.count > 1 { classes = words.compactMap { try? Note.pitchClass(named: $0) } }
        var rest = words.count > 1 ? ""[...] : text[...]
        while let letter = rest.first {
            guard "ABCDEFGH".contains(letter) else { return nil }
            let accidentals = rest.dropFirst().prefix { "#♯b♭".contains($0) }
            guard let pitchClass = try? Note.pitchClass(named: String(letter) + accidentals) else { return nil }
            classes.append(pitchClass)
            rest = rest[accidentals.endIndex...]
        }
        guard classes.count == courses.count, words.count <= 1 || classes.count == words.count else { return nil }
        let moved = zip(courses, classes).map { course, pitchClass in
            course.map { $0 + Self.step(from: course[0], to: pitchClass) }
        }
        return StringTuning(name: text, courses: moved, countsFromFirst: countsFromFirst)
    }

    /// This tuning moved as a whole, so that its first course has the name in `text`: `Eb`, `D`, `C# standard`.
    func moved(toFirst text: String) -> StringTuning? {
        let words = text.split(separator: " ").filter { !["standard", "tuning"].contains($0.lowercased()) }
        guard words.count == 1, let pitchClass = try? Note.pitchClass(named: words[0]), let first = strings.first
        else { return nil }
        let step = Self.step(from: first, to: pitchClass)
        let moved = courses.map { $0.map { $0 + step } }
        return StringTuning(name: text, courses: moved, countsFromFirst: countsFromFirst)
    }

    /// The smallest step to a pitch class: from six semitones down to five up.
    private static func step(from note: Note, to pitchClass: Int) -> Interval {
        Interval(semitones: wrapped(pitchClass - note.pitchClass + 6) - 6)
    }

    /// The string nearest to a frequency, and the deviation from it.
    ///
    /// - Parameters:
    ///   - frequency: 1 Hz to 100 kHz; otherwise the result is `nil`.
    ///   - tuning: the frequencies of the notes.
    ///   - locked: the position in `strings` of the only string to consider; `nil` for all.
    /// - Returns: the position in `strings`, the first of several at one pitch; the note; the deviation, positive when
    ///   sharp, which may be many semitones.
    public func nearest(
        to frequency: Hertz, in tuning: Tuning, locked: Int? = nil
    ) -> (string: Int, target: Tuning.Target, deviation: Cents)? {
        var best: (string: Int, target: Tuning.Target, deviation: Cents)?
        for (index, note) in strings.enumerated() where locked == nil || locked == index {
            guard let target = tuning.target(for: note), let deviation = tuning.deviation(of: frequency, from: note)
            else { continue }
            if let found = best, abs(deviation.value) >= abs(found.deviation.value) { continue }
            best = (index, target, deviation)
        }
        return best
    }

    /// Reads a course, or a run of single strings.
    private static func courses(_ word: Substring) throws(NameError) -> [[Note]] {
        if let run = word.range(ofText: "..") {
            let end = word[run.upperBound...]
            let high = end.prefix { $0 != ":" }
            let flats = end[high.endIndex...].dropFirst()
            let keys = try keys(from: word[..<run.lowerBound], to: high, in: word)
            return keys.filter { NoteSpelling.naturals.contains($0.pitchClass) }
                .map { [flats.contains($0.name) ? Note(midi: $0.midi - 1) : $0] }
        }
        if let run = word.range(ofText: "~") {
            return try keys(from: word[..<run.lowerBound], to: word[run.upperBound...], in: word).map { [$0] }
        }
        var course: [Note] = []
        for name in word.split(separator: "/", omittingEmptySubsequences: false) {
            course.append(try note(name, in: word))
        }
        return [course]
    }

    /// Every key from one note up to another; at most the 128 of MIDI.
    private static func keys(
        from low: Substring, to high: Substring, in word: Substring
    ) throws(NameError) -> [Note] {
        let (first, last) = (try note(low, in: word), try note(high, in: word))
        guard first <= last, last.midi - first.midi < 128 else {
            throw .notANote(text: String(high), column: column(of: high, in: word), expected: "a note above \(first)")
        }
        return (first.midi...last.midi).map { Note(midi: $0) }
    }

    /// Reads a note that is part of a word. Columns in errors count from the start of the word.
    private static func note(_ part: Substring, in word: Substring) throws(NameError) -> Note {
        do throws(NameError) {
            return try Note(named: part)
        } catch {
            throw error.shifted(by: column(of: part, in: word) - 1)
        }
    }

    private static func column(of part: Substring, in word: Substring) -> Int {
        word.distance(from: word.startIndex, to: part.startIndex) + 1
    }
}

extension Substring {
    /// Where a short text first occurs.
    fileprivate func range(ofText text: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(text) }.map { $0..<self.index($0, offsetBy: text.count) }
    }
}
