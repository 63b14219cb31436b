import Foundation

/// The table that the command prints: one line per quantity, what it must be and what it is.
struct Table {
    private(set) var missed = 0

    mutating func row(_ quantity: String, _ measured: Double, atMost limit: Double, unit: String) {
        line(quantity, "<= \(short(limit)) \(unit)", "\(short(measured)) \(unit)", measured <= limit)
    }
    mutating func row(_ quantity: String, _ measured: Double, from low: Double, to high: Double, unit: String) {
        line(
            quantity, "\(short(low)) to \(short(high)) \(unit)", "\(short(measured)) \(unit)",
            measured >= low && measured <= high)
    }
    /// A figure nothing is demanded of.
    func note(_ quantity: String, _ text: String) {
        print(pad(quantity, 52) + pad("", 16) + text)
    }
    private mutating func line(_ quantity: String, _ must: String, _ measured: String, _ isMet: Bool) {
        if !isMet { missed += 1 }
        print(pad(quantity, 52) + pad(must, 16) + pad(measured, 16) + (isMet ? "ok" : "MISSED"))
        fflush(nil)
    }
    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
    private func short(_ value: Double) -> String {
        value == .infinity ? "never" : String(format: "%.3g", value)
    }
}
