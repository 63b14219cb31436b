internal import CPNG
internal import CTurboJPEG
internal import Platform

/// Writes gray pictures by libpng and libjpeg-turbo.
struct ImageWriter {
    /// Of JPEG: lines stay sharp, and a page of A4 has 200 kB.
    private static let quality: Int32 = 85

    /// Writes a file anew; false where that fails.
    static func write(_ image: GrayImage, as kind: PageCache.Format, to path: String) -> Bool {
        switch kind {
        case .png: writePNG(image, to: path)
        case .jpeg: writeJPEG(image, to: path)
        }
    }

    private static func writePNG(_ image: GrayImage, to path: String) -> Bool {
        var header = png_image()
        header.version = png_uint_32(PNG_IMAGE_VERSION)
        header.width = png_uint_32(image.width)
        header.height = png_uint_32(image.height)
        header.format = png_gray_format()
        defer { png_image_free(&header) }
        return png_image_write_to_file(&header, path, 0, image.pixels, png_int_32(image.width), nil) != 0
    }

    private static func writeJPEG(_ image: GrayImage, to path: String) -> Bool {
        guard let encoder = tjInitCompress() else { return false }
        defer { tjDestroy(encoder) }
        var (bytes, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        let status = tjCompress2(
            encoder, image.pixels, Int32(image.width), Int32(image.width), Int32(image.height),
            Int32(TJPF_GRAY.rawValue), &bytes, &count, Int32(TJSAMP_GRAY.rawValue), quality, 0)
        defer { tjFree(bytes) }
        guard status == 0, let bytes else { return false }
        let file = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        return (try? SmallFile.write(file, to: path)) != nil
    }
}
