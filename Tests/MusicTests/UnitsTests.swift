import Music
import Testing

@Suite struct UnitsTests {
    @Test func `An octave is 1200 cents and a fifth of 3 to 2 is 701.955`() {
        #expect(Cents(from: 220.0.hertz, to: 440.0.hertz) == 1_200.0.cents)
        // 1200 * log2(3/2), Ellis.
        #expect(abs(Cents(from: 2.0.hertz, to: 3.0.hertz).value - 701.9550008653874) < 1e-12)
        #expect((-1_200.0).cents.ratio == 0.5)
        #expect(440.0.hertz.raised(by: 1_200.0.cents) == 880.0.hertz)
    }

    @Test func `Cents add and turn round as intervals do`() {
        #expect(702.0.cents + 498.0.cents == 1_200.0.cents)
        #expect(1_200.0.cents - 702.0.cents == 498.0.cents)
        #expect(-(3.0.cents) < 0.0.cents)
    }

    @Test func `A hundredfold power and a tenfold amplitude are both 20 decibels`() {
        #expect(Decibels(power: 100) == 20.0.decibels)
        #expect(Decibels(amplitude: -10) == 20.0.decibels)
        #expect(Decibels(power: 0).value == -.infinity)
        #expect(abs((-20.0).decibels.amplitude - 0.1) < 1e-15)
        #expect(abs(20.0.decibels.power - 100) < 1e-12)
        #expect((-6.0).decibels + (-4.0).decibels == (-10.0).decibels)
    }

    @Test func `Hertz divide to bare ratios and scale by them`() {
        #expect(48.kilohertz == 48.0.kilohertz && 440.hertz == 440.0.hertz && 100.ppm == 100.0.ppm)
        #expect((-6).decibels == (-6.0).decibels && 2.cents == 2.0.cents)
        #expect(48.0.kilohertz / 440.0.hertz == 48_000.0 / 440)
        #expect(440.0.hertz * 2 == 880.0.hertz)
        #expect(440.0.hertz / 2 == 220.0.hertz)
        #expect(220.0.hertz < 440.0.hertz)
    }
}
