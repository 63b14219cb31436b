import Foundation

/// A number as text with a fixed count of decimals, with a point whatever the locale.
///
/// - Parameters:
///   - value: any number; what is not finite gives `nan` or `inf`.
///   - decimals: 0...12.
///   - signed: whether a positive number carries a plus; zero is then `+0.0`, never `-0.0`.
public func fixedPoint(_ value: Double, decimals: Int, signed: Bool = false) -> String {
    let text = String(format: signed ? "%+.\(decimals)f" : "%.\(decimals)f", value)
    let isZero = !text.contains { $0.isNumber && $0 != "0" } && value.isFinite
    guard isZero, text.hasPrefix("-") else { return text }
    return (signed ? "+" : "") + text.dropFirst()
}

/// `text` with spaces before it, `width` characters long.
public func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}
