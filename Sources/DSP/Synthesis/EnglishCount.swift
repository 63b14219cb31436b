internal import CSpokenCount
public import Music

extension RecordedClick {
    /// The name by which the spoken count is chosen.
    package static var countName: String { "voice" }

    /// A count in English, spoken by a synthesised voice that is part of the library: 154 kB, no file is read.
    ///
    /// The instant of each word is its vowel onset: where its level between 300 and 3000 Hz first comes within 6 dB of its
    /// maximum, 18 to 70 ms after its beginning. It lies on a whole sample at every rate.
    ///
    /// - Parameter sampleRate: of the stream, a whole number of frames per second.
    /// - Complexity: about 30 million multiplications at 48 kHz.
    public static func englishCount(sampleRate: Hertz) -> RecordedClick {
        let (from, to) = (Int(wt_english_rate()), Int(min(max(sampleRate.value.rounded(), 1), Double(1 << 24))))
        let converter = SampleRateConverter(from: from, to: to)
        var words: [String: (samples: [Float], instant: Int)] = [:]
        for index in 0..<wt_english_word_count() {
            let word = wt_english_word(index)
            let samples = (word.first..<word.first + word.count).map { Float(wt_english_sample($0)) / 32_768 }
            words[String(cString: word.name)] = converter.convert(samples, instant: Int(word.instant))
        }
        return RecordedClick(name: countName, words: words)
    }
}

extension SampleRateConverter {
    /// A recording at the new rate such that one of its samples lies exactly on one of the new ones.
    fileprivate func convert(_ samples: [Float], instant: Int) -> (samples: [Float], instant: Int) {
        // Silence in front, so that the instant is a multiple of the samples after which both rates coincide; and behind, for
        // the filter.
        let before = wholeStep - instant % wholeStep
        let converted = convert(
            [Float](repeating: 0, count: before) + samples + [Float](repeating: 0, count: Self.crossings))
        let first = scaled(before)
        return (Array(converted[first...]), scaled(before + instant) - first)
    }
}
