import AudioIO

/// The samples of a source in blocks, counted.
struct SampleBlocks<Source: SampleSource & ~Copyable>: ~Copyable {
    private var source: Source
    /// 85 ms at 48 kHz: few enough for a queue of 1,024 readings at the shortest hop, 1 ms at 8 kHz, and `StrumEngine.refine`
    /// is called twice a second at least.
    private var block = [Float](repeating: 0, count: 4_096)
    /// How many of them the last block had.
    private var count = 0
    /// Samples that were read, those of the last block included.
    private(set) var frames: Int64 = 0

    init(_ source: consuming Source) { self.source = source }

    /// Reads the next block; `nil` at the end.
    mutating func next() throws(AudioError) -> SampleRead? {
        // Taken out for the time of the call, so that the source can change beside it.
        var block: [Float] = []
        swap(&block, &self.block)
        defer { swap(&block, &self.block) }
        var span = block.mutableSpan
        let read = try source.read(into: &span)
        guard !read.isEnd else { return nil }
        count = read.count
        frames += Int64(read.count)
        return read
    }

    /// The samples of the last block.
    var samples: Span<Float> {
        @_lifetime(borrow self)
        get { block.span.extracting(0..<count) }
    }
}
