import Foundation

/// One task compared with the same task of a competitor.
struct Comparison {
    struct Entry {
        var name: String
        var found: Int?
        /// Nanoseconds per row, or per call if there are no rows.
        var ours: Double
        /// Nil if the competitor does not support it or gives another answer.
        var theirs: Double?

        var ratio: Double? { theirs.map { ours / $0 } }
    }

    /// The name of the task: `count over documents`.
    var work: String
    var rival: String
    /// The target ratio, ours to theirs.
    var goal: Double?
    var entries: [Entry] = []
    /// How it was measured, and what was omitted.
    var note: String?

    var mean: Double? { geometricMean(entries.compactMap(\.ratio)) }
    var worst: Entry? { entries.max { ($0.ratio ?? 0) < ($1.ratio ?? 0) } }
}

/// Collects the measurements of the sections; prints each table at once, and writes JSON and a chart at the end.
final class Report {
    private(set) var comparisons: [Comparison] = []
    /// Competitors that were omitted, and why.
    private(set) var missing: [String] = []

    func add(_ comparison: Comparison) {
        comparisons.append(comparison)
        var table = Table([comparison.work, "found", "ours", comparison.rival, "ratio"])
        for entry in comparison.entries {
            table.add([
                entry.name, entry.found.map(String.init) ?? "", duration(entry.ours), duration(entry.theirs),
                ratio(entry.ratio),
            ])
        }
        let entries = comparison.entries.filter { $0.theirs != nil }
        table.add([
            "geometric mean", "", duration(geometricMean(entries.map(\.ours))),
            duration(geometricMean(entries.compactMap(\.theirs))), ratio(comparison.mean, digits: 3),
        ])
        table.print(title: "\(comparison.work), beside \(comparison.rival)")
        let goal = comparison.goal.map { String(format: "goal %.2f. ", $0) } ?? ""
        print("\n\(goal)\(comparison.note ?? "")")
    }

    func leaveOut(_ rival: String, because reason: String) {
        missing.append("\(rival): \(reason)")
        print("\nLeft out: \(rival): \(reason)")
    }

    /// The geometric means again, each with its goal.
    func summary() {
        guard !comparisons.isEmpty else { return }
        var table = Table(["work", "beside", "ratio", "goal", "worst"])
        for comparison in comparisons {
            let worst = comparison.worst
            table.add([
                comparison.work, comparison.rival, ratio(comparison.mean, digits: 3), ratio(comparison.goal),
                "\(ratio(worst?.ratio)) \(worst?.name ?? "")",
            ])
        }
        table.print(title: "Geometric means, ours to theirs: below 1 is faster")
        for line in missing { print("\nLeft out: \(line)") }
    }

    func writeJSON(to path: String) throws {
        let list: [[String: Any]] = comparisons.map { comparison in
            var object: [String: Any] = ["work": comparison.work, "rival": comparison.rival]
            object["ratio"] = comparison.mean
            object["goal"] = comparison.goal
            object["note"] = comparison.note
            object["entries"] = comparison.entries.map { entry in
                var object: [String: Any] = ["name": entry.name, "ours": entry.ours]
                object["found"] = entry.found
                object["theirs"] = entry.theirs
                object["ratio"] = entry.ratio
                return object
            }
            return object
        }
        let document: [String: Any] = ["unit": "ns", "comparisons": list, "leftOut": missing]
        let data = try JSONSerialization.data(withJSONObject: document, options: [.prettyPrinted, .sortedKeys])
        try data.write(to: URL(fileURLWithPath: path))
    }

    func writeSVG(to path: String) throws {
        try Chart(comparisons).svg.write(to: URL(fileURLWithPath: path), atomically: true, encoding: .utf8)
    }
}
