internal import CRealtime
internal import Spectral

/// How the clicks of one sound are placed: each by its correlation with the mean of all.
extension PassageLayout {
    /// The clicks of a kind, placed.
    internal struct Placed {
        /// The mean spectrum of their windows, as far as it is not noise.
        internal var template: WindowShifts.Spectrum
        /// How much of each bin is sound.
        internal var weights: [Double] = []
        /// The lag of each click's window.
        internal var lags: [Int]
        /// How far each click lies behind the mean, in samples.
        internal var places: [Double]
        /// The standard deviation by the chance that a click is elsewhere, such as a cycle later.
        internal var ambiguities: [Double] = []
        /// The standard error of each.
        internal var standardErrors: [Double]
    }

    /// Places the clicks of a kind.
    internal func placed(_ kind: [ClickPassage], _ shifts: inout WindowShifts) -> Placed {
        let start = placedNearby(kind, &shifts)
        let placed = placed(kind, beginningWith: start, &shifts)
        // If some windows lie a cycle late, the mean is a mixture, which all of them fit. One click is no mixture; in noise
        // the mean is better. Where all clicks lie upon each other, the mean is strongest.
        guard placed.standardErrors.contains(where: { $0 > 0.5 * Double(factor) }) else { return placed }
        let other = self.placed(kind, beginningWith: closest(kind, start, &shifts), &shifts)
        func power(_ spectrum: WindowShifts.Spectrum) -> Double { spectrum.reduce(0) { $0 + ($1 * $1).sum() } }
        return power(other.template) > power(placed.template) ? other : placed
    }

    /// Places the clicks of a kind by comparison with a waveform, and then with their mean.
    private func placed(
        _ given: [ClickPassage], beginningWith start: Placed, _ shifts: inout WindowShifts
    ) -> Placed {
        var (kind, placed, hasMoved) = (given, start, true)
        var variances = [Double](repeating: 0, count: kind.count)
        // Between clicks: the quieter half of them, since a passage may hold the end of another click.
        let levels = kind.map { $0.samples[..<quiet].reduce(0.0) { $0 + Double($1) * Double($1) } / Double(quiet) }
        let noise = levels.sorted()[levels.count / 2]
        for _ in 0..<4 where hasMoved {
            hasMoved = placed.places.isEmpty
            for index in kind.indices {
                // Without its own share, which would hold the click where it is.
                let others = template(of: placed, without: index, kind[index], &shifts)
                let choice = PlaceChoice(in: kind[index], of: others, noise: noise, self, &shifts)
                // A neighbouring sample is the same peak, which the shift covers.
                hasMoved = hasMoved || abs(choice.lag - placed.lags[index]) > 2 * factor
                (kind[index].lag, variances[index]) = (choice.lag, choice.variance)
            }
            if hasMoved { placed = placedNearby(kind, &shifts) }
        }
        for index in kind.indices {
            let error = placed.standardErrors[index]
            placed.standardErrors[index] = rt_sqrt(error * error + variances[index])
        }
        placed.ambiguities = variances.map { rt_sqrt($0) }
        return placed
    }

    /// The mean of all clicks but one; of a single click, that itself.
    private func template(
        of placed: Placed, without index: Int, _ passage: ClickPassage, _ shifts: inout WindowShifts
    ) -> WindowShifts.Spectrum {
        guard !placed.places.isEmpty, placed.places.count > 1 else { return placed.template }
        var own = passage
        own.lag = placed.lags[index]
        let share = shifts.moved(shifts.spectrum(own.window(shifts.count)), by: placed.places[index])
        let count = Double(placed.places.count)
        return placed.template.indices.map { k in
            (placed.template[k] * count - share[k] * placed.weights[k]) / (count - 1)
        }
    }

    /// How much of each bin of a mean is sound, 0 to 1, by the power of its noise.
    ///
    /// The high bins of a low sound hold noise alone, and say most about a place. Among seven bins, which have 14 degrees of
    /// freedom, noise exceeds four times its power once in two million.
    private static func weights(_ template: WindowShifts.Spectrum, _ noise: [Double]) -> [Double] {
        template.indices.map { k in
            let near = max(0, k - 3)..<min(template.count, k + 4)
            let power = near.reduce(0.0) { $0 + (template[$1] * template[$1]).sum() }
            return power > 0 ? max(0, 1 - 4 * near.reduce(0.0) { $0 + noise[$1] } / power) : 0
        }
    }

    /// The click that is most like the mean, in the place of that.
    private func closest(
        _ kind: [ClickPassage], _ placed: Placed, _ shifts: inout WindowShifts
    ) -> Placed {
        var best: (likeness: Double, spectrum: WindowShifts.Spectrum) = (-1, placed.template)
        for (passage, place) in zip(kind, placed.places) {
            let own = shifts.moved(shifts.spectrum(passage.window(shifts.count)), by: place)
            var (product, power) = (0.0, 0.0)
            for (bin, mean) in zip(own, placed.template) {
                (product, power) = (product + (bin * mean).sum(), power + (bin * bin).sum())
            }
            guard power > 0, product / rt_sqrt(power) > best.likeness else { continue }
            best = (product / rt_sqrt(power), own)
        }
        return Placed(template: best.spectrum, lags: placed.lags, places: [], standardErrors: [])
    }

    /// Places the clicks of a kind on the nearest peak of their correlation.
    private func placedNearby(_ kind: [ClickPassage], _ shifts: inout WindowShifts) -> Placed {
        let (count, others) = (Double(kind.count), Double(kind.count - 1))
        var places = [Double](repeating: 0, count: kind.count)
        var template = shifts.spectrum(kind[0].window(shifts.count))
        var residual = [Double](repeating: 0, count: template.count)
        var weights = residual
        for round in 0..<5 {
            // Spectra are made anew each time: of a click they take five times what its samples do. Sums of differences from the
            // last mean lose no digits.
            var sums = WindowShifts.Spectrum(repeating: .zero, count: template.count)
            var squares = [Double](repeating: 0, count: template.count)
            for (passage, place) in zip(kind, places) {
                let moved = shifts.moved(shifts.spectrum(passage.window(shifts.count)), by: place)
                for k in template.indices {
                    let difference = moved[k] - template[k]
                    sums[k] += difference
                    squares[k] += (difference * difference).sum()
                }
            }
            for k in template.indices {
                template[k] += sums[k] / count
                residual[k] = max(0, squares[k] - (sums[k] * sums[k]).sum() / count) / others
            }
            weights = Self.weights(template, residual.map { $0 / count })
            guard round < 4 else { break }
            for index in kind.indices {
                let spectrum = shifts.spectrum(kind[index].window(shifts.count))
                let moved = shifts.moved(spectrum, by: places[index])
                // Without its own share of the mean, which would hold it where it is.
                let mean = template.indices.map { k in (template[k] * count - moved[k]) * (weights[k] / others) }
                places[index] = shifts.shift(of: spectrum, behind: mean, near: places[index])
            }
        }
        let error = shifts.standardError(template: template, weights: weights, residual: residual)
        return Placed(
            template: zip(template, weights).map { $0 * $1 }, weights: weights, lags: kind.map(\.lag), places: places,
            standardErrors: [Double](repeating: error, count: kind.count))
    }
}
