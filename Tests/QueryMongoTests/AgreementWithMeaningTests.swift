import PredicateQL
import QuerySyntax
import SpecSupport
import Testing

@Suite("Filters agree with the meaning of the tree")
struct AgreementWithMeaningTests {
    private struct Outcome {
        var agreed: Int
        var refused: Int
        var faults: [String]
        var isClean: Bool { faults.isEmpty }
        var summary: String { faults.prefix(20).joined(separator: "\n\n") }
    }

    private func compare(
        seeds: Range<UInt64>,
        guarded: Bool,
        profile: MongoProfile = .mongoDB
    ) throws -> Outcome {
        var (agreed, refused) = (0, 0)
        var faults: [String] = []
        for seed in seeds {
            var generator = Generator(seed: seed)
            let nilMeaning: NilMeaning = generator.pick([.nullOrAbsent, .nullOrAbsent, .absent, .null])
            let query = Query(generator.condition(), nilMeaning: nilMeaning)
            guard let mongo = try? query.mongo(profile, guarded: guarded, now: 0) else {
                refused += 1
                continue
            }
            let meaning = Meaning(nilMeaning: nilMeaning)
            for _ in 0..<12 {
                let row = generator.row()
                guard mongo.assumptions.allSatisfy({ $0.holds(for: row) }) else { continue }
                guard let expected = try? meaning.holds(query.condition, in: row, now: 0) else { continue }
                let found = Result { try MongoJudge.matches(row, mongo.filter) }
                if case .success(expected) = found {
                    agreed += 1
                } else {
                    if faults.last?.hasPrefix("seed \(seed) ") == true { continue }
                    faults.append(
                        "seed \(seed) \(nilMeaning): \(query.condition.treeDump)\nfilter \(mongo.json)\nrow "
                            + "\(QueryValue.object(row).json)\nassumed \(mongo.assumptions)\n"
                            + "expected \(expected), got \(found)"
                    )
                }
            }
        }
        return Outcome(agreed: agreed, refused: refused, faults: faults)
    }

    @Test("guarded filters, any document")
    func guarded() throws {
        let result = try compare(seeds: 0..<1_500, guarded: true)
        #expect(result.isClean, "\(result.faults.count) of \(result.agreed): \(result.summary)")
        #expect(result.agreed > 10_000)
    }

    @Test("simple filters, documents that keep the assumptions")
    func assumed() throws {
        let result = try compare(seeds: 10_000..<11_500, guarded: false)
        #expect(result.isClean, "\(result.faults.count) of \(result.agreed): \(result.summary)")
        #expect(result.agreed > 6_000)
    }

    @Test("profiles without $expr or $elemMatch")
    func otherProfiles() throws {
        for (profile, guarded) in [(MongoProfile.findOnly, true), (.findOnly, false), (.kinvey, false)] {
            let result = try compare(seeds: 20_000..<21_000, guarded: guarded, profile: profile)
            #expect(result.isClean, "\(result.faults.count) of \(result.agreed): \(result.summary)")
            #expect(result.agreed > 1_500)
        }
    }
}

extension Assumption {
    /// True when a document keeps the assumption.
    func holds(for row: Document) -> Bool {
        switch self {
        case .single(let path): Self.isSingle(.object(row), path.split(separator: ".")[...])
        case .list(let path): Self.isList(.object(row), path.split(separator: ".")[...])
        case .objects(let path): Self.holdsObjects(.object(row), path.split(separator: ".")[...])
        case .date: holds(in: [row])
        case .kind: false
        }
    }

    private static func isSingle(_ value: QueryValue?, _ path: ArraySlice<Substring>) -> Bool {
        guard let value else { return true }
        if case .list = value { return false }
        guard let key = path.first else { return true }
        guard case .object(let object) = value else { return true }
        return isSingle(object[String(key)], path.dropFirst())
    }

    private static func isList(_ value: QueryValue?, _ path: ArraySlice<Substring>) -> Bool {
        guard let value, !value.isNull else { return true }
        guard let key = path.first else { return value.kind == .list }
        if case .list = value { return false }
        guard case .object(let object) = value else { return true }
        return isList(object[String(key)], path.dropFirst())
    }

    private static func holdsObjects(_ value: QueryValue?, _ path: ArraySlice<Substring>) -> Bool {
        guard let value, !value.isNull else { return true }
        guard let key = path.first else {
            guard case .list(let elements) = value else { return false }
            return elements.allSatisfy { $0.kind == .object && $0.hasNoLists }
        }
        guard case .object(let object) = value else { return value.kind != .list }
        return holdsObjects(object[String(key)], path.dropFirst())
    }
}

extension QueryValue {
    fileprivate var hasNoLists: Bool {
        guard case .object(let object) = self else { return false }
        return object.values.allSatisfy { $0.kind != .list }
    }
}
