// The units of the interface, such as `Hertz`, and `MonotonicTime`, by which streams tell the time, come with this module.
@_exported public import Music
@_exported public import Platform
