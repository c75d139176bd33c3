// swift-tools-version: 6.1
import CompilerPluginSupport
import Foundation
import PackageDescription

/// The parts of `Standard`, the one default trait.
///
/// More than one default would compile every module again in each build: SwiftPM before 6.4 hands traits to the compiler
/// in an order that each process draws anew.
let standard = ["CLI", "GRDB", "PCRE2"]

/// Holds where a part of `Standard` is enabled, alone or with the others.
func when(_ part: String) -> Set<String> { [part, "Standard"] }

/// Whether this machine has libpcre2: a Mac may, from Homebrew or MacPorts; elsewhere the header says what to install.
#if os(macOS)
    let hasPCRE2 = ["/opt/homebrew", "/usr/local", "/opt/local"].contains { folder in
        FileManager.default.fileExists(atPath: folder + "/include/pcre2.h")
    }
#else
    let hasPCRE2 = true
#endif

/// The trait PCRE2 demands libpcre2; the default takes it where systems have it.
///
/// iOS and its kin do not: there, and with `traits: []`, `canImport(CPCRE2)` is false and MATCHES is `unsupported`.
let pcre2: [Target.Dependency] =
    [.target(name: "CPCRE2", condition: .when(traits: ["PCRE2"]))]
    + (hasPCRE2 ? [.target(name: "CPCRE2", condition: .when(platforms: [.linux, .macOS], traits: ["Standard"]))] : [])
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: when("GRDB")))
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser",
    package: "swift-argument-parser",
    condition: .when(traits: when("CLI"))
)

