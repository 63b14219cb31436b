// `MonotonicTime`, by which streams tell the time, comes with this module.
@_exported public import Platform
