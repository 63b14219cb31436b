internal import CRealtime
internal import Realtime
internal import Spectral

/// Lab driver.
package struct Analyzer: ~Copyable {
    var fit: StrumFit
    var step: StrumStep
    var search: StrumSearch
    var prior = StrumPrior()
    let rate: Double
    let factor = 8
    var data: [Float] = []
    package var note = ""
    var bank: DecimationBank
    package init(fundamentals: [Double], sampleRate: Double) {
        rate = sampleRate / 8
        bank = DecimationBank(base: 4, levelCount: 2, length: 48000 * 4, hop: 512)
        let limit = max(1000, min(3500, 4.3 * (fundamentals.max() ?? 0)))
        fit = StrumFit(fundamentals: fundamentals, below: limit, laws: fundamentals.map { _ in StringLaw(cents: 0, inharmonicity: 7e-5, logDecay: 0.9) }, capacity: Int(rate * 2.1))
        step = StrumStep(partialCount: fit.layout.count, stringCount: fundamentals.count)
        search = StrumSearch(partialCount: fit.layout.count)
    }
    package mutating func load(_ x: [Float]) {
        var n = 0
        while n + 512 <= x.count { bank.update(from: x.span.extracting(n..<n + 512), newest: 512); n += 512 }
        let c = bank.count(1)
        let p = bank.latest(c, of: 1)
        data = Array(p)
    }
    package mutating func run(from start: Double, length: Double) {
        var T = 0.25
        var first = true
        while true {
            let t = min(T, length)
            let a = Int(start * rate), n = Int(t * rate)
            data.withUnsafeMutableBufferPointer { d in
                fit.window.load(UnsafeMutableBufferPointer(rebasing: d[a..<a + n]))
            }
            fit.halfLength = Double(n) / rate / 2
            if first {
                search.run(&fit)
                note += (0..<fit.layout.stringCount).map { "\(Int(fit.laws.unsafeElements[$0].cents))" }.joined(separator: " ")
            }
            for i in 0..<(first ? 10 : 5) {
                fit.place()
                if i == 0 && first {
                    for p in 0..<fit.layout.count { fit.noise.unsafeElements[p] = fit.residual / Double(fit.layout.count) }
                } else if i == 1 || i == 4 { fit.measureNoise() }
                fit.linearize()
                let change = step.move(&fit, prior: prior)
                if i >= 3 { step.learnScatter(fit) }
                if change < 1e-4 && i > 5 { break }
            }
            first = false
            if t >= length { break }
            T *= 1.41
        }
        note += " scatter \(step.detuningScatter) \(step.dampingScatter) slope \(fit.decaySlope)"
    }
    package func frequency(_ s: Int) -> Double { fit.fundamentals.unsafeElements[s] * rt_exp2(fit.laws.unsafeElements[s].cents / 1200) }
    package mutating func error(_ s: Int) -> Double { step.standardError(s) }
}
