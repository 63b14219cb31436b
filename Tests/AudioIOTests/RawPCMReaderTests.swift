import AudioIO
import Glibc
import TestSignals
import Testing

/// A pipe whose writing end a thread fills piece by piece.
private func reading(
    _ bytes: [UInt8], inPiecesOf size: Int, as format: RawPCMFormat, channel: ChannelChoice = .mean
) throws -> [Float] {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (input, output) = (ends[0], ends[1])
    let writer = ThreadHandle {
        var at = 0
        while at < bytes.count {
            let count = min(size, bytes.count - at)
            bytes.withUnsafeBytes { _ = write(output, $0.baseAddress! + at, count) }
            at += count
        }
        close(output)
    }
    defer {
        writer.join()
        close(input)
    }
    var reader = try RawPCMReader(fileDescriptor: input, format: format, channel: channel)
    var (samples, block) = ([Float](), [Float](repeating: 0, count: 300))
    while true {
        var span = block.mutableSpan
        let result = try reader.read(into: &span)
        if result.isEnd { return samples }
        samples += block[..<result.count]
    }
}

@Suite struct RawPCMReaderTests {
    @Test func `The spellings of arecord mean what they mean there`() throws {
        let cd = try RawPCMFormat(format: "cd", rate: nil, channels: nil)
        #expect((cd.sampleFormat, cd.framesPerSecond, cd.channelCount) == (.s16LE, 44_100, 2))
        let dat = try RawPCMFormat(format: "dat", rate: nil, channels: nil)
        #expect((dat.sampleFormat, dat.framesPerSecond, dat.channelCount) == (.s16LE, 48_000, 2))
        let other = try RawPCMFormat(format: "S24_3LE", rate: 96, channels: 1)
        #expect((other.sampleFormat, other.framesPerSecond, other.bytesPerFrame) == (.s24Packed, 96_000, 3))
        #expect(try RawPCMFormat(format: "cd", rate: 22_050, channels: 1).framesPerSecond == 22_050)
        for rate in [0, -1, 1, 300, 1_999, 768_001, Int.max, Int.min] {
            #expect(throws: AudioError.self, "\(rate)") { try RawPCMFormat(format: nil, rate: rate, channels: nil) }
        }
        for count in [0, -1, 257, Int.max] {
            #expect(throws: AudioError.self, "\(count)") { try RawPCMFormat(format: nil, rate: nil, channels: count) }
        }
    }

    @Test(arguments: [1, 3, 7, 64, 4_096, 100_000])
    func `Samples arrive whole however the pipe cuts them`(size: Int) throws {
        let values = (0..<5_000).map { Int16(truncatingIfNeeded: $0 * 13 - 32_000) }
        let bytes = values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let format = try RawPCMFormat(format: "S16_LE", rate: 48_000, channels: 2)
        let left = try reading(bytes, inPiecesOf: size, as: format, channel: .number(1))
        #expect(left == stride(from: 0, to: 5_000, by: 2).map { Float(values[$0]) / 32_768 })
        let mean = try reading(bytes, inPiecesOf: size, as: format)
        #expect(mean == stride(from: 0, to: 5_000, by: 2).map { (Float(values[$0]) + Float(values[$0 + 1])) / 65_536 })
    }

    @Test func `A frame cut short by the end is dropped`() throws {
        let format = try RawPCMFormat(format: "S32_LE", rate: 48_000, channels: 2)
        #expect(try reading([UInt8](repeating: 1, count: 8 * 10 + 5), inPiecesOf: 9, as: format).count == 10)
        #expect(try reading([1, 2, 3], inPiecesOf: 9, as: format).isEmpty)
        #expect(try reading([], inPiecesOf: 9, as: format).isEmpty)
    }

    @Test func `A channel that is not there is refused, and so is a descriptor that is not open`() throws {
        let format = try RawPCMFormat(format: "cd", rate: nil, channels: nil)
        #expect(throws: AudioError.noSuchChannel(3, of: 2)) {
            _ = try RawPCMReader(fileDescriptor: 0, format: format, channel: .number(3))
        }
        var reader = try RawPCMReader(fileDescriptor: 9_999, format: format)
        var block = [Float](repeating: 0, count: 8)
        let error = #expect(throws: AudioError.self) {
            var span = block.mutableSpan
            _ = try reader.read(into: &span)
        }
        #expect(error == .cannotRead(path: "the pipe", reason: "bad file descriptor"))
    }
}