/// The macro `@Queryable` is a program that the compiler runs; it needs swift-syntax, which takes minutes to build.
let queryableMacros: Target.Dependency = .target(name: "QueryableMacros", condition: .when(traits: ["Macros"]))
let swiftSyntax: [Target.Dependency] = ["SwiftSyntaxMacros", "SwiftCompilerPlugin"].map { name in
    .product(name: name, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}

/// The tree and what every part shares, from the bottom up; each rests on those before it.
let core: [Target.Dependency] = ["QueryValues", "QueryTree", "QueryChecking", "QueryMeaning"]

/// What `pql serve` stands on; besides it, only the transport of the trait AsyncHTTPClient imports SwiftNIO.
let server: Target.Dependency = .target(name: "PredicateQLServer", condition: .when(traits: ["Server"]))
let serverPackages: [Target.Dependency] = [
    ("HummingbirdCore", "hummingbird"), ("Crypto", "swift-crypto"), ("CryptoExtras", "swift-crypto"),
    ("Logging", "swift-log"), ("ServiceLifecycle", "swift-service-lifecycle"),
].map { name, package in .product(name: name, package: package, condition: .when(traits: ["Server"])) }
let hummingbird: Target.Dependency = .product(
    name: "Hummingbird",
    package: "hummingbird",
    condition: .when(traits: ["Server"])
)
let asyncHTTPClient: Target.Dependency = .product(
    name: "AsyncHTTPClient",
    package: "async-http-client",
    condition: .when(traits: ["AsyncHTTPClient"])
)
/// Declarations alone: libcurl is found at run time, where Foundation stands on it.
let curl: Target.Dependency = .target(name: "CCurl", condition: .when(platforms: [.linux]))
let zlib: Target.Dependency = .target(name: "CZlib", condition: .when(traits: ["Server"]))

let editline: Target.Dependency = .target(name: "CEditline", condition: .when(traits: when("CLI")))

let package = Package(
    name: "PredicateQL",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PredicateQL", targets: ["PredicateQL"]),
        .library(name: "PredicateQLSQLite", targets: ["PredicateQLSQLite"]),
        .library(name: "PredicateQLGRDB", targets: ["PredicateQLGRDB"]),
        .library(name: "QueryBatch", targets: ["QueryBatch"]),
        .library(name: "PredicateQLService", targets: ["PredicateQLService", "StoreModel"]),
        .library(name: "PredicateQLStore", targets: ["PredicateQLStore", "StoreModel"]),
        .library(name: "StoreAsyncHTTPClient", targets: ["StoreAsyncHTTPClient"]),
        .executable(name: "pql", targets: ["pql"]),
    ],
    traits: [
        .default(enabledTraits: ["Standard"]),
        .trait(name: "AsyncHTTPClient", description: "A transport of stores over async-http-client (needs SwiftNIO)."),
        .trait(name: "CLI", description: "The command line tool pql (needs swift-argument-parser and libedit)."),
        .trait(name: "GRDB", description: "The GRDB adapter PredicateQLGRDB."),
        .trait(name: "Macros", description: "The macro @Queryable (needs swift-syntax, which takes minutes to build)."),
        .trait(
            name: "PCRE2",
            description: "MATCHES through the system's libpcre2-8; without it MATCHES is unsupported."
        ),
        .trait(name: "Server", description: "pql serve, the data service over HTTP (needs Hummingbird)."),
        .trait(name: "Standard", description: "CLI, GRDB and PCRE2; the default."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CEditline", providers: [.apt(["libedit-dev"])]),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CByteMasks"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "QueryValues", dependencies: ["CByteMasks"] + pcre2),
        .target(name: "QueryTree", dependencies: ["QueryValues"]),
        .target(name: "QueryChecking", dependencies: ["QueryValues", "QueryTree"]),
        .target(name: "QueryMeaning", dependencies: ["QueryValues", "QueryTree", "QueryChecking"]),
        .target(name: "QueryParsing", dependencies: core),
        .target(name: "QueryMongo", dependencies: core),
        .target(name: "QueryMongoReading", dependencies: core + ["QueryParsing", "QueryMongo"]),
        .target(name: "QuerySQL", dependencies: core),
        .macro(name: "QueryableMacros", dependencies: swiftSyntax),
        .target(name: "QueryEvaluation", dependencies: core + [queryableMacros]),
        .target(name: "QueryStreams", dependencies: core + ["QueryEvaluation"]),
        .target(
            name: "PredicateQL",
            dependencies: core + [
                "QueryParsing", "QueryMongo", "QueryMongoReading", "QuerySQL", "QueryEvaluation",
                "QueryStreams",
            ]
        ),
        .target(name: "PredicateQLSQLite", dependencies: ["PredicateQL", "CSQLite"]),
        .target(name: "PredicateQLGRDB", dependencies: ["PredicateQL", "PredicateQLSQLite", grdb]),
        .target(name: "QueryBatch", dependencies: ["PredicateQL", "PredicateQLSQLite"]),
        .target(name: "StoreModel", dependencies: ["QueryValues"]),
        .target(
            name: "PredicateQLService",
            dependencies: ["StoreModel", "PredicateQL", "PredicateQLSQLite"]
        ),
        .target(name: "PredicateQLStore", dependencies: ["StoreModel", "PredicateQL", "PredicateQLSQLite", curl]),
        .target(name: "StoreAsyncHTTPClient", dependencies: ["PredicateQLStore", "StoreModel", asyncHTTPClient]),
        .target(
            name: "PredicateQLServer",
            dependencies: [
                "PredicateQLService", "PredicateQLStore", "StoreModel", "QueryValues", "QueryBatch", zlib,
            ] + serverPackages,
            resources: ["page.html", "page.css", "page.js"].map { .embedInCode("Playground/\($0)") }
        ),
        .executableTarget(
            name: "pql",
            dependencies: [
                "PredicateQL", "PredicateQLSQLite", "QueryBatch", argumentParser, editline, server,
            ]
        ),
        .target(
            name: "FuzzChecks",
            dependencies: ["PredicateQL", "PredicateQLSQLite", "QueryBatch", "PredicateQLService", "StoreModel"],
            path: "Fuzz/Sources/FuzzSupport"
        ),
        .target(name: "TestConditions", path: "Tests/TestConditions"),
        .target(name: "SpecSupport", dependencies: ["PredicateQL", "PredicateQLSQLite"], path: "Tests/SpecSupport"),
        .testTarget(name: "QueryValuesTests", dependencies: core),
        .testTarget(name: "QueryParsingTests", dependencies: ["PredicateQL", "SpecSupport"]),
        .testTarget(name: "QueryMongoTests", dependencies: ["PredicateQL", "SpecSupport", "TestConditions"]),
        .testTarget(
            name: "QuerySQLTests",
            dependencies: ["PredicateQL", "PredicateQLSQLite", "SpecSupport", "TestConditions"]
        ),
        .testTarget(name: "QueryEvaluationTests", dependencies: ["PredicateQL", "SpecSupport"]),
        .testTarget(
            name: "QueryableMacrosTests",
            dependencies: [
                "PredicateQL", "QueryableMacros",
                .product(
                    name: "SwiftSyntaxMacrosGenericTestSupport",
                    package: "swift-syntax",
                    condition: .when(traits: ["Macros"])
                ),
            ]
        ),
        .testTarget(name: "PredicateQLGRDBTests", dependencies: ["PredicateQLGRDB", "SpecSupport", grdb]),
        .testTarget(name: "QueryBatchTests", dependencies: ["QueryBatch", "SpecSupport"]),
        .target(
            name: "StoreSupport",
            dependencies: ["PredicateQLService", "PredicateQLStore", "StoreModel", "PredicateQL", "SpecSupport"],
            path: "Tests/StoreSupport"
        ),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "PredicateQLService", "StoreModel", "StoreSupport", "PredicateQL", "PredicateQLSQLite", "SpecSupport",
                "TestConditions",
            ]
        ),
        .executableTarget(
            name: "StoreProcess",
            dependencies: [
                "PredicateQLStore", "StoreAsyncHTTPClient", "StoreModel", "StoreSupport", "SpecSupport", "PredicateQL",
                "QueryValues",
            ],
            path: "Tests/StoreProcess"
        ),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "PredicateQLStore", "PredicateQLService", "StoreModel", "StoreSupport", "StoreProcess", "PredicateQL",
                "PredicateQLSQLite", "SpecSupport", "TestConditions",
            ]
        ),
        .executableTarget(
            name: "CitiesServer",
            dependencies: ["PredicateQL", "PredicateQLSQLite", hummingbird],
            path: "Tests/Examples/Server"
        ),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "QueryValues", "StoreModel", "StoreSupport", "SpecSupport", "TestConditions", "PredicateQL",
                "PredicateQLSQLite",
                "PredicateQLStore", "CitiesServer", "pql",
            ]
        ),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["PredicateQL", "PredicateQLSQLite", "QueryBatch", "pql", "SpecSupport", "TestConditions"]
        ),
        .testTarget(
            name: "AgreementTests",
            dependencies: ["PredicateQL", "PredicateQLSQLite", "FuzzChecks", "SpecSupport", "TestConditions"]
        ),
        .target(name: "ExamplePages", path: "Tests/ExamplePages"),
        .executableTarget(
            name: "ExampleWriter",
            dependencies: ["ExamplePages"],
            path: "Tests/ExampleWriter",
            exclude: ["Plugin"]
        ),
        .plugin(
            name: "GenerateExamples",
            capability: .buildTool(),
            dependencies: ["ExampleWriter"],
            path: "Tests/ExampleWriter/Plugin"
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "ExamplePages",
                "PredicateQL", "PredicateQLSQLite", "PredicateQLGRDB", "QueryBatch", "PredicateQLService",
                "PredicateQLStore", "StoreModel",
                "StoreSupport", "SpecSupport", grdb,
            ],
            plugins: ["GenerateExamples"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// `Standard` defines its parts for every module, so that sources ask for a part alone: `#if CLI`.
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = (target.swiftSettings ?? []) + standard.map { .define($0, .when(traits: when($0))) }
}

// Tests of a macro are built for the machine that compiles, and with them every test and all that they rest on, a second
// time. So they are left out unless `TEST_TARGETS` names the tests that are built, as `.ci/deep` does.
let wanted = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init)
package.targets.removeAll { target in
    target.type == .test && !(wanted?.contains(target.name) ?? (target.name != "QueryableMacrosTests"))
}
