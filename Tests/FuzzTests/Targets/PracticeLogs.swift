import PracticeLog
import TerminalUI

extension FuzzTarget {
    /// The database of the practice log, as a disk or another program may have left it.
    static let practiceLog = FuzzTarget(name: "practice-log", longest: 32_768) { bytes in
        withFolder(holding: bytes, as: "practice.sqlite") { path in
            guard let log = try? PracticeLog(path: path) else { return }
            _ = try? log.isWanted
            if let sessions = try? log.sessions() {
                let text = PracticeLogText(sessions)
                _ = (text.text(newest: 10), text.csv, text.json)
                _ = PracticeLogPlot(sessions, title: "Practice").svg
            }
            let session = PracticeSession(program: "metronome", began: 0, plan: "120", piece: nil, device: "default")
            _ = try? log.add(session)
        }
    }
}
