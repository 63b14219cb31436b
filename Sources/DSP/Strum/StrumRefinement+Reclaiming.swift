internal import CRealtime
internal import Realtime

// Partials that have lost their line.
extension StrumRefinement {
    /// Puts partials back on lines that lie beside them: where the others hold the law some cents away, a partial is too far
    /// from its line to be drawn there, and what it leaves looks like noise. A partial beside those of other strings too: what
    /// it adds is what they do not explain where they are.
    ///
    /// - Returns: whether one has moved.
    @_noLocks mutating func reclaim() -> Bool {
        var hasMoved = false
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            for j in 0..<min(reclaimedPartials, fit.layout.count(s)) {
                let p = fit.layout.partial(s, j)
                guard !fit.layout.isAtEdge(p),
                    fit.amplitudes.unsafeElements[p].power < 2 * fit.noise.unsafeElements[p]
                else { continue }
                if search.reclaim(&fit, p) { hasMoved = true }
            }
        }
        return hasMoved
    }
}

extension StrumSearch {
    /// Moves a partial to the place within its reach where it adds most, if that is far more than where it is.
    @_noLocks mutating func reclaim(_ fit: inout StrumFit, _ partial: Int) -> Bool {
        guard let ur = re.unsafeElements.baseAddress, let ui = im.unsafeElements.baseAddress else { return false }
        let string = fit.layout.string(partial)
        let (detuning, damping) = (fit.detuning.unsafeElements[partial], fit.damping.unsafeElements[partial])
        neighbourhood.gather(fit, around: partial, range: farthestDetuning, without: string, -1)
        let now = neighbourhood.line(fit, at: fit.lines.poles.unsafeElements[partial], ridge: searchRidge, ur, ui).gain
        let spacing = max(0.5, fit.spacing(string, Int(fit.layout.number(partial))))
        fit.damping.unsafeElements[partial] = 0
        var (best, height) = (detuning, 0.0)
        var tried = -farthestDetuning
        while tried <= farthestDetuning {
            fit.detuning.unsafeElements[partial] = tried
            let gain = neighbourhood.line(fit, at: fit.pole(partial), ridge: searchRidge, ur, ui).gain
            if gain > height { (best, height) = (tried, gain) }
            tried += spacing
        }
        let isFound = height > reclaimedRatio * now && height > reclaimedOverNoise * fit.noise.unsafeElements[partial]
        (fit.detuning.unsafeElements[partial], fit.damping.unsafeElements[partial]) =
            isFound ? (best, 0) : (detuning, damping)
        return isFound
    }
}

/// Cents: as far as a resonance pulls a partial off its law.
private var farthestDetuning: Double { @_noLocks get { 15.0 } }
/// The lowest partials, by which a string is told.
private var reclaimedPartials: Int { @_noLocks get { 4 } }
/// Of powers: 10 dB more than where the partial is, 3 dB over what is left beside it, in which the line itself is.
private var reclaimedRatio: Double { @_noLocks get { 10.0 } }
private var reclaimedOverNoise: Double { @_noLocks get { 2.0 } }
