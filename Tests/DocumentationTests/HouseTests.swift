import Foundation
import PredicateQL
import SpecSupport
import Testing

@testable import ExamplePages

/// The maximum size of the modules and folders of `Sources`, and the imports that modules may have.
@Suite struct HouseTests {
    private static let mostLines = 7_500
    private static let mostFiles = 25

    /// Larger modules, with their maximum number of lines and the reason.
    private static let largeModules: [String: (lines: Int, reason: String)] = [
        "QuerySQL": (11_300, "it holds two writers of SQL, which become one")
    ]

    /// The modules that each module may import: only those before it.
    private static let imports: [(module: String, allowed: Set<String>)] = [
        ("QueryValues", ["CByteMasks", "CPCRE2"]),
        ("QueryTree", ["QueryValues"]),
        ("QueryChecking", ["QueryValues", "QueryTree"]),
        ("QueryMeaning", ["QueryValues", "QueryTree", "QueryChecking"]),
        ("QueryParsing", core),
        ("QueryMongo", core),
        ("QueryMongoReading", core.union(["QueryParsing", "QueryMongo"])),
        ("QuerySQL", core),
        ("QueryableMacros", []),
        ("QueryEvaluation", core),
        ("QueryStreams", core.union(["QueryEvaluation"])),
        ("PredicateQL", library.subtracting(["PredicateQL"])),
        ("PredicateQLSQLite", library.union(["CSQLite"])),
        ("PredicateQLGRDB", library.union(["PredicateQLSQLite"])),
        ("QueryBatch", library.union(["PredicateQLSQLite"])),
        ("StoreModel", ["QueryValues"]),
        ("PredicateQLService", library.union(["PredicateQLSQLite", "StoreModel"])),
        ("PredicateQLStore", library.union(["PredicateQLSQLite", "StoreModel", "CCurl"])),
        ("StoreAsyncHTTPClient", ["StoreModel", "PredicateQLStore"]),
        (
            "PredicateQLServer",
            ["QueryValues", "QueryBatch", "StoreModel", "PredicateQLService", "PredicateQLStore", "CZlib"]
        ),
        (
            "pql",
            library.union([
                "PredicateQLSQLite", "QueryBatch", "CEditline", "StoreModel", "PredicateQLService", "PredicateQLServer",
                "PredicateQLStore",
            ])
        ),
    ]

    private static let core: Set<String> = ["QueryValues", "QueryTree", "QueryChecking", "QueryMeaning"]
    private static let library = core.union([
        "QueryParsing", "QueryMongo", "QueryMongoReading", "QuerySQL", "QueryEvaluation", "QueryStreams",
        "PredicateQL",
    ])

    /// The C libraries of the systems that Swift runs on; a file that leaves one out does not compile there.
    private static let systems = ["Glibc", "Musl", "Android", "WASILibc", "ucrt", "Darwin"]

    /// The tool and the depth of stacks ask the system for more than a C library has.
    private static let ownSystems = ["pql/System.swift", "pql/Commands/Serve.swift", "QueryTree/Tree/StackRoom.swift"]

    @Test func librariesImportTheCLibraryOfEverySystem() throws {
        let expected = Self.systems.enumerated().map { at, name in
            (at == 0 ? "#if" : "#elseif") + " canImport(\(name))\n    import \(name)\n"
        }
        var count = 0
        for file in try modules().values.joined() where !Self.ownSystems.contains(where: file.path.hasSuffix) {
            let text = try String(contentsOf: file, encoding: .utf8)
            let imports = Self.systems.filter { text.contains("import \($0)\n") }
            if imports.isEmpty || imports == ["Darwin"] { continue }
            count += 1
            #expect(text.contains(expected.joined() + "#endif\n"), "\(file.lastPathComponent) imports only \(imports)")
        }
        #expect(count > 5)
    }

    /// Foundation's predicates on Apple's systems, and its sort descriptors, which WebAssembly lacks.
    private static let ofFoundation = ["NSPredicate", "SortKey+SortDescriptor.swift"]

    @Test func theLibraryNeedsNoMoreThanFoundationEssentials() throws {
        let essentials =
            "#if canImport(FoundationEssentials)\n    import FoundationEssentials\n#else\n    import Foundation\n#endif\n"
        let modules = try modules()
        for module in Self.library.union(["PredicateQLSQLite", "QueryBatch", "StoreModel"]) {
            for file in modules[module] ?? [] where !Self.ofFoundation.contains(where: file.path.contains) {
                let text = try String(contentsOf: file, encoding: .utf8).replacing(essentials, with: "")
                #expect(!text.contains(/import Foundation\b/), "\(module)/\(file.lastPathComponent) imports Foundation")
            }
        }
    }

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

