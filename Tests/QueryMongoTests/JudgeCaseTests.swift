import Foundation
import PredicateQL
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Writes cases for judges outside the package: filters and pipelines, documents, and the evaluator's answers.
///
/// `Tests/Judges/run.sh` sets `JUDGE_CASES` to the file to write, one case per line. `JUDGE_SEEDS` and
/// `JUDGE_FIRST_SEED` select more or other conditions.
@Suite("Cases for external judges", .enabled(if: JudgeCases.path != nil, "JUDGE_CASES names no file"))
struct JudgeCaseTests {
    @Test("cases are written")
    func write() throws {
        var cases = JudgeCases()
        for seed in JudgeCases.seeds {
            try cases.addFilters(seed: seed)
            try cases.addPipelines(seed: seed)
        }
        try cases.addSpecs()
        try cases.addPlaces()
        try Data(cases.text).write(to: URL(fileURLWithPath: JudgeCases.path ?? ""))
        #expect(cases.count > JudgeCases.seeds.count * 3)
    }
}

private struct JudgeCases {
    var text: [UInt8] = []
    var count = 0

    private static let environment = ProcessInfo.processInfo.environment
    static let path = environment["JUDGE_CASES"]
    static let seeds: Range<UInt64> = {
        let first = environment["JUDGE_FIRST_SEED"].flatMap(UInt64.init) ?? 0
        return first..<first + (environment["JUDGE_SEEDS"].flatMap(UInt64.init) ?? 2_000)
    }()

    private static let writings: [(name: String, profile: MongoProfile, guarded: Bool)] = [
        ("mongoDB", .mongoDB, false), ("mongoDB guarded", .mongoDB, true), ("findOnly", .findOnly, false),
        ("kinvey", .kinvey, false),
    ]

    private mutating func add(_ name: String, _ content: Document) {
        guard Self.isWithinYears(.object(content)) else { return }
        let whole = Document(pairs: [("name", .string(name))] + Array(content.pairs))
        JSONWriter(largeIntegersAsNumberLong: true).write(.object(whole), to: &text)
        text.append(UInt8(ascii: "\n"))
        count += 1
    }

    /// Python's dates are those of the years 1 to 9999, in every zone.
    private static func isWithinYears(_ value: QueryValue) -> Bool {
        switch value {
        case .date(let milliseconds): -62_135_500_000_000..<253_402_200_000_000 ~= milliseconds
        case .list(let values): values.allSatisfy(isWithinYears)
        case .object(let document): document.pairs.allSatisfy { isWithinYears($0.1) }
        default: true
        }
    }

    /// The rows that Python can hold, with numbers that identify them.
    private static func numbered(_ rows: [Document]) -> [Document] {
        rows.filter { isWithinYears(.object($0)) }.enumerated().map { at, row in
            Document(pairs: [("_id", .int(Int64(at)))] + row.pairs.filter { $0.0 != "_id" })
        }
    }

    private static func list(_ rows: [Document]) -> QueryValue { .list(rows.map(QueryValue.object)) }

    /// A condition in every form, over documents that keep its assumptions.
    mutating func addFilters(seed: UInt64) throws {
        for writing in Self.writings {
            var generator = Generator(seed: seed)
            let nilMeaning: NilMeaning = generator.pick([.nullOrAbsent, .nullOrAbsent, .absent, .null])
            let query = Query(generator.condition(), nilMeaning: nilMeaning)
            guard let mongo = try? query.mongo(writing.profile, guarded: writing.guarded, now: 0) else { continue }
            let made = (0..<14).map { _ in generator.row() }
            let kept = made.filter { row in mongo.assumptions.hold(in: row) }
            try addFind("seed \(seed), \(writing.name)", query, mongo, Self.numbered(kept))
        }
    }

