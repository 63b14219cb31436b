/// How a cell of the screen is printed. Every one is also told apart without colour: by its place or by a word.
public enum Ink: UInt8, Sendable, Hashable, CaseIterable {
    /// As the terminal prints.
    case plain
    /// Less important.
    case dim
    /// More important.
    case bold
    /// Where it should be.
    case inTune
    /// Nearly there.
    case near
    /// Far off.
    case off
    /// What is sounding now, light on dark turned round.
    case lit

    /// The parameters of the terminal's SGR sequence (ECMA-48).
    func parameters(colored: Bool) -> String {
        switch self {
        case .plain: "0"
        case .dim: "0;2"
        case .bold: "0;1"
        case .inTune: colored ? "0;1;32" : "0;1"
        case .near: colored ? "0;33" : "0"
        case .off: colored ? "0;31" : "0"
        case .lit: "0;7"
        }
    }
}
