import Foundation

/// The table that the command prints: one line per quantity, what it must be and what it is.
struct Table {
    private(set) var missed = 0
    /// How many times an upper limit a figure may come to: other sample rates reach the figures of 48 kHz within 20 %.
    var allowance = 1.0

    mutating func row(_ quantity: String, _ measured: Double, atMost limit: Double, unit: String) {
        let verdict = measured <= limit ? "ok" : measured <= allowance * limit ? "ok within 20 %" : "MISSED"
        line(quantity, "<= \(short(limit)) \(unit)", "\(short(measured)) \(unit)", verdict)
    }
    mutating func row(_ quantity: String, _ measured: Double, from low: Double, to high: Double, unit: String) {
        line(
            quantity, "\(short(low)) to \(short(high)) \(unit)", "\(short(measured)) \(unit)",
            measured >= low && measured <= high ? "ok" : "MISSED")
    }
    /// A figure nothing is demanded of.
    func note(_ quantity: String, _ text: String) {
        print(pad(quantity, 52) + pad("", 16) + text)
    }
    private mutating func line(_ quantity: String, _ must: String, _ measured: String, _ verdict: String) {
        if verdict == "MISSED" { missed += 1 }
        print(pad(quantity, 52) + pad(must, 16) + pad(measured, 16) + verdict)
        fflush(nil)
    }
    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
    private func short(_ value: Double) -> String {
        value == .infinity ? "never" : String(format: "%.3g", value)
    }
}
