internal import Music

extension Cents {
    /// The cents in a relative difference of one, where differences are small: 1,200 / ln 2.
    static var perNeper: Double { @_noLocks get { 1_731.234 } }
}
