/// Converts samples to 16 bits as `limited` does, eight at once.
internal func writeInt16(_ samples: UnsafeBufferPointer<Float>, to result: UnsafeMutableBufferPointer<Int16>) {
    precondition(samples.count <= result.count, "too little room for the samples")
    guard let source = samples.baseAddress, let target = result.baseAddress else { return }
    let whole = samples.count & ~7
    let (input, output) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
    for i in stride(from: 0, to: whole, by: 8) {
        let given = input.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Float>.self)
        var scaled = given * 32_768
        scaled.replace(with: 0, where: given .!= given)
        scaled.replace(with: 32_767, where: scaled .> 32_767)
        scaled.replace(with: -32_768, where: scaled .< -32_768)
        let isNegative = scaled .< 0
        let size = scaled.replacing(with: 0 - scaled, where: isNegative)
        // A float from 2²³ on has no fraction, so the sum is rounded to a whole number, and halves to an even one. Exactly a
        // half is left only where a half was rounded down.
        var rounded = (size + 8_388_608) - 8_388_608
        rounded.replace(with: rounded + 1, where: size - rounded .== 0.5)
        let bits = unsafeBitCast(rounded + 8_388_608, to: SIMD8<Int32>.self) & 0x7F_FFFF
        let integers = bits.replacing(with: 0 &- bits, where: isNegative)
        output.storeBytes(of: SIMD8<Int16>(truncatingIfNeeded: integers), toByteOffset: 2 * i, as: SIMD8<Int16>.self)
    }
    for i in whole..<samples.count { target[i] = Int16(limited(source[i], 32_768)) }
}
