/// Everything that can be listened to, one channel: a sound file, raw PCM from a pipe, a microphone.
package protocol SampleSource: ~Copyable {
    /// Samples per second.
    var sampleRate: Int { get }

    /// Reads samples into the front of `samples`, waiting for at least one.
    ///
    /// - Returns: how many; 0 only at the end.
    mutating func read(into samples: inout MutableSpan<Float>) throws(AudioError) -> SampleRead
}

/// What one reading brought.
public struct SampleRead: Sendable, Hashable {
    /// The samples read; 0 at the end.
    public var count: Int
    /// Whether samples are missing between these and the ones before: a window across that place means nothing.
    public var followsGap: Bool

    /// A result of a reading.
    public init(count: Int, followsGap: Bool = false) { (self.count, self.followsGap) = (count, followsGap) }

    /// Whether there is nothing more to come.
    public var isEnd: Bool { count == 0 }
}
