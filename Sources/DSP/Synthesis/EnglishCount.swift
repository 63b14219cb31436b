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
        let (from, to) = (Int(spoken_english_rate()), Int(min(max(sampleRate.value.rounded(), 1), Double(1 << 24))))
        let converter = SampleRateConverter(from: from, to: to)
        // One after another with silence between, for the filter: and each instant where a sample of both rates lies.
        var (all, places): ([Float], [(name: String, first: Int, instant: Int, end: Int)]) = ([], [])
        for index in 0..<spoken_english_word_count() {
            let word = spoken_english_word(index)
            all += [Float](repeating: 0, count: SampleRateConverter.crossings)
            let step = converter.wholeStep
            all += [Float](repeating: 0, count: (step - (all.count + Int(word.instant)) % step) % step)
            let first = all.count
            all += (word.first..<word.first + word.count).map { Float(spoken_english_sample($0)) / 32_768 }
            places.append((String(cString: word.name), first, first + Int(word.instant), all.count))
        }
        let converted = converter.convert(all)
        var words: [String: (samples: [Float], instant: Int)] = [:]
        for place in places {
            let (first, end) = (converter.scaled(place.first), converter.scaled(place.end))
            words[place.name] = (Array(converted[first..<end]), converter.scaled(place.instant) - first)
        }
        // The samples in the file peak at 0.977 of full scale, and the curve through them below it: a test measures it.
        return RecordedClick(name: countName, words: words, peak: 1)
    }
}
