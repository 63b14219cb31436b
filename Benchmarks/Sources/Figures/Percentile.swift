/// The value below which that share of the values lies, linear between neighbours; not a number when there are no values.
public func percentile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.last else { return .nan }
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    guard below + 1 < sorted.count else { return last }
    return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
}
