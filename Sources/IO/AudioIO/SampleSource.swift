package import Music

/// A source of mono sound: a sound file, raw PCM from a pipe, a microphone.
package protocol SampleSource: ~Copyable {
    /// Samples per second, a whole number.
    var sampleRate: Hertz { get }

    /// Reads samples into the front of `samples`; waits until there is at least one.
    ///
    /// - Returns: how many were read; 0 only at the end.
    mutating func read(into samples: inout MutableSpan<Float>) throws(AudioError) -> SampleRead
}

/// The result of a read.
public struct SampleRead: Sendable, Hashable {
    /// The samples read; 0 at the end.
    public var count: Int
    /// Whether samples are missing between these and the ones before, so that an analysis has to start again.
    public var followsGap: Bool

    /// A result.
    public init(count: Int, followsGap: Bool = false) { (self.count, self.followsGap) = (count, followsGap) }

    /// Whether the source has ended.
    public var isEnd: Bool { count == 0 }
}
