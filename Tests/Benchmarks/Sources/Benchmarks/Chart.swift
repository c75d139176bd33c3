import Foundation

/// A bar chart of the geometric means on a logarithmic axis; bars to the left of 1 are tasks that we do faster.
struct Chart {
    private let bars: [(label: String, ratio: Double, goal: Double?)]
    private let width = 860.0
    private let labels = 330.0
    private let row = 26.0
    private let top = 56.0

    init(_ comparisons: [Comparison]) {
        bars = comparisons.compactMap { comparison in
            comparison.mean.map { ("\(comparison.work) / \(comparison.rival)", $0, comparison.goal) }
        }
    }

    private var range: ClosedRange<Double> {
        let values: [Double] = bars.map(\.ratio) + bars.compactMap(\.goal) + [0.5, 2]
        let low = values.map { log10($0) }.min() ?? -1
        let high = values.map { log10($0) }.max() ?? 1
        return floor(low * 2 - 0.2) / 2...ceil(high * 2 + 0.2) / 2
    }

    private func x(_ ratio: Double) -> Double {
        let share = (log10(ratio) - range.lowerBound) / (range.upperBound - range.lowerBound)
        return labels + share * (width - labels - 60)
    }

    var svg: String {
        let height = top + Double(bars.count) * row + 24
        var lines = [
            "<svg xmlns='http://www.w3.org/2000/svg' width='\(text(width))' height='\(text(height))' "
                + "font-family='sans-serif' font-size='12'>",
            "<style>text{fill:#24292f}.t{font-size:15px;font-weight:600}.axis{stroke:#57606a}.tick{stroke:#d0d7de}"
                + ".fast{fill:#2da44e}.slow{fill:#cf222e}.goal{stroke:#0969da;stroke-width:2}"
                + "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.axis{stroke:#e6edf3}"
                + ".tick{stroke:#30363d}}</style>",
            "<text class='t' x='8' y='20'>Our time / theirs: to the left of 1, PredicateQL is faster</text>",
            "<text x='8' y='40'>Geometric means; the axis is logarithmic. Blue marks are goals.</text>",
        ]
        lines += ticks(height)
        for (index, bar) in bars.enumerated() {
            let y = top + Double(index) * row
            let (left, right) = (min(x(bar.ratio), x(1)), max(x(bar.ratio), x(1)))
            lines.append("<text x='8' y='\(text(y + 15))'>\(escaped(bar.label))</text>")
            lines.append(
                "<rect class='\(bar.ratio <= 1 ? "fast" : "slow")' x='\(text(left))' y='\(text(y + 3))' "
                    + "width='\(text(max(1, right - left)))' height='16'/>"
            )
            let number = max(right, bar.goal.map { x($0) } ?? right) + 6
            lines.append("<text x='\(text(number))' y='\(text(y + 15))'>\(String(format: "%.2g", bar.ratio))</text>")
            if let goal = bar.goal {
                let at = text(x(goal))
                lines.append("<line class='goal' x1='\(at)' x2='\(at)' y1='\(text(y + 1))' y2='\(text(y + 21))'/>")
            }
        }
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    /// A line for each power of ten; that of 1 is dark.
    private func ticks(_ height: Double) -> [String] {
        stride(from: ceil(range.lowerBound), through: range.upperBound, by: 1).flatMap { power in
            let (at, ratio) = (text(x(pow(10, power))), String(format: "%g", pow(10, power)))
            let kind = power == 0 ? "axis" : "tick"
            return [
                "<line class='\(kind)' x1='\(at)' x2='\(at)' y1='\(text(top))' y2='\(text(height - 18))'/>",
                "<text x='\(at)' y='\(text(height - 4))' text-anchor='middle'>\(ratio)</text>",
            ]
        }
    }

    private func text(_ value: Double) -> String { String(format: "%.1f", value) }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
