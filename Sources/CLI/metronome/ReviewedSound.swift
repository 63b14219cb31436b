internal import AudioIO

/// The samples of a recording, as often as they are needed: a short one from memory, a long one from its file each time.
struct ReviewedSound {
    private let file: String
    private let channel: ChannelChoice
    private var kept: [Float] = []
    private var isWhole = true
    let sampleRate: Double
    /// How many samples there are.
    private(set) var count = 0
    /// What ended the recording early, if anything did.
    private(set) var broken: AudioError?

    /// 64 MB: six minutes at 48 kHz.
    private static let mostKept = 16 << 20
    /// An hour: longer takes are cut by an editor.
    private static let longest = 3_600.0
    static let block = 65_536

    /// Reads a recording once, up to an hour of it.
    ///
    /// - Parameter hear: is handed each block.
    init(_ file: String, channel: ChannelChoice, hear: (borrowing Span<Float>) -> Void) throws {
        (self.file, self.channel) = (file, channel)
        var reader = try AudioFileReader(path: file, channel: channel)
        sampleRate = reader.sampleRate.value
        var block = [Float](repeating: 0, count: Self.block)
        let most = Int(Self.longest * sampleRate)
        while count < most {
            let read: SampleRead
            do throws(AudioError) {
                var span = block.mutableSpan
                read = try reader.read(into: &span)
            } catch {
                broken = error
                return
            }
            if read.isEnd { return }
            let taken = min(read.count, most - count)
            hear(block.span.extracting(first: taken))
            count += taken
            isWhole = isWhole && count <= Self.mostKept
            if isWhole { kept += block.prefix(taken) } else { kept = [] }
        }
    }

    /// Hands over the samples from a place on in blocks, each with the place at which it begins.
    func forEachBlock(from first: Int, _ body: (borrowing Span<Float>, Int) -> Void) {
        if isWhole {
            for place in stride(from: max(0, first), to: count, by: Self.block) {
                body(kept.span.extracting(place..<min(count, place + Self.block)), place)
            }
            return
        }
        // It was read before: what fails now ends it early.
        guard var reader = try? AudioFileReader(path: file, channel: channel) else { return }
        var block = [Float](repeating: 0, count: Self.block)
        var place = 0
        while place < count {
            var span = block.mutableSpan
            guard let read = try? reader.read(into: &span), !read.isEnd else { return }
            let taken = min(read.count, count - place)
            if place + taken > first {
                let begin = max(0, first - place)
                body(block.span.extracting(begin..<taken), place + begin)
            }
            place += taken
        }
    }
}