    @Test func theVersionStandsInOnePlace() throws {
        let changes = SpecFile.repository.appendingPathComponent(".github/CHANGELOG.md")
        let text = try String(contentsOf: changes, encoding: .utf8)
        let heading = text.split(separator: "\n").first { $0.hasPrefix("## ") && $0.contains(".") }
        #expect(heading?.contains(Release.version) == true, "the change log begins with another version")
        for file in try Documents.files(in: ["Sources"], ending: "swift") {
            if file.lastPathComponent == "Exports.swift" { continue }
            let names = try String(contentsOf: file, encoding: .utf8).contains("\"\(Release.version)\"")
            #expect(!names, "\(Self.place(of: file)) names the version again")
        }
    }

    @Test func foldersAreSmall() throws {
        let files = try Documents.files(in: ["Sources"], ending: "swift")
        for (folder, files) in Dictionary(grouping: files, by: { $0.deletingLastPathComponent() }) {
            #expect(files.count <= Self.mostFiles, "Sources/\(Self.place(of: folder)) holds too many files")
        }
    }

    /// Locks of `Synchronization` break in asynchronous functions that are optimized; see `QueryValues.Mutex`.
    @Test func locksAreTakenInOnePlace() throws {
        for file in try Documents.files(in: ["Sources"], ending: "swift") where file.lastPathComponent != "Mutex.swift"
        {
            let text = try String(contentsOf: file, encoding: .utf8)
            let takesLocks = text.contains("import Synchronization") && text.contains("Mutex")
            #expect(!takesLocks, "\(Self.place(of: file)) takes a lock of Synchronization")
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
                for (place, line) in try Documents.lines(of: file) where line.contains("import ") {
                    guard let name = line.firstMatch(of: /^\s*(?:@\w+ )?import (\w+)/)?.output.1 else { continue }
                    let isAllowed = !names.contains(String(name)) || allowed.contains(String(name))
                    #expect(isAllowed, "\(module)/\(place): \(module) may not import \(name)")
                }
            }
        }
    }

    /// Writers and evaluators switch over a lowered `Question`, not over the operator that was written.
    @Test func fewFilesKnowAnOperator() throws {
        let files = try modules().values.joined()
        let knowing = try files.filter {
            // A spelling that does not exist tells nothing of the operator.
            try $0.lastPathComponent != "GuessedSpellings.swift"
                && String(contentsOf: $0, encoding: .utf8).contains("beginsWith")
        }
        let places = knowing.map(Self.place(of:)).sorted()
        #expect(places.contains("QueryMeaning/Lowering/Question.swift"))
        #expect(places.count <= 15, "\(places)")
        let lowered = ["QueryMongo/", "QueryEvaluation/", "QueryStreams/", "QueryMeaning/Plans/"]
        #expect(!places.contains { place in lowered.contains(where: place.hasPrefix) }, "\(places)")
    }

    /// The page that newcomers read first.
    @Test func contributingShowsTheHouse() throws {
        let page = SpecFile.repository.appendingPathComponent(".github/CONTRIBUTING.md")
        let lines = try Documents.lines(of: page).map(\.1)
        let start = try #require(lines.firstIndex { $0 == "## Module map" })
        let map = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
        #expect(start <= 4 && map.count <= 60, "the map opens the page and has at most 60 lines")
        var shown: Set<String> = []
        for line in map where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            let names = cells[1].matches(of: /`([^`]+)`/).map { String($0.output.1) }
            shown.formUnion(names)
            for folder in cells[2].matches(of: /`([^`]+)`/) { shown.insert(names[0] + "/" + folder.output.1) }
        }
        let folders = try Documents.files(in: ["Sources"], ending: "swift").map { file in
            Self.place(of: file.deletingLastPathComponent())
        }
        let libraries: Set<String> = ["CPCRE2", "CSQLite", "CEditline", "CCurl", "CZlib", "CByteMasks"]
        #expect(shown == Set(folders).union(modulesOf(folders)).union(libraries))
    }

    private func modulesOf(_ folders: [String]) -> [String] { folders.map { String($0.prefix { $0 != "/" }) } }

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
