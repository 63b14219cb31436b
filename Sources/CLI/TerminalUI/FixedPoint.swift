internal import Glibc

/// A number as text with a fixed count of decimals, with a point whatever the locale.
///
/// - Parameters:
///   - value: any number; what is not finite gives `nan` or `inf`.
///   - decimals: 0...12.
///   - signed: whether a positive number carries a plus; zero is then `+0.0`, never `-0.0`.
public func fixedPoint(_ value: Double, decimals: Int, signed: Bool = false) -> String {
    // 309 digits before the point, a sign and the point.
    var buffer = [CChar](repeating: 0, count: 324 + max(0, decimals))
    let text = withVaList([Int32(decimals), value]) { arguments in
        _ = vsnprintf(&buffer, buffer.count, signed ? "%+.*f" : "%.*f", arguments)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    let isZero = !text.contains { $0.isNumber && $0 != "0" } && value.isFinite
    guard isZero, text.hasPrefix("-") else { return text }
    return (signed ? "+" : "") + text.dropFirst()
}

/// `text` with spaces before it, `width` characters long.
public func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}
