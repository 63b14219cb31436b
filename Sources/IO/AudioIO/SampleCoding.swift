extension SampleFormat {
    /// Converts samples in this format to floating point.
    ///
    /// Every bit pattern is a valid sample. A float that is not finite becomes silence, because a recursive filter would never
    /// get rid of it.
    ///
    /// - Parameters:
    ///   - bytes: at least `samples.count * bytesPerSample`, at any alignment.
    ///   - samples: receives the values, full scale ±1.
    package func decode(_ bytes: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Float>) {
        precondition(bytes.count >= samples.count * bytesPerSample, "too few bytes for the samples")
        switch self {
        case .s8: each(bytes, samples, Int8.self) { Float($0) / 128 }
        case .u8: each(bytes, samples, UInt8.self) { (Float($0) - 128) / 128 }
        case .s16LE: each(bytes, samples, Int16.self) { Float(Int16(littleEndian: $0)) / 32_768 }
        case .s16BE: each(bytes, samples, Int16.self) { Float(Int16(bigEndian: $0)) / 32_768 }
        case .u16LE: each(bytes, samples, UInt16.self) { (Float(UInt16(littleEndian: $0)) - 32_768) / 32_768 }
        case .u16BE: each(bytes, samples, UInt16.self) { (Float(UInt16(bigEndian: $0)) - 32_768) / 32_768 }
        // The padding byte may hold anything: it is shifted out, and bit 23 is the sign.
        case .s24LE: each(bytes, samples, Int32.self) { Float((Int32(littleEndian: $0) << 8) >> 8) / 8_388_608 }
        case .s24BE: each(bytes, samples, Int32.self) { Float((Int32(bigEndian: $0) << 8) >> 8) / 8_388_608 }
        case .s24Packed:
            for i in samples.indices { samples[i] = float24(bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2]) }
        case .s24PackedBE:
            for i in samples.indices { samples[i] = float24(bytes[3 * i + 2], bytes[3 * i + 1], bytes[3 * i]) }
        // An offset of half the range: inverting the sign bit makes them signed.
        case .u24LE:
            each(bytes, samples, Int32.self) { Float(((Int32(littleEndian: $0) << 8) ^ .min) >> 8) / 8_388_608 }
        case .u24BE: each(bytes, samples, Int32.self) { Float(((Int32(bigEndian: $0) << 8) ^ .min) >> 8) / 8_388_608 }
        case .u24Packed:
            for i in samples.indices { samples[i] = float24(bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2] ^ 0x80) }
        case .u24PackedBE:
            for i in samples.indices { samples[i] = float24(bytes[3 * i + 2], bytes[3 * i + 1], bytes[3 * i] ^ 0x80) }
        case .u32LE:
            each(bytes, samples, Int32.self) { Float(Double(Int32(littleEndian: $0) ^ .min) / 2_147_483_648) }
        case .u32BE: each(bytes, samples, Int32.self) { Float(Double(Int32(bigEndian: $0) ^ .min) / 2_147_483_648) }
        case .s32LE: each(bytes, samples, Int32.self) { Float(Double(Int32(littleEndian: $0)) / 2_147_483_648) }
        case .s32BE: each(bytes, samples, Int32.self) { Float(Double(Int32(bigEndian: $0)) / 2_147_483_648) }
        case .floatLE: each(bytes, samples, UInt32.self) { finite(Float(bitPattern: UInt32(littleEndian: $0))) }
        case .floatBE: each(bytes, samples, UInt32.self) { finite(Float(bitPattern: UInt32(bigEndian: $0))) }
        case .float64LE:
            each(bytes, samples, UInt64.self) { finite(Float(Double(bitPattern: UInt64(littleEndian: $0)))) }
        case .float64BE: each(bytes, samples, UInt64.self) { finite(Float(Double(bitPattern: UInt64(bigEndian: $0)))) }
        case .muLaw: each(bytes, samples, UInt8.self) { expandMuLaw($0) }
        case .aLaw: each(bytes, samples, UInt8.self) { expandALaw($0) }
        }
    }

    /// Writes each mono sample to every channel of its frame, rounded to the nearest value and limited to full scale.
    ///
    /// Only for the formats that a playback device is opened with, `playable`.
    ///
    /// - Parameters:
    ///   - mono: one sample a frame; `frames` has `channelCount * bytesPerSample` bytes for each.
    ///   - channelCount: 1 or more.
    ///   - only: the channel that sounds, from 1, while the others are silent; `nil`: all of them.
    package func encode(
        mono: UnsafeBufferPointer<Float>, channelCount: Int, only: Int? = nil,
        into frames: UnsafeMutableRawBufferPointer
    ) {
        precondition(frames.count >= mono.count * channelCount * bytesPerSample, "too few bytes for the frames")
        switch self {
        case .s16LE: spread(mono, channelCount, only, frames) { Int16(limited($0, 32_768)).littleEndian }
        case .s24LE: spread(mono, channelCount, only, frames) { limited($0, 8_388_608).littleEndian }
        case .s32LE: spread(mono, channelCount, only, frames) { limited($0, 2_147_483_648).littleEndian }
        case .floatLE: spread(mono, channelCount, only, frames) { $0.bitPattern.littleEndian }
        case .s24Packed:
            var at = 0
            for sample in mono {
                let value = UInt32(bitPattern: limited(sample, 8_388_608))
                for channel in 1...channelCount {
                    let value = channel == only ?? channel ? value : 0
                    frames[at] = UInt8(truncatingIfNeeded: value)
                    frames[at + 1] = UInt8(truncatingIfNeeded: value >> 8)
                    frames[at + 2] = UInt8(truncatingIfNeeded: value >> 16)
                    at += 3
                }
            }
        default: preconditionFailure("no playback device is opened with \(spelling)")
        }
    }

    /// The formats `encode` writes, best first.
    package static let playable: [SampleFormat] = [.floatLE, .s32LE, .s24LE, .s24Packed, .s16LE]
}

