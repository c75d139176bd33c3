import PredicateQL
import QueryEvaluation
import QueryTree
import QueryValues
import Testing

/// Rows of JSON text at the limit of depth and beyond, whatever part of them is kept.
@Suite struct RowDepthTests {
    @Test func depthIsBoundedInRows() throws {
        var limits = Limits.default
        limits.jsonDepth = 3
        let formats = ["b == 1", "a == 1", "a.a == 1", "a.a.a.a == 1", "ANY a.a == 1", "a[0] == 1", "a.@count == 1"]
        for levels in 1...6 {
            for (open, close) in [("{\"a\":", "}"), ("[", "]")] {
                let inner =
                    String(repeating: open, count: levels - 1) + "1" + String(repeating: close, count: levels - 1)
                let row = "{\"a\":" + inner + "}"
                for format in formats {
                    for text in [row, "[" + row + "]"] {
                        let query = try Query(parsing: format)
                        var failure: QueryError.Code?
                        do throws(QueryError) {
                            _ = try query.count(in: JSONRows(text, limits: limits))
                        } catch {
                            failure = error.code
                        }
                        #expect(failure == (levels > 3 ? .json : nil), "\(format): \(text)")
                    }
                }
            }
        }
    }

    /// Space before the first row counts like any other line; no more of it is buffered than of a row.
    @Test(.timeLimit(.minutes(60))) func spaceWithoutAnEnd() {
        var limits = Limits.default
        limits.rowBytes = 1 << 20
        let endless = ByteStream { (buffer) throws(QueryError) in
            buffer.initializeMemory(as: UInt8.self, repeating: 0x20)
            return buffer.count
        }
        let failure = #expect(throws: QueryError.self) {
            var rows = try JSONPathReader(endless, .everything, limits: limits)
            _ = try rows.next()
        }
        #expect(failure?.code == .limit)
    }

    @Test func asManyGroupsAsAllowed() throws {
        let rows = (0..<3).map { Order(amount: Double($0), qty: 1, note: nil, paid: true) }
        let grouping = Grouping(Query(), by: ["amount"], computing: [.count])
        for most in 1...4 {
            var limits = Limits.default
            limits.groups = most
            var found: Int?
            var failure: QueryError.Code?
            do throws(QueryError) { found = try grouping.results(in: rows, limits: limits).count } catch {
                failure = error.code
            }
            #expect(most < 3 ? failure == .limit : found == 3, "\(most)")
        }
        // Every NaN is in one group, whatever its bits.
        let numbers: [Document] = (0..<64).map { bits in
            ["amount": .double(Double(nan: bits, signaling: false) * (bits.isMultiple(of: 2) ? 1 : -1))]
        }
        let groups = try grouping.results(in: numbers)
        #expect(groups.count == 1)
    }

    @Test func infinityHasNoText() throws {
        let query = try Query(format: "CAST(x, 'NSString') == nil")
        for (value, isNil) in [(Double.infinity, true), (.nan, true), (-.infinity, true), (1.5, false)] {
            let holds = try query.matches(["x": .double(value)])
            #expect(holds == isNil, "\(value)")
        }
    }

    @Test func pagesOfTextSkipWhatTheyAreTold() throws {
        let text = "{\"a\":0}\n{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"
        for skip in 0...5 {
            var run = try Query(skip: skip, limit: 2).run(over: JSONRows(text))
            var found: [QueryValue?] = []
            while let row = try run.next() { found.append(row["a"]) }
            #expect(found == (skip..<max(skip, min(skip + 2, 4))).map { .int(Int64($0)) }, "\(skip)")
        }
    }
}
