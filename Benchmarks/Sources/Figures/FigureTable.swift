import Foundation

/// The lines of a command that prints figures beside what is demanded of them.
public protocol FigureTable {
    /// How many demands were missed.
    var missed: Int { get set }
}

extension FigureTable {
    /// A figure nothing is demanded of.
    public func note(_ quantity: String, _ text: String) { print(pad(quantity, 48) + text) }

    /// A figure that must reach a limit.
    public mutating func row(_ quantity: String, _ measured: Double, atLeast limit: Double) {
        line(quantity, String(format: ">= %.3f", limit), String(format: "%.3f", measured), measured >= limit)
    }

    /// A figure that must not exceed a limit.
    public mutating func row(_ quantity: String, _ measured: Double, atMost limit: Double, unit: String) {
        line(
            quantity, String(format: "<= %.3g %@", limit, unit), String(format: "%.3g %@", measured, unit),
            measured <= limit)
    }

    private mutating func line(_ quantity: String, _ must: String, _ measured: String, _ isMet: Bool) {
        if !isMet { missed += 1 }
        print(pad(quantity, 48) + pad(must, 14) + pad(measured, 14) + (isMet ? "ok" : "MISSED"))
    }

    /// A text, filled with spaces up to a width, at least one.
    public func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
