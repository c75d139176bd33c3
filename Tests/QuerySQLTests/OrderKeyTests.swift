import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Keys sort like their values (S22).
@Suite struct OrderKeyTests {
    private static let ends: [QueryValue] = [
        .null, .bool(false), .bool(true), .int(.max), .int(.min), .int(.max - 1), .int(.max - 511), .int(.max - 512),
        .int(.max - 513), .int(1 << 53), .int(1 << 53 + 1), .int(1 << 53 + 2), .int(-(1 << 53) - 1), .int(0), .int(-1),
        .double(0x1p63), .double(-0x1p63), .double(0x1p53), .double(0x1p53 + 2), .double(0), .double(-0.0),
        .double(.infinity), .double(-.infinity), .double(.nan), .double(.leastNonzeroMagnitude), .double(-1.5),
        .double(9_223_372_036_854_774_784), .string(""), .string("\0"), .string("a"), .string("a\0"), .string("a\0b"),
        .string("A"), .string("é"), .string("e\u{301}"), .string("\u{1}"), .data([]), .data([0]), .data([0, 0]),
        .data([255]), .date(0), .date(-1), .date(.max), .date(.min), .list([]), .list([.null]), .list([.int(1)]),
        .list([.int(1), .null]), .list([.double(1), .string("a")]), .list([.list([])]), .object([:]),
        .object(["a": 1]), .object(["a": 2]), .object(["b": 1]), .object(["a": 1, "b": 1]), .object(["b": 1, "a": 1]),
        .object(["a\0": 1]), .object(["ab": 0]),
    ]

    @Test(arguments: [StringOptions(), .caseInsensitive, [.caseInsensitive, .diacriticInsensitive]])
    func keysSortAsValues(folding: StringOptions) {
        var random = SeededGenerator(3)
        var values = Self.ends
        for _ in 0..<150 { values.append(Hostile.value(&random)) }
        let keys = values.map { $0.orderKey(folding: folding) }
        for (a, first) in zip(values, keys) {
            for (b, second) in zip(values, keys) {
                let wanted = a.sortOrder(relativeTo: b, folding: folding)
                let found: QueryOrder =
                    first.lexicographicallyPrecedes(second)
                    ? .ascending : second.lexicographicallyPrecedes(first) ? .descending : .same
                #expect(found == wanted, "\(a) \(b)")
            }
        }
    }
}
