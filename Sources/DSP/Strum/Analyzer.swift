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
    var isSplit = false
    func unison(_ k: Int) -> Bool { abs(fit.fundamentals.unsafeElements[k] / fit.fundamentals.unsafeElements[k - 1] - 1) < 1e-4 }
    var bank: DecimationBank
    package init(fundamentals: [Double], sampleRate: Double) {
        rate = sampleRate / 8
        bank = DecimationBank(base: 4, levelCount: 2, length: 48000 * 4, hop: 512)
        let limit = max(700, min(3500, 4.3 * (fundamentals.max() ?? 0)))
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
        var first = true, windowIndex = 0
        while true {
            let t = min(T, length)
            let a = Int(start * rate), n = Int(t * rate)
            data.withUnsafeMutableBufferPointer { d in
                fit.window.load(UnsafeMutableBufferPointer(rebasing: d[a..<a + n]))
            }
            fit.halfLength = Double(n) / rate / 2
            if first {
                for k in 1..<fit.layout.stringCount where unison(k) { fit.isActive.unsafeElements[k] = false }
                search.run(&fit)
                note += (0..<fit.layout.stringCount).map { "\(Int(fit.laws.unsafeElements[$0].cents))" }.joined(separator: " ")
            }
            var justSplit = false
            if t >= 0.69 && !isSplit {
                isSplit = true; justSplit = true
                fit.place()
                for k in 1..<fit.layout.stringCount where unison(k) {
                    search.split(&fit, k - 1, k)
                    note += " split \(fit.laws.unsafeElements[k-1].cents) \(fit.laws.unsafeElements[k].cents)"
                }
            }
            if first { (step.detuningScatter, step.dampingScatter) = (0.1, 0.2) } 
            var before = Double.infinity, part = 1.0
            for i in 0..<(first ? 12 : justSplit ? 14 : 6) {
                if windowIndex <= 1 && i == 5 { fit.place(); if search.reconsider(&fit) { note += " moved" } }
                fit.place()
                if first && i == 0 {
                    for p in 0..<fit.layout.count { fit.noise.unsafeElements[p] = fit.residual / Double(fit.layout.count) }
                }
                if fit.residual > 1.3 * before && part > 0.1 {
                    part *= 0.4
                    step.shorten(&fit, to: part)
                    note += " <"
                    continue
                }
                part = 1; before = fit.residual
                if i == 2 || i == 6 || i == 10 || (!first && i == 0) { fit.measureNoise(); fit.expectAmplitudes() }
                if first && i == 5 { (step.detuningScatter, step.dampingScatter) = (0.05, 0.2) }
                fit.linearize()
                let change = step.move(&fit, prior: prior)
                if i >= (first ? 6 : 1) { step.learnScatter(fit) }
                if change < 1e-4 && i > 8 { break }
            }
            fit.place()
            first = false; windowIndex += 1
            if t >= length { break }
            T *= 1.41
        }
        note += " scatter \(step.detuningScatter) \(step.dampingScatter) slope \(fit.decaySlope)"
    }
    package func frequency(_ s: Int) -> Double { fit.fundamentals.unsafeElements[s] * rt_exp2(fit.laws.unsafeElements[s].cents / 1200) }
    package func dump() -> String {
        (0..<fit.layout.stringCount).map { st in "\n   " + (0..<fit.layout.count(st)).map { j -> String in let p = fit.layout.partial(st, j)
            let db = 10 * rt_log10(fit.amplitudes.unsafeElements[p].power + 1e-20), nz = 10 * rt_log10(fit.noise.unsafeElements[p] + 1e-20)
            let e = fit.detuning.unsafeElements[p]
            return "\(Int(fit.layout.number(p))):\(Int(db))/\(Int(nz)):\(rt_round(e*10)/10):\(rt_round(fit.decay(p)*10)/10)" }.joined(separator: " ") }.joined() + " B " + (0..<fit.layout.stringCount).map { "\(rt_round(fit.laws.unsafeElements[$0].inharmonicity * 1e6))" }.joined(separator: " ")
    }
    package func period(_ s: Int) -> Double { fit.periodicity(s) }
    package mutating func gain(_ s: Int) -> Double { search.gain(&fit, s) }
    package func level(_ s: Int) -> Double { (0..<fit.layout.count(s)).reduce(0) { $0 + fit.amplitudes.unsafeElements[fit.layout.partial(s, $1)].power } }
    package func noise(_ s: Int) -> Double { (0..<fit.layout.count(s)).reduce(0) { $0 + fit.noise.unsafeElements[fit.layout.partial(s, $1)] } }
    package mutating func error(_ s: Int) -> Double { step.standardError(s) }
}
