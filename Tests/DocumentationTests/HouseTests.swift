import Foundation
import SpecSupport
import Testing

/// How large the modules and folders of `Sources` may be, and which modules may import which.
@Suite struct HouseTests {
    private static let mostLines = 7_500
    private static let mostFiles = 25

    /// Modules that are larger, with the lines that they may have and the reason.
    private static let largeModules: [String: (lines: Int, reason: String)] = [
        "QuerySQL": (10_500, "it holds two writers of SQL, which become one"),
        "QueryEvaluation": (8_500, "its lanes are specialized with what calls them, so they stay in one module"),
    ]

    /// Folders that hold more files, with their number and the reason.
    private static let largeFolders: [String: (files: Int, reason: String)] = [
        "QuerySQL": (40, "its two writers become one, in folders of its parts")
    ]

    /// What each module may import of the others: only what stands before it.
    private static let imports: [(module: String, allowed: Set<String>)] = [
        ("QueryValues", ["CPCRE2"]),
        ("QueryTree", ["QueryValues"]),
        ("QueryChecking", ["QueryValues", "QueryTree"]),
        ("QueryMeaning", ["QueryValues", "QueryTree", "QueryChecking"]),
        ("QuerySyntax", core),
        ("QueryParsing", core),
        ("QueryMongo", core),
        ("QueryMongoReading", core.union(["QueryMongo"])),
        ("QuerySQL", core),
        ("QueryableMacros", []),
        ("QueryEvaluation", core),
        ("PredicateQL", library.subtracting(["PredicateQL"])),
        ("PredicateQLSQLite", library.union(["CSQLite"])),
        ("PredicateQLGRDB", library.union(["PredicateQLSQLite"])),
        ("QueryBatch", library.union(["PredicateQLSQLite"])),
        ("pql", library.union(["PredicateQLSQLite", "QueryBatch", "CEditline"])),
    ]

    private static let core: Set<String> = ["QueryValues", "QueryTree", "QueryChecking", "QueryMeaning"]
    private static let library = core.union([
        "QuerySyntax", "QueryParsing", "QueryMongo", "QueryMongoReading", "QuerySQL", "QueryEvaluation", "PredicateQL",
    ])

    @Test func modulesAreSmall() throws {
        for (module, files) in try modules() {
            let lines = try files.reduce(0) { sum, file in
                try sum + String(contentsOf: file, encoding: .utf8).utf8.count { $0 == UInt8(ascii: "\n") }
            }
            let exception = Self.largeModules[module]
            if let exception { print("Sources/\(module): \(lines) lines; \(exception.reason)") }
            #expect(lines <= exception?.lines ?? Self.mostLines, "Sources/\(module) is too large: split it")
            if exception != nil { #expect(lines > Self.mostLines, "Sources/\(module) needs no exception anymore") }
        }
    }

    @Test func foldersAreSmall() throws {
        let files = try Documents.files(in: ["Sources"], ending: "swift")
        for (folder, files) in Dictionary(grouping: files, by: { $0.deletingLastPathComponent() }) {
            let name = Self.place(of: folder)
            let exception = Self.largeFolders[name]
            if let exception { print("Sources/\(name): \(files.count) files; \(exception.reason)") }
            #expect(files.count <= exception?.files ?? Self.mostFiles, "Sources/\(name) holds too many files")
            if exception != nil { #expect(files.count > Self.mostFiles, "Sources/\(name) needs no exception anymore") }
        }
    }

    @Test func modulesImportDownwards() throws {
        let modules = try modules()
        let names = Set(Self.imports.flatMap { $0.allowed.union([$0.module]) })
        #expect(Set(modules.keys) == Set(Self.imports.map(\.module)), "each module needs its line in the table")
        var earlier: Set<String> = []
        for (module, allowed) in Self.imports {
            let swift = allowed.intersection(Self.imports.map(\.module))
            #expect(swift.isSubset(of: earlier), "\(module) may import what stands before it")
            earlier.insert(module)
            for file in modules[module] ?? [] {
                for (place, line) in try Documents.lines(of: file) {
                    guard let name = line.firstMatch(of: /^\s*(?:@\w+ )?import (\w+)/)?.output.1 else { continue }
                    let isAllowed = !names.contains(String(name)) || allowed.contains(String(name))
                    #expect(isAllowed, "\(module)/\(place): \(module) may not import \(name)")
                }
            }
        }
    }

    /// The Swift files of each module.
    private func modules() throws -> [String: [URL]] {
        let files = try Documents.files(in: ["Sources"], ending: "swift")
        return Dictionary(grouping: files) { String(Self.place(of: $0).prefix { $0 != "/" }) }
    }

    /// The path below `Sources`.
    private static func place(of file: URL) -> String {
        let sources = SpecFile.repository.appendingPathComponent("Sources").path + "/"
        return String(file.path.dropFirst(sources.count))
    }
}
