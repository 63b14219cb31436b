import CMeasurement
import Foundation

/// The first channel of a sound file.
public func readSound(_ path: String) throws -> (samples: [Float], rate: Double) {
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else { throw CocoaError(.fileReadUnknown) }
    defer { sf_close(file) }
    let channels = Int(info.channels)
    var samples = [Float](repeating: 0, count: Int(info.frames) * channels)
    let read = Int(sf_readf_float(file, &samples, info.frames))
    return ((0..<read).map { samples[$0 * channels] }, Double(info.samplerate))
}
