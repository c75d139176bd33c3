import Foundation
import Testing

@testable import QueryTree
@testable import QueryValues

struct QueryValueComparisonTests {
    private static let limit: Int64 = 1 << 53

    @Test func numbersCompareExactly() {
        let ascending: [QueryValue] = [
            .double(-.infinity), .double(-0x1p63 * 2), .int(.min), .int(.min + 1), .double(-0x1p62),
            .int(-Self.limit - 1), .double(-0x1p53), .int(-1), .double(-0.5), .int(0), .double(.leastNonzeroMagnitude),
            .double(0.5),
            .int(1), .double(1.5), .int(2), .int(Self.limit - 1), .double(0x1p53), .int(Self.limit + 1),
            .double(0x1p53 + 2), .int(.max - 1), .int(.max), .double(0x1p63), .double(.greatestFiniteMagnitude),
            .double(.infinity),
        ]
        for (i, a) in ascending.enumerated() {
            for (j, b) in ascending.enumerated() {
                let wanted = QueryOrder.of(i, j)
                #expect(a.order(relativeTo: b) == wanted, "\(a) \(b)")
                #expect(a.sortOrder(relativeTo: b) == wanted, "\(a) \(b)")
                #expect(a.isEqual(to: b) == (i == j), "\(a) \(b)")
            }
        }
        let same: [(QueryValue, QueryValue)] = [
            (.int(0), .double(-0.0)), (.double(0), .double(-0.0)), (.int(.min), .double(-0x1p63)),
            (.int(Self.limit), .double(0x1p53)), (.int(-Self.limit), .double(-0x1p53)), (.int(7), .double(7)),
        ]
        for (a, b) in same {
            #expect(a.isEqual(to: b) && b.isEqual(to: a), "\(a) \(b)")
            #expect(a.order(relativeTo: b) == .same && b.sortOrder(relativeTo: a) == .same, "\(a) \(b)")
            #expect(EqualityKey(list: [a]) == EqualityKey(list: [b]), "\(a) \(b)")
            #expect(EqualityKey(list: [a]).hashValue == EqualityKey(list: [b]).hashValue, "\(a) \(b)")
        }
        #expect(EqualityKey(list: [.int(Self.limit + 1)]) != EqualityKey(list: [.double(0x1p53)]))
        #expect(EqualityKey(list: [.int(.max)]) != EqualityKey(list: [.double(0x1p63)]))
    }

    @Test func notANumberEqualsNothing() {
        let nan = QueryValue.double(.nan)
        for other: QueryValue in [nan, .int(0), .double(0), .double(.infinity), .null] {
            #expect(!nan.isEqual(to: other) && !other.isEqual(to: nan))
            #expect(nan.order(relativeTo: other) == nil && other.order(relativeTo: nan) == nil)
        }
        #expect(!QueryValue.list([nan]).isEqual(to: .list([nan])))
        #expect(nan.sortOrder(relativeTo: .double(-.infinity)) == .ascending)
        #expect(QueryValue.int(.min).sortOrder(relativeTo: nan) == .descending)
        #expect(nan.sortOrder(relativeTo: .double(-.nan)) == .same)
        #expect(EqualityKey(list: [nan]) == EqualityKey(list: [.double(-.nan)]))
    }

