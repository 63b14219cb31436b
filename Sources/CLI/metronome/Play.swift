internal import ALSABackend
public import AudioIO
internal import Glibc
public import MetronomeEngine
internal import Realtime
internal import TerminalUI
internal import Timebase

extension MetronomeEngine: FrameRenderer {}

extension MetronomeCommand {
    /// Plays the plan until it ends, a signal comes or nobody reads the output any more.
    func play(_ plan: PracticePlan) throws -> Int32 {
        let signals = SignalWatch()
        var request = StreamRequest.playback(device: device)
        request.sampleRate = try readRate()
        request.channelCount = try readChannels()
        let output = try PlaybackDevice(request)
        let format = output.format
        if isVerbose { complain("metronome", "playing on \(format.description)") }
        let schedule = try schedule(plan, sampleRate: format.sampleRate)
        let end = schedule.endFrame
        let ring = SPSCRing<BeatEvent>(minimumCapacity: 4_096, filler: .none)
        let engine = MetronomeEngine(schedule: schedule, events: ring.producer)
        var stream = try PlaybackStream(output, playing: engine)
        var display = BeatDisplay(sampleRate: format.sampleRate, end: end, beats: ring.consumer)
        do {
            let status = try display.run(showing: &stream, until: signals)
            stream.stop()
            if isVerbose {
                let statistics = stream.report().statistics
                complain("metronome", "\(statistics.xruns) xruns, \(statistics.lostFrames) frames lost")
            }
            return status
        } catch {
            stream.stop()
            throw error
        }
    }

    /// Prints the sound cards, or the names of all devices, that can play.
    func listDevices(names: Bool) throws -> Int32 {
        let rows =
            names ? SoundDevices.all(.playback).map(\.description) : SoundDevices.cards(.playback).map(\.description)
        guard !rows.isEmpty else { throw AudioError.noDevice(device: device) }
        var output = StandardOutput()
        for row in rows { try output.print(row + "\n") }
        try output.flush()
        return ExitStatus.ok
    }
}
