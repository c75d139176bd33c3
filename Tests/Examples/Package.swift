// swift-tools-version: 6.1
import PackageDescription

/// A to-do list on two devices, as an app of its own: `swift run Todos < transcript.txt`.
let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PredicateQL", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "Todos",
            dependencies: [
                .product(name: "PredicateQL", package: "PredicateQL"),
                .product(name: "PredicateQLStore", package: "PredicateQL"),
                .product(name: "PredicateQLService", package: "PredicateQL"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
