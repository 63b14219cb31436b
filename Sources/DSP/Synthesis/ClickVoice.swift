public import Music
public import Timebase

/// A struck thing: the partials that ring after the blow, and how abrupt the blow is.
///
/// Each partial is a damped sine whose starting phase is chosen so that it carries no constant pressure: the click has
/// no DC whatever its envelope. The blow is (1 - e^(-t/attack))³: it starts at zero with two zero derivatives, so that a
/// click can be placed between two samples without its spectrum folding back.
public struct ClickVoice: Sendable, Hashable {
    /// One damped sine.
    public struct Partial: Sendable, Hashable {
        /// Frequency at the normal level.
        public var frequency: Hertz
        /// Strength beside the other partials; the sum is normalised.
        public var amplitude: Double
        /// Seconds in which it falls to 1/e.
        public var decay: Double

        /// A damped sine.
        public init(_ frequency: Hertz, amplitude: Double, decay: Double) {
            (self.frequency, self.amplitude, self.decay) = (frequency, amplitude, decay)
        }
    }

    /// What is heard of one level: pitch as a ratio to the normal level, and loudness below full level.
    public struct Expression: Sendable, Hashable {
        /// Ratio of all frequencies to the normal level's.
        public var pitch: Double
        /// Peak below the loudest level.
        public var loudness: Decibels
        /// Ratio of all decay times to the normal level's.
        public var decay: Double

        /// A level that is heard this much higher, softer and longer.
        public init(pitch: Double, loudness: Decibels, decay: Double = 1) {
            (self.pitch, self.loudness, self.decay) = (pitch, loudness, decay)
        }
    }

    /// What the voice is called on the command line.
    public var name: String
    /// 1 to `maximumPartials` damped sines.
    public var partials: [Partial]
    /// Time constant of the blow in seconds.
    public var attack: Double
    /// The normal, medium and accented level.
    public var normal: Expression, medium: Expression, accent: Expression

    /// The most partials one voice can have.
    public static var maximumPartials: Int { @_noLocks get { 24 } }

    /// A voice of these partials; pass at least one.
    public init(
        name: String, partials: [Partial], attack: Double,
        normal: Expression = Expression(pitch: 1, loudness: (-6.0).decibels),
        medium: Expression = Expression(pitch: 1.25, loudness: (-3.0).decibels),
        accent: Expression = Expression(pitch: 1.5, loudness: 0.0.decibels)
    ) {
        precondition((1...Self.maximumPartials).contains(partials.count), "a voice has 1 to 24 partials")
        (self.name, self.partials, self.attack) = (name, partials, attack)
        (self.normal, self.medium, self.accent) = (normal, medium, accent)
    }

    /// How one level sounds; a silent beat is never struck.
    public func expression(of level: AccentLevel) -> Expression {
        switch level {
        case .silent, .normal: normal
        case .medium: medium
        case .accent: accent
        }
    }
}
