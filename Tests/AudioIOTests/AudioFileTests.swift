import AudioIO
import Music
import Foundation
import TestSignals
import Testing

/// All mono samples of a file, and the error it ended with.
func readAll(_ path: String, channel: ChannelChoice = .mean, blockSize: Int = 1_000) throws -> (
    samples: [Float], rate: Int, end: AudioError?
) {
    var file = try AudioFileReader(path: path, channel: channel)
    var samples: [Float] = []
    var block = [Float](repeating: 0, count: blockSize)
    while true {
        do {
            var span = block.mutableSpan
            let result = try file.read(into: &span)
            if result.isEnd { return (samples, file.framesPerSecond, nil) }
            samples += block[..<result.count]
        } catch { return (samples, file.framesPerSecond, error) }
    }
}

func write(_ interleaved: [Float], to path: String, rate: Int, channels: Int = 1, format: AudioFileFormat) throws {
    var file = try AudioFileWriter(path: path, sampleRate: rate.hertz, channelCount: channels, format: format)
    try file.write(interleaved.span)
    try file.finish()
}

func loudness(_ samples: [Float]) -> Double {
    (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))).squareRoot()
}

@Suite struct AudioFileTests {
    private let folder: TemporaryFolder
    private let tone = sine(frequency: 440, sampleRate: 44_100, count: 44_100)
    init() throws { folder = try TemporaryFolder() }

    private static let formats: [(AudioFileFormat, Double)] = [
        (.wavFloat32, 0), (.wav16, 0.5 / 32_768), (.wav24, 0.5 / 8_388_608), (.flac16, 0.5 / 32_768),
        (.flac24, 0.5 / 8_388_608), (.oggVorbis, 0.03),
    ]

    /// The tolerances are half a step of the format's integers; the lossy format, at its usual quality, to 3 %.
    @Test(arguments: formats)
    func `What is written is read again`(format: AudioFileFormat, tolerance: Double) throws {
        try write(tone, to: folder.path("a"), rate: 44_100, format: format)
        let (samples, rate, end) = try readAll(folder.path("a"))
        #expect(end == nil)
        #expect(rate == 44_100)
        try #require(samples.count == tone.count)
        #expect(abs(loudness(samples) - 0.5 / 2.0.squareRoot()) < 0.005)
        let worst = zip(samples, tone).map { abs(Double($0) - Double($1)) }.max() ?? 1
        #expect(worst <= tolerance * 1.001, "worst error \(worst)")
    }

