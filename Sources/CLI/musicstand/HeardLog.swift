internal import Configuration
internal import Glibc
internal import Platform
internal import Stand
internal import Transport

/// Writes each beat with the moment at which it was heard, one JSON object a line: what a page has drawn is checked against it.
struct HeardLog {
    private let descriptor: Int32
    private let clock: StandClock

    init(path: String, clock: StandClock) throws {
        try SmallFile.write([], to: path)
        descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        self.clock = clock
    }

    /// Writes a beat. The file is whole after each line.
    func write(_ beat: CourseBeat) {
        let line =
            "{\"n\":\(beat.number),\"t\":\(clock.reading(at: beat.heard)),\"bar\":\(beat.bar),\"beat\":\(beat.beat),"
            + "\"of\":\(beat.beatsInBar),\"level\":\(beat.level),\"bpm\":\(beat.tempo)}\n"
        // A full disk ends the log and not the music.
        _ = line.utf8.withContiguousStorageIfAvailable { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
