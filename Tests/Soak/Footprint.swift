import CAllocationProbe
import TestSignals

/// What this process holds at one moment.
struct Footprint {
    /// Memory in RAM, in pages of 4 KiB.
    let pages: Int
    /// Bytes that `malloc` has handed out and not got back.
    let heap: Int
    /// Open files, the one that lists them not counted.
    let handles: Int

    static func now() -> Footprint {
        Footprint(pages: residentPages(), heap: allocation_probe_bytes(), handles: openFiles())
    }
}
