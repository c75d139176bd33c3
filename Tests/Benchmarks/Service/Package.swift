// swift-tools-version: 6.1
import PackageDescription

/// The service under load, beside handlers written by hand: `python3 run.py` builds and measures both.
let package = Package(
    name: "ServiceBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "PredicateQL", path: "../../..", traits: ["CLI", "PCRE2", "Server"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .systemLibrary(name: "CPeerSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "Peer",
            dependencies: ["CPeerSQLite", .product(name: "Hummingbird", package: "hummingbird")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