    private static let ranked: [[QueryValue]] = [
        [.null], [.double(.nan), .int(0), .double(0.5), .int(1)], ["", "A", "a", "e\u{301}", "é", "🦊"],
        [
            .object([:]), .object(["a": 1]), .object(["b": 3, "a": 1]), .object(["a": 2, "b": 1]), .object(["b": 0]),
        ],
        [.list([]), .list([.null]), .list([1]), .list([1, 1]), .list([1, 2]), .list([2]), .list(["a"])],
        [.data([]), .data([0]), .data([0, 1]), .data([255])],
        [
            .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))),
            .uuid(UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
        ],
        [.bool(false), .bool(true)], [.date(.min), .date(0), .date(.max)],
    ]

    @Test func sortIsTotal() {
        let values = Self.ranked.flatMap { $0 }
        for (i, a) in values.enumerated() {
            for (j, b) in values.enumerated() {
                #expect(a.sortOrder(relativeTo: b) == .of(i, j), "\(a) \(b)")
            }
        }
    }

    @Test func kindsNeverMix() {
        for (i, group) in Self.ranked.enumerated() {
            for (j, others) in Self.ranked.enumerated() where i != j {
                for a in group {
                    for b in others {
                        #expect(!a.isEqual(to: b), "\(a) \(b)")
                        #expect(a.order(relativeTo: b) == nil, "\(a) \(b)")
                        #expect(EqualityKey(list: [a]) != EqualityKey(list: [b]), "\(a) \(b)")
                    }
                }
            }
        }
    }

    @Test func onlySomeKindsAreOrdered() {
        let unordered: [QueryValue] = [
            .null, .list([1]), .object(["a": 1]), .shape(.circle(longitude: 0, latitude: 0, radius: 1)),
        ]
        for value in unordered { #expect(value.order(relativeTo: value) == nil, "\(value)") }
        for value in unordered { #expect(value.isEqual(to: value), "\(value)") }
        let ordered: [[QueryValue]] = [Self.ranked[2], Self.ranked[5], Self.ranked[6], Self.ranked[7], Self.ranked[8]]
        for group in ordered {
            for (i, a) in group.enumerated() {
                for (j, b) in group.enumerated() { #expect(a.order(relativeTo: b) == .of(i, j), "\(a) \(b)") }
            }
        }
    }

    @Test func containersCompareByTheirParts() {
        let left: QueryValue = .object(["a": 1, "b": .list([1, "É"])])
        let right: QueryValue = .object(["b": .list([.double(1), "É"]), "a": .double(1)])
        #expect(left.isEqual(to: right))
        #expect(left.sortOrder(relativeTo: right) == .same)
        #expect(EqualityKey(list: [left]) == EqualityKey(list: [right]))
        #expect(!left.isEqual(to: .object(["a": 1])))
        #expect(!QueryValue.object(["a": .null]).isEqual(to: .object(["b": .null])))
        #expect(!QueryValue.list([1, 2]).isEqual(to: .list([2, 1])))
        #expect(!QueryValue.list([1]).isEqual(to: .list([1, 1])))
        #expect(!QueryValue.list([1]).isEqual(to: 1))
    }

    @Test func stringsCompareByBytesOrFolded() {
        let composed: QueryValue = "é"
        let decomposed: QueryValue = "e\u{301}"
        #expect(!composed.isEqual(to: decomposed))
        #expect(EqualityKey(list: [composed]) != EqualityKey(list: [decomposed]))
        #expect(composed.isEqual(to: decomposed, options: .diacriticInsensitive))
        #expect(QueryValue.list(["A"]).isEqual(to: .list(["a"]), options: .caseInsensitive))
        #expect(QueryValue.object(["k": "A"]).isEqual(to: .object(["k": "a"]), options: .caseInsensitive))
        #expect(!QueryValue.object(["K": "a"]).isEqual(to: .object(["k": "a"]), options: .caseInsensitive))
        #expect(QueryValue.string("a").order(relativeTo: "B") == .descending)
        #expect(QueryValue.string("a").order(relativeTo: "B", options: .caseInsensitive) == .ascending)
        #expect(
            QueryValue.string("É").sortOrder(relativeTo: "e", folding: [.caseInsensitive, .diacriticInsensitive])
                == .same
        )
        #expect(QueryValue.string("\u{FFFD}").order(relativeTo: "🦊") == .ascending)
    }

    @Test func groupKeysKeepPlaces() {
        #expect(EqualityKey(list: [1, .null]) != EqualityKey(list: [.null, 1]))
        #expect(EqualityKey(list: []) == EqualityKey(list: []))
        #expect(EqualityKey(list: [true]) != EqualityKey(list: [1]))
        #expect(
            Set([EqualityKey(list: [1]), EqualityKey(list: [1.0]), EqualityKey(list: [true]), EqualityKey(list: [nil])])
                .count == 3
        )
    }
}

extension EqualityKey {
    /// A key of several values, as used by groups.
    fileprivate init(list values: [QueryValue]) {
        self.init(.list(values))
    }
}
