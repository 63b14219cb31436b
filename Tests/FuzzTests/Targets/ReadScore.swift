import CExpat

/// A score in MusicXML, read by expat as a program that opens it does.
final class ReadScore {
    /// A note or a rest.
    struct Element {
        /// The written pitch on the keyboard, 60 for middle C; `nil` for a rest.
        var key: Int?
        var octave = 0, alter = 0, duration = 0
        var isTied = false, isTiedBack = false, hasType = false, isWholeBar = false
    }

    private(set) var title = ""
    private(set) var divisions = 0, beats = 0, beatType = 0
    /// Semitones from the written to the sounding notes.
    private(set) var transposition = 0
    private(set) var bars: [[Element]] = []
    private var element = Element()
    private var text = ""

    /// `nil` for what is not well-formed.
    init?(_ document: String) {
        guard let parser = XML_ParserCreate(nil) else { return nil }
        defer { XML_ParserFree(parser) }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in
                guard let data, let name else { return }
                ReadScore.at(data).begin(String(cString: name), attributes)
            },
            { data, name in
                guard let data, let name else { return }
                ReadScore.at(data).end(String(cString: name))
            })
        XML_SetCharacterDataHandler(parser) { data, characters, count in
            guard let data, let characters else { return }
            let bytes = UnsafeRawBufferPointer(start: characters, count: Int(count))
            ReadScore.at(data).text += String(decoding: bytes, as: UTF8.self)
        }
        let bytes = Array(document.utf8)
        let status = bytes.withUnsafeBytes { raw in
            XML_Parse(parser, raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(raw.count), 1)
        }
        guard status == XML_STATUS_OK else { return nil }
    }

    private static func at(_ data: UnsafeMutableRawPointer) -> ReadScore {
        Unmanaged<ReadScore>.fromOpaque(data).takeUnretainedValue()
    }

    private func begin(_ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        text = ""
        // Names and values in turn; those that we ask for have one attribute.
        let value = attributes?[0] != nil ? attributes?[1].map { String(cString: $0) } : nil
        switch name {
        case "measure": bars.append([])
        case "note": element = Element()
        case "rest": element.isWholeBar = value == "yes"
        case "tie": if value == "start" { element.isTied = true } else { element.isTiedBack = true }
        default: break
        }
    }

    private func end(_ name: String) {
        switch name {
        case "work-title": title = text
        case "divisions": divisions = number
        case "beats": beats = number
        case "beat-type": beatType = number
        case "chromatic": transposition += number
        case "octave-change": transposition += 12 * number
        case "step": element.key = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11][text]
        case "alter": element.alter = number
        case "octave": element.octave = number
        case "duration": element.duration = number
        case "type": element.hasType = true
        case "note":
            element.key = element.key.map { $0 + element.alter + 12 * (element.octave + 1) }
            bars[bars.count - 1].append(element)
        default: break
        }
    }

    private var number: Int {
        guard let value = Int(text) else { preconditionFailure("\(text) is no number") }
        return value
    }
}
