internal import CPNG
internal import CTurboJPEG
internal import Glibc

/// Decodes PNG and JPEG by libpng and libjpeg-turbo, as gray.
///
/// A file from outside is decoded in a limited child process (`ImageDecodingProcess`), so that a fault of a decoder cannot take
/// the metronome along.
package struct ImageDecoder: Sendable {
    /// 64 megapixels: a double page of A3 at 600 dots per inch has 70, a telephone's picture 12 to 50.
    package static let mostPixels = 64_000_000

    package init() {}

    /// The picture of a PNG or JPEG file; `nil` where it is neither, is broken, or has more than 64 megapixels.
    ///
    /// A JPEG picture of more than `mostWanted` pixels is decoded at a half, a quarter or an eighth of its size, where that still
    /// has as many.
    package func image(_ file: [UInt8], mostWanted: Int = .max) -> GrayImage? {
        guard let header = ImageHeader(file), header.width * header.height <= Self.mostPixels else { return nil }
        let image =
            switch header.format {
            case .png: png(file, header)
            case .jpeg: jpeg(file, header, mostWanted: mostWanted)
            }
        return image?.turned(by: header.turn)
    }

    private func png(_ file: [UInt8], _ header: ImageHeader) -> GrayImage? {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        return file.withUnsafeBytes { bytes -> GrayImage? in
            guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else { return nil }
            let hasAlpha = png_has_alpha(image.format) != 0
            image.format = hasAlpha ? png_gray_alpha_format() : png_gray_format()
            // What the library has read counts, not what our header has.
            let (width, height) = (Int(image.width), Int(image.height))
            guard width == header.width, height == header.height else { return nil }
            let stride = hasAlpha ? 2 * width : width
            var pixels = [UInt8](repeating: 255, count: stride * height)
            guard png_image_finish_read(&image, nil, &pixels, png_int_32(stride), nil) != 0 else { return nil }
            return GrayImage(width: width, height: height, pixels: hasAlpha ? Self.onPaper(pixels) : pixels)
        }
    }

    /// What is transparent, in pairs of gray and alpha, on white paper. Mixed as browsers mix it, in the values of the file: the
    /// library would mix light, and thin lines that are edges all over would turn out a third as dark.
    private static func onPaper(_ pairs: [UInt8]) -> [UInt8] {
        (0..<pairs.count / 2).map { index in
            let (gray, alpha) = (Int(pairs[2 * index]), Int(pairs[2 * index + 1]))
            return UInt8((gray * alpha + 255 * (255 - alpha) + 127) / 255)
        }
    }

    private func jpeg(_ file: [UInt8], _ header: ImageHeader, mostWanted: Int) -> GrayImage? {
        guard let decoder = tjInitDecompress() else { return nil }
        defer { tjDestroy(decoder) }
        var factor = 1
        while factor < 8, header.width * header.height / (4 * factor * factor) >= mostWanted { factor *= 2 }
        let (width, height) = ((header.width + factor - 1) / factor, (header.height + factor - 1) / factor)
        var pixels = [UInt8](repeating: 255, count: width * height)
        let flags = TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING
        let status = tjDecompress2(
            decoder, file, UInt(file.count), &pixels, Int32(width), Int32(width), Int32(height),
            Int32(TJPF_GRAY.rawValue), flags)
        // A warning is a picture with a damaged part, which a browser shows too.
        guard status == 0 || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else { return nil }
        return GrayImage(width: width, height: height, pixels: pixels)
    }
}
