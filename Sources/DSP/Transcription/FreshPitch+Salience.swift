internal import Music
internal import Realtime
internal import Rhythm

/// How much of what is new lies at the harmonics of a key.
extension FreshPitch {
    /// The keys that are tried, from the lowest.
    static var keys: Int { @_noLocks get { Int((highestKey - lowestKey) * keysPerSemitone) + 1 } }
    @_noLocks static func key(_ n: Int) -> Double { lowestKey + Double(n) / keysPerSemitone }

    @_noLocks static func weight(of place: Double, _ first: Double) -> Double {
        (first + firstWeight) / (place + laterWeight)
    }

    /// The key of the highest salience, and that salience.
    @_noLocks func likeliest() -> (key: Double, salience: Double) {
        var (loudest, most) = (1, Float(0))
        var k = new.count - 1
        while k >= 1 {
            let value = new.unsafeElements[k]
            if value >= most { (loudest, most) = (k, value) }
            largestAbove.unsafeElements[k] = most
            k -= 1
        }
        // One of the first harmonics is the loudest, mostly: what cannot reach these keys need not be summed to the end.
        var least = 0.0
        for harmonic in 1...4 {
            let key = KeyScale.key(Double(loudest) * spacing / Double(harmonic))
            let n = Int((key - Self.lowestKey) * Self.keysPerSemitone + 0.5)
            guard key >= Self.lowestKey, n < Self.keys else { continue }
            least = max(least, salience(of: n, ifAbove: 0))
        }
        var best = (key: 0.0, salience: 0.0)
        for n in 0..<Self.keys {
            // Just below `least`, so that the key that has it is summed to the end when its turn comes.
            let salience = salience(of: n, ifAbove: max(best.salience, least.nextDown))
            if salience > best.salience { best = (Self.key(n), salience) }
        }
        return best
    }

    /// The salience of a key that is tried; 0 as soon as it cannot be above a limit any more.
    @_noLocks private func salience(of n: Int, ifAbove least: Double) -> Double {
        salience(KeyScale.frequency(Self.key(n)), weights: weights.unsafeElements[n], ifAbove: least)
    }

    /// The weighted sum of the harmonics of a frequency, less a share of what lies halfway between them.
    @_noLocks func salience(_ frequency: Double) -> Double {
        salience(frequency, weights: .greatestFiniteMagnitude, ifAbove: -.infinity)
    }

    /// The same; 0 as soon as it cannot be above a limit any more.
    ///
    /// - Parameter weights: their sum, or more.
    @_noLocks private func salience(_ frequency: Double, weights: Double, ifAbove least: Double) -> Double {
        var (sum, rest) = (0.0, weights)
        for harmonic in 1...Self.harmonics {
            let place = frequency * Double(harmonic)
            guard place < Self.highest else { break }
            let first = max(1, Int(place * (1 - Self.width) / spacing))
            // Above half of the sample rate there is nothing.
            let most = first < new.count ? Double(largestAbove.unsafeElements[first]) : 0
            guard sum + rest * most > least else { return 0 }
            sum += share(of: place, frequency)
            rest -= Self.weight(of: place, frequency)
        }
        return sum
    }

    /// What one harmonic adds.
    @_noLocks private func share(of place: Double, _ first: Double) -> Double {
        let between = peak(near: place - first / 2)
        return Self.weight(of: place, first) * (peak(near: place) - Self.between * between)
    }

    /// The salience of a key that may be a third of a semitone off.
    @_noLocks func salience(around key: Double) -> Double {
        var most = 0.0
        for step in -1...1 {
            most = max(most, salience(KeyScale.frequency(key + Double(step) / Self.keysPerSemitone)))
        }
        return most
    }
}
