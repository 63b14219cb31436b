import Music
import ScoreFiles

extension FuzzTarget {
    /// The scores and MIDI files of melodies: what is read in them is what was played.
    ///
    /// Bytes for the grid and the title, and five for each note.
    static let melody = FuzzTarget(name: "melody", longest: 512) { bytes in
        var input = bytes.makeIterator()
        func byte() -> Int { Int(input.next() ?? 0) }
        let (beats, beatType) = (1 + byte() % 32, [1, 2, 4, 8, 16, 32][byte() % 6])
        let (shortest, tempo) = ([4, 8, 16, 32][byte() % 4], Double(20 + byte() * 3 / 2))
        let transposition = Transposition.all[byte() % Transposition.all.count]
        let clef = ([nil] + Clef.allCases)[byte() % (1 + Clef.allCases.count)]
        let (grid, shift, triplets) = (byte(), byte(), byte())
        let title = String(decoding: (0..<byte() % 24).map { _ in UInt8(byte()) }, as: UTF8.self)
        var notes: [MelodyNote] = []
        var start = Duration.zero
        // One that begins with another has its place by luck, so each begins a millisecond later at least.
        while let first = input.next() {
            start += .milliseconds(1 + 4 * Int(first))
            let end = start + .milliseconds(1 + 8 * byte())
            notes.append(
                MelodyNote(
                    start: start, end: end, note: Note(midi: byte() % 128),
                    deviation: Cents(Double(byte() - 128)), velocity: byte() - 64))
        }
        var positions =
            switch grid % 3 {
            case 0: BeatPositions(tempo: tempo, origin: .milliseconds(shift * 10))
            case 1: BeatPositions(tempo: tempo, fitting: notes, stepsPerBeat: shortest / 4)
            default: BeatPositions(tempo: tempo, origin: notes.first?.start ?? .zero)
            }
        if grid & 16 != 0 { positions = positions.counted(from: Double(shift % 32) / 8) }
        let written = notes.map { note in
            var note = note
            note.note = transposition.written(concert: note.note)
            return note
        }
        let melody = NotatedMelody(
            written, on: positions, beats: beats, beatType: beatType, shortest: shortest,
            triplets: Set((0..<8).filter { triplets >> $0 & 1 == 1 }))
        let file = MusicXMLFile(
            melody, title: title, tempi: [TempoMark(perMinute: tempo), TempoMark(quarter: 3, perMinute: tempo / 3)],
            software: "fuzz", clef: clef, transposition: transposition)
        check(file.text, melody, written.map(\.note.midi), title, transposition)
        check(
            ReadMIDI(
                MelodyMIDIFile(
                    notes, tempo: grid & 32 == 0 ? nil : tempo, meter: grid & 64 == 0 ? nil : (beats, beatType),
                    bends: grid & 128 != 0
                ).bytes), notes)
    }

    private static func check(
        _ text: String, _ melody: NotatedMelody, _ keys: [Int], _ title: String, _ transposition: Transposition
    ) {
        guard let score = ReadScore(text) else { preconditionFailure("the score is not well-formed") }
        precondition(score.title == XMLTitle.readable(title), "\(score.title) is not \(title)")
        precondition(score.transposition == transposition.sounds.semitones)
        let full = score.divisions * 4 * score.beats
        precondition(full % score.beatType == 0)
        var (read, tied): ([Int], Int?) = ([], nil)
        for (index, bar) in score.bars.enumerated() {
            let length = bar.reduce(0) { $0 + $1.duration }
            let isUpbeat = index == 0 && melody.upbeatLength > 0
            precondition(
                length == (isUpbeat ? melody.upbeatLength : full / score.beatType), "bar \(index) has \(length)")
            for element in bar {
                precondition(element.duration > 0 && (element.hasType || element.isWholeBar))
                precondition((0...9).contains(element.octave) && (-2...2).contains(element.alter))
                // A note goes on in the next one of its pitch, and only there.
                precondition(element.isTiedBack == (tied != nil) && (tied == nil || tied == element.key))
                if let key = element.key, tied == nil { read.append(key) }
                tied = element.isTied ? element.key : nil
            }
        }
        precondition(tied == nil, "the last note is tied")
        precondition(read.count == keys.count, "\(read.count) notes of \(keys.count)")
        for (key, played) in zip(read, keys) {
            // Octaves below 0 and above 9 do not exist in MusicXML.
            precondition((key - played) % 12 == 0 && (key == played || !(13...130).contains(played)))
        }
    }

    /// One note sounds at a time, each begins within a tick of when it was played, and each ends.
    private static func check(_ file: ReadMIDI, _ notes: [MelodyNote]) {
        var (sounding, count): (UInt8?, Int) = (nil, 0)
        for message in file.messages {
            switch message.status {
            case 0x90:
                precondition(sounding == nil && message.data[1] > 0)
                let note = notes[count]
                let tick = note.start / .microseconds(file.tempo) * Double(file.ticksPerQuarter)
                precondition(Int(message.data[0]) == note.note.midi)
                // One of a tick with the one before waits for its end, a tick later.
                precondition(message.tick >= Int(tick) && Double(message.tick) <= tick + Double(notes.count) + 1)
                (sounding, count) = (message.data[0], count + 1)
            case 0x80:
                precondition(sounding == message.data[0])
                sounding = nil
            default: precondition([0xB0, 0xE0].contains(message.status))
            }
        }
        precondition(sounding == nil && count == notes.count)
    }
}

/// What a reader of XML makes of a title: it has no control characters.
private enum XMLTitle {
    static func readable(_ title: String) -> String {
        var text = ""
        for scalar in title.unicodeScalars {
            let isControl = scalar.value < 0x20 && ![9, 10, 13].contains(scalar.value)
            text.unicodeScalars.append(isControl || [0xFFFE, 0xFFFF].contains(scalar.value) ? "\u{FFFD}" : scalar)
        }
        return text
    }
}
