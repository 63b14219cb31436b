@testable import ALSABackend
import Glibc
import Testing

private struct Row {
    var trouble: StreamTrouble
    var states: [PCMState] = PCMState.allCases.filter { $0 != .disconnected }
    var recoveries = [0, 1, 2]
    var suspended: Duration = .zero
    var action: RecoveryAction
}

@Suite struct RecoveryPolicyTests {
    private let table: [Row] = [
        // Interrupted, or nothing to do yet.
        Row(trouble: .error(EAGAIN), recoveries: [0, 3, 9], action: .pollAgain),
        Row(trouble: .error(EINTR), recoveries: [0, 3, 9], action: .pollAgain),
        // Xrun: prepared again, at most three times without a transferred frame.
        Row(trouble: .error(EPIPE), action: .prepare),
        Row(trouble: .error(EPIPE), recoveries: [3, 4, 100], action: .giveUp(.noProgress)),
        Row(trouble: .failing, states: [.xrun, .running, .prepared, .setup], action: .prepare),
        Row(trouble: .failing, states: [.xrun, .running], recoveries: [3], action: .giveUp(.noProgress)),
        // Suspended: resumed for up to five seconds, then prepared again.
        Row(trouble: .error(ESTRPIPE), suspended: .milliseconds(4_999), action: .resume),
        Row(trouble: .error(ESTRPIPE), suspended: .seconds(5), action: .prepare),
        Row(trouble: .error(ESTRPIPE), recoveries: [3], suspended: .seconds(6), action: .giveUp(.noProgress)),
        // A resume that ends in another suspend counts as a recovery without progress.
        Row(trouble: .error(ESTRPIPE), recoveries: [3, 4, 100], action: .giveUp(.noProgress)),
        Row(trouble: .failing, states: [.suspended], recoveries: [3], action: .giveUp(.noProgress)),
        Row(trouble: .silence(.zero), states: [.suspended], recoveries: [3], action: .giveUp(.noProgress)),
        Row(trouble: .failing, states: [.suspended], action: .resume),
        Row(trouble: .silence(.zero), states: [.suspended], action: .resume),
        // Silence with a reason, and without one.
        Row(trouble: .silence(.milliseconds(250)), states: [.xrun], action: .prepare),
        Row(trouble: .silence(.milliseconds(250)), states: [.running, .prepared, .draining], action: .pollAgain),
        Row(trouble: .silence(.milliseconds(999)), states: [.running, .prepared], action: .pollAgain),
        Row(trouble: .silence(.seconds(1)), states: [.running, .prepared, .setup], action: .giveUp(.stalled)),
        // Gone.
        Row(trouble: .hungUp, action: .giveUp(.hungUp)),
        Row(trouble: .error(ENODEV), action: .giveUp(.error(ENODEV))),
        Row(trouble: .error(ENOTTY), action: .giveUp(.error(ENOTTY))),
        Row(trouble: .error(EBADFD), action: .giveUp(.error(EBADFD))),
        Row(trouble: .error(EIO), action: .giveUp(.error(EIO))),
        Row(trouble: .error(EHOSTDOWN), action: .giveUp(.error(EHOSTDOWN))),
    ]

    @Test func `Every row of the table`() {
        var cases = 0
        for row in table {
            for state in row.states {
                for recoveries in row.recoveries {
                    cases += 1
                    let action = RecoveryPolicy.action(
                        for: row.trouble, state: state, recoveries: recoveries, suspendedFor: row.suspended)
                    #expect(action == row.action, "\(row.trouble) in \(state) after \(recoveries)")
                }
            }
        }
        #expect(cases > 150)
    }

    @Test func `A device that runs before each xrun has a second, one that fails at once three recoveries`() {
        let buffer: Duration = .milliseconds(20)
        func action(_ recoveries: Int, ranFor: Duration, failingFor: Duration) -> RecoveryAction {
            let counted = RecoveryPolicy.counted(
                recoveries, ranFor: ranFor, buffer: buffer, failingFor: failingFor)
            return RecoveryPolicy.action(
                for: .error(EPIPE), state: .xrun, recoveries: counted, suspendedFor: .zero)
        }
        for recoveries in 0..<50 {
            let atOnce = action(recoveries, ranFor: .milliseconds(1), failingFor: .milliseconds(recoveries))
            #expect(atOnce == (recoveries < 3 ? .prepare : .giveUp(.noProgress)))
            let time: Duration = .milliseconds(25 * recoveries)
            let late = action(recoveries, ranFor: .milliseconds(25), failingFor: time)
            #expect(late == (time < .seconds(1) ? .prepare : .giveUp(.noProgress)))
        }
    }

    @Test func `A disconnected device is given up whatever it says`() {
        for trouble in [StreamTrouble.error(EPIPE), .error(EAGAIN), .failing, .hungUp, .silence(.zero)] {
            #expect(
                RecoveryPolicy.action(for: trouble, state: .disconnected, recoveries: 0, suspendedFor: .zero)
                    == .giveUp(.error(ENODEV)))
        }
    }

    @Test func `No error is recovered from without end`() {
        for number in 1...133 as ClosedRange<Int32> where number != EAGAIN && number != EINTR {
            for state in PCMState.allCases {
                for suspended: Duration in [.zero, .seconds(4), .seconds(5)] {
                    let action = RecoveryPolicy.action(
                        for: .error(number), state: state, recoveries: 3, suspendedFor: suspended)
                    guard case .giveUp = action else {
                        Issue.record("errno \(number) in \(state), suspended for \(suspended): \(action)")
                        continue
                    }
                }
            }
        }
    }

    @Test func `A patient stream waits longer`() {
        let action = RecoveryPolicy.action(
            for: .silence(.seconds(3)), state: .running, recoveries: 0, suspendedFor: .zero, patience: .seconds(4))
        #expect(action == .pollAgain)
    }

    @Test func `Every reason has a number of its own, and none is 0, which stands for no loss`() {
        let codes = [LossReason.error(ENODEV), .hungUp, .noProgress, .stalled, .tooSmall].map(\.code)
        #expect(Set(codes).count == 5 && !codes.contains(0))
        #expect(codes[0] == Int(ENODEV))
    }
}
