internal import CExpat

/// Reads XML by expat, element by element.
enum XMLElements {
    /// Calls `element` with the name and the attributes of each element, in the order of their beginnings.
    ///
    /// A document type is refused: no file that we read has one, and entities in it could expand without bound.
    ///
    /// - Returns: whether the document is well-formed.
    static func read(_ bytes: [UInt8], _ element: @escaping (_ name: String, _ attributes: [String: String]) -> Void)
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
            XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
                guard let data else { return }
                XML_StopParser(Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().parser, 0)
            }
            return bytes.withUnsafeBytes { raw in
                XML_Parse(parser, raw.baseAddress?.assumingMemoryBound(to: CChar.self), count, 1) == XML_STATUS_OK
            }
        }
    }

    private final class Handler {
        let parser: XML_Parser
        private let element: (String, [String: String]) -> Void

        init(_ parser: XML_Parser, _ element: @escaping (String, [String: String]) -> Void) {
            (self.parser, self.element) = (parser, element)
        }

        /// - Parameter attributes: names and values in turn, up to a null pointer.
        func begin(_ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
            var values: [String: String] = [:]
            var place = 0
            while let name = attributes?[place], let value = attributes?[place + 1] {
                values[String(cString: name)] = String(cString: value)
                place += 2
            }
            element(String(cString: name), values)
        }
    }
}
