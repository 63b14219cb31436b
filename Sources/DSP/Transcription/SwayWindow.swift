internal import Realtime

/// Readings through which courses are laid by least squares: `a + b s`, where `s` is the shape of the course.
internal struct SwayWindow: ~Copyable, Sendable {
    /// In keys beside the first that was read, and whether each was read: 1 or 0.
    private let keys: SampleBuffer<Double>
    private let weights: SampleBuffer<Double>
    private(set) var count = 0
    /// The sums of a shape that is 1 everywhere.
    private(set) var whole = ShapeSums()
    /// The key that is taken for 0, so that squares of small differences are not lost.
    private(set) var origin = 0.0
    private var squares = 0.0

    /// Readings by which a course is moved at first, and no longer: a tenth of a reading is 2 cents of a vibrato of 60 cents.
    static var firstMove: Double { @_noLocks get { 0.5 } }
    static var lastMove: Double { @_noLocks get { 0.1 } }
    /// Rounds of moves after which a course is good enough, so that the audio thread's work has a bound.
    static var mostMoves: Int { @_noLocks get { 40 } }

    init(count: Int) {
        keys = SampleBuffer(count: count)
        weights = SampleBuffer(count: count)
    }

    @_noLocks mutating func clear() {
        (count, squares, whole) = (0, 0, ShapeSums())
    }

    /// Adds a reading in keys, 0 for none.
    @_noLocks mutating func add(_ key: Double) {
        guard count < keys.count else { return }
        let isRead = key > 0
        if isRead, whole.height == 0 { origin = key }
        let value = isRead ? key - origin : 0
        keys.unsafeElements[count] = value
        weights.unsafeElements[count] = isRead ? 1 : 0
        if isRead { whole.add(1, value) }
        squares += value * value
        count += 1
    }

    /// How many were read.
    var readings: Double { @_noLocks get { whole.height } }
    /// The mean of the keys beside the origin.
    var mean: Double { @_noLocks get { whole.product / whole.height } }
    /// The sum of the squares about the mean.
    var spread: Double { @_noLocks get { squares - whole.product * whole.product / whole.height } }

    /// Adds reading `n`, where the shape has this height; nothing where none was read.
    @_noLocks func add(_ n: Int, _ height: Double, to sums: inout ShapeSums) {
        if weights.unsafeElements[n] > 0 { sums.add(height, keys.unsafeElements[n]) }
    }
}

/// Sums over readings: the height of a shape, its square, and its product with the key.
internal struct ShapeSums: BitwiseCopyable {
    private(set) var height = 0.0, square = 0.0, product = 0.0

    @_noLocks init() {}

    @_noLocks mutating func add(_ height: Double, _ key: Double) {
        self.height += height
        square += height * height
        product += height * key
    }

    /// Less is no spread of a shape.
    private static var leastSpread: Double { @_noLocks get { 1e-6 } }

    /// By how many keys the course rises for a height of 1; `nil` where the shape is flat.
    @_noLocks func slope(_ whole: ShapeSums) -> Double? {
        let spread = spread(whole)
        return spread > Self.leastSpread ? covariance(whole) / spread : nil
    }

    /// The squares that a course of this shape explains.
    @_noLocks func explained(_ whole: ShapeSums) -> Double {
        guard let slope = slope(whole) else { return 0 }
        return slope * covariance(whole)
    }

    /// The squares that this shape and a later one explain together, by the normal equations of both. The later one is 0 wherever
    /// this one is not 1.
    @_noLocks func explained(with later: ShapeSums, _ whole: ShapeSums) -> Double {
        let (a, c) = (spread(whole), later.spread(whole))
        let b = later.height - height * later.height / whole.height
        let (u, v) = (covariance(whole), later.covariance(whole))
        let determinant = a * c - b * b
        guard determinant > Self.leastSpread else { return 0 }
        return (c * u * u - 2 * b * u * v + a * v * v) / determinant
    }

    /// The same beside the means.
    @_noLocks private func spread(_ whole: ShapeSums) -> Double { square - height * height / whole.height }
    @_noLocks private func covariance(_ whole: ShapeSums) -> Double { product - height * whole.product / whole.height }
}