@inline(__always)
private func each<Stored: BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, _ samples: UnsafeMutableBufferPointer<Float>, _ type: Stored.Type,
    _ value: (Stored) -> Float
) {
    let stride = MemoryLayout<Stored>.stride
    for i in samples.indices { samples[i] = value(bytes.loadUnaligned(fromByteOffset: i * stride, as: Stored.self)) }
}

@inline(__always)
private func spread<Stored: BitwiseCopyable>(
    _ mono: UnsafeBufferPointer<Float>, _ channelCount: Int, _ only: Int?, _ frames: UnsafeMutableRawBufferPointer,
    _ stored: (Float) -> Stored
) {
    let stride = MemoryLayout<Stored>.stride
    let silence = stored(0)
    var at = 0
    for sample in mono {
        let value = stored(sample)
        for channel in 1...channelCount {
            frames.storeBytes(of: channel == only ?? channel ? value : silence, toByteOffset: at, as: Stored.self)
            at += stride
        }
    }
}

/// `sample` in steps of 1/`fullScale`, rounded to the nearest and limited to a signed integer of that scale.
@inline(__always)
internal func limited(_ sample: Float, _ fullScale: Double) -> Int32 {
    // Half a step away from zero, then truncated: exactly the same as rounding for a mantissa of 24 bits in a double, and
    // without the call of `rounded()`.
    let scaled = Double(sample) * fullScale
    let value = scaled + (scaled < 0 ? -0.5 : 0.5)
    // NaN compares false each time and becomes silence.
    if value >= fullScale - 1 { return Int32(fullScale - 1) }
    return value > -fullScale ? Int32(value) : value <= -fullScale ? Int32(-fullScale) : 0
}

@inline(__always)
private func float24(_ low: UInt8, _ middle: UInt8, _ high: UInt8) -> Float {
    let bits = UInt32(low) << 8 | UInt32(middle) << 16 | UInt32(high) << 24
    return Float(Int32(bitPattern: bits) >> 8) / 8_388_608
}

@inline(__always)
private func finite(_ value: Float) -> Float { value.isFinite ? value : 0 }

/// ITU-T G.711, µ-law: 14-bit values, sign, three bits of exponent, four of mantissa, all inverted.
private func expandMuLaw(_ byte: UInt8) -> Float {
    let bits = ~byte
    let magnitude = ((Int32(bits & 0x0F) << 3) + 0x84) << Int32((bits & 0x70) >> 4)
    return Float(bits & 0x80 != 0 ? 0x84 - magnitude : magnitude - 0x84) / 32_768
}

/// ITU-T G.711, A-law: 13-bit values, every other bit inverted.
private func expandALaw(_ byte: UInt8) -> Float {
    let bits = byte ^ 0x55
    let exponent = Int32((bits & 0x70) >> 4)
    var magnitude = (Int32(bits & 0x0F) << 4) + 8
    if exponent > 0 { magnitude = (magnitude + 0x100) << (exponent - 1) }
    return Float(bits & 0x80 != 0 ? magnitude : -magnitude) / 32_768
}
