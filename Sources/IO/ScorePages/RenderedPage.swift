/// A picture of a page, in a file that can be served as it is.
package struct RenderedPage: Sendable, Hashable {
    package let path: String
    /// `image/png` or `image/jpeg`.
    package let contentType: String
    /// As it is shown, in pixels.
    package let width: Int, height: Int
}
