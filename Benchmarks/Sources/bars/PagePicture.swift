import BarDetection
import CPNG
import Foundation

/// The pictures of our own generators: PNG.
enum PagePicture {
    /// The gray values of a picture.
    static func read(_ path: String) throws -> GrayImage {
        var header = png_image()
        header.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&header) }
        guard png_image_begin_read_from_file(&header, path) != 0 else { throw CocoaError(.fileReadCorruptFile) }
        header.format = png_gray_format()
        var pixels = [UInt8](repeating: 255, count: Int(header.width) * Int(header.height))
        var paper = png_color(red: 255, green: 255, blue: 255)
        guard png_image_finish_read(&header, &paper, &pixels, png_int_32(header.width), nil) != 0,
            let image = GrayImage(width: Int(header.width), height: Int(header.height), pixels: pixels)
        else { throw CocoaError(.fileReadCorruptFile) }
        return image
    }
}
