internal import Music
internal import Timebase

extension ClickVoice {
    /// The voices that come with the toolkit, by name.
    public static var all: [ClickVoice] { [woodBlock, clave, beep, cowbell, hiHat, soft] }

    /// The voice of that name, if there is one.
    public static func named(_ name: String) -> ClickVoice? { all.first { $0.name == name } }

    /// A wood block: the partials of a short slotted bar, over after 50 ms. The accent is a fifth higher.
    ///
    /// Quality factors near 35, as measured of small hardwood bars, give 11 ms at 1 kHz (decay = Q / (π · f)).
    public static let woodBlock = ClickVoice(
        name: "wood",
        partials: [
            Partial(1_050.0.hertz, amplitude: 1, decay: .milliseconds(11)),
            Partial(1_590.0.hertz, amplitude: 0.55, decay: .microseconds(7_500)),
            Partial(2_480.0.hertz, amplitude: 0.40, decay: .microseconds(4_500)),
            Partial(3_900.0.hertz, amplitude: 0.25, decay: .microseconds(2_500)),
        ],
        attack: .microseconds(150))

    /// Two rosewood sticks: a free bar (partials 1 : 2.76 : 5.40), brighter and longer than the block.
    public static let clave = ClickVoice(
        name: "clave",
        partials: [
            Partial(2_000.0.hertz, amplitude: 1, decay: .milliseconds(20)),
            Partial(5_520.0.hertz, amplitude: 0.35, decay: .milliseconds(6)),
            Partial(10_800.0.hertz, amplitude: 0.12, decay: .milliseconds(2)),
        ],
        attack: .microseconds(100), expressions: levels([.medium: (1.125, -3, 1), .accent: (1.26, 0, 1.5)]))

    /// An electronic beep: a sine and its octave. The accent is an octave higher.
    public static let beep = ClickVoice(
        name: "beep",
        partials: [
            Partial(880.0.hertz, amplitude: 1, decay: .milliseconds(25)),
            Partial(1_760.0.hertz, amplitude: 0.2, decay: .milliseconds(20)),
        ],
        attack: .microseconds(500), expressions: levels([.medium: (1.5, -3, 1), .accent: (2, 0, 1)]))

    /// A cowbell: two inharmonic tones, 540 and 800 Hz as in classic drum machines, and four partials above them.
    public static let cowbell = ClickVoice(
        name: "cowbell",
        partials: [
            Partial(540.0.hertz, amplitude: 1, decay: .milliseconds(55)),
            Partial(800.0.hertz, amplitude: 0.9, decay: .milliseconds(50)),
            Partial(1_620.0.hertz, amplitude: 0.35, decay: .milliseconds(25)),
            Partial(2_400.0.hertz, amplitude: 0.30, decay: .milliseconds(20)),
            Partial(2_700.0.hertz, amplitude: 0.20, decay: .milliseconds(12)),
            Partial(4_000.0.hertz, amplitude: 0.15, decay: .milliseconds(8)),
        ],
        attack: .microseconds(200),
        expressions: levels([.normal: (1, -7, 0.5), .medium: (1.12, -3.5, 0.7), .accent: (1.26, 0, 1)]))

    /// A hi-hat: 24 partials between 3.5 and 16 kHz without a common fundamental. The accent is half open.
    public static let hiHat = ClickVoice(
        name: "hihat",
        partials: (0..<maximumPartials).map { index in
            // Multiples of the golden ratio, modulo 1, are spread evenly and form no harmonic series.
            let place = (Double(index + 1) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            let frequency = 3_500 + 12_500 * place
            return Partial(frequency.hertz, amplitude: 0.5 + 0.5 * place, decay: .seconds(0.016 - 0.006 * place))
        },
        attack: .microseconds(80),
        expressions: levels([.normal: (0.9, -7, 0.6), .medium: (1, -3.5, 1.2), .accent: (1.1, 0, 3)]))

    /// A soft low tick with a slow attack, for long practice and headphones.
    public static let soft = ClickVoice(
        name: "soft",
        partials: [
            Partial(440.0.hertz, amplitude: 1, decay: .milliseconds(22)),
            Partial(1_320.0.hertz, amplitude: 0.12, decay: .milliseconds(10)),
        ],
        attack: .microseconds(1_200),
        expressions: levels([.normal: (1, -8, 1), .medium: (1.25, -4, 1), .accent: (1.5, 0, 1.3)]))

    /// The pitch, the decibels and the decay of each level.
    private static func levels(_ table: [AccentLevel: (Double, Double, Double)]) -> [AccentLevel: Expression] {
        table.mapValues { Expression(pitch: $0.0, loudness: $0.1.decibels, decay: $0.2) }
    }
}
