internal import NIOCore
internal import Platform

#if TLS
    internal import NIOSSL
#endif

/// What encrypts the connections (TLS 1.2 and 1.3): a certificate and its key.
///
/// Only with the trait TLS, as BoringSSL takes longer to build than all else that the server needs.
package struct StandEncryption: Sendable {
    #if TLS
        private let context: NIOSSLContext
        /// Whoever leaves a connection open after it was closed is not waited for as long as by default, 5 s.
        private static let farewell = TimeAmount.seconds(1)
    #endif

    /// Reads a certificate with those that vouch for it, and the key of the first, both in PEM.
    ///
    /// - Throws: `SmallFile.Failure`, `StandError`.
    package init(certificate: String, key: String) throws {
        #if TLS
            let chain = try SmallFile.read(certificate, kind: "a certificate", mayBePipe: false)
            let secret = try SmallFile.read(key, kind: "a key", mayBePipe: false)
            guard let chain = try? NIOSSLCertificate.fromPEMBytes(chain), !chain.isEmpty else {
                throw StandError.noCertificate(path: certificate)
            }
            guard let secret = try? NIOSSLPrivateKey(bytes: secret, format: .pem) else {
                throw StandError.noKey(path: key)
            }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            configuration.shutdownTimeout = Self.farewell
            guard let context = try? NIOSSLContext(configuration: configuration) else {
                throw StandError.wrongKey(certificate: certificate, key: key)
            }
            self.context = context
        #else
            throw StandError.withoutEncryption
        #endif
    }

    /// Lets all that a connection carries pass through it. It has to stand before everything else.
    func encrypt(_ channel: any Channel) throws {
        #if TLS
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        #endif
    }
}
