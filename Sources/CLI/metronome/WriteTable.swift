internal import AudioIO
internal import Configuration
internal import Glibc
internal import ScoreFiles
internal import TerminalUI
internal import Timebase

extension MetronomeCommand {
    /// One minute: the seconds to write of a plan without an end.
    static var defaultLength: Int64 { 60 }

    /// Writes all strokes as comma-separated values.
    func writeTable(_ grid: PlanGrid, to path: String) throws {
        let sampleRate = output.fileRate
        let descriptor = path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw AudioError.cannotWrite(path: path, reason: systemReason(errno)) }
        defer { if path != "-" { close(descriptor) } }
        do {
            try write(grid, sampleRate, to: descriptor)
        } catch let closed as OutputClosed where path != "-" {
            throw AudioError.cannotWrite(path: path, reason: closed.reason ?? "its reader has gone")
        }
    }

    private func write(_ grid: PlanGrid, _ sampleRate: Int, to descriptor: Int32) throws {
        var table = StandardOutput(descriptor: descriptor)
        try table.print(BeatTable.heading + "\n")
        let schedule = try schedule(grid, sampleRate: sampleRate)
        let end = schedule.endFrame
        var strokes = PlanStrokes(schedule, limit: Self.defaultLength * Int64(sampleRate))
        // The frame of the end, or that of the limit.
        let limit = Self.defaultLength * Int64(sampleRate)
        var progress = ProgressLine(RunningCommand.name, of: Double(end ?? limit))
        while let stroke = strokes.next() {
            progress.advance(to: Double(stroke.frame))
            try table.print(BeatTable.line(stroke) + "\n")
        }
        progress.end()
        try table.flush()
    }

    /// Writes a Standard MIDI File.
    func writeMIDI(_ grid: PlanGrid, to path: String) throws {
        let file: StandardMIDIFile
        do throws(PlanError) {
            file = try StandardMIDIFile(grid, limit: .seconds(Self.defaultLength))
        } catch {
            throw CommandError(.usage, error)
        }
        try SmallFile.write(file.bytes, to: path)
    }
}
