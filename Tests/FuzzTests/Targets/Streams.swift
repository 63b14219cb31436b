import AudioIO
import Glibc
import Music

extension FuzzTarget {
    /// A sound file of any format that libsndfile reads.
    static let soundFile = FuzzTarget(name: "sound-file", longest: 16_384) { bytes in
        withFile(bytes) { path in
            guard var file = try? AudioFileReader(path: path) else { return }
            drain(&file)
        }
    }

    /// Raw samples: one byte for the format, one for the channels, then the stream.
    static let raw = FuzzTarget(name: "raw", longest: 4_096) { bytes in
        guard bytes.count >= 2 else { return }
        let formats = SampleFormat.allCases
        let format = formats[formats.index(formats.startIndex, offsetBy: Int(bytes[0]) % formats.count)]
        withFile(UnsafeRawBufferPointer(rebasing: bytes[2...])) { path in
            let descriptor = open(path, O_RDONLY)
            defer { close(descriptor) }
            guard
                let layout = try? RawPCMFormat(format: format.rawValue, rate: 48_000, channels: Int(bytes[1])),
                var reader = try? RawPCMReader(fileDescriptor: descriptor, format: layout)
            else { return }
            drain(&reader)
        }
    }

    /// The store of calibrations.
    static let calibrations = FuzzTarget(name: "calibrations", longest: 4_096) { bytes in
        let file = "calibration.json"
        withFolder(holding: bytes, as: file) { path in
            let store = CalibrationStore(folder: String(path.dropLast(file.count + 1)))
            _ = try? store.all()
            _ = try? store.card("hw:1", .capture, sampleRate: 48_000)
            _ = try? store.latency(from: "hw:1")
            _ = try? store.forget("hw:1")
        }
    }

    private static func drain(_ source: inout some SampleSource & ~Copyable) {
        precondition(source.sampleRate.value.isFinite)
        var block = [Float](repeating: 0, count: 1_024)
        // 16 MB of a file that may claim to be endless.
        for _ in 0..<4_096 {
            var free = block.mutableSpan
            guard let read = try? source.read(into: &free), !read.isEnd else { return }
            precondition(block.prefix(read.count).allSatisfy(\.isFinite), "a sample is not finite")
        }
    }
}
