internal import CExpat

/// Reads XML by expat, element by element.
enum XMLElements {
    /// Calls `element` with the name and the attributes of each element, in the order of their beginnings.
    ///
    /// A document type is refused: no file that we read has one, and entities in it could expand without bound. So are more than
    /// `deepest` elements within each other, of which the parser holds each: MuseScore's have three.
    ///
    /// - Parameter element: false ends the reading.
    /// - Returns: whether the document is well-formed, as far as it was read.
    static func read(_ bytes: [UInt8], _ element: @escaping (_ name: String, _ attributes: [String: String]) -> Bool)
        -> Bool
    {
        guard let count = Int32(exactly: bytes.count), let parser = XML_ParserCreate(nil) else { return false }
        defer { XML_ParserFree(parser) }
        let handler = Handler(parser, element)
        return withExtendedLifetime(handler) {
            XML_SetUserData(parser, Unmanaged.passUnretained(handler).toOpaque())
            XML_SetStartElementHandler(parser) { data, name, attributes in
                guard let data, let name else { return }
                Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().begin(name, attributes)
            }
            XML_SetEndElementHandler(parser) { data, _ in
                guard let data else { return }
                Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().depth -= 1
            }
            XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
                guard let data else { return }
                XML_StopParser(Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().parser, 0)
            }
            let status = bytes.withUnsafeBytes { raw in
                XML_Parse(parser, raw.baseAddress?.assumingMemoryBound(to: CChar.self), count, 1)
            }
            return status == XML_STATUS_OK || handler.isEnough
        }
    }

    private static let deepest = 64

    private final class Handler {
        let parser: XML_Parser
        var depth = 0
        /// Whether the rest is not wanted.
        private(set) var isEnough = false
        private let element: (String, [String: String]) -> Bool

        init(_ parser: XML_Parser, _ element: @escaping (String, [String: String]) -> Bool) {
            (self.parser, self.element) = (parser, element)
        }

        /// - Parameter attributes: names and values in turn, up to a null pointer.
        func begin(_ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
            depth += 1
            // The parser may tell some more after it was stopped.
            guard depth <= XMLElements.deepest, !isEnough else { return _ = XML_StopParser(parser, 0) }
            var values: [String: String] = [:]
            var place = 0
            while let name = attributes?[place], let value = attributes?[place + 1] {
                values[String(cString: name)] = String(cString: value)
                place += 2
            }
            guard !element(String(cString: name), values) else { return }
            isEnough = true
            XML_StopParser(parser, 0)
        }
    }
}
