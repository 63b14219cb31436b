internal import Realtime

extension ClickTrack {
    /// Adds the samples of one click to the block.
    @_noLocks internal mutating func mix(
        _ index: Int, into frames: inout MutableSpan<Float>, from start: Int, to end: Int
    ) {
        var strike = strikes[index]
        strike.untilFrame = max(0, strike.untilFrame - (end - start))
        var i = min(end, start + strike.wait)
        strike.wait -= i - start
        let last = min(end, i + strike.framesLeft)
        while i < last {
            if strike.lane == 0 {
                strike.pending = nextEight(index, &strike)
                let isWhole = strike.riseLeft == 0 && (strike.fade == 0 || strike.framesLeft - 8 >= strike.fade)
                if isWhole && last - i >= 8 {
                    for lane in 0..<8 { frames[i + lane] += strike.pending[lane] }
                    i += 8
                    strike.framesLeft -= 8
                    continue
                }
            }
            var sample = strike.pending[strike.lane]
            if strike.framesLeft < strike.fade { sample *= Float(strike.framesLeft) / Float(strike.fade) }
            if strike.riseLeft > 0 {
                sample *= 1 - Float(strike.riseLeft) / Float(strike.rise)
                strike.riseLeft -= 1
            }
            frames[i] += sample
            strike.lane = (strike.lane + 1) & 7
            strike.framesLeft -= 1
            i += 1
        }
        strikes[index] = strike
    }

    @_noLocks private mutating func nextEight(_ index: Int, _ strike: inout Strike) -> SIMD8<Float> {
        let kernel = bank.kernels[strike.kernel]
        if kernel.isRecorded { return nextEightRecorded(index, kernel, &strike) }
        var sum = SIMD8<Float>()
        var count = strike.soundingPartials
        while count > 0 && bank.partials[kernel.firstPartial + count - 1].frameCount <= strike.played { count -= 1 }
        strike.soundingPartials = count
        strike.played += 8
        for p in 0..<count {
            let at = index * ClickVoice.maximumPartials + p
            let (re, im) = (real[at], imaginary[at])
            let partial = bank.partials[kernel.firstPartial + p]
            sum += re
            real[at] = re * partial.stepReal - im * partial.stepImaginary
            imaginary[at] = re * partial.stepImaginary + im * partial.stepReal
        }
        let rise = 1 - strike.attack
        strike.attack *= kernel.attackStep
        return sum * rise * rise * rise * strike.gain
    }

    /// The next eight samples of a recording, delayed by a fraction of a sample if the strike lies between two frames.
    @_noLocks private func nextEightRecorded(_ index: Int, _ kernel: ClickKernel, _ strike: inout Strike)
        -> SIMD8<Float>
    {
        var eight = SIMD8<Float>()
        // The recording is preceded by as many zeros as the filter has weights.
        let first = kernel.firstSample + strike.played
        strike.played += 8
        if !strike.isDelayed {
            for lane in 0..<8 { eight[lane] = bank.recordings[first + FractionalDelay.taps + lane] }
            return eight * strike.gain
        }
        let delay = delays[index]
        for lane in 0..<8 {
            var (even, odd) = (SIMD8<Float>(), SIMD8<Float>())
            for group in 0..<4 {
                var (left, right) = (SIMD8<Float>(), SIMD8<Float>())
                for i in 0..<8 {
                    left[i] = bank.recordings[first + lane + 16 * group + i]
                    right[i] = bank.recordings[first + lane + 16 * group + 8 + i]
                }
                even += left * delay.weights[2 * group]
                odd += right * delay.weights[2 * group + 1]
            }
            let sum = even + odd
            eight[lane] = (sum[0] + sum[1]) + (sum[2] + sum[3]) + ((sum[4] + sum[5]) + (sum[6] + sum[7]))
        }
        return eight * strike.gain
    }
}
