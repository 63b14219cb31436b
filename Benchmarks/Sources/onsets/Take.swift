import CMeasurement
import Foundation
import WellTempered

/// Somebody playing along with a metronome that the microphone hears too.
///
/// NAME_N.wav has three channels: the player, the click, the noise; NAME_N.voices.wav one per sound of the click. NAME_N.csv
/// holds the player's onsets in seconds; NAME_N.clicks.csv the sample at which the playing begins, and for each click the
/// sample at which it is predicted and the number of its sound.
struct Take {
    let name: String
    let instrument: String
    let player: [Float], bleed: [Float], noise: [Float]
    let sounds: [[Float]]
    let rate: Double
    let onsets: [Double]
    let clicks: [(frame: Int64, sound: Int)]
    /// In seconds: where the count-in has ended.
    let start: Double

    static func all(in folder: String) throws -> [Take] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".clicks.csv") }.sorted()
            .map { try Take(folder: folder, name: String($0.dropLast(11))) }
    }

    private init(folder: String, name: String) throws {
        self.name = name
        instrument = String(name.prefix { $0 != "_" })
        let (channels, rate) = try readChannels("\(folder)/\(name).wav")
        guard channels.count == 3 else { throw CocoaError(.fileReadCorruptFile) }
        (player, bleed, noise, self.rate) = (channels[0], channels[1], channels[2], rate)
        sounds = try readChannels("\(folder)/\(name).voices.wav").channels
        onsets = try numbers("\(folder)/\(name).csv").compactMap(\.first).sorted()
        let rows = try numbers("\(folder)/\(name).clicks.csv").filter { $0.count == 2 }
        clicks = rows.filter { $0[1] >= 0 }.map { (Int64($0[0]), Int($0[1])) }
        start = (rows.first { $0[1] < 0 }?[0] ?? 0) / rate
    }
}

/// The numbers of a table without a head.
private func numbers(_ path: String) throws -> [[Double]] {
    try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
        .map { $0.split(separator: ",").compactMap { Double($0) } }
}

/// All channels of a sound file.
private func readChannels(_ path: String) throws -> (channels: [[Float]], rate: Double) {
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else { throw CocoaError(.fileReadUnknown) }
    defer { sf_close(file) }
    let count = Int(info.channels)
    var samples = [Float](repeating: 0, count: Int(info.frames) * count)
    let read = Int(sf_readf_float(file, &samples, info.frames))
    return ((0..<count).map { channel in (0..<read).map { samples[$0 * count + channel] } }, Double(info.samplerate))
}
