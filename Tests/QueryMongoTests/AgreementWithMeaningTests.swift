import Foundation
import PredicateQL
import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues
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
            let evaluator = RowEvaluator(nilMeaning: nilMeaning)
            for _ in 0..<12 {
                let row = generator.row()
                guard mongo.assumptions.hold(in: row) else { continue }
                guard let expected = try? evaluator.holds(query.condition, in: row, now: 0) else { continue }
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
        let result = try compare(seeds: 0..<UInt64(SeededGenerator.count(400)), guarded: true)
        #expect(result.isClean, "\(result.faults.count) of \(result.agreed): \(result.summary)")
        #expect(result.agreed > SeededGenerator.count(3_000))
    }

    @Test("simple filters, documents that keep the assumptions")
    func assumed() throws {
        let result = try compare(seeds: 10_000..<10_000 + UInt64(SeededGenerator.count(400)), guarded: false)
        #expect(result.isClean, "\(result.faults.count) of \(result.agreed): \(result.summary)")
        #expect(result.agreed > SeededGenerator.count(2_000))
    }

    @Test("profiles without $expr or $elemMatch")
    func otherProfiles() throws {
        for (profile, guarded) in [(MongoProfile.findOnly, true), (.findOnly, false), (.kinvey, false)] {
            let result = try compare(
                seeds: 20_000..<20_000 + UInt64(SeededGenerator.count(250)),
                guarded: guarded,
                profile: profile
            )
            #expect(result.isClean, "\(result.faults.count) of \(result.agreed): \(result.summary)")
            #expect(result.agreed > SeededGenerator.count(900))
        }
    }
}

/// Undeclared documents: a document that breaks no listed assumption gets the same answer from memory and filter.
///
/// Objects in lists in objects, empty lists, missing keys, single values where lists are expected, bytes and UUIDs.
/// `SEED` and `SCALE` choose them.
@Suite("Undeclared nested documents") struct NestedAgreementTests {
    private static let writings: [(name: String, profile: MongoProfile, isGuarded: Bool)] = [
        ("simple", .mongoDB, false), ("guarded", .mongoDB, true), ("find only", .findOnly, false),
        ("find only, guarded", .findOnly, true), ("kinvey", .kinvey, false),
    ]

    @Test func documentsThatKeepTheAssumptions() throws {
        let count = SeededGenerator.count(380)
        let seed = SeededGenerator.seed(20_261_122)
        var generator = NestedGenerator(seed: seed)
        var pairs: [String: Int] = [:]
        var faults: [String: [String]] = [:]
        for _ in 0..<count {
            generator.hasBytes = generator.random.chance(25)
            let meaning = generator.random.pick([NilMeaning.nullOrAbsent, .nullOrAbsent, .absent, .null])
            let query = Query(generator.condition(), nilMeaning: meaning)
            let rows = (0..<12).map { _ in generator.row() }
            let expected = rows.map {
                try? RowEvaluator(nilMeaning: meaning).holds(query.condition, in: $0, now: 0)
            }
            for (name, profile, isGuarded) in Self.writings {
                guard let mongo = try? query.mongo(profile, guarded: isGuarded, now: 0) else { continue }
                for (row, expected) in zip(rows, expected) where mongo.assumptions.hold(in: row) {
                    guard let expected else { continue }
                    pairs[name, default: 0] += 1
                    let found = Result { try MongoJudge.matches(row, mongo.filter) }
                    if case .success(expected) = found { continue }
                    faults[name, default: []].append(
                        "\(query.format) \(meaning)\nfilter \(mongo.json)\nrow \(QueryValue.object(row).json)\n"
                            + "assumed \(mongo.assumptions)\nexpected \(expected), got \(found)"
                    )
                    break
                }
            }
        }
        for (name, _, _) in Self.writings {
            let faults = faults[name] ?? []
            let shown = faults.prefix(12).joined(separator: "\n\n")
            #expect(faults.isEmpty, "SEED=\(seed), \(name): \(faults.count) faults\n\(shown)")
            #expect(pairs[name, default: 0] > count / 4, "SEED=\(seed), \(name)")
            print("SEED=\(seed), \(name): \(pairs[name, default: 0]) pairs, \(faults.count) differ")
        }
    }
}

