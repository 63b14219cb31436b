import Glibc
import Testing

@testable import TerminalUI

@Suite struct StandardOutputTests {
    /// Any program can tell a terminal to be so large that the letters of a screen would take 17 GB.
    @Test func `A terminal is used as it is, up to the largest screen that is drawn`() {
        for (told, used) in [
            ((80, 24), (80, 24)), ((0, 0), (80, 24)), ((1, 1), (1, 1)), ((2_000, 1_000), (2_000, 1_000)),
            ((65_535, 65_535), (2_000, 1_000)), ((65_535, 30), (2_000, 30)),
        ] {
            var (ours, theirs) = (Int32(-1), Int32(-1))
            var size = winsize(ws_row: UInt16(told.1), ws_col: UInt16(told.0), ws_xpixel: 0, ws_ypixel: 0)
            guard openpty(&ours, &theirs, nil, nil, &size) == 0 else {
                Issue.record("no terminal: \(String(cString: strerror(errno)))")
                return
            }
            #expect(StandardOutput(descriptor: theirs).size == used, "\(told)")
            close(ours)
            close(theirs)
        }
    }
}
