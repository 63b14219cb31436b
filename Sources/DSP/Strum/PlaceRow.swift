/// Places in a row at which a string is tried: of its pitch, or of its stiffness.
struct PlaceRow: BitwiseCopyable, Sendable {
    /// The most places of a row.
    static var capacity: Int { @_noLocks get { 256 } }
    /// How many there are.
    let count: Int
    private let first: StringLaw
    /// From one place to the next: of the pitch in cents, of B.
    private let cents: Double, stiffness: Double

    /// Pitches that are so many cents apart, up to `range` on either side of `centre`.
    @_noLocks init(_ law: StringLaw, around centre: Double, range: Double, spacing: Double) {
        var first = law
        first.cents = centre - range
        (self.first, cents, stiffness) = (first, spacing, 0)
        count = min(Self.capacity, Int(2 * range / spacing) + 1)
    }

    /// Stiffnesses around that of a law.
    @_noLocks init(stiffnessOf law: StringLaw, range: Double, spacing: Double) {
        var first = law
        first.inharmonicity = max(0, law.inharmonicity - range)
        (self.first, cents, stiffness) = (first, 0, spacing)
        count = min(Self.capacity, Int(2 * range / spacing) + 1)
    }

    @_noLocks func law(_ place: Int) -> StringLaw {
        var law = first
        law.cents += Double(place) * cents
        law.inharmonicity += Double(place) * stiffness
        return law
    }

    /// The law in the middle of the row.
    var middle: StringLaw {
        @_noLocks get {
            var law = first
            law.cents += 0.5 * Double(count) * cents
            law.inharmonicity += 0.5 * Double(count) * stiffness
            return law
        }
    }

    /// How far a partial lies from its middle place at most, in cents. Those of partial k per unit of B: 866 (k² - 1).
    @_noLocks func range(ofPartial number: Double) -> Double {
        0.5 * Double(count) * (cents + stiffness * 866 * (number * number - 1))
    }
}
