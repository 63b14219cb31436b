import Foundation
import Synchronization
import Testing

@testable import ScorePages

@Suite struct RenderQueueTests {
    @Test func `Two run at a time, and none of the same name`() {
        let queue = RenderQueue()
        let running = Mutex<[Int]>([])
        let most = Mutex(0)
        let done = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 60) { index in
            let name = index % 5
            try? queue.run("\(name)") { () throws(ScorePageError) in
                let names = running.withLock { names in
                    names.append(name)
                    return names
                }
                most.withLock { $0 = max($0, names.count) }
                #expect(Set(names).count == names.count && names.count <= 2)
                usleep(500)
                running.withLock { names in names.removeAll { $0 == name } }
                done.withLock { $0 += 1 }
            }
        }
        #expect(done.withLock { $0 } == 60 && most.withLock { $0 } <= 2)
    }

    @Test func `What has failed is not tried again at once`() {
        let error = ScorePageError(problem: "it fails", remedy: "nothing")
        var tries = 0
        func attempt(_ queue: RenderQueue, _ name: String) {
            #expect(throws: error) {
                try queue.run(name) { () throws(ScorePageError) in
                    tries += 1
                    throw error
                }
            }
        }
        let patient = RenderQueue()
        for _ in 0..<3 { attempt(patient, "a") }
        #expect(tries == 1)
        attempt(patient, "b")
        #expect(tries == 2, "another name is tried")
        let impatient = RenderQueue(patience: .zero)
        for _ in 0..<3 { attempt(impatient, "a") }
        #expect(tries == 5)
    }
}
