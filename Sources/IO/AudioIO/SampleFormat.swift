/// The layout of a PCM sample in memory.
///
/// The most negative integer is full scale: -32,768 of S16 is -1.0, and 32,767 just below 1.0.
package enum SampleFormat: String, Sendable, CaseIterable {
    /// Eight bits, signed or offset by 128.
    case s8 = "S8", u8 = "U8"
    /// Sixteen bits.
    case s16LE = "S16_LE", s16BE = "S16_BE", u16LE = "U16_LE", u16BE = "U16_BE"
    /// The low 24 of 32 bits; the top byte is padding.
    case s24LE = "S24_LE", s24BE = "S24_BE", u24LE = "U24_LE", u24BE = "U24_BE"
    /// Twenty-four bits packed in three bytes.
    case s24Packed = "S24_3LE", s24PackedBE = "S24_3BE", u24Packed = "U24_3LE", u24PackedBE = "U24_3BE"
    /// Thirty-two bits.
    case s32LE = "S32_LE", s32BE = "S32_BE", u32LE = "U32_LE", u32BE = "U32_BE"
    /// IEEE 754.
    case floatLE = "FLOAT_LE", floatBE = "FLOAT_BE", float64LE = "FLOAT64_LE", float64BE = "FLOAT64_BE"
    /// ITU-T G.711.
    case muLaw = "MU_LAW", aLaw = "A_LAW"

    /// The format with this name in `arecord -f` and `aplay -f`, in upper or lower case. Throws
    /// `AudioError.unknownSampleFormat`.
    package init(spelling: String) throws(AudioError) {
        let name = spelling.uppercased()
        // Without a suffix: the byte order of the machine.
        guard let format = SampleFormat(rawValue: name) ?? SampleFormat(rawValue: name + "_LE") else {
            throw .unknownSampleFormat(spelling)
        }
        self = format
    }

    /// ALSA's name: `S16_LE`.
    package var spelling: String { rawValue }

    /// Bytes of a sample.
    package var bytesPerSample: Int {
        switch self {
        case .s8, .u8, .muLaw, .aLaw: 1
        case .s16LE, .s16BE, .u16LE, .u16BE: 2
        case .s24Packed, .s24PackedBE, .u24Packed, .u24PackedBE: 3
        case .s24LE, .s24BE, .u24LE, .u24BE, .s32LE, .s32BE, .u32LE, .u32BE, .floatLE, .floatBE: 4
        case .float64LE, .float64BE: 8
        }
    }
}
