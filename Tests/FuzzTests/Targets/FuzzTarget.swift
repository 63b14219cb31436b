/// A reader of text or bytes from outside, which libFuzzer calls with millions of inputs.
///
/// An input is accepted or refused with an error. Whatever it holds, nothing else may happen: a crash, a hang, a result that
/// contradicts itself (`precondition` inside the targets) or memory without bound is a fault.
public struct FuzzTarget: Sendable {
    /// The name of the target, and of the folder of its corpus.
    public let name: String
    /// The longest input that is useful, in bytes.
    public let longest: Int
    /// Whether it compares what it reads with words and signs, which libFuzzer can guess from; not samples and pixels.
    public let comparesText: Bool
    /// Reads one input.
    public let read: @Sendable (UnsafeRawBufferPointer) -> Void

    init(
        name: String, longest: Int, comparesText: Bool = true,
        read: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
        (self.name, self.longest, self.comparesText, self.read) = (name, longest, comparesText, read)
    }

    /// All targets.
    public static let all: [FuzzTarget] = [
        .scale, .mapping, .tempoMap, .midi, .melody, .notation, .names, .settings, .environment, .setList,
        .metronomeLine,
        .tunerLine, .standLine, .keys, .metronomeOptions, .tuningOptions, .raw, .soundFile, .calibrations, .embedding,
        .practiceLog,
        .positions, .picture, .page, .pageTools, .standMessage, .standFrames, .standRequest, .token, .standStore,
    ]

    /// The target of this name.
    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

extension UnsafeRawBufferPointer {
    /// The bytes as text; what is not UTF-8 is replaced.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// The lines of the text: the words of a command line.
    var words: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0.prefix { $0 != "\0" }) }
    }
}
