package import Music

/// A melody as a MusicXML 4.0 document: one part, one voice.
/// - SeeAlso: MusicXML Version 4.0, W3C Music Notation Community Group, 2021.
package struct MusicXMLFile: Sendable {
    package let text: String

    /// The lowest mean key that is written in the treble clef: middle C.
    private static let trebleFrom = 60.0

    /// Writes a melody.
    ///
    /// - Parameters:
    ///   - tempi: the first stands over the first bar, later ones where they begin.
    ///   - software: what is named as the program that wrote it.
    ///   - clef: by default treble or bass by the range of the notes, and treble for an instrument that sounds other than octaves
    ///     away from what is written: all those read the treble clef.
    ///   - transposition: what the notes are written for, so that a program plays them as they sound.
    package init(
        _ melody: NotatedMelody, title: String, tempi: [TempoMark], software: String, clef: Clef? = nil,
        transposition: Transposition = .concert
    ) {
        let elements = melody.bars.joined()
        var (sum, total) = (0.0, 0.0)
        for element in elements {
            guard let note = element.note else { continue }
            sum += Double(note.midi * element.length)
            total += Double(element.length)
        }
        let key = KeySignature(
            of: elements.compactMap { element in element.note.map { ($0, Double(element.length)) } })
        let isTreble = total == 0 || sum / total >= Self.trebleFrom || transposition.sounds.semitones % 12 != 0
        let clef = clef ?? (isTreble ? .treble : .bass)
        var xml = XMLText(
            doctype: "<!DOCTYPE score-partwise PUBLIC \"-//Recordare//DTD MusicXML 4.0 Partwise//EN\" "
                + "\"http://www.musicxml.org/dtds/partwise.dtd\">")
        xml.element("score-partwise", [("version", "4.0")]) { xml in
            xml.element("work") { $0.element("work-title", text: title) }
            xml.element("identification") { xml in
                xml.element("encoding") { $0.element("software", text: software) }
            }
            xml.element("part-list") { xml in
                xml.element("score-part", [("id", "P1")]) { xml in
                    xml.element("part-name", text: "Melody")
                    xml.element("score-instrument", [("id", "P1-I1")]) {
                        $0.element("instrument-name", text: "Melody")
                    }
                    // MIDI program 1, a piano.
                    xml.element("midi-instrument", [("id", "P1-I1")]) { xml in
                        xml.element("midi-channel", text: "1")
                        xml.element("midi-program", text: "1")
                    }
                }
            }
            xml.element("part", [("id", "P1")]) { xml in
                // A part has one measure at least.
                let bars =
                    melody.bars.isEmpty
                    ? [[NotatedMelody.Element(note: nil, length: melody.stepsPerBar)]] : melody.bars
                // An upbeat's bar is not counted.
                let isUpbeat = melody.upbeatLength > 0
                for (index, bar) in bars.enumerated() {
                    let number = ("number", String(index + (isUpbeat ? 0 : 1)))
                    xml.element("measure", isUpbeat && index == 0 ? [number, ("implicit", "yes")] : [number]) { xml in
                        if index == 0 {
                            Self.attributes(of: melody, key, clef, transposition, &xml)
                            if let first = tempi.first { Self.metronome(first.perMinute, at: 0, &xml) }
                        }
                        for mark in tempi.dropFirst() {
                            if let step = melody.step(ofQuarter: mark.quarter, inBar: index) {
                                Self.metronome(mark.perMinute, at: step, &xml)
                            }
                        }
                        Self.notes(of: bar, melody, key, &xml)
                        if index == bars.count - 1 {
                            xml.element("barline", [("location", "right")]) {
                                $0.element("bar-style", text: "light-heavy")
                            }
                        }
                    }
                }
            }
        }
        text = xml.text
    }

    private static func attributes(
        of melody: NotatedMelody, _ key: KeySignature, _ clef: Clef, _ transposition: Transposition,
        _ xml: inout XMLText
    ) {
        xml.element("attributes") { xml in
            xml.element("divisions", text: String(melody.stepsPerQuarter))
            xml.element("key") { xml in
                xml.element("fifths", text: String(key.fifths))
                xml.element("mode", text: key.isMinor ? "minor" : "major")
            }
            xml.element("time") { xml in
                xml.element("beats", text: String(melody.beats))
                xml.element("beat-type", text: String(melody.beatType))
            }
            xml.element("clef") { xml in
                xml.element("sign", text: clef.sign)
                xml.element("line", text: String(clef.line))
                if clef.octaves != 0 { xml.element("clef-octave-change", text: String(clef.octaves)) }
            }
            let semitones = transposition.sounds.semitones
            guard semitones != 0 else { return }
            xml.element("transpose") { xml in
                let (size, sign) = (abs(semitones), semitones.signum())
                xml.element("diatonic", text: String(sign * Self.staffSteps[size % 12]))
                xml.element("chromatic", text: String(sign * (size % 12)))
                if size >= 12 { xml.element("octave-change", text: String(sign * (size / 12))) }
            }
        }
    }

    /// By how many steps of the staff an interval of so many semitones is written: 2 are a second, 3 a minor third.
    private static let staffSteps = [0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6]

    /// A tempo over a bar, so many steps from its beginning.
    private static func metronome(_ tempo: Double, at step: Int, _ xml: inout XMLText) {
        // Two decimals, without zeros at their end.
        let hundredths = Int((tempo * 100).rounded())
        var number = "\(hundredths / 100)"
        if hundredths % 100 > 0 {
            let decimals = String(hundredths % 100 + 100).dropFirst()
            number += "." + (decimals.hasSuffix("0") ? String(decimals.dropLast()) : String(decimals))
        }
        xml.element("direction", [("placement", "above")]) { xml in
            xml.element("direction-type") { xml in
                xml.element("metronome") { xml in
                    xml.element("beat-unit", text: "quarter")
                    xml.element("per-minute", text: number)
                }
            }
            if step > 0 { xml.element("offset", [("sound", "yes")], text: String(step)) }
            xml.element("sound", [("tempo", number)])
        }
    }

    private static func notes(
        of bar: [NotatedMelody.Element], _ melody: NotatedMelody, _ key: KeySignature, _ xml: inout XMLText
    ) {
        // What the accidentals before in this bar have made of a letter in an octave.
        var altered: [String: Int] = [:]
        for element in bar {
            xml.element("note") { xml in
                let isWholeBar = element.note == nil && element.length == melody.stepsPerBar
                let spelling = element.note.map(key.spelling)
                if let spelling {
                    xml.element("pitch") { xml in
                        xml.element("step", text: spelling.step)
                        if spelling.alter != 0 { xml.element("alter", text: String(spelling.alter)) }
                        xml.element("octave", text: String(octave(of: spelling)))
                    }
                } else {
                    xml.element("rest", isWholeBar ? [("measure", "yes")] : [])
                }
                xml.element("duration", text: String(element.length))
                if element.isTiedBack { xml.element("tie", [("type", "stop")]) }
                if element.isTied { xml.element("tie", [("type", "start")]) }
                xml.element("voice", text: "1")
                if !isWholeBar, let value = NotatedMelody.Value(element, melody.stepsPerQuarter) {
                    xml.element("type", text: value.name)
                    if value.hasDot { xml.element("dot") }
                }
                if let spelling {
                    let place = spelling.step + String(octave(of: spelling))
                    let now = altered[place] ?? key.alter(of: spelling.step)
                    if spelling.alter != now, !element.isTiedBack {
                        altered[place] = spelling.alter
                        xml.element("accidental", text: accidentals[spelling.alter] ?? "natural")
                    }
                }
                if element.isTriplet {
                    xml.element("time-modification") { xml in
                        xml.element("actual-notes", text: "3")
                        xml.element("normal-notes", text: "2")
                        xml.element("normal-type", text: "eighth")
                    }
                }
                notations(of: element, &xml)
            }
        }
    }

    /// MusicXML has the octaves 0 to 9; a note beyond, of a glockenspiel that is played by a bass, moves to the nearest of them.
    private static func octave(of spelling: KeySignature.Spelling) -> Int { max(0, min(9, spelling.octave)) }

    private static func notations(of element: NotatedMelody.Element, _ xml: inout XMLText) {
        guard element.isTied || element.isTiedBack || element.beginsTriplet || element.endsTriplet else { return }
        xml.element("notations") { xml in
            if element.isTiedBack { xml.element("tied", [("type", "stop")]) }
            if element.isTied { xml.element("tied", [("type", "start")]) }
            if element.beginsTriplet { xml.element("tuplet", [("type", "start"), ("bracket", "yes")]) }
            if element.endsTriplet { xml.element("tuplet", [("type", "stop")]) }
        }
    }

    private static let accidentals = [-2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp"]
}