    private mutating func addFind(
        _ name: String,
        _ query: Query,
        _ mongo: MongoQuery,
        _ rows: [Document],
        objectIDs schema: Schema = Schema([])
    ) throws {
        // A row whose condition fails is skipped (S27).
        let sound = rows.filter { (try? query.matches($0, now: 0)) != nil }
        guard !sound.isEmpty else { return }
        let found = try query.results(in: sound, now: 0)
        let stored = Self.list(sound.map { $0.storedInMongo(by: schema) })
        var content: Document = ["format": .string(query.condition.format), "rows": stored]
        for (key, value) in mongo.document.pairs where key != "assumptions" { content[key] = value }
        content["want"] = Self.list(found.map { $0.storedInMongo(by: schema) })
        add(name, content)
    }

    /// A query with order, skip, limit and fields, and a grouping with reducers and having, as stages.
    mutating func addPipelines(seed: UInt64) throws {
        var generator = Generator(seed: seed &+ 0x5EED)
        let isPlain = generator.below(2) == 0
        let made = Self.numbered((0..<14).map { _ in isPlain ? generator.plainRow() : generator.row() })
        let query = generator.pipelineQuery()
        if let pipeline = try? query.mongoPipeline(guarded: generator.below(2) == 0, now: 0) {
            let rows = made.filter { row in pipeline.assumptions.hold(in: row) }
            if let want = try? query.results(in: rows, now: 0) {
                addStages("seed \(seed), pipeline", query.condition.format, pipeline, rows, want)
            }
        }
        let grouping = generator.grouping()
        guard let pipeline = try? grouping.mongo(guarded: generator.below(2) == 0, now: 0) else { return }
        let rows = made.filter { row in pipeline.assumptions.hold(in: row) }
        guard let want = try? grouping.results(in: rows, now: 0) else { return }
        addStages("seed \(seed), groups", grouping.query.condition.format, pipeline, rows, want)
    }

    private mutating func addStages(
        _ name: String,
        _ format: String,
        _ pipeline: MongoPipeline,
        _ rows: [Document],
        _ want: [Document]
    ) {
        let stages = QueryValue.list(pipeline.stages.map(QueryValue.object))
        add(name, ["format": .string(format), "rows": Self.list(rows), "pipeline": stages, "want": Self.list(want)])
    }

    /// Every block of the spec files that has rows.
    mutating func addSpecs() throws {
        for spec in try SpecFile.allCases() {
            guard let query = try? spec.makeQuery(), let rows = try? spec.documents(), !rows.isEmpty else { continue }
            let schema = try spec.schema() ?? Schema([])
            // A schema that declares dates kept as text is trusted, without assumptions.
            let numbered = Self.numbered(rows).filter { $0.keepsDateForms(of: schema) }
            for writing in Self.writings {
                if let grouping = try? spec.makeGrouping() {
                    guard let pipeline = try? grouping.mongo(writing.profile, guarded: writing.guarded, now: 0),
                        numbered.allSatisfy({ row in pipeline.assumptions.hold(in: row) }),
                        let want = try? grouping.results(in: numbered, now: 0)
                    else { continue }
                    addStages("\(spec.place), \(writing.name)", grouping.query.format, pipeline, numbered, want)
                } else if !query.computed.isEmpty {
                    guard let pipeline = try? query.mongoPipeline(writing.profile, guarded: writing.guarded, now: 0),
                        numbered.allSatisfy({ row in pipeline.assumptions.hold(in: row) }),
                        let want = try? query.results(in: numbered, now: 0)
                    else { continue }
                    addStages("\(spec.place), \(writing.name)", query.format, pipeline, numbered, want)
                } else if let mongo = try? query.mongo(writing.profile, guarded: writing.guarded, now: 0) {
                    let kept = numbered.filter { row in mongo.assumptions.hold(in: row) }
                    let declared = writing.profile.readsExtendedJSON ? schema : Schema([])
                    try addFind("\(spec.place), \(writing.name)", query, mongo, kept, objectIDs: declared)
                }
            }
        }
    }

