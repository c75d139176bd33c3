import Foundation

/// The indented code of the sources' doc comments as functions, one file per module.
///
/// A block whose first line is `// Not run: reason` is skipped; fences contain code other than Swift.
enum SourceExamplePages {
    /// The modules whose doc comments users read.
    static let modules = [
        "QueryValues", "QueryTree", "QueryChecking", "QueryMeaning", "QueryParsing", "QueryMongo", "QueryMongoReading",
        "QuerySQL", "QueryEvaluation", "QueryStreams", "PredicateQL", "PredicateQLSQLite", "PredicateQLGRDB",
        "QueryBatch", "StoreModel", "PredicateQLService", "PredicateQLStore",
    ]

    /// The names, and the expressions that give their values.
    private static let names = [
        ("cities", "ExampleWorld.fewCities"), ("people", "ExampleWorld.people"), ("books", "ExampleWorld.books"),
        ("columns", "try ExampleWorld.columns()"), ("database", "try ExampleWorld.database()"),
        ("query", "try ExampleWorld.query()"), ("incoming", "ExampleWorld.incoming()"),
        ("schema", "ExampleWorld.schema"), ("path", "try ExampleWorld.file()"),
        ("queue", "try ExampleWorld.queue()"), ("pool", "try ExampleWorld.pool()"), ("fetch", "ExampleWorld.fetch"),
        ("environment", "ServiceHarness.environment()"), ("service", "try ServiceHarness().service"),
        ("client", "try ServiceHarness { $0.rights = .public }.client()"),
        ("novels", "try ServiceHarness { $0.rights = .public }.client().store(Novel.self, .sync)"),
    ]

    static func text(of module: String) throws -> String {
        var run: [String] = []
        var functions = ""
        for file in try files(of: module) {
            let stem = file.deletingPathExtension().lastPathComponent.replacing("+", with: "_")
            var number = 0
            for comment in try DocComment.all(in: file) {
                let conditions = comment.conditions
                for block in comment.blocks where reason(for: block) == nil {
                    number += 1
                    let name = "\(stem)_\(number)"
                    let entry = "        all.append(Example(\"\(comment.place)\", \(name)))"
                    run.append(guarded(entry, by: conditions, else: leftOut(comment.place, conditions)))
                    functions += "\n" + guarded(function(name, block), by: conditions, else: nil) + "\n"
                }
                for block in comment.blocks {
                    if let reason = reason(for: block) { run.append(omitted(comment, reason)) }
                }
                for fence in comment.fences { run.append(omitted(comment, "a fence of \(fence), no Swift")) }
            }
        }
        return page(module, run, functions)
    }

    /// The modules whose examples are also compiled by a package that sees only what is public, `Tests/Benchmarks`.
    ///
    /// Those of GRDB, the service and the store would need their products there.
    static let publicModules = modules.filter { module in
        !["PredicateQLGRDB", "StoreModel", "PredicateQLService", "PredicateQLStore"].contains(module)
    }

    /// The examples of public declarations as functions that are compiled and never run.
    static func publicText(of module: String) throws -> String {
        var functions = ""
        for file in try files(of: module) {
            let stem = file.deletingPathExtension().lastPathComponent.replacing("+", with: "_")
            var number = 0
            for comment in try DocComment.all(in: file) where comment.isPublic && comment.conditions.isEmpty {
                for block in comment.blocks where reason(for: block) == nil {
                    number += 1
                    functions += "\n" + function("\(stem)_\(number)", block) + "\n"
                }
            }
        }
        return """
            import Foundation
            import PredicateQL
            import PredicateQLSQLite
            import QueryBatch

            enum \(module)Examples {
            \(functions.dropFirst())}

            """
    }

    static func files(of module: String) throws -> [URL] {
        try Documents.files(in: ["Sources/\(module)"], ending: "swift")
    }

    private static func reason(for block: [String]) -> String? {
        guard let first = block.first, first.hasPrefix("// Not run: ") else { return nil }
        return String(first.dropFirst("// Not run: ".count))
    }

    private static func omitted(_ comment: DocComment, _ reason: String) -> String {
        "        leftOut.append((\"\(comment.place)\", \(String(reflecting: reason))))"
    }

