// What an hour of clicks costs: CPU seconds (user and system) of the engine alone, of the built `metronome`, and of
// `klick -W` on the same map, one after the other, and their ratio. Budget: an hour of sound is 3,600 s of real time.
//
//     swift run -c release RenderBenchmark [folder of the built commands]
import Foundation
import WellTempered

/// Bars of 16 sixteenths, 2 s each: an hour at 120 quarters per minute, in klick's own grammar.
let map = "1800 16/16 120 XxxxXxxxXxxxXxxx\n"
let sampleRate = 48_000
let hour = 3_600 * sampleRate

/// CPU seconds, user and system, of this process or of the children it has waited for.
func cpuSeconds(_ who: Int32) -> Double {
    var usage = rusage()
    getrusage(who, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Renders a plan and throws the sound away; returns CPU seconds, strokes and the peak.
func engineCost(_ plan: PracticePlan) throws -> (seconds: Double, strokes: Int, peak: Float) {
    var metronome = try Metronome(plan, sampleRate: sampleRate.hertz, eventCapacity: 16_384)
    var block = [Float](repeating: 0, count: 8_192)
    var (strokes, peak) = (0, Float(0))
    let before = cpuSeconds(RUSAGE_SELF.rawValue)
    while metronome.engine.position < Int64(hour) {
        let count = min(block.count, hour - Int(metronome.engine.position))
        var span = block.mutableSpan
        var part = span._mutatingExtracting(first: count)
        metronome.engine.render(into: &part)
        while let event = metronome.events.pop() { strokes += event.isEnd ? 0 : 1 }
        peak = max(peak, block[0], block[count / 2])
    }
    return (cpuSeconds(RUSAGE_SELF.rawValue) - before, strokes, peak)
}

/// CPU seconds of a command, or `nil` if it does not run.
func commandCost(_ executable: String, _ arguments: [String]) -> Double? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [executable] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let before = cpuSeconds(RUSAGE_CHILDREN.rawValue)
    do { try process.run() } catch { return nil }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? cpuSeconds(RUSAGE_CHILDREN.rawValue) - before : nil
}

/// The cheapest of three runs: what disturbs a run only adds to it.
func best(_ run: () throws -> Double?) rethrows -> Double? {
    try (0..<3).compactMap { _ in try run() }.min()
}

func row(_ name: String, _ seconds: Double?) {
    let text = seconds.map { String(format: "%7.3f s", $0) } ?? "skipped: it does not run here"
    print(name.padding(toLength: 58, withPad: " ", startingAt: 0) + text)
}

let folder = FileManager.default.temporaryDirectory.appending(path: "render-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let mapFile = folder.appending(path: "hour.map").path()
try Data(map.utf8).write(to: URL(filePath: mapFile))

print("one hour, 28,800 sixteenths, 48 kHz: CPU seconds, best of three")
let same = try PracticePlan(tempoMap: map, file: "hour.map")
var strokes = 0
let engine = try best {
    let cost = try engineCost(same)
    strokes = cost.strokes
    return cost.seconds
}
guard strokes == 28_800 else { fatalError("\(strokes) strokes") }
row("engine alone, the map", engine)

let four = try PracticePlan(
    tempo: Tempo(120), accents: AccentPattern(parsing: "3,1,2,1"), subdivision: Subdivision(parsing: "4:1213"))
row("engine alone, four levels: 3,1,2,1 with parts 1213", try best { try engineCost(four).seconds })

let commands = CommandLine.arguments.dropFirst().first ?? ""
let metronome = commands.isEmpty ? "metronome" : commands + "/metronome"
/// The command's cost for a WAV of so many bits a sample.
func metronomeCost(bits: Int) -> Double? {
    let file = folder.appending(path: "ours.wav").path()
    return best { commandCost(metronome, [mapFile, "--render", file, "--bits", "\(bits)"]) }
}
row("metronome hour.map --render (float WAV, 691 MB)", metronomeCost(bits: 32))
let ours = metronomeCost(bits: 16)
row("metronome hour.map --render --bits 16 (346 MB)", ours)
let klick = best {
    commandCost("klick", ["-f", mapFile, "-W", folder.appending(path: "klick.wav").path(), "-r", "\(sampleRate)"])
}
row("klick -f hour.map -W (16-bit WAV, 346 MB)", klick)
if klick == nil { print("klick: apt-get install klick") }
if let klick, let ours { print(String(format: "metronome / klick, both 16 bits          %.2f", ours / klick)) }
if let klick, let engine { print(String(format: "engine / klick                           %.2f", engine / klick)) }
