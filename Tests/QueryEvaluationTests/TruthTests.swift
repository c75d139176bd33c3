import Foundation
import PredicateQL
import Testing

@Suite("Truth values over one object")
struct TruthTests {
    @Test("every case of truth.json gives its truth or its error")
    func cases() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Data/truth.json")
        let text = try String(contentsOf: url, encoding: .utf8)
        guard case .object(let file) = try QueryValue(json: text, extended: true),
            case .object(let row)? = file["object"],
            case .list(let cases)? = file["cases"]
        else {
            Issue.record("truth.json has no object and cases")
            return
        }
        #expect(cases.count >= 128)
        for case .object(let entry) in cases {
            guard case .string(let format)? = entry["format"] else { continue }
            let truth: QueryValue
            do {
                truth = .bool(try Query(parsing: format, arguments: []).matches(row))
            } catch {
                truth = "error"
            }
            #expect(truth == entry["result"], "\(entry["id"].map(\.json) ?? "") \(format)")
            let text = JSONWriter().text(.object(row))
            for rows in [JSONRows(text + "\n", extended: true), JSONRows("[" + text + "]", extended: true)] {
                let truth: QueryValue
                do {
                    truth = .bool(try Query(parsing: format, arguments: []).count(in: rows) == 1)
                } catch {
                    truth = "error"
                }
                #expect(truth == entry["result"], "\(entry["id"].map(\.json) ?? "") \(format) in JSON")
            }
        }
    }
}
