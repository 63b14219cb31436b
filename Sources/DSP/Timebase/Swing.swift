/// The share of the first note in each pair: 50 % is straight, 66.67 % or 2:1 a triplet feel.
package struct Swing: Sendable, Hashable, BitwiseCopyable {
    /// The share of the pair that the first note takes, 1/2 to 3/4.
    package let share: Ratio

    package static var straight: Swing { Swing(checked: Ratio(1, 2) ?? Ratio(1)) }

    package init(share: Ratio) throws(PlanError) {
        guard let half = Ratio(1, 2), let most = Ratio(3, 4), share >= half, share <= most, share.denominator <= 10_000
        else { throw .swingOutOfRange(share) }
        self.share = share
    }

    private init(checked share: Ratio) { self.share = share }
}
