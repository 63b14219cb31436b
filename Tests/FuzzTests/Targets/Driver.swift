/// The target that `fuzz_read` feeds. It is set once, before libFuzzer starts.
nonisolated(unsafe) private var chosen: FuzzTarget?

/// Chooses the target of this process. Without a name that is known it prints all names and returns 0.
@c public func fuzz_choose(_ name: UnsafePointer<CChar>) -> Int32 {
    chosen = FuzzTarget.named(String(cString: name))
    if chosen == nil { for target in FuzzTarget.all { print(target.name, target.longest) } }
    return chosen == nil ? 0 : 1
}

/// Whether libFuzzer learns from the numbers that the target compares.
@c public func fuzz_compares() -> Int32 { chosen?.comparesText == true ? 1 : 0 }

/// Reads one input, as libFuzzer calls it.
@c public func fuzz_read(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    chosen?.read(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
