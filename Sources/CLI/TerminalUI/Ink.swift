/// The style of a cell of the screen. No meaning depends on color alone: place or words tell it too.
package enum Ink: UInt8, Sendable, Hashable, CaseIterable {
    case plain
    case dim
    case bold
    case inTune
    case near
    case off
    /// What sounds now, in reverse video.
    case lit
    /// Black on white whatever the colours of the terminal: what a camera reads.
    case paper

    /// The parameters of the terminal's SGR sequence (ECMA-48).
    package func parameters(colored: Bool) -> String {
        switch self {
        case .plain: "0"
        case .dim: "0;2"
        case .bold: "0;1"
        case .inTune: colored ? "0;1;32" : "0;1"
        case .near: colored ? "0;33" : "0"
        case .off: colored ? "0;31" : "0"
        case .lit: "0;7"
        case .paper: "0;30;107"
        }
    }
}
