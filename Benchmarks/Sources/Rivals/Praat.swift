import Foundation

/// Praat's autocorrelation tracker, by PyPI's praat-parselmouth.
///
/// It works on whole recordings: the latest sample it rests on is half a window after the moment it tells of.
public enum Praat {
    /// What to say when it is not there.
    public static let howToInstall = "Praat: skipped, python3 has no parselmouth: make bench PART=rivals"

    /// Three periods of the lowest pitch are Praat's window: 27 Hz gives 5,333 samples.
    private static let floor = 27.0

    /// The detector as it is and with its setting "very accurate", whose window is twice as long; none if `python` has
    /// no parselmouth.
    public static func ears(python: String) -> [Ear] {
        guard (try? Shell.output(of: [python, "-c", "import parselmouth"])) != nil else { return [] }
        return [ear(python: python, isVeryAccurate: false), ear(python: python, isVeryAccurate: true)]
    }

    private static func ear(python: String, isVeryAccurate: Bool) -> Ear {
        let window = Int((isVeryAccurate ? 6 : 3) / floor * Ear.rate)
        return Ear(name: isVeryAccurate ? "Praat, very accurate" : "Praat", window: window, isOffline: true) { sounds in
            var input = Data()
            for samples in sounds {
                withUnsafeBytes(of: UInt32(samples.count).littleEndian) { input.append(contentsOf: $0) }
                samples.withUnsafeBytes { input.append(contentsOf: $0) }
            }
            let text = try Shell.output(
                of: [python, "-c", program, "\(Ear.rate)", "\(floor)", "\(Ear.hop)", isVeryAccurate ? "1" : "0"],
                input: input)
            var heard = [[Heard]](repeating: [], count: sounds.count)
            for line in text.split(separator: "\n") {
                let fields = line.split(separator: ",")
                guard fields.count == 3, let index = Int(fields[0]), let seconds = Double(fields[1]),
                    let hertz = Double(fields[2])
                else { continue }
                heard[index].append(Heard(frame: Int((seconds * Ear.rate).rounded()) + window / 2, hertz: hertz))
            }
            return heard
        }
    }

    /// Reads (count, floats) until the end, writes index, seconds, hertz.
    private static let program = """
        import struct, sys
        import numpy, parselmouth
        rate, floor, hop, accurate = (float(word) for word in sys.argv[1:5])
        data, at, index = sys.stdin.buffer.read(), 0, 0
        while at < len(data):
            count = struct.unpack_from("<I", data, at)[0]
            samples = numpy.frombuffer(data, "<f4", count, at + 4).astype(numpy.float64)
            at, index = at + 4 + 4 * count, index + 1
            pitch = parselmouth.Sound(samples, rate).to_pitch_ac(
                time_step=hop / rate, pitch_floor=floor, pitch_ceiling=4600, very_accurate=bool(accurate))
            for time, hertz in zip(pitch.xs(), pitch.selected_array["frequency"]):
                print(f"{index - 1},{time:.9f},{hertz:.9f}")
        """
}