/// Documents with the keys `a b c` on three levels, and conditions on their paths.
private struct NestedGenerator {
    var random: SeededGenerator
    /// True if the values include bytes and UUIDs.
    ///
    /// Mongo orders bytes of two paths, and the least and greatest, by their length first, as documented; such queries
    /// are then left out.
    var hasBytes = false

    init(seed: UInt64) { random = SeededGenerator(seed) }

    private static let keys = ["a", "b", "c"]
    private static let plain: [QueryValue] = [
        .null, 0, 1, 2, 3, 1.5, "", "x", "xy", "y", .bool(true), .date(0), .date(1_000),
    ]
    private static let bytes: [QueryValue] = [
        .data([1]), .data([1, 2]), .data([2]), .data([]), .data(Array(repeating: 7, count: 16)),
        .data(Array(repeating: 0, count: 17)), .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))),
        .uuid(UUID(uuid: (7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7))),
        .uuid(UUID(uuid: (255, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7))),
    ]

    private mutating func scalar() -> QueryValue {
        hasBytes && random.chance(40) ? random.pick(Self.bytes) : random.pick(Self.plain)
    }

    // MARK: Documents

    mutating func row() -> Document { object(depth: 3) }

    private mutating func object(depth: Int) -> Document {
        var object = Document()
        for key in Self.keys where random.chance(75) { object[key] = value(depth: depth - 1) }
        return object
    }

    private mutating func value(depth: Int) -> QueryValue {
        switch depth > 0 ? random.below(10) : 5 + random.below(4) {
        case 0, 1, 2: return .list((0..<random.below(4)).map { _ in .object(object(depth: depth)) })
        case 3, 4: return .object(object(depth: depth))
        case 5: return .list((0..<random.below(4)).map { _ in scalar() })
        case 9: return .list((0..<random.below(3)).map { _ in value(depth: depth - 1) })
        default: return scalar()
        }
    }

    // MARK: Conditions

    mutating func condition(_ depth: Int = 1) -> Condition {
        switch depth > 0 ? random.below(8) : 7 {
        case 0: .and([condition(depth - 1), condition(depth - 1)])
        case 1: .or([condition(depth - 1), condition(depth - 1)])
        case 2: .not(condition(depth - 1))
        default: .comparison(comparison())
        }
    }

    private mutating func path(_ most: Int = 3) -> Term {
        let keys = (0..<(1 + random.below(most))).map { _ in random.pick(Self.keys) }
        return .field(FieldPath(keys: keys), .none)
    }

    private static let compared: [Comparison.Operator] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]

    private mutating func comparison() -> Comparison {
        switch random.below(10) {
        case 0: return Comparison(subquery(), random.pick(Self.compared), .value(.int(Int64(random.below(3))), .none))
        case 1: return Comparison(aggregate(), random.pick(Self.compared), .constant(random.pick([0, 1, 2, 3, 1.5])))
        case 2:
            let operators = hasBytes ? [.equal, .notEqual] : Self.compared
            return Comparison(path(), random.pick(operators), path(), quantifier: quantifier())
        default: return test(of: path(), quantifier())
        }
    }

    private mutating func quantifier() -> Comparison.Quantifier? { random.pick([.any, .all, .any, .all, nil]) }

    /// A term compared with constants.
    private mutating func test(of term: Term, _ quantifier: Comparison.Quantifier?) -> Comparison {
        let constants = (0..<3).map { _ in Term.constant(scalar()) }
        switch random.below(10) {
        case 0: return Comparison(term, .between, .list(Array(constants.prefix(2)), .none), quantifier: quantifier)
        case 1: return Comparison(term, .in, .list(constants, .none), quantifier: quantifier)
        case 2: return Comparison(term, .contains, constants[0])
        case 3:
            let text = Term.value(.string(random.pick(["x", "", "x*", "?"])), .none)
            return Comparison(
                term,
                random.pick([.beginsWith, .like, .contains, .endsWith]),
                text,
                quantifier: quantifier
            )
        default: return Comparison(term, random.pick(Self.compared), constants[0], quantifier: quantifier)
        }
    }

    private mutating func subquery() -> Term {
        let variable: Variable = "q"
        func inner(_ generator: inout Self) -> Condition {
            let keys = (0..<generator.random.below(3)).map { _ in PathStep.key(generator.random.pick(Self.keys)) }
            let element = Term.variable(variable, .none)
            let term = keys.isEmpty ? element : .path(element, keys, .none)
            return .comparison(generator.test(of: term, generator.random.pick([nil, nil, .any, .all])))
        }
        let condition = random.chance(30) ? Condition.and([inner(&self), inner(&self)]) : inner(&self)
        let found = Term.subquery(Subquery(path(2), variable, where: condition), .none)
        return .aggregate(.count, of: found, FieldPath(keys: []), .none)
    }

    private mutating func aggregate() -> Term {
        let aggregates: [Aggregate] =
            hasBytes ? [.count, .sum, .average] : [.count, .count, .sum, .average, .min, .max]
        let aggregate = random.pick(aggregates)
        let keys = aggregate == .count || random.chance(50) ? [] : [random.pick(Self.keys)]
        return .aggregate(aggregate, of: path(), FieldPath(keys: keys), .none)
    }
}

