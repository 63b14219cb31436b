@testable import AudioIO
import Foundation
import Glibc
import TestSignals
import Testing

@Suite struct DamagedFileTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test func `Each way of not being a sound file has an error of its own`() throws {
        let (missing, empty) = (folder.path("missing.wav"), try folder.write([], to: "empty.wav"))
        let text = try folder.write([UInt8](String(repeating: "not a sound. ", count: 200).utf8), to: "text.wav")
        let header = folder.path("header.wav")
        try write([], to: header, rate: 48_000, format: .wav16)
        #expect(throws: AudioError.fileNotFound(path: missing)) { try readAll(missing) }
        #expect(throws: AudioError.isDirectory(path: "/tmp")) { try readAll("/tmp") }
        #expect(throws: AudioError.emptyFile(path: empty)) { try readAll(empty) }
        #expect(throws: AudioError.noSamples(path: header)) { try readAll(header) }
        let error = #expect(throws: AudioError.self) { try readAll(text) }
        guard case .notAudio(text, _) = error else { throw try #require(error) }
        #expect(readingError(EACCES, path: "a") == .fileNotPermitted(path: "a"))
        #expect(readingError(EIO, path: "a") == .cannotRead(path: "a", reason: "input/output error"))
    }

    @Test func `Bytes without a header are not taken for sound, whatever the name says`() throws {
        var random = SeededGenerator(seed: 5)
        let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        for name in ["a.raw", "a.au", "a.vox", "a.gsm", "a.snd", "a.mp3", "a.wav", "a"] {
            let path = try folder.write(noise, to: name)
            #expect(throws: AudioError.self, "\(name)") { try readAll(path) }
        }
    }

    @Test(arguments: [AudioFileFormat.wav16, .wav24, .wavFloat32, .flac16, .flac24, .oggVorbis])
    func `A file that breaks off gives what is there, and then says so`(format: AudioFileFormat) throws {
        var random = SeededGenerator(seed: 7)
        let noise = whiteNoise(count: 96_000, rms: 0.1, using: &random)
        try write(noise, to: folder.path("whole"), rate: 48_000, format: format)
        let whole = try readAll(folder.path("whole"))
        #expect(whole.end == nil && whole.samples.count == 96_000)
        let bytes = try folder.bytes(of: "whole")
        let broken = try readAll(try folder.write(Array(bytes[..<(bytes.count * 3 / 5)]), to: "broken"))
        #expect(broken.samples.count > 30_000 && broken.samples.count < 65_000, "\(broken.samples.count) frames")
        #expect(broken.samples.elementsEqual(whole.samples.prefix(broken.samples.count)))
        guard case .truncatedFile(_, let read, let expected) = broken.end else {
            Issue.record("no error at the end")
            return
        }
        #expect(read == Int64(broken.samples.count))
        #expect(expected == 96_000 || format == .oggVorbis, "an OGG stream does not say how long it is")
    }

    /// libsndfile ends at the first damage of an MP3 without a message, libmpg123 prints many.
    @Test func `An MP3 that breaks off is an error, and what libmpg123 prints is hidden`() throws {
        try write([Float](repeating: 0.1, count: 480_000), to: folder.path("m.mp3"), rate: 48_000, format: .mp3)
        var bytes = try folder.bytes(of: "m.mp3")
        #expect(try readAll(try folder.write(bytes, to: "whole.mp3")).end == nil)
        for index in (bytes.count / 3)..<(2 * bytes.count / 3) { bytes[index] = 0 }
        let broken = try readAll(try folder.write(bytes, to: "broken.mp3"))
        guard case .truncatedFile(_, let read, let expected) = broken.end else {
            Issue.record("\(String(describing: broken.end))")
            return
        }
        #expect(read == Int64(broken.samples.count) && read < 400_000)
        #expect(abs((expected ?? 0) - 480_000) < 4 * 1_152, "the encoder's padding")
    }

    @Test func `A recording through a pipe has no length and is whole`() throws {
        try write([Float](repeating: 0.5, count: 5_000), to: folder.path("p.wav"), rate: 48_000, format: .wav16)
        var bytes = try folder.bytes(of: "p.wav")
        let data = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("data".utf8)) })
        for lengths in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0xF0, 0xFF, 0x7F]] as [[UInt8]] {
            bytes.replaceSubrange(4..<8, with: lengths)
            bytes.replaceSubrange((data + 4)..<(data + 8), with: lengths)
            let (samples, _, end) = try readAll(try folder.write(bytes, to: "q.wav"))
            #expect(samples.count == 5_000 && end == nil)
        }
    }

    /// No bytes make it crash, read without end, or return NaN.
    @Test func `Three hundred damaged files are read or refused`() throws {
        let seed: UInt64 = 0xF00D
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let noise = whiteNoise(count: 12_000, rms: 0.1, using: &random)
        let formats: [AudioFileFormat] = [.wav16, .wavFloat32, .wav24, .flac16, .flac24, .oggVorbis, .mp3]
        let originals = try formats.map { format in
            try write(noise, to: folder.path("o"), rate: 48_000, channels: 2, format: format)
            return try folder.bytes(of: "o")
        }
        var (readable, refused, truncated) = (0, 0, 0)
        for number in 0..<300 {
            let bytes = damaged(originals[number % originals.count], using: &random)
            let path = try folder.write(bytes, to: "damaged")
            do {
                let (samples, rate, end) = try readAll(path)
                #expect(samples.allSatisfy { $0.isFinite })
                #expect((1_000...768_000).contains(rate))
                // A FLAC frame of a few bytes can stand for 65,535 equal samples.
                #expect(samples.count < 65_536 * 200)
                readable += 1
                truncated += end == nil ? 0 : 1
            } catch let error as AudioError {
                // Everything that is wrong with a file carries its path.
                #expect(error.message.contains("\"\(path)\""), "\(error)")
                refused += 1
            }
        }
        print("damaged files: \(readable) readable, \(truncated) of them to a break; \(refused) refused")
        #expect(readable > 50 && refused > 10 && truncated > 10, "the damage is neither harmless nor total")
    }

    /// One of: bytes changed anywhere, bytes changed in the header, cut off, a piece cut out, a piece doubled.
    private func damaged(_ original: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        let at = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, at + Int.random(in: 1...2_000, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        case 1:
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<64, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        case 2: bytes.removeSubrange(max(1, at)...)
        case 3: bytes.removeSubrange(at..<end)
        default: bytes.insert(contentsOf: original[at..<end], at: at)
        }
        return bytes
    }
}
