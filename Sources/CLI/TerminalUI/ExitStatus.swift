/// What the commands tell the shell; the numbers are sysexits.h's where it has one.
public enum ExitStatus {
    /// All went well, or the reader of the output had enough.
    public static let ok: Int32 = 0
    /// The command line cannot be understood.
    public static let usage: Int32 = 2
    /// An input file is missing or cannot be used.
    public static let noInput: Int32 = 66
    /// There is no such sound device, or it cannot do what was asked.
    public static let noDevice: Int32 = 69
    /// The system has no thread, descriptor or memory left.
    public static let noResource: Int32 = 71
    /// The output cannot be written.
    public static let cannotWrite: Int32 = 73
    /// The sound device is busy or was lost.
    public static let deviceLost: Int32 = 75
    /// Ctrl-C.
    public static let interrupted: Int32 = 130
    /// SIGTERM and SIGHUP: 128 and the signal's number, as shells have it.
    public static func ended(by signal: Int32) -> Int32 { 128 + signal }
}
