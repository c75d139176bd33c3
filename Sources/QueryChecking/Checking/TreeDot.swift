import QueryTree

extension Query {
    /// The condition's tree as a Graphviz graph: ellipses for conditions, boxes for terms with their kinds.
    ///
    ///     try Query(format: "a == 1 AND b == 2").treeDot  // → digraph query {…
    ///
    /// For display; linear in the number of nodes.
    package var treeDot: String {
        StackRoom.run(for: condition) {
            var graph = DotGraph()
            graph.add(outline)
            return graph.text
        }
    }
}

/// Writes a tree in Graphviz's language.
private struct DotGraph {
    private var lines: [String] = []
    private var count = 0

    var text: String {
        (["digraph query {", "  node [fontname=\"monospace\"];"] + lines + ["}"]).joined(separator: "\n")
    }

    /// Adds a node and its descendants.
    ///
    /// - Parameter node: the node.
    /// - Returns: its name.
    @discardableResult
    mutating func add(_ node: TreeOutline) -> String {
        let name = "n\(count)"
        count += 1
        var label = Self.escaped(node.label)
        if let kind = node.kind, kind != .any { label += "\\n" + Self.escaped(kind.name) }
        lines.append("  \(name) [label=\"\(label)\", shape=\(node.kind == nil ? "ellipse" : "box")];")
        for child in node.children {
            let inner = add(child)
            lines.append("  \(name) -> \(inner);")
        }
        return name
    }

    /// Escapes quotes and backslashes, so that no text can end the label or break the line.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\0"..."\u{1F}", "\u{7F}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
