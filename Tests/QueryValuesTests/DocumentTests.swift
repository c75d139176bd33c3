import QueryValues
import Testing

@Suite struct DocumentTests {
    @Test func documentsAreTheirPairsInOrder() {
        let document: Document = ["a": 1, "b": 2]
        let others: [Document] = [
            ["a": 1], ["a": 1, "c": 2], ["b": 2, "a": 1], ["a": 1, "b": 3], ["a": 1, "b": 2, "c": 3],
        ]
        for other in others { #expect(document != other && other != document, "\(other)") }
    }
}
