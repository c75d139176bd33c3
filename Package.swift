// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

/// PCRE2 is a trait, so that systems without libpcre2 can leave MATCHES out.
let pcre2: Target.Dependency = .target(name: "CPCRE2", condition: .when(traits: ["PCRE2"]))
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"]))
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser",
    package: "swift-argument-parser",
    condition: .when(traits: ["CLI"])
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
let zlib: Target.Dependency = .target(name: "CZlib", condition: .when(traits: ["Server"]))

let editline: Target.Dependency = .target(name: "CEditline", condition: .when(traits: ["LineEditing"]))

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
        .default(enabledTraits: ["CLI", "GRDB", "PCRE2"]),
        .trait(name: "AsyncHTTPClient", description: "A transport of stores over async-http-client (needs SwiftNIO)."),
        .trait(name: "CLI", description: "The command line tool pql (needs swift-argument-parser)."),
        .trait(name: "GRDB", description: "The GRDB adapter PredicateQLGRDB."),
        .trait(name: "LineEditing", description: "History and completion in pql repl (needs libedit)."),
        .trait(name: "Macros", description: "The macro @Queryable (needs swift-syntax, which takes minutes to build)."),
        .trait(
            name: "PCRE2",
            description: "MATCHES through the system's libpcre2-8; without it MATCHES is unsupported."
        ),
        .trait(name: "Server", description: "pql serve, the data service over HTTP (needs Hummingbird)."),
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
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "QueryValues", dependencies: [pcre2]),
        .target(name: "QueryTree", dependencies: ["QueryValues"]),
        .target(name: "QueryChecking", dependencies: ["QueryValues", "QueryTree"]),
        .target(name: "QueryMeaning", dependencies: ["QueryValues", "QueryTree", "QueryChecking"]),
        .target(name: "QuerySyntax", dependencies: core),
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
                "QuerySyntax", "QueryParsing", "QueryMongo", "QueryMongoReading", "QuerySQL", "QueryEvaluation",
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
        .target(name: "PredicateQLStore", dependencies: ["StoreModel", "PredicateQL", "PredicateQLSQLite"]),
        .target(name: "StoreAsyncHTTPClient", dependencies: ["PredicateQLStore", "StoreModel", asyncHTTPClient]),
        .target(
            name: "PredicateQLServer",
            dependencies: [
                "PredicateQLService", "PredicateQLStore", "StoreModel", "QueryValues", "QueryBatch", zlib,
            ] + serverPackages,
            resources: ["page.html", "page.css", "page.js", "cities.ndjson"].map { .embedInCode("Playground/\($0)") }
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
        .target(name: "SpecSupport", dependencies: ["PredicateQL", "PredicateQLSQLite"], path: "Tests/SpecSupport"),
        .testTarget(name: "QuerySyntaxTests", dependencies: core),
        .testTarget(name: "QueryParsingTests", dependencies: ["PredicateQL", "SpecSupport"]),
        .testTarget(name: "QueryMongoTests", dependencies: ["PredicateQL", "SpecSupport"]),
        .testTarget(name: "QuerySQLTests", dependencies: ["PredicateQL", "PredicateQLSQLite", "SpecSupport"]),
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
            ]
        ),
        .executableTarget(
            name: "StoreProcess",
            dependencies: [
                "PredicateQLStore", "StoreAsyncHTTPClient", "StoreModel", "StoreSupport", "PredicateQL", "QueryValues",
            ],
            path: "Tests/StoreProcess"
        ),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "PredicateQLStore", "PredicateQLService", "StoreModel", "StoreSupport", "StoreProcess", "PredicateQL",
                "PredicateQLSQLite", "SpecSupport",
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
                "QueryValues", "StoreModel", "StoreSupport", "SpecSupport", "PredicateQL", "PredicateQLSQLite",
                "PredicateQLStore", "CitiesServer", "pql",
            ]
        ),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["PredicateQL", "PredicateQLSQLite", "QueryBatch", "pql", "SpecSupport"]
        ),
        .testTarget(
            name: "AgreementTests",
            dependencies: ["PredicateQL", "PredicateQLSQLite", "FuzzChecks", "SpecSupport"]
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "PredicateQL", "PredicateQLSQLite", "PredicateQLGRDB", "QueryBatch", "PredicateQLService",
                "PredicateQLStore", "StoreModel",
                "StoreSupport", "SpecSupport", grdb,
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
