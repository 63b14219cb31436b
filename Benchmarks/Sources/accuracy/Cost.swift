import CMeasurement
import Foundation
@_spi(Engine) import Pitch
import WellTempered

/// What the detector costs on tones across the range, following them with a 0.3 s window.
struct Cost {
    let listener: Listener

    /// The bare work, for a counting tool: `hops` hops of 256 samples at 48 kHz.
    static func work(hops: Int, method: PitchMethod) throws {
        var source = SignalGenerator(seed: 7, rate: 48_000)
        let listener = Listener(method: method, rate: 48_000, window: 0.3)
        let notes = [41.2, 82.4, 146.8, 246.9, 440, 880, 2_000]
        // One second of each tone, repeated seamlessly enough (whole periods are not needed: an attack is part of it).
        let tones = notes.map { note -> [Float] in
            let tone = source.tone(phase: source.steadyPhase(note, count: 48_000), highest: note, slope: 1)
            return mix(tone.samples, 0.1, source.noise(48_000), 1e-3)
        }
        var signal: [Float] = []
        for index in 0..<((hops * 256 + 47_999) / 48_000) {
            signal += [Float](repeating: 0, count: 480) + tones[index % tones.count].dropLast(480)
        }
        _ = try listener(Array(signal.prefix(hops * 256)))
    }

    func rows(_ table: inout Table) throws {
        let hops = 7 * 187
        try Cost.work(hops: hops, method: listener.method)
        let start = clock()
        try Cost.work(hops: hops, method: listener.method)
        try Cost.work(hops: hops, method: listener.method)
        let whole = Double(clock() - start)
        let empty = clock()
        try Cost.work(hops: 187, method: listener.method)
        // The difference leaves the making of the tones out of account: it is the same for any number of hops.
        let seconds = (whole / 2 - Double(clock() - empty)) / Double(CLOCKS_PER_SEC)
        let share = 100 * seconds / (Double(hops - 187) * 256 / 48_000)
        table.row("share of a core at hop 256, 48 kHz", share, atMost: 1, unit: "%")
        if let count = instructions(hops: hops), let less = instructions(hops: 187) {
            table.row(
                "instructions per 512 samples", 2 * (count - less) / Double(hops - 187) / 1e6, atMost: 1, unit: "M")
        } else {
            table.note("instructions per 512 samples", "not counted: valgrind and strip (binutils) are needed")
        }
        table.row("state", try stateSize() / 1e6, atMost: 2, unit: "MB")
    }

    /// Instructions of a whole run of this program's `cost` command, by valgrind.
    private func instructions(hops: Int) -> Double? {
        // Without debugging information, which valgrind 3.19 cannot read in the form that clang writes.
        let program = FileManager.default.temporaryDirectory.appending(path: "accuracy-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: program) }
        let strip = Process()
        strip.executableURL = URL(filePath: "/usr/bin/env")
        strip.arguments = ["strip", "-g", "-o", program, CommandLine.arguments[0]]
        guard (try? strip.run()) != nil else { return nil }
        strip.waitUntilExit()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
            program, "work", String(hops), "--method", listener.method.rawValue,
        ]
        let output = Pipe()
        process.standardError = output
        process.standardOutput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let line = text.split(separator: "\n").first(where: { $0.contains("I") && $0.contains("refs:") })
        else { return nil }
        return Double(line.split(separator: ":").last.map { $0.filter(\.isNumber) } ?? "")
    }

    /// Bytes that one detector holds, as the allocator counts them.
    private func stateSize() throws -> Double {
        let before = mallinfo2()
        let detector = try HarmonicDetector(sampleRate: Hertz(48_000), longestWindow: 0.3)
        let tracker = PitchTracker(detector: detector)
        let after = mallinfo2()
        _ = tracker.droppedReadings
        return Double(after.uordblks + after.hblkhd) - Double(before.uordblks + before.hblkhd)
    }
}
