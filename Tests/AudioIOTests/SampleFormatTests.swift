import AudioIO
import TestSignals
import Testing

private func decode(_ format: SampleFormat, _ bytes: [UInt8]) -> [Float] {
    var samples = [Float](repeating: 9, count: bytes.count / format.bytesPerSample)
    samples.withUnsafeMutableBufferPointer { values in
        bytes.withUnsafeBytes { format.decode($0, into: values) }
    }
    return samples
}

private func encode(_ format: SampleFormat, _ samples: [Float], channels: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xAA, count: samples.count * channels * format.bytesPerSample)
    bytes.withUnsafeMutableBytes { frames in
        samples.withUnsafeBufferPointer { format.encode(mono: $0, channelCount: channels, into: frames) }
    }
    return bytes
}

@Suite struct SampleFormatTests {
    @Test func `Every format is found again by its spelling, in lower case too`() throws {
        for format in SampleFormat.allCases {
            #expect(try SampleFormat(spelling: format.spelling) == format)
            #expect(try SampleFormat(spelling: format.spelling.lowercased()) == format)
        }
        #expect(try SampleFormat(spelling: "S16") == .s16LE)
        #expect(throws: AudioError.unknownSampleFormat("S17_LE")) { try SampleFormat(spelling: "S17_LE") }
        #expect(throws: AudioError.unknownSampleFormat("")) { try SampleFormat(spelling: "") }
    }

    @Test func `Zero, half, and the most negative value mean the same in every linear format`() {
        // [0, +1/2, -1] in each layout, by hand.
        let table: [(SampleFormat, [UInt8])] = [
            (.s8, [0, 0x40, 0x80]), (.u8, [0x80, 0xC0, 0]),
            (.s16LE, [0, 0, 0, 0x40, 0, 0x80]), (.s16BE, [0, 0, 0x40, 0, 0x80, 0]),
            (.u16LE, [0, 0x80, 0, 0xC0, 0, 0]), (.u16BE, [0x80, 0, 0xC0, 0, 0, 0]),
            // The padding byte has arbitrary values.
            (.s24LE, [0, 0, 0, 0x55, 0, 0, 0x40, 0xAA, 0, 0, 0x80, 0x55]),
            (.s24BE, [0x55, 0, 0, 0, 0xAA, 0x40, 0, 0, 0x55, 0x80, 0, 0]),
            (.s24Packed, [0, 0, 0, 0, 0, 0x40, 0, 0, 0x80]), (.s24PackedBE, [0, 0, 0, 0x40, 0, 0, 0x80, 0, 0]),
            (.u24LE, [0, 0, 0x80, 0x55, 0, 0, 0xC0, 0xAA, 0, 0, 0, 0x55]),
            (.u24BE, [0x55, 0x80, 0, 0, 0xAA, 0xC0, 0, 0, 0x55, 0, 0, 0]),
            (.u24Packed, [0, 0, 0x80, 0, 0, 0xC0, 0, 0, 0]), (.u24PackedBE, [0x80, 0, 0, 0xC0, 0, 0, 0, 0, 0]),
            (.u32LE, [0, 0, 0, 0x80, 0, 0, 0, 0xC0, 0, 0, 0, 0]), (.u32BE, [0x80, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0]),
            (.s32LE, [0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0x80]), (.s32BE, [0, 0, 0, 0, 0x40, 0, 0, 0, 0x80, 0, 0, 0]),
            (.floatLE, [0, 0, 0, 0, 0, 0, 0, 0x3F, 0, 0, 0x80, 0xBF]),
            (.floatBE, [0, 0, 0, 0, 0x3F, 0, 0, 0, 0xBF, 0x80, 0, 0]),
            (.float64LE, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F, 0, 0, 0, 0, 0, 0, 0xF0, 0xBF]),
            (.float64BE, [0, 0, 0, 0, 0, 0, 0, 0, 0x3F, 0xE0, 0, 0, 0, 0, 0, 0, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0]),
        ]
        for (format, bytes) in table { #expect(decode(format, bytes) == [0, 0.5, -1], "\(format.spelling)") }
        #expect(table.count == SampleFormat.allCases.count - 2)
    }

    @Test func `The two laws of G.711 give the standard's extremes and zero`() {
        // ITU-T G.711, tables 1 and 2, scaled to 16 bits.
        let muLaw: [Float] = [-32_124, 32_124, 0, 0]
        let aLaw: [Float] = [-32_256, 32_256, -8, 8]
        #expect(decode(.muLaw, [0x00, 0x80, 0x7F, 0xFF]).map { $0 * 32_768 } == muLaw)
        #expect(decode(.aLaw, [0x2A, 0xAA, 0x55, 0xD5]).map { $0 * 32_768 } == aLaw)
    }

    /// Every value of an integer format survives the conversion to floating point (S32: the 24 bits of a Float).
    @Test func `What is decoded is encoded to the same bytes`() {
        let seed: UInt64 = 11
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for format in SampleFormat.playable {
            for _ in 0..<100 {
                let value = Int32.random(in: -8_388_608...8_388_607, using: &random)
                let sample =
                    format == .s16LE ? Float(value >> 8) / 32_768 : Float(value) / 8_388_608
                let bytes = encode(format, [sample], channels: 3)
                #expect(decode(format, bytes) == [sample, sample, sample], "\(format.spelling) \(value)")
            }
        }
    }

    @Test func `Beyond full scale is limited, and what is not a number is silent`() {
        for format in SampleFormat.playable where format != .floatLE {
            let values = decode(format, encode(format, [3, -3, .infinity, -.infinity, .nan], channels: 1))
            #expect(values[0] > 0.999 && values[0] <= 1 && values[2] == values[0], "\(format.spelling)")
            #expect(values[1] == -1 && values[3] == -1 && values[4] == 0, "\(format.spelling)")
        }
    }

    @Test func `Rounding is to the nearest step`() {
        let steps: [Float] = [0.4, 0.6, -0.6]
        let values = decode(.s16LE, encode(.s16LE, steps.map { $0 / 32_768 }, channels: 1))
        #expect(values.map { $0 * 32_768 } == [0, 1, -1])
    }
}
