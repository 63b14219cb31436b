/// The layout of a PCM sample in memory.
///
/// The most negative integer is full scale: -32,768 of S16 is -1.0, and 32,767 just below 1.0.
package enum SampleFormat: Sendable, Hashable, CaseIterable {
    /// Eight bits, signed or offset by 128.
    case s8, u8
    /// Sixteen bits.
    case s16LE, s16BE, u16LE, u16BE
    /// The low 24 of 32 bits; the top byte is padding.
    case s24LE, s24BE, u24LE, u24BE
    /// Twenty-four bits packed in three bytes.
    case s24Packed, s24PackedBE, u24Packed, u24PackedBE
    /// Thirty-two bits.
    case s32LE, s32BE, u32LE, u32BE
    /// IEEE 754.
    case floatLE, floatBE, float64LE, float64BE
    /// ITU-T G.711.
    case muLaw, aLaw

    /// The format with this name in `arecord -f` and `aplay -f`, in upper or lower case.
    ///
    /// Throws `AudioError.unknownSampleFormat`.
    package init(spelling: String) throws(AudioError) {
        let wanted = spelling.uppercased()
        // Without a suffix: the byte order of the machine.
        let natives = [
            "S16": "S16_LE", "U16": "U16_LE", "S24": "S24_LE", "U24": "U24_LE", "S32": "S32_LE", "U32": "U32_LE",
            "FLOAT": "FLOAT_LE", "FLOAT64": "FLOAT64_LE",
        ]
        let name = natives[wanted] ?? wanted
        guard let format = SampleFormat.allCases.first(where: { $0.spelling == name }) else {
            throw .unknownSampleFormat(spelling)
        }
        self = format
    }

    /// ALSA's name: `S16_LE`.
    package var spelling: String {
        switch self {
        case .s8: "S8"
        case .u8: "U8"
        case .s16LE: "S16_LE"
        case .s16BE: "S16_BE"
        case .u16LE: "U16_LE"
        case .u16BE: "U16_BE"
        case .s24LE: "S24_LE"
        case .s24BE: "S24_BE"
        case .u24LE: "U24_LE"
        case .u24BE: "U24_BE"
        case .s24Packed: "S24_3LE"
        case .s24PackedBE: "S24_3BE"
        case .u24Packed: "U24_3LE"
        case .u24PackedBE: "U24_3BE"
        case .s32LE: "S32_LE"
        case .s32BE: "S32_BE"
        case .u32LE: "U32_LE"
        case .u32BE: "U32_BE"
        case .floatLE: "FLOAT_LE"
        case .floatBE: "FLOAT_BE"
        case .float64LE: "FLOAT64_LE"
        case .float64BE: "FLOAT64_BE"
        case .muLaw: "MU_LAW"
        case .aLaw: "A_LAW"
        }
    }

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
