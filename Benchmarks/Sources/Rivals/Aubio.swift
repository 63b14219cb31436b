import Foundation

/// One of aubio's pitch detectors, through the shared library that the system has: nothing of it is needed to build.
public final class Aubio {
    /// What is measured: the default, the one that is right most often, and the one that is finest.
    private static let methods = ["yinfft", "yinfast", "mcomb"]
    /// Every method on each of these windows; none without the library.
    static func settings(_ windows: [Int]) -> [(method: String, window: Int)] {
        isInstalled ? methods.flatMap { method in windows.map { (method, $0) } } : []
    }
    /// Windows that are measured for time and cost: ours, and shorter ones, which are quicker and lose the low notes.
    public static let windows = [4_096, 2_048, 1_024]
    /// Whether `libaubio.so.5` is there.
    public static var isInstalled: Bool { Library.shared != nil }
    /// What to say when it is not.
    public static let howToInstall = "aubio: skipped, libaubio.so.5 is not here: apt-get install libaubio5"

    private let library: Library
    private let pitch: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    private let hop: Int

    /// A detector with a window of `window` samples that reads `hop` at a time; `nil` without the library.
    public init?(_ method: String, window: Int, hop: Int, rate: Double) {
        guard let library = Library.shared,
            let pitch = library.newPitch(method, UInt32(window), UInt32(hop), UInt32(rate)),
            let input = library.newVector(UInt32(hop)), let output = library.newVector(1)
        else { return nil }
        (self.library, self.pitch, self.input, self.output, self.hop) = (library, pitch, input, output, hop)
        _ = library.setUnit(pitch, "Hz")
        // By default it is deaf below -50 dB.
        _ = library.setSilence(pitch, -90)
    }

    deinit {
        library.deletePitch(pitch)
        library.deleteVector(input)
        library.deleteVector(output)
    }

    /// Hears `hop` samples; returns hertz, 0 for none.
    public func process(_ samples: UnsafeBufferPointer<Float>) -> Double {
        let data = Self.data(input)
        for n in 0..<hop { data[n] = samples[n] }
        library.process(pitch, input, output)
        return Double(Self.data(output)[0])
    }

    /// `fvec_t`: a count, then where the floats are.
    private static func data(_ vector: OpaquePointer) -> UnsafeMutablePointer<Float> {
        UnsafeRawPointer(vector).load(fromByteOffset: 8, as: UnsafeMutablePointer<Float>.self)
    }
}

/// What is called in `libaubio.so.5` (0.4.9).
private struct Library: @unchecked Sendable {
    let newPitch: @convention(c) (UnsafePointer<CChar>, UInt32, UInt32, UInt32) -> OpaquePointer?
    let deletePitch: @convention(c) (OpaquePointer) -> Void
    let process: @convention(c) (OpaquePointer, OpaquePointer, OpaquePointer) -> Void
    let setUnit: @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> UInt32
    let setSilence: @convention(c) (OpaquePointer, Float) -> UInt32
    let newVector: @convention(c) (UInt32) -> OpaquePointer?
    let deleteVector: @convention(c) (OpaquePointer) -> Void

    static let shared = Library()

    private init?() {
        guard let handle = dlopen("libaubio.so.5", RTLD_NOW) else { return nil }
        guard let newPitch = dlsym(handle, "new_aubio_pitch"), let deletePitch = dlsym(handle, "del_aubio_pitch"),
            let process = dlsym(handle, "aubio_pitch_do"), let setUnit = dlsym(handle, "aubio_pitch_set_unit"),
            let setSilence = dlsym(handle, "aubio_pitch_set_silence"), let newVector = dlsym(handle, "new_fvec"),
            let deleteVector = dlsym(handle, "del_fvec")
        else { return nil }
        self.newPitch = unsafeBitCast(newPitch, to: type(of: self.newPitch))
        self.deletePitch = unsafeBitCast(deletePitch, to: type(of: self.deletePitch))
        self.process = unsafeBitCast(process, to: type(of: self.process))
        self.setUnit = unsafeBitCast(setUnit, to: type(of: self.setUnit))
        self.setSilence = unsafeBitCast(setSilence, to: type(of: self.setSilence))
        self.newVector = unsafeBitCast(newVector, to: type(of: self.newVector))
        self.deleteVector = unsafeBitCast(deleteVector, to: type(of: self.deleteVector))
    }
}
