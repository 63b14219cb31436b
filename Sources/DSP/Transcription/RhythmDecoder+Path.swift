internal import CRealtime

extension RhythmDecoder {
    /// The reading that ends in a state of the last note.
    func reading(to end: Int, likelihood: Double) -> RhythmReading {
        var reading = RhythmReading(path(to: end), in: division, likelihood: likelihood, starts: starts)
        for n in reading.notes.indices.dropFirst() {
            reading.notes[n].evidence = evidence(of: reading.notes[n], after: reading.notes[n - 1])
        }
        return reading
    }

    /// The states that lead to one of the last note.
    private func path(to end: Int) -> [RhythmReading.Note] {
        var notes: [RhythmReading.Note] = []
        var (note, state, leaving) = (starts.count - 1, end, end % Self.tempi)
        while true {
            notes.append(
                RhythmReading.Note(
                    index: note, place: division.places[state / Self.tempi], tempoBefore: state % Self.tempi,
                    tempo: leaving))
            let origin = Int(origins[note * Self.states + state])
            guard origin >= Self.states else { break }
            note -= origin / Self.states
            state = origin % Self.states
            leaving = state % Self.tempi
            let old = olds[note * Self.states + state]
            if old != Self.none { state += Int(old) - leaving }
        }
        return notes.reversed()
    }

    /// By how much likelier a note is here, after another one, than anywhere.
    private func evidence(of note: RhythmReading.Note, after last: RhythmReading.Note) -> Double {
        let (interval, distance) = (starts[note.index] - starts[last.index], note.place - last.place)
        let density = RhythmReading.density(of: starts)
        let left = Double(note.index - last.index - 1)
        var sum = left * (nowhere - density) - density + rt_exp(density) * interval
        var step = -Self.pause - rt_log(interval)
        if distance <= division.longest, let place = division.place(atTick: last.place) {
            let (period, deviation) = (periods[note.tempoBefore], deviation(interval, note.tempoBefore))
            let late = (interval - Double(distance) * period / Double(division.ticks)) / deviation
            let share = steps[place * (division.longest + 1) + distance]
            step = max(step, share - late * late / 2 - rt_log(deviation) - Self.normal)
        }
        sum += step
        if note.tempoBefore != last.tempo { sum -= Self.drift }
        if last.tempoBefore != last.tempo { sum -= Self.change }
        return sum
    }
}
