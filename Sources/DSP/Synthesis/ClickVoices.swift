internal import Music
internal import Timebase

extension ClickVoice {
    /// The voices that come with the toolkit, by name.
    public static var all: [ClickVoice] { [woodBlock, clave, beep, cowbell, hiHat, soft, rim, tick, triangle, tom] }

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

    /// A side stick: the knock of the stick on the rim over a short ring of the drum, over after 30 ms.
    public static let rim = ClickVoice(
        name: "rim",
        partials: [
            Partial(485.0.hertz, amplitude: 0.7, decay: .milliseconds(9)),
            Partial(1_720.0.hertz, amplitude: 1, decay: .milliseconds(5)),
            Partial(2_950.0.hertz, amplitude: 0.7, decay: .milliseconds(3)),
            Partial(5_300.0.hertz, amplitude: 0.5, decay: .microseconds(1_500)),
        ],
        attack: .microseconds(60), expressions: levels([.medium: (1.15, -3, 1), .accent: (1.33, 0, 1.2)]))

    /// A clock's tick: 5 ms of high partials, the least that can be heard exactly, to play along with loud music.
    public static let tick = ClickVoice(
        name: "tick",
        partials: [
            Partial(4_300.0.hertz, amplitude: 1, decay: .microseconds(1_700)),
            Partial(7_100.0.hertz, amplitude: 0.8, decay: .microseconds(1_300)),
            Partial(10_300.0.hertz, amplitude: 0.5, decay: .microseconds(900)),
        ],
        attack: .microseconds(50), expressions: levels([.medium: (1.15, -3, 1.2), .accent: (1.35, 0, 1.6)]))

    /// A triangle: inharmonic partials of a bent steel rod, which ring on. The accent rings twice as long as a beat that is
    /// damped by hand.
    public static let triangle = ClickVoice(
        name: "triangle",
        partials: [
            Partial(1_610.0.hertz, amplitude: 0.25, decay: .milliseconds(34)),
            Partial(4_250.0.hertz, amplitude: 0.8, decay: .milliseconds(40)),
            Partial(5_930.0.hertz, amplitude: 1, decay: .milliseconds(36)),
            Partial(8_140.0.hertz, amplitude: 0.6, decay: .milliseconds(28)),
            Partial(11_700.0.hertz, amplitude: 0.35, decay: .milliseconds(20)),
        ],
        attack: .microseconds(100),
        expressions: levels([.normal: (1, -7, 0.6), .medium: (1, -3.5, 0.85), .accent: (1, 0, 1.2)]))

    /// A tom: the modes of a membrane (1 : 1.59 : 2.14 : 2.30) at 130 Hz, for those who lose a click among high notes.
    public static let tom = ClickVoice(
        name: "tom",
        partials: [
            Partial(130.0.hertz, amplitude: 1, decay: .milliseconds(28)),
            Partial(207.0.hertz, amplitude: 0.5, decay: .milliseconds(20)),
            Partial(278.0.hertz, amplitude: 0.35, decay: .milliseconds(16)),
            Partial(299.0.hertz, amplitude: 0.25, decay: .milliseconds(15)),
            Partial(900.0.hertz, amplitude: 0.2, decay: .milliseconds(6)),
        ],
        attack: .microseconds(700), expressions: levels([.medium: (1.25, -3, 1), .accent: (1.5, 0, 1.2)]))

    /// The pitch, the decibels and the decay of each level.
    private static func levels(_ table: [AccentLevel: (Double, Double, Double)]) -> [AccentLevel: Expression] {
        table.mapValues { Expression(pitch: $0.0, loudness: $0.1.decibels, decay: $0.2) }
    }
}
