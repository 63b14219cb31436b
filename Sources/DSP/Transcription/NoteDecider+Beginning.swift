/// Where a note begins whose onset is not known to the millisecond.
extension NoteDecider {
    /// Whether the beginning of a young note is to be looked for in its own partials: where it is not an onset that is known to the
    /// millisecond, once the note stands out.
    var isBeginningVague: Bool {
        @_noLocks mutating get {
            sounding.isActive && !sounding.isSharp && !sounding.isPlaced
                && seconds(since: sounding.start) >= constants.placing
        }
    }

    /// Whether the beginning is to be looked for again: the note was hardly there when it was, under what is heard before a tone.
    var isBeginningOutgrown: Bool {
        @_noLocks mutating get {
            sounding.isActive && sounding.isPlaced && !sounding.isPlacedAgain && !sounding.isSharp
                && seconds(since: sounding.start) >= constants.grown
        }
    }

    /// The same as `hearBeginning` for a note that has become louder since.
    @_noLocks mutating func hearBeginningAgain(_ age: Int?) {
        guard let age else { return }
        let start = Double(now) - Double(age)
        guard start - sounding.start > constants.overslept * rate else { return }
        move(to: start)
    }

    /// Whether it has become louder by so much; asked once.
    @_noLocks mutating func hasOutgrown() -> Bool {
        sounding.isPlacedAgain = true
        return levels.level(0) > sounding.placedLevel + constants.outgrown
    }

    /// - Parameter age: how many samples ago the note that sounds began by its own partials; `nil` where those do not tell.
    @_noLocks mutating func hearBeginning(_ age: Int?) {
        (sounding.isPlaced, sounding.placedLevel) = (true, levels.level(0))
        guard sounding.onset >= 0 else {
            if let age { hearBeginningWithoutOnset(Double(now) - Double(age)) }
            return
        }
        let swell = age == nil ? swell : nil
        // What rises out of the note before began no later than the level did.
        var start = swell ?? sounding.trough
        if let age { start = Double(now) - Double(age) }
        let shift = (start - sounding.start) / rate
        // A note whose pitch is known late may not be that of the onset, but the next one.
        let isEarlier = shift < -constants.leastShift && shift > -constants.swelling
        let isLower = age == nil && shift < 0 && (swell != nil || shift > -constants.lag)
        let isLater = sounding.before >= 0 && shift > constants.overslept
        guard isLower || age != nil && (isEarlier || isLater) else { return }
        move(to: start)
    }

    /// Readings tell a beginning no better than to a window: any after the note before counts from which on the note can be read.
    @_noLocks private mutating func hearBeginningWithoutOnset(_ start: Double) {
        let isOther = abs(start - sounding.start) > constants.leastShift * rate
        guard isOther, start > sounding.startBefore, start < sounding.read - constants.blind * rate else { return }
        move(to: start)
    }

    /// Where the level began to rise towards a soft onset, out of the note before that had given way; `nil` where it did not.
    ///
    /// The attack of a section of violins takes 0.2 s, and its onset is told when half of that is over.
    private var swell: Double? {
        @_noLocks mutating get {
            // A level is the mean of the time before it.
            let newest = max(0, levels.hops(seconds(since: sounding.start)) - levels.mean)
            // Not before the note before has become as loud as it was: that came out of a dip, too.
            let sinceBefore = seconds(since: sounding.startBefore) - constants.settled
            let oldest = min(newest + levels.hops(constants.swellReach), levels.hops(min(1, sinceBefore)))
            guard sounding.before >= 0, oldest > newest,
                let age = levels.boundary(
                    newest, oldest, depth: constants.swellDip, lead: levels.hops(constants.swellLead))
            else { return nil }
            let lowest = levels.lowest(newest, Int(age))
            // What is lower yet is not the foot of the note, but a rest.
            let isFoot = lowest > sounding.level - constants.swellDepth
            guard isFoot, levels.level(newest) > lowest + constants.dent else { return nil }
            return Double(now) - age * levels.hopSeconds * rate
        }
    }
}
