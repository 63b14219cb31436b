internal import CRealtime

extension CompoundDecoder {
    /// The reading that ends in a state of the last note.
    func reading(to end: Int, likelihood: Double) -> CompoundReading {
        var reading = CompoundReading(path(to: end), likelihood: likelihood, starts: starts)
        for n in reading.notes.indices.dropFirst() {
            reading.notes[n].evidence = evidence(of: reading.notes[n], after: reading.notes[n - 1])
        }
        return reading
    }

    /// The states that lead to one of the last note.
    private func path(to end: Int) -> [CompoundReading.Note] {
        var notes: [CompoundReading.Note] = []
        var (note, state, leaving) = (starts.count - 1, end, end % Self.tempi)
        while true {
            notes.append(
                CompoundReading.Note(
                    index: note, place: state / Self.tempi, tempoBefore: state % Self.tempi, tempo: leaving))
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
    private func evidence(of note: CompoundReading.Note, after last: CompoundReading.Note) -> Double {
        let (interval, distance) = (starts[note.index] - starts[last.index], note.place - last.place)
        let density = CompoundReading.density(of: starts)
        let left = Double(note.index - last.index - 1)
        var sum = left * (nowhere - density) - density + rt_exp(density) * interval
        var step = -Self.pause - rt_log(interval)
        if distance <= CompoundRhythm.longest {
            let (period, deviation) = (periods[note.tempoBefore], deviation(interval, note.tempoBefore))
            let late = (interval - Double(distance) * period / Double(CompoundRhythm.parts)) / deviation
            let place = last.place % CompoundRhythm.parts
            let share = steps[place * (CompoundRhythm.longest + 1) + distance]
            step = max(step, share - late * late / 2 - rt_log(deviation) - Self.normal)
        }
        sum += step
        if note.tempoBefore != last.tempo { sum -= Self.drift }
        if last.tempoBefore != last.tempo { sum -= Self.change }
        return sum
    }
}
