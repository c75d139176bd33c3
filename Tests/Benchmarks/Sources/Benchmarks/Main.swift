import Foundation
import PredicateQL

/// Prints tables with ratios: `swift run -c release Benchmarks [section…] [--quick] [--rows N]`.
///
/// It also writes JSON and a chart, to `.build/benchmarks.json` and `.build/benchmarks.svg` or to the files named by
/// `--json FILE` and `--svg FILE`.
@main struct Benchmarks {
    var stopwatch = Stopwatch(seconds: 0.25)
    var rows = 100_000
    var predicates: [Predicate20]
    /// False to measure only our own work, for a profiler.
    var hasRivals = true
    let report = Report()

    /// Each section is a separate file; without names all run.
    private static let sections: [(name: String, run: @Sendable (Benchmarks) throws -> Void)] = [
        ("depth", { try $0.depth() }),
        ("text", { try $0.text() }),
        ("parser", { try ParserCosts($0.stopwatch).print() }),
        ("structs", { try $0.structs() }),
        ("lists", { try $0.lists() }),
        ("pipelines", { try $0.pipelines() }),
        ("cores", { try $0.cores() }),
        ("encodable", { try $0.encodable() }),
        ("columns", { try $0.columns() }),
        ("documents", { try $0.documents() }),
        ("ndjson", { try $0.ndjson() }),
        ("sql", { try $0.sql() }),
        ("store", { try $0.store() }),
    ]

    static func main() throws {
        var benchmarks = Benchmarks(predicates: try Predicate20.all())
        var wanted: [String] = []
        var (json, svg) = (".build/benchmarks.json", ".build/benchmarks.svg")
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--quick":
                benchmarks.stopwatch.seconds = 0.01
                benchmarks.rows = 2_000
            case "--rows":
                if let count = arguments.popFirst().flatMap({ Int($0) }), count > 0 { benchmarks.rows = count }
            case "--seconds": benchmarks.stopwatch.seconds = arguments.popFirst().flatMap { Double($0) } ?? 0.25
            // Another process of the section store.
            case "--pull": return try benchmarks.pull(arguments.popFirst() ?? "")
            case "--no-rivals": benchmarks.hasRivals = false
            case "--predicate":
                let id = arguments.popFirst()
                benchmarks.predicates.removeAll { $0.id != id }
            case "--json": json = arguments.popFirst() ?? json
            case "--svg": svg = arguments.popFirst() ?? svg
            case _ where sections.contains { $0.name == argument }: wanted.append(argument)
            default:
                let names = sections.map(\.name).joined(separator: " | ")
                print("usage: Benchmarks [\(names)] [--quick] [--rows N] [--predicate P01] [--no-rivals]")
                print("                  [--seconds S] [--json FILE] [--svg FILE]")
                exit(64)
            }
        }
        for section in sections where wanted.isEmpty || wanted.contains(section.name) {
            try section.run(benchmarks)
            fflush(nil)  // into a pipe too: what ends the run does not swallow what was printed before
        }
        benchmarks.report.summary()
        try benchmarks.report.writeJSON(to: json)
        try benchmarks.report.writeSVG(to: svg)
        print("\nwritten: \(json) \(svg)")
    }
}