    /// Places in and around a circle and a polygon.
    mutating func addPlaces() throws {
        var generator = Generator(seed: 7)
        let rows = Self.numbered(
            (0..<300).map { _ in
                let pair: [QueryValue] = [
                    .double(Double(generator.below(3600)) / 10 - 180), .double(Double(generator.below(1800)) / 10 - 90),
                ]
                return ["place": .list(pair)]
            }
        )
        let shapes: [GeoShape] = [
            .circle(longitude: -71.06, latitude: 42.36, radius: 4_000_000),
            .circle(longitude: 179.9, latitude: 0, radius: 6_000_000),
            .circle(longitude: 0, latitude: 89.9, radius: 2_000_000),
            .polygon([
                GeoPoint(longitude: -20, latitude: -30), GeoPoint(longitude: 100, latitude: -10),
                GeoPoint(longitude: 0, latitude: 70),
            ]),
        ]
        for shape in shapes {
            let query = try Query(format: "geoWithin(place, %@)", arguments: [.shape(shape)])
            try addFind("geoWithin", query, try query.mongo(guarded: true), rows)
        }
    }
}

extension Generator {
    /// Values of few kinds, for engines that support only those: numbers and one text field.
    fileprivate mutating func plainRow() -> Document {
        func number() -> QueryValue { pick([nil, 2, 3, -4, 2.5, 0.25, 3.0]) }
        var row = Document()
        if below(5) > 0 { row["a"] = number() }
        if below(5) > 0 { row["b"] = .string(pick(["", "a", "ab", "Ab", "é", "k"])) }
        var inner = Document()
        for key in ["x", "y"] where below(4) > 0 { inner[key] = number() }
        row["o"] = .object(inner)
        return row
    }

    fileprivate mutating func pipelineQuery() -> Query {
        var query = Query(below(3) == 0 ? .constant(true) : condition(depth: 1))
        var order = (0..<below(3)).map { _ -> SortKey in
            let path = FieldPath(dotted: pick(["a", "b", "o.x"]))
            return below(2) == 0 ? .ascending(path) : .descending(path)
        }
        // Without a page nothing completes the order.
        order.append(.ascending("_id"))
        query.order = order
        if below(2) == 0 { query.skip = below(4) }
        if below(2) == 0 { query.limit = below(6) }
        if below(3) == 0 { query.fields = pick([["a"], ["_id", "o.x"], ["b", "o"]]) }
        if below(3) == 0 {
            let isLarge = Condition.comparison(Comparison(.field("a", .none), .greater, .value(.int(2), .none)))
            let choice = Term.conditional(isLarge, .value("large", .none), .field("b", .none), .none)
            let terms = [
                (Field("a") + 1).queryTerm, (Field("o.x") * Field("a")).queryTerm, Field("o.x").floor.queryTerm,
                Field("b").length.queryTerm, choice, .field("o.y", .none),
            ]
            query.computed = (0...below(2)).map { ComputedField(pick(terms), as: "v\($0)") }
            if below(2) == 0 { query.order.insert(below(2) == 0 ? .ascending("v0") : .descending("v0"), at: 0) }
        }
        return query
    }

    fileprivate mutating func grouping() -> Grouping {
        let paths: [FieldPath] = ["a", "b", "o.x", "o.y"]
        let keys = pick([[], [pick(paths)], [pick(paths)], [pick(paths), pick(paths)]])
        var reducers: [Reducer] = [.count]
        for at in 0..<below(4) {
            let path = pick(paths)
            let made: [Reducer] = [.sum(path), .average(path), .min(path), .max(path)]
            reducers.append(pick(made).as("v\(at)"))
        }
        let isUnique = Set(keys).count == keys.count
        var query = Query(below(2) == 0 ? .constant(true) : condition(depth: 1))
        if below(2) == 0 { query.order = [below(2) == 0 ? .ascending("count") : .descending("count")] }
        if below(3) == 0 { query.skip = below(3) }
        if below(3) == 0 { query.limit = below(4) }
        let least = Comparison(.field("count", .none), .greaterOrEqual, .value(.int(Int64(below(4))), .none))
        var groupKeys = (isUnique ? keys : Array(keys.prefix(1))).map { GroupKey($0) }
        let computed = [Field("a") + 1, Field("o.x") * Field("a"), Field("o.x").floor]
        if below(4) == 0 { groupKeys.append(GroupKey(pick(computed), as: "key")) }
        return Grouping(
            query,
            by: groupKeys,
            computing: reducers,
            having: below(3) == 0 ? .comparison(least) : nil
        )
    }
}
