import Foundation

/// A table in Markdown with aligned columns.
struct Table {
    private var rows: [[String]]

    init(_ columns: [String]) {
        rows = [columns]
    }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    func print(title: String) {
        var widths = rows[0].map(\.count)
        for row in rows { for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) } }
        Swift.print("\n## \(title)\n")
        for (index, row) in rows.enumerated() {
            Swift.print(line(row, widths))
            if index == 0 { Swift.print(line(widths.map { String(repeating: "-", count: $0) }, widths)) }
        }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).enumerated().map { column, pair in
            let space = String(repeating: " ", count: max(0, pair.1 - pair.0.count))
            return column == 0 ? pair.0 + space : space + pair.0
        }
        return "| " + padded.joined(separator: " | ") + " |"
    }
}

/// A duration in the most readable unit.
func duration(_ nanoseconds: Double?) -> String {
    guard let nanoseconds else { return "–" }
    if nanoseconds >= 1e6 { return String(format: "%.2f ms", nanoseconds / 1e6) }
    if nanoseconds >= 1e3 { return String(format: "%.2f µs", nanoseconds / 1e3) }
    return String(format: "%.1f ns", nanoseconds)
}

/// A ratio; small ones have a third digit.
func ratio(_ value: Double?, digits: Int = 2) -> String {
    value.map { String(format: "%.\($0 < 0.1 ? 3 : digits)f", $0) } ?? "–"
}
