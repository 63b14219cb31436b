internal import Glibc

/// A number as text with a fixed count of decimals and a point in every locale. Halves are rounded to even.
///
/// - Parameters:
///   - value: any number. Infinity and not-a-number give `inf` and `nan`.
///   - decimals: 0...12.
///   - signed: whether a positive number has a plus sign. Zero is then `+0.0`, never `-0.0`.
package func fixedPoint(_ value: Double, decimals: Int, signed: Bool = false) -> String {
    guard let scaled = scaledMagnitude(value, decimals: decimals) else {
        return printed(value, decimals: decimals, signed: signed)
    }
    let sign: UInt8? = value < 0 && scaled > 0 ? UInt8(ascii: "-") : signed ? UInt8(ascii: "+") : nil
    var digits = decimals + 1
    var rest = scaled / powerOfTen(digits)
    while rest > 0 { (rest, digits) = (rest / 10, digits + 1) }
    let length = (sign == nil ? 0 : 1) + digits + (decimals > 0 ? 1 : 0)
    return String(unsafeUninitializedCapacity: length) { text in
        var rest = scaled
        for place in 1...digits {
            text[length - place - (decimals > 0 && place > decimals ? 1 : 0)] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        if decimals > 0 { text[length - decimals - 1] = UInt8(ascii: ".") }
        if let sign { text[0] = sign }
        return length
    }
}

/// |value| · 10^decimals, rounded exactly to the nearest whole number: a Double is a whole number times a power of two.
/// `nil` for numbers that are too large.
private func scaledMagnitude(_ value: Double, decimals: Int) -> UInt64? {
    guard (0...6).contains(decimals), value.magnitude < 0x1p40 else { return nil }
    guard value.isNormal else { return 0 }
    let product = UInt128(value.significandBitPattern | 1 << 52) * UInt128(powerOfTen(decimals))
    // 13 at least, as the value is below 2^40.
    let shift = 52 - Int(value.exponent)
    guard shift < 128 else { return 0 }
    let (whole, part, half) = (product >> shift, product & (1 << shift - 1), UInt128(1) << (shift - 1))
    return UInt64(whole) + (part > half || part == half && !whole.isMultiple(of: 2) ? 1 : 0)
}

private func powerOfTen(_ exponent: Int) -> UInt64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }

private func printed(_ value: Double, decimals: Int, signed: Bool) -> String {
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

/// `text` with spaces before it, at least `width` characters long.
package func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}
