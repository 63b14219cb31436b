/// The version of the commands, of the Debian package and of the C library. It stands here alone: the Makefile reads this
/// line.
public let productVersion = "0.1.0"