@Suite("The judge of filters") struct MongoJudgeTests {
    @Test("fails where a server fails, including in branches that are not taken")
    func failures() throws {
        let row = try QueryValue(json: #"{"t":"text","n":1,"l":[1]}"#)
        guard case .object(let document) = row else { return }
        let failing = [
            #"{"$size":"$t"}"#, #"{"$size":null}"#, #"{"$size":"$none"}"#, #"{"$divide":[1,0]}"#, #"{"$mod":[1,0]}"#,
            #"{"$mod":[1.5,0]}"#, #"{"$add":["$t",1]}"#, #"{"$add":["$t",null]}"#, #"{"$subtract":["$l",1]}"#,
            #"{"$multiply":["$l",2]}"#, #"{"$substrCP":["$n",0,1]}"#, #"{"$substrCP":["$t",-1,1]}"#,
            #"{"$strLenCP":"$n"}"#, #"{"$regexMatch":{"input":"$n","regex":"a"}}"#, #"{"$in":[1,"$t"]}"#,
            #"{"$in":[1,null]}"#, #"{"$filter":{"input":"$t","as":"x","cond":true}}"#,
            #"{"$map":{"input":"$n","as":"x","in":1}}"#, #"{"$reduce":{"input":"$n","initialValue":0,"in":1}}"#,
            #"{"$arrayElemAt":["$t",0]}"#, #"{"$indexOfBytes":["$t",null]}"#, #"{"$sqrt":-1}"#, #"{"$ln":0}"#,
            #"{"$log10":0}"#, #"{"$pow":[0,-1]}"#, #"{"$toDouble":"$t"}"#, #"{"$trunc":"$t"}"#, #"{"$abs":"$t"}"#,
            #"{"$bitAnd":[1.5,1]}"#, #"{"$bitNot":"$t"}"#, #"{"$setUnion":["$t",null]}"#, #"{"$concatArrays":["$t"]}"#,
            #"{"$anyElementTrue":["$t"]}"#, #"{"$convert":{"input":"$t","to":"long"}}"#, #"{"$eq":[1,"$$none"]}"#,
            #"{"$none":1}"#,
        ]
        for expression in failing {
            for filter in [
                #"{"$expr":\#(expression)}"#, #"{"$expr":{"$cond":[true,true,\#(expression)]}}"#,
                #"{"$expr":{"$cond":[false,\#(expression),true]}}"#, #"{"$expr":{"$and":[false,\#(expression)]}}"#,
                #"{"$expr":{"$or":[true,\#(expression)]}}"#, #"{"$expr":{"$ifNull":[1,\#(expression)]}}"#,
                #"{"$or":[{"n":1},{"$expr":\#(expression)}]}"#, #"{"n":2,"$expr":\#(expression)}"#,
            ] {
                guard case .object(let asked) = try QueryValue(json: filter) else { continue }
                #expect(throws: MongoJudge.Refused.self, "\(filter)") { try MongoJudge.matches(document, asked) }
            }
        }
    }
}