    @Test func `An MP3 carries the same tone, padded by its encoder`() throws {
        try write(tone, to: folder.path("a.mp3"), rate: 44_100, format: .mp3)
        let (samples, rate, end) = try readAll(folder.path("a.mp3"))
        #expect(end == nil)
        #expect(rate == 44_100)
        // A frame has 1,152 samples; an encoder adds up to three.
        #expect(samples.count >= tone.count && samples.count < tone.count + 4 * 1_152)
        let middle = Array(samples[10_000..<30_000])
        #expect(abs(loudness(middle) - 0.5 / 2.0.squareRoot()) < 0.01)
        let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(Double(crossings) / 20_000 * 44_100 - 440) < 3)
    }

    @Test func `The mean of two channels is heard, or the one that was chosen`() throws {
        let stereo = (0..<1_000).flatMap { [Float($0) / 1_000, -Float($0) / 2_000] }
        try write(stereo, to: folder.path("s.wav"), rate: 48_000, channels: 2, format: .wavFloat32)
        let mean = try readAll(folder.path("s.wav")).samples
        let first = try readAll(folder.path("s.wav"), channel: .number(1)).samples
        let second = try readAll(folder.path("s.wav"), channel: .number(2)).samples
        #expect(first == (0..<1_000).map { Float($0) / 1_000 })
        #expect(second == (0..<1_000).map { -Float($0) / 2_000 })
        #expect(mean == zip(first, second).map { ($0 + $1) * 0.5 })
        #expect(throws: AudioError.noSuchChannel(3, of: 2)) { try readAll(folder.path("s.wav"), channel: .number(3)) }
        #expect(throws: AudioError.noSuchChannel(0, of: 2)) { try readAll(folder.path("s.wav"), channel: .number(0)) }
    }

    @Test func `Each channel of six is read by its number`() throws {
        let frames = (0..<3_000).map { Float($0) / 3_000 }
        try write(frames, to: folder.path("six.wav"), rate: 8_000, channels: 6, format: .wavFloat32)
        let file = try AudioFileReader(path: folder.path("six.wav"))
        #expect(file.channelCount == 6 && file.frameCount == 500)
        for channel in 1...6 {
            let samples = try readAll(folder.path("six.wav"), channel: .number(channel)).samples
            #expect(samples == stride(from: channel - 1, to: 3_000, by: 6).map { frames[$0] })
        }
    }

    @Test(arguments: [AudioFileFormat.wavFloat32, .wav16, .flac24])
    func `The same samples give the same bytes`(format: AudioFileFormat) throws {
        try write(tone, to: folder.path("1"), rate: 48_000, format: format)
        Thread.sleep(forTimeInterval: 1.1)  // a time stamp in seconds would differ
        try write(tone, to: folder.path("2"), rate: 48_000, format: format)
        #expect(try folder.bytes(of: "1") == folder.bytes(of: "2"))
        #expect(try folder.bytes(of: "1").count > 40_000)
    }

    @Test func `Integers are the nearest step, halves away from zero, at every place of a block`() throws {
        var random = SeededGenerator(seed: 16)
        for (format, fullScale) in [(AudioFileFormat.wav16, 32_768.0), (.wav24, 8_388_608)] {
            let halves = (-40...40).map { Float((Double($0) + 0.5) / fullScale) }
            let edges: [Float] = [1, -1, 1.5, -1.5, .infinity, -.infinity, Float(0.5 / fullScale).nextDown]
            let samples =
                halves + edges + halves.map(\.nextUp) + halves.map(\.nextDown)
                + (0..<40_003).map { _ in Float.random(in: -1.01...1.01, using: &random) }
            try write(samples, to: folder.path("i.wav"), rate: 48_000, format: format)
            let steps = samples.map { sample in
                min(max((Double(sample) * fullScale).rounded(.toNearestOrAwayFromZero), -fullScale), fullScale - 1)
            }
            #expect(try readAll(folder.path("i.wav")).samples == steps.map { Float($0 / fullScale) })
        }
    }

    @Test func `Beyond full scale integers are limited and floats are kept`() throws {
        let loud: [Float] = [0, 2, -2, 1, -1, 0.5]
        try write(loud, to: folder.path("l.wav"), rate: 48_000, format: .wav16)
        #expect(try readAll(folder.path("l.wav")).samples == [0, 32_767 / 32_768, -1, 32_767 / 32_768, -1, 0.5])
        try write(loud, to: folder.path("f.wav"), rate: 48_000, format: .wavFloat32)
        #expect(try readAll(folder.path("f.wav")).samples == loud)
    }

    @Test func `Values that are not numbers become silence`() throws {
        try write(
            [0.5, .nan, .infinity, -.infinity, 0.25], to: folder.path("n.wav"), rate: 48_000, format: .wavFloat32)
        #expect(try readAll(folder.path("n.wav")).samples == [0.5, 0, 0, 0, 0.25])
    }

    @Test func `The ending of a name chooses the format`() {
        #expect(AudioFileFormat(path: "/tmp/a.b/click.wav") == .wavFloat32)
        #expect(AudioFileFormat(path: "CLICK.FLAC") == .flac24)
        #expect(AudioFileFormat(path: "wav") == nil)
        #expect(AudioFileFormat(path: "/x.wav/click") == nil)
        #expect(AudioFileFormat(path: "") == nil)
    }

    @Test func `A place that cannot be written is named with its reason`() {
        #expect(throws: AudioError.cannotWrite(path: "/nowhere/a.wav", reason: "no such file or directory")) {
            try AudioFileWriter(path: "/nowhere/a.wav", sampleRate: 48.kilohertz, format: .wav16).finish()
        }
        #expect(throws: AudioError.self) {
            try AudioFileWriter(path: folder.path("z"), sampleRate: 0.hertz, format: .flac16).finish()
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("z")), "a refused format leaves no file")
    }

    @Test func `A full disk is reported`() throws {
        #expect(throws: AudioError.self) {
            var file = try AudioFileWriter(path: "/dev/full", sampleRate: 48.kilohertz, format: .wav16)
            try file.write([Float](repeating: 0.5, count: 100_000).span)
            try file.finish()
        }
    }
}
