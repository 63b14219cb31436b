import AudioIO

/// Raw sound on standard input, of which there must be some, as in a file.
struct StandardInput: ~Copyable, SampleSource {
    private var reader: RawPCMReader
    private var isHeard = false

    init(_ reader: consuming RawPCMReader) { self.reader = reader }

    var sampleRate: Hertz { reader.sampleRate }

    /// Reads what has arrived; throws `AudioError.emptyFile` where the stream ends before its first frame.
    mutating func read(into samples: inout MutableSpan<Float>) throws(AudioError) -> SampleRead {
        let read = try reader.read(into: &samples)
        guard isHeard || !read.isEnd else { throw .emptyFile(path: "-") }
        isHeard = true
        return read
    }
}
