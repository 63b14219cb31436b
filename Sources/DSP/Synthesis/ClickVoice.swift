public import Music
public import Timebase

/// A synthesised percussion instrument: the partials that ring, and the attack.
///
/// Each partial is a damped sine whose starting phase is chosen so that the click has no DC. The envelope of the attack is
/// (1 - e^(-t/attack))³. It starts at zero with two zero derivatives, so that a click can be placed between two samples
/// without audible aliasing.
public struct ClickVoice: Sendable, Hashable {
    /// One damped sine.
    public struct Partial: Sendable, Hashable {
        /// Frequency at the normal level.
        public var frequency: Hertz
        /// Amplitude relative to the other partials; the sum is normalised.
        public var amplitude: Double
        /// The time in which it falls to 1/e.
        public var decay: Duration

        /// A damped sine that falls to 1/e within `decay`.
        public init(_ frequency: Hertz, amplitude: Double, decay: Duration) {
            (self.frequency, self.amplitude, self.decay) = (frequency, amplitude, decay)
        }
    }

    /// How one level sounds: pitch relative to the normal level, and loudness relative to the loudest.
    public struct Expression: Sendable, Hashable {
        /// Ratio of all frequencies to the normal level's.
        public var pitch: Double
        /// Peak below the loudest level.
        public var loudness: Decibels
        /// Ratio of all decay times to the normal level's.
        public var decay: Double

        /// A level of this pitch, loudness and decay.
        public init(pitch: Double, loudness: Decibels, decay: Double = 1) {
            (self.pitch, self.loudness, self.decay) = (pitch, loudness, decay)
        }

        /// The usual sound of a level; a silent beat is never struck.
        public init(_ level: AccentLevel) {
            let pitch =
                switch level {
                case .silent, .normal: 1.0
                case .medium: 1.25
                case .accent: 1.5
                }
            self.init(pitch: pitch, loudness: level.defaultLoudness)
        }
    }

    /// The name by which it is chosen.
    public var name: String
    /// 1 to `maximumPartials` damped sines.
    public var partials: [Partial]
    /// Time constant of the attack.
    public var attack: Duration
    /// The levels that do not have their usual sound.
    public var expressions: [AccentLevel: Expression]

    /// The most partials one voice can have.
    public static var maximumPartials: Int { @_noLocks get { 24 } }

    /// A voice of 1 to `maximumPartials` partials whose attack has this time constant.
    public init(
        name: String, partials: [Partial], attack: Duration, expressions: [AccentLevel: Expression] = [:]
    ) {
        precondition((1...Self.maximumPartials).contains(partials.count), "a voice has 1 to 24 partials")
        (self.name, self.partials, self.attack, self.expressions) = (name, partials, attack, expressions)
    }

    /// How one level sounds.
    public func expression(of level: AccentLevel) -> Expression { expressions[level] ?? Expression(level) }
}
