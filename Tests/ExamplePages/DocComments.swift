import Foundation

/// One doc comment of a source file and the declaration below it.
struct DocComment {
    /// The file and the declaration, such as `Matcher.swift: struct Matcher`.
    let place: String
    /// The declaration's first line; empty if there is none.
    let declaration: String
    /// The position of the comment.
    let line: Int
    /// The `#if` conditions around it.
    let conditions: [String]
    /// The enclosing declarations: the heads of the open braces.
    let containers: [Container]
    /// The lines without `///` and the following space.
    let lines: [String]

    /// A declaration with braces that encloses others.
    struct Container {
        let head: String
        let hasExample: Bool
    }

    /// The indented code blocks: runs of indented lines after an empty line or at the start.
    var blocks: [[String]] {
        var blocks: [[String]] = []
        var open: [String]?
        var isFenced = false
        var previous = ""
        for line in lines + ["end"] {
            if line.hasPrefix("```") { isFenced.toggle() }
            let isCode = !isFenced && line.hasPrefix("    ")
            if isCode, open != nil || previous.isEmpty {
                open = (open ?? []) + [String(line.dropFirst(4))]
            } else if line.isEmpty, open != nil {
                open?.append("")
            } else if let block = open {
                blocks.append(block.reversed().drop(while: \.isEmpty).reversed())
                open = nil
            }
            previous = line
        }
        return blocks
    }

    /// True for a public declaration, or a case of one, in no declaration that is not public.
    var isPublic: Bool {
        let heads = containers.map(\.head)
        let isCase = declaration.hasPrefix("case ") && heads.last?.contains("public ") == true
        return (declaration.contains("public ") || isCase) && !heads.contains { $0.contains("package ") }
    }

    /// The languages of the fences, which contain code other than Swift.
    var fences: [String] {
        let marks = lines.filter { $0.hasPrefix("```") }
        return stride(from: 0, to: marks.count, by: 2).map { String(marks[$0].dropFirst(3)) }
    }
}

extension DocComment {
    /// The declarations of a source file that have a doc comment, in order.
    static func all(in file: URL) throws -> [DocComment] {
        var reader = Reader(file: file.lastPathComponent)
        let text = try String(contentsOf: file, encoding: .utf8)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { reader.read(String(line)) }
        return reader.comments
    }

    /// Reads line by line; the sources are formatted, so indentation shows where a declaration ends.
    private struct Reader {
        let file: String
        var comments: [DocComment] = []
        private var number = 0
        private var pending: [String] = []
        private var start = 0
        /// Whether the next declaration only says what to type instead.
        private var isReplaced = false
        private var conditions: [String] = []
        private var open: [(indentation: Int, container: Container)] = []

        init(file: String) {
            self.file = file
        }

        mutating func read(_ line: String) {
            number += 1
            let indentation = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
            let text = String(line.utf8.dropFirst(indentation)) ?? line
            if text.hasPrefix("///") {
                if pending.isEmpty { start = number }
                pending.append(String(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)))
            } else if text.hasPrefix("#if ") {
                conditions.append(String(text.dropFirst(4)))
            } else if text == "#else" || text.hasPrefix("#elseif") {
                conditions.append("!(\(conditions.popLast() ?? "false"))")
            } else if text == "#endif" {
                conditions.removeLast()
            } else if text.hasPrefix("@available(*, unavailable") || text.hasPrefix("@available(*, deprecated") {
                isReplaced = true
            } else if !text.isEmpty, !text.hasPrefix("//"), !isAttribute(text) {
                declare(text, indentation)
                isReplaced = false
            }
        }

        /// True for a line of attributes only, such as `@discardableResult`.
        private func isAttribute(_ text: String) -> Bool {
            text.hasPrefix("@") && (!text.contains(" ") || text.hasSuffix(")") && !text.contains("func "))
        }

        private mutating func declare(_ text: String, _ indentation: Int) {
            while let last = open.last, last.indentation >= indentation { open.removeLast() }
            let opens = ["extension ", "struct ", "class ", "enum ", "protocol ", "actor "].contains {
                text.contains($0)
            }
            if isReplaced { pending = [] }
            guard !isReplaced, opens || !pending.isEmpty || text.contains("public ") else { return }
            let comment = DocComment(
                place: "\(file): \(name(of: text))",
                declaration: text,
                line: start,
                conditions: conditions,
                containers: open.map(\.container),
                lines: pending
            )
            pending = []
            if !comment.lines.isEmpty || text.contains("public ") { comments.append(comment) }
            if opens { open.append((indentation, Container(head: text, hasExample: !comment.blocks.isEmpty))) }
        }

        /// The keyword and the name, such as `func results` or `init`.
        private func name(of text: String) -> String {
            let words = text.split { !$0.isLetter && !$0.isNumber && !"_`".contains($0) }
            let keywords = ["func", "var", "let", "case", "struct", "class", "enum", "protocol", "macro", "actor"]
            for (word, next) in zip(words, words.dropFirst()) where keywords.contains(String(word)) {
                return "\(word) \(next)"
            }
            return words.first { $0 == "init" || $0 == "subscript" }.map(String.init) ?? "extension"
        }
    }
}
