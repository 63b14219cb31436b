import AudioIO
import Foundation

/// One variant of one real note.
public struct RealNoteSound: Sendable {
    /// The name of the note.
    public let name: String
    /// plucked, struck, bowed, blown or sung.
    public let family: String
    /// What is heard of it.
    public let variant: RealNoteVariant
    /// Its pitch in hertz, the middle of the steady part.
    public let hertz: Double
    /// Hertz of the note that rings on in `ring`; 0 without one.
    let previous: Double

    let folder: String
    /// The note that rings, where the variant is made here.
    let ringing: String?
    let audible: Double
    let onset: Double
    let isMelody: Bool
    /// Whether `room` and `ring` are made of the other variants.
    let canBeMade: Bool

    /// A file of the folder, or `nil`.
    private func file(_ name: String, _ variant: RealNoteVariant) -> String? {
        [".flac", ".wav"].map { "\(folder)/\(name).\(variant.rawValue)\($0)" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    var exists: Bool {
        file(name, variant) != nil || canBeMade && (variant == .room || variant == .ring && ringing != nil)
    }

    /// Its samples, and how many there are per second.
    public func load() throws -> (samples: [Float], rate: Double) {
        if let file = file(name, variant) { return try read(file) }
        var (samples, rate) = try read(file(name, .amp))
        if variant == .room {
            // The same noise for the same note.
            let seed = name.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            var room = RoomNoise(rate: rate, seed: seed)
            samples = room.added(to: samples)
        } else if let ringing {
            samples = ring(try read(file(ringing, .full)).samples, under: samples, rate: rate)
        }
        return (samples, rate)
    }

    /// What is known of it.
    public func truth(of pitch: RealNoteTruth.Pitch) throws -> RealNoteTruth? {
        try RealNoteTruth(
            file: "\(folder)/truth/\(name).csv", pitch: pitch, audible: audible, onset: onset, isMelody: isMelody,
            least: variant.leastLevel)
    }

    /// Adds the note before, which began 550 ms earlier and rings 20 dB below this one when this one begins.
    private func ring(_ other: [Float], under note: [Float], rate: Double) -> [Float] {
        let start = Int((onset - 0.05) * rate)
        let before = Array(other.dropFirst(start).prefix(note.count))
        let begin = Int(onset * rate)
        let ringing = rms(before[max(0, min(before.count, begin) - Int(0.05 * rate))..<min(before.count, begin)])
        guard ringing > 1e-5 else { return note }
        let peak = loudness(of: note, rate: rate)
        // A note that has nearly died away by then must not be louder than twice this one at its own beginning.
        let gain = min(0.1 * peak / ringing, 2 * peak / loudness(of: before, rate: rate))
        return note.indices.map { note[$0] + ($0 < before.count ? Float(gain) * before[$0] : 0) }
    }

    private func read(_ path: String?) throws -> (samples: [Float], rate: Double) {
        guard let path else { throw CocoaError(.fileNoSuchFile) }
        var reader = try AudioFileReader(path: path)
        var samples: [Float] = []
        var block = [Float](repeating: 0, count: 65_536)
        while true {
            var span = block.mutableSpan
            let read = try reader.read(into: &span)
            if read.isEnd { return (samples, reader.sampleRate.value) }
            samples += block[0..<read.count]
        }
    }
}

/// The root mean square of samples.
func rms(_ samples: ArraySlice<Float>) -> Double {
    (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))).squareRoot()
}

/// The root mean square of the loudest 50 ms.
func loudness(of samples: [Float], rate: Double) -> Double {
    let block = Int(0.05 * rate)
    return stride(from: 0, to: samples.count - block + 1, by: block).map { rms(samples[$0..<($0 + block)]) }.max() ?? 0
}
