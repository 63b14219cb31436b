internal import CRealtime
internal import Realtime

/// The courses that a player's beat may take, each with its probability: a sum of Gaussians.
///
/// At every note each course goes on as it did, or its tempo begins to change, or stops changing, or is another one; and the
/// note means the beat or does not. Of several notes near one beat at most one means it. The likeliest twelve remain.
///
/// - SeeAlso: Cemgil & Kappen, "Monte Carlo methods for tempo tracking and rhythm quantization", JAIR 18, 2003.
internal struct BeatCourses: ~Copyable, Sendable {
    private let constants: FollowerConstants
    private let courses: SampleBuffer<BeatCourse>
    private let branches: SampleBuffer<BeatCourse>
    private var count = 0, branchCount = 0
    /// The place that all courses were advanced to, in beats from the first one.
    private(set) var place = 0.0

    private static var most: Int { @_noLocks get { 12 } }

    init(_ constants: FollowerConstants) {
        self.constants = constants
        courses = SampleBuffer(count: Self.most, repeating: BeatCourse())
        branches = SampleBuffer(count: 8 * Self.most, repeating: BeatCourse())
    }

    @_noLocks mutating func reset() { (count, place) = (0, 0) }

    /// Begins with one course: a place at a time, with the standard errors of time and period.
    @_noLocks mutating func begin(
        at seconds: Double, period: Double, errors: (time: Double, period: Double), place: Double
    ) {
        var course = BeatCourse()
        (course.weight, course.seconds, course.period) = (1, seconds, period)
        (course.tt, course.pp) = (errors.time * errors.time, errors.period * errors.period)
        // Both come from one line through four notes.
        course.tp = 0.8 * errors.time * errors.period
        course.bb = 1e-3 * bendVariance(period)
        // The note there is one of those that it comes from.
        course.isHeard = true
        courses.unsafeElements[0] = course
        (count, self.place) = (1, place)
    }

    /// The mean of all courses, so many beats after the newest note; beyond one beat the tempo stays.
    @_noLocks func mean(at place: Double) -> BeatCourse {
        var mean = BeatCourse()
        (mean.period, mean.weight) = (0, 0)
        for n in 0..<count {
            var course = courses.unsafeElements[n]
            let beats = place - self.place
            if beats > 1 {
                course.advance(by: 1, constants)
                course.seconds += (beats - 1) * course.period
                course.bend = 0
            } else {
                course.advance(by: beats, constants)
            }
            mean.seconds += course.weight * course.seconds
            mean.period += course.weight * course.period
            mean.bend += course.weight * course.bend
        }
        return mean
    }

    /// The variance of the time at the newest place, in s².
    var variance: Double {
        @_noLocks get {
            let middle = mean(at: place).seconds
            var sum = 0.0
            for n in 0..<count {
                let course = courses.unsafeElements[n]
                sum += course.weight * (course.tt + (course.seconds - middle) * (course.seconds - middle))
            }
            return sum
        }
    }

    /// Takes in a note that may mean a place.
    ///
    /// - Parameters:
    ///   - variance: of its time about the place, in s².
    ///   - stray: how many notes of a period near a place mean it no more than another time.
    @_noLocks mutating func hear(_ seconds: Double, at place: Double, variance: Double, stray: Double) {
        let beats = place - self.place
        guard beats >= 0 else { return }
        if beats > 0 { branch(by: beats) } else { stay() }
        let clutter = stray / max(0.1, mean(at: self.place).period)
        self.place = place
        let branched = branchCount
        for n in 0..<branched {
            // The note means another thing, or the place if none has meant it yet.
            var other = branches.unsafeElements[n]
            guard !other.isHeard else {
                branches.unsafeElements[n].weight *= clutter
                continue
            }
            let density = branches.unsafeElements[n].correct(seconds, variance: variance)
            other.weight *= clutter
            branches.unsafeElements[n].weight *= density
            branches.unsafeElements[branchCount] = other
            branchCount += 1
        }
        keep()
    }

    private func bendVariance(_ period: Double) -> Double { BeatCourses.bendVariance(period, constants) }

    /// The variance of the change of a period that begins to change: s beats per minute in a second are s p³ / 60 a beat.
    @_noLocks private static func bendVariance(_ period: Double, _ constants: FollowerConstants) -> Double {
        let bend = constants.slope * period * period * period / 60
        return bend * bend
    }

    /// Lets every course go on in the ways that a player may.
    @_noLocks private mutating func branch(by beats: Double) {
        branchCount = 0
        let share = min(1, beats)
        let (begins, ends, jumps) = (share * constants.begins, share * constants.ends, share * constants.jumps)
        for n in 0..<count {
            let course = courses.unsafeElements[n]
            var same = course, begun = course, ended = course, jumped = course
            same.weight *= 1 - begins - ends - jumps
            begun.weight *= begins
            begun.bb += Self.bendVariance(course.period, constants)
            ended.weight *= ends
            (ended.bend, ended.tb, ended.pb, ended.bb) = (0, 0, 0, 1e-10)
            jumped.weight *= jumps
            let jump = constants.jump * course.period
            jumped.pp += jump * jump
            add(same, by: beats)
            add(begun, by: beats)
            add(ended, by: beats)
            add(jumped, by: beats)
        }
    }

    /// Lets every course be as it is: another note comes at the same place.
    @_noLocks private mutating func stay() {
        for n in 0..<count { branches.unsafeElements[n] = courses.unsafeElements[n] }
        branchCount = count
    }

    @_noLocks private mutating func add(_ course: BeatCourse, by beats: Double) {
        var course = course
        course.advance(by: beats, constants)
        branches.unsafeElements[branchCount] = course
        branchCount += 1
    }

    /// Keeps the likeliest branches, and joins those that are as good as the same.
    @_noLocks private mutating func keep() {
        count = 0
        var sum = 0.0
        while count < Self.most {
            var best = -1
            var most = 0.0
            for n in 0..<branchCount where branches.unsafeElements[n].weight > most {
                (best, most) = (n, branches.unsafeElements[n].weight)
            }
            guard best >= 0 else { break }
            let course = branches.unsafeElements[best]
            branches.unsafeElements[best].weight = 0
            var isJoined = false
            for n in 0..<count where !isJoined && courses.unsafeElements[n].isNear(course) {
                courses.unsafeElements[n].join(course)
                isJoined = true
            }
            if !isJoined {
                courses.unsafeElements[count] = course
                count += 1
            }
            sum += course.weight
        }
        guard sum > 0 else { return }
        for n in 0..<count { courses.unsafeElements[n].weight /= sum }
    }
}
