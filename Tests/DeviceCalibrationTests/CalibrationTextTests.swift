import AudioIO
import Testing

@testable import DeviceCalibration

@Suite struct CalibrationTextTests {
    @Test func `The system clock's discipline has a meaning in every case`() {
        #expect(SystemClock.discipline.meaning.count > 40)
        let all = [SystemClock.Discipline.timeService(estimatedError: .zero), .free, .unknown]
        #expect(Set(all.map(\.meaning)).count == 3)
    }
}
