#if CLI
    import ArgumentParser
    import PredicateQL
    import QueryBatch
    import QueryTree
    import QueryValues

    struct Fields: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fields",
            abstract: "Show the fields of rows: their kinds, how many rows have them, and their most common values.",
            discussion: """
                All rows are read once; memory does not grow with their number. A field of objects in lists is counted once \
                for each object. Of a field with more than 1,000 values, the first ones are counted.

                EXAMPLES
                  pql fields cities.ndjson
                  pql fields places.geojson --rows features
                  pql fields cache.sqlite --table cities -o markdown
                """
        )

        @Argument(help: "Files, as for pql run; - for standard input.", completion: .file())
        var files: [String]

        @OptionGroup var place: RowsOption

        @Option(help: ArgumentHelp("The table of an SQLite file.", valueName: "table"))
        var table: String?

        @Option(help: "SQLite: columns or document; detected by default.")
        var storage: RowForm?

        @Option(help: ArgumentHelp("The number of values shown for each field.", valueName: "n"))
        var values = 3

        @Flag(help: "Skip malformed rows and count them.")
        var skipInvalid = false

        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (0...100).contains(values) else { throw ValidationError("--values takes 0 to 100") }
        }

        func run() throws {
            try output.open()
            let input = try RowInput(files, at: place.rows, skipsInvalid: skipInvalid)
            defer { input.close() }
            var census = FieldCensus()
            if input.format == .database {
                let search = try DatabaseSearch(input.name, table: table, storage: storage?.storage)
                try search.forEachResult(.rows(Query(schema: search.schema()))) { census.add($0) }
            } else {
                if table != nil || storage != nil {
                    throw Failure(
                        status: .usage,
                        message: "\(input.name) is not an SQLite file; --table and --storage are only for those"
                    )
                }
                input.names.tellValues(input.name)
                let reader = try InputReader(input, skipsInvalid: skipInvalid)
                try reader.forEach { census.add($0) }
                try reader.finish()
            }
            var writer = output.format.writer(columns: ["field", "kinds", "rows", "missing", "distinct", "common"])
            for row in census.rows(values: values) { try writer.write(row) }
            try writer.finish()
        }
    }

    /// What some rows hold at each path.
    struct FieldCensus {
        private struct Field {
            /// The keys that lead to it.
            var keys: [String]
            /// The object that could have it.
            var parent: Int?
            var kinds: [(kind: Kind, count: Int)] = []
            var elements: [Kind] = []
            var counts: [QueryValue: Int] = [:]
            /// True if some values are not counted.
            var hasMore = false
            /// The objects at the path, or in lists there.
            var objects = 0

            /// The path as it is written in a query.
            var name: String { FieldPath(keys: keys).format }

            /// The values that are not nil.
            var present: Int { kinds.reduce(0) { $1.kind == .null ? $0 : $0 + $1.count } }

            mutating func count(_ kind: Kind) {
                if let known = kinds.firstIndex(where: { $0.kind == kind }) {
                    kinds[known].count += 1
                } else {
                    kinds.append((kind, 1))
                }
            }

            mutating func count(_ value: QueryValue) {
                switch value {
                case .null, .object, .list, .data, .shape: return
                case .bool, .int, .double, .string, .date, .uuid: break
                }
                if let known = counts.index(forKey: value) {
                    counts.values[known] += 1
                } else if counts.count >= FieldCensus.mostValues {
                    hasMore = true
                } else {
                    counts[value] = 1
                }
            }
        }

        /// The fields of the objects at a path.
        private struct Members {
            var places: [UTF8Key: Int] = [:]
            /// The places of the keys of some objects; -1 for one that is left out.
            var shapes: [ObjectIdentifier: (shape: Shape, places: [Int])] = [:]
        }

        /// The most values of a field that are counted separately, the most fields, and sequences of keys.
        private static let mostValues = 1_000
        private static let mostFields = 10_000
        private static let mostShapes = 100

        private var fields: [Field] = []
        /// Of the rows, and then of each field.
        private var members = [Members()]
        private var count = 0

        /// Adds a row.
        ///
        /// - Complexity: linear in its values.
        mutating func add(_ row: Document) {
            count += 1
            add(row, below: nil, depth: 1)
        }

        private mutating func add(_ object: Document, below parent: Int?, depth: Int) {
            let owner = parent.map { $0 + 1 } ?? 0
            for (place, value) in zip(places(of: object.shape, owner, below: parent), object.values) where place >= 0 {
                fields[place].count(value.kind)
                guard case .list(let elements) = value else {
                    add(value, at: place, depth)
                    continue
                }
                for element in elements {
                    if !fields[place].elements.contains(element.kind) { fields[place].elements.append(element.kind) }
                    add(element, at: place, depth)
                }
            }
        }

        private mutating func add(_ value: QueryValue, at place: Int, _ depth: Int) {
            guard case .object(let object) = value else { return fields[place].count(value) }
            guard depth < 8 else { return }
            fields[place].objects += 1
            add(object, below: place, depth: depth + 1)
        }

        /// The places of the fields of an object.
        private mutating func places(of shape: Shape, _ owner: Int, below parent: Int?) -> [Int] {
            if let known = members[owner].shapes[ObjectIdentifier(shape)] { return known.places }
            let places = shape.keys.map { place($0, below: parent) ?? -1 }
            if members[owner].shapes.count >= Self.mostShapes { members[owner].shapes = [:] }
            members[owner].shapes[ObjectIdentifier(shape)] = (shape, places)
            return places
        }

        private mutating func place(_ key: String, below parent: Int?) -> Int? {
            let owner = parent.map { $0 + 1 } ?? 0
            if let known = members[owner].places[UTF8Key(key)] { return known }
            guard fields.count < Self.mostFields else { return nil }
            members[owner].places[UTF8Key(key)] = fields.count
            fields.append(Field(keys: (parent.map { fields[$0].keys } ?? []) + [key], parent: parent))
            members.append(Members())
            return fields.count - 1
        }

        /// The fields in the order of their first appearance, below the one that they belong to.
        ///
        /// - Parameter values: how many values are shown of each.
        /// - Returns: `field`, `kinds`, `rows`, `missing`, `distinct` and `common`.
        func rows(values: Int) -> [Document] {
            var children: [Int?: [Int]] = [:]
            for (place, field) in fields.enumerated() { children[field.parent, default: []].append(place) }
            var rows: [Document] = []
            func add(_ parent: Int?) {
                for place in children[parent] ?? [] {
                    rows.append(row(fields[place], values))
                    add(place)
                }
            }
            add(nil)
            return rows
        }

        private func row(_ field: Field, _ values: Int) -> Document {
            let all = field.parent.map { fields[$0].objects } ?? count
            let elements = field.elements.isEmpty ? "" : " of " + Self.text(field.elements)
            let kinds = Self.text(field.kinds.map(\.kind).filter { $0 != .null || field.kinds.count == 1 })
            let sorted = field.counts.sorted { ($1.value, $0.key.json) < ($0.value, $1.key.json) }
            let common = sorted.prefix(values).map { value, count in
                let text = plainText(value)
                return "\(text.isEmpty ? "\"\"" : text) (\(count))"
            }
            return [
                "field": .string(field.name), "kinds": .string(kinds + elements), "rows": .int(Int64(field.present)),
                "missing": .int(Int64(all - field.present)),
                "distinct": field.counts.isEmpty
                    ? .null
                    : field.hasMore ? .string("over \(field.counts.count)") : .int(Int64(field.counts.count)),
                "common": .string(common.joined(separator: ", ")),
            ]
        }

        private static func text(_ kinds: [Kind]) -> String {
            kinds.map(\.rawValue).sorted().joined(separator: ", ")
        }
    }
#endif
