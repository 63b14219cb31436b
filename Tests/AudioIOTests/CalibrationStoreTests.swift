import Foundation
import Music
import TestSignals
import Testing

@testable import AudioIO

private func card(
    _ device: String, _ direction: StreamDirection = .capture, rate: Int = 48_000, ppm: Double = 12.5,
    at time: Int64 = 1
) -> CardCalibration {
    CardCalibration(
        device: device, direction: direction, sampleRate: rate, rateError: ppm.ppm, standardError: 0.4.ppm,
        observedSeconds: 60, clockWasDisciplined: true, measuredAt: time)
}

private func latency(_ output: String, _ input: String, hidden: Duration = .milliseconds(2)) -> LatencyCalibration {
    LatencyCalibration(
        output: output, input: input, hidden: hidden, deviation: .microseconds(10), roundTrip: .milliseconds(20),
        clicks: 40, measuredAt: 1)
}

@Suite struct CalibrationStoreTests {
    private let folder: TemporaryFolder
    private let store: CalibrationStore
    init() throws {
        folder = try TemporaryFolder()
        store = CalibrationStore(folder: folder.path("state/well-tempered"))
    }

    @Test func `What is kept is found again by another program, and the newest counts`() throws {
        #expect(try store.card("hw:0", .capture, sampleRate: 48_000) == nil)
        try store.keep(card("hw:0", ppm: 1))
        try store.keep(card("default", ppm: -7))
        try store.keep(card("hw:0", ppm: 23.456))
        try store.keep(latency("hw:0", "hw:1", hidden: .milliseconds(500)))
        try store.keep(latency("hw:0", "hw:1"))
        let other = CalibrationStore(folder: folder.path("state/well-tempered"))
        #expect(try other.card("hw:0", .capture, sampleRate: 48_000) == card("hw:0", ppm: 23.456))
        #expect(try other.card("default", .capture, sampleRate: 48_000)?.rateError == (-7.0).ppm)
        #expect(try other.latency(from: "hw:0", to: "hw:1") == latency("hw:0", "hw:1"))
        #expect(try other.latency(from: "hw:1", to: "hw:0") == nil)
        #expect(try other.all().cards.count == 2 && other.all().latencies.count == 1)
        try store.keep(card("hw:0", .playback, ppm: 4))
        #expect(try other.card("hw:0", .playback, sampleRate: 48_000)?.rateError == 4.0.ppm)
        #expect(try other.card("hw:0", .capture, sampleRate: 48_000)?.rateError == 23.456.ppm)
    }

    @Test func `A rate of the same family counts until there is one of its own`() throws {
        try store.keep(card("hw:0", rate: 48_000, ppm: 10, at: 1))
        try store.keep(card("hw:0", rate: 96_000, ppm: 11, at: 2))
        #expect(try store.card("hw:0", .capture, sampleRate: 192_000)?.rateError == 11.0.ppm)
        #expect(try store.card("hw:0", .capture, sampleRate: 48_000)?.rateError == 10.0.ppm)
        #expect(try store.card("hw:0", .capture, sampleRate: 44_100) == nil)
        #expect(try store.card("hw:0", .capture, sampleRate: 32_000) == nil)
        #expect(try store.card("hw:0", .capture, sampleRate: 0) == nil)
    }

    @Test func `A device is forgotten on both ends`() throws {
        try store.keep(card("hw:0"))
        try store.keep(card("hw:0", rate: 44_100))
        try store.keep(card("hw:1"))
        try store.keep(latency("hw:0", "hw:1"))
        try store.keep(latency("hw:1", "hw:0"))
        try store.keep(latency("hw:1", "hw:2"))
        #expect(try store.forget("hw:0") == 4)
        #expect(try store.forget("hw:0") == 0)
        #expect(try store.card("hw:1", .capture, sampleRate: 48_000) != nil)
        #expect(try store.latency(from: "hw:1", to: "hw:2") != nil)
    }

    @Test func `A damaged file is named, and replaced by the next calibration`() throws {
        try store.keep(card("hw:0"))
        try Data("{ nonsense".utf8).write(to: URL(filePath: store.path))
        #expect(throws: AudioError.self) { _ = try store.card("hw:0", .capture, sampleRate: 48_000) }
        try store.keep(card("hw:1"))
        #expect(try store.card("hw:1", .capture, sampleRate: 48_000) == card("hw:1"))
    }

    @Test func `A pipe and a file without end are refused, and not read`() throws {
        try store.keep(card("hw:0"))
        for place in ["/dev/zero", nil] {
            try FileManager.default.removeItem(atPath: store.path)
            if let place {
                #expect(symlink(place, store.path) == 0)
            } else {
                #expect(mkfifo(store.path, 0o600) == 0)
            }
            #expect(throws: AudioError.self) { _ = try store.card("hw:0", .capture, sampleRate: 48_000) }
        }
        try FileManager.default.removeItem(atPath: store.path)
        try Data(repeating: UInt8(ascii: "1"), count: (1 << 20) + 1).write(to: URL(filePath: store.path))
        #expect(throws: AudioError.self) { _ = try store.card("hw:0", .capture, sampleRate: 48_000) }
    }

    /// Numbers of a damaged file, which would crash the arithmetic of ratios.
    @Test(arguments: [
        ("12.5", "1e308"), ("12.5", "-1000000"), ("12.5", "20001"), ("0.4", "-1"), ("60", "1e19"), ("48000", "0"),
        ("48000", "9223372036854775807"), ("0.002", "-11"), ("0.02", "1e308"),
    ])
    func `Figures that no device has are a damaged file`(_ figure: String, _ wrong: String) throws {
        try store.keep(card("hw:0"))
        try store.keep(latency("hw:0", "hw:1"))
        #expect(try store.card("hw:0", .capture, sampleRate: 96_000) != nil)
        let text = try String(contentsOf: URL(filePath: store.path), encoding: .utf8)
        let damaged = text.replacing(": \(figure)", with: ": \(wrong)")
        #expect(damaged != text)
        try Data(damaged.utf8).write(to: URL(filePath: store.path))
        for rate in [48_000, 96_000] {
            #expect(throws: AudioError.self) { _ = try store.card("hw:0", .capture, sampleRate: rate) }
        }
        #expect(throws: AudioError.self) { _ = try store.latency(from: "hw:0") }
    }

    @Test func `A place that cannot be written is an error with the path`() throws {
        let store = CalibrationStore(folder: "/proc/well-tempered")
        let error = #expect(throws: AudioError.self) { try store.keep(card("hw:0")) }
        guard case .cannotWrite("/proc/well-tempered/calibration.json", _) = error else { throw try #require(error) }
    }

    @Test func `A calibration is made from an estimate that has seen enough`() throws {
        var estimate = RateEstimate(sampleRate: 48_000)
        #expect(
            CardCalibration(device: "a", direction: .capture, estimate: estimate, discipline: .free, measuredAt: 5)
                == nil)
        for second in 0..<40 as Range<Int64> {
            estimate.observe(frame: second * 12_000, at: MonotonicTime(nanoseconds: second * 249_975_000))
        }
        let made = CardCalibration(
            device: "a", direction: .playback, estimate: estimate, discipline: .timeService(estimatedError: .zero),
            measuredAt: 5)
        let calibration = try #require(made)
        // 249.975 ms for 250: 100.01 ppm fast.
        #expect(abs(calibration.rateError.value - 100.01) < 0.01)
        #expect(calibration.clockWasDisciplined && calibration.observed > .seconds(8))
    }
}
