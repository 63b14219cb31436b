internal import AudioIO
internal import Glibc
internal import MetronomeEngine
internal import Realtime
internal import TerminalUI
internal import Timebase

extension MetronomeCommand {
    /// One minute, for plans without an end.
    static var defaultLength: Int64 { 60 }

    /// Writes all strokes of a plan as comma-separated values.
    func writeTable(_ plan: PracticePlan, to path: String) throws {
        let sampleRate = try output.readRate() ?? 48_000
        let descriptor = path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw AudioError.cannotWrite(path: path, reason: systemReason(errno))
        }
        defer { if path != "-" { close(descriptor) } }
        do {
            try write(plan, sampleRate, to: descriptor)
        } catch let closed as OutputClosed where path != "-" {
            throw AudioError.cannotWrite(path: path, reason: closed.reason ?? "nobody reads it any more")
        }
    }

    private func write(_ plan: PracticePlan, _ sampleRate: Int, to descriptor: Int32) throws {
        var table = StandardOutput(descriptor: descriptor)
        try table.print(BeatTable.heading + "\n")
        let schedule = UnsafeMutablePointer<BeatSchedule>.allocate(capacity: 1)
        schedule.initialize(to: try self.schedule(plan, sampleRate: sampleRate))
        defer {
            schedule.deinitialize(count: 1)
            schedule.deallocate()
        }
        var scheduler = BeatScheduler(schedule)
        let last = schedule.pointee.endFrame ?? schedule.pointee.startFrame + Self.defaultLength * Int64(sampleRate)
        while !scheduler.isFinished, scheduler.nextFrame < last {
            try table.print(BeatTable.line(scheduler.next) + "\n")
            scheduler.advance()
        }
        try table.flush()
    }

    /// Writes a plan as a Standard MIDI File.
    func writeMIDI(_ plan: PracticePlan, to path: String) throws {
        guard let minute = TimeSpan(seconds: Ratio(Self.defaultLength)) else { return }
        let file: StandardMIDIFile
        do throws(PlanError) {
            file = try StandardMIDIFile(plan, limit: minute)
        } catch {
            throw CommandError(error.message, exitStatus: ExitStatus.usage)
        }
        try SmallFile.write(file.bytes, to: path)
    }
}
