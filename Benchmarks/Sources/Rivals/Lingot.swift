import CLingot

/// lingot's own ear without its window, through the shared library that the system has: nothing of it is needed to build.
///
/// Its state is partly global: one at a time.
public final class Lingot {
    /// What to say when it is not there.
    public static let howToInstall = "lingot: skipped, its liblingot.so.0 (1.1) is not here: apt-get install liblingot0"
    /// Whether it is there.
    public static var isInstalled: Bool { Lingot(hop: Ear.hop, rate: Ear.rate) != nil }

    private let ear: OpaquePointer
    private let hop: Int

    /// Sizes of its FFT that are measured: the one that it chooses for the range, and the shortest with which it hears the
    /// lowest notes.
    public static let transforms = [0, 8_192]

    /// Its default settings but for the range, which is a guitar's there and B0 to C8 here, and the size of its FFT, if that
    /// is not 0; `nil` without the library.
    public init?(hop: Int, rate: Double, transform: Int = 0) {
        guard let ear = lingot_ear_new(Int32(rate), Int32(hop), 30, 4_300, Int32(transform)) else { return nil }
        (self.ear, self.hop) = (ear, hop)
    }

    /// What it is called in tables.
    static func name(_ transform: Int) -> String { transform == 0 ? "lingot" : "lingot FFT \(transform)" }

    deinit { lingot_ear_free(ear) }

    /// Samples that a reading rests on.
    public var window: Int { Int(lingot_ear_window(ear)) }

    /// Hears `hop` samples; returns hertz, 0 for none.
    public func process(_ samples: UnsafeBufferPointer<Float>) -> Double {
        guard samples.count == hop else { return 0 }
        return lingot_ear_hear(ear, samples.baseAddress)
    }
}