    private static func leftOut(_ place: String, _ conditions: [String]) -> String {
        "        leftOut.append((\"\(place)\", \"needs \(conditions.joined(separator: " and "))\"))"
    }

    private static func guarded(_ text: String, by conditions: [String], else other: String?) -> String {
        if conditions.isEmpty { return text }
        let rest = other.map { "#else\n\($0)\n" } ?? ""
        return "#if \(conditions.joined(separator: " && "))\n\(text)\n\(rest)#endif"
    }

    /// A block as a function; types with a macro, which a function cannot contain, are declared next to it in a
    /// separate type.
    private static func function(_ name: String, _ block: [String]) -> String {
        guard block.first?.hasPrefix("@") == true, let end = block.firstIndex(of: "}") else {
            return plainFunction(name, block)
        }
        let type = block[...end].map { "        \($0)\n" }.joined()
        let run = plainFunction("run", Array(block[(end + 1)...]))
        return
            "    static func \(name)() throws { try Types_\(name).run() }\n\n    enum Types_\(name) {\n\(type)\n\(run)\n    }"
    }

    private static func plainFunction(_ name: String, _ block: [String]) -> String {
        let isAsync = block.contains { $0.contains("await ") }
        var text = "    static func \(name)() \(isAsync ? "async " : "")throws {\n"
        let code = block.map { $0.components(separatedBy: "// ")[0] }
        for (word, value) in names where code.contains(where: { mentions(word, $0) }) {
            text += "        let \(word) = \(value); _ = \(word)\n"
        }
        text += "        do {\n"
        for line in ExampleCode.statements(block) { text += line.isEmpty ? "\n" : "            \(line)\n" }
        let declared = ExampleCode.names(block)
        if !declared.isEmpty { text += "            _ = (\(declared.joined(separator: ", ")))\n" }
        return text + "        }\n    }"
    }

    /// True if a line uses a name that is neither a label nor a member.
    private static func mentions(_ word: String, _ line: String) -> Bool {
        line.ranges(of: word).contains { range in
            let before = line[..<range.lowerBound].last ?? " "
            let after = line[range.upperBound...].first ?? " "
            return !before.isLetter && !".\"_".contains(before) && !after.isLetter && !":\"_".contains(after)
        }
    }

    private static func page(_ module: String, _ run: [String], _ functions: String) -> String {
        let imports =
            switch module {
            case "PredicateQLGRDB": "#if GRDB\nimport GRDB\nimport PredicateQLGRDB\n#endif\n"
            case "QueryBatch": "import QueryBatch\n"
            case "StoreModel": "import StoreModel\n"
            case "PredicateQLService": "import PredicateQLService\nimport StoreModel\nimport StoreSupport\n"
            case "PredicateQLStore": "import PredicateQLStore\nimport StoreModel\nimport StoreSupport\n"
            default: ""
            }
        let list = run.joined(separator: "\n")
        return """
            // Written from the doc comments.

            import Foundation
            import PredicateQL
            import PredicateQLSQLite
            \(imports)
            enum \(module)Examples: SourceExamples {
                static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
                    var all: [Example] = []
                    var leftOut: [(place: String, reason: String)] = []
                    (all, leftOut) = ([], [])
            \(list)
                    return (all, leftOut)
                }
            \(functions)}

            """
    }
}

/// The examples of the documentation as functions, which the build writes for the tests.
public enum ExamplePages {
    /// Writes a file for each folder of `Sources`, and one for the pages; one that would not change stays as it is.
    ///
    /// - Parameter folder: where the files go.
    /// - Throws: an error of a file that cannot be read or written.
    public static func write(to folder: URL) throws {
        let sources = Documents.repository.appendingPathComponent("Sources")
        for module in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
            let text = SourceExamplePages.modules.contains(module) ? try SourceExamplePages.text(of: module) : ""
            try write(text, to: folder.appendingPathComponent(module + "Examples.swift"))
        }
        try write(SwiftExamplePage.text(), to: folder.appendingPathComponent("PageExamples.swift"))
    }

    private static func write(_ text: String, to file: URL) throws {
        if let written = try? String(contentsOf: file, encoding: .utf8), written == text { return }
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}
