extension SwiftExamples {
    @MainActor static let all: [(place: String, run: () throws -> Void)] = []
}
