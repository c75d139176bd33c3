import Foundation
import PredicateQL
import PredicateQLSQLite
import PredicateQLService
import PredicateQLStore
import QueryValues
import StoreModel
import StoreSupport
import Testing

/// The scenarios of `Tests/Spec/store`: devices, a service and faults between them, a step a line.
@Suite struct ScenarioTests {
    /// A block of a file.
    struct Block: Sendable, CustomTestStringConvertible {
        var file: String
        var title: String
        var lines: [(number: Int, text: String)]

        var testDescription: String { "\(file): \(title)" }
    }

    static let blocks: [Block] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Spec/store")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".spec") }.sorted().flatMap { name -> [Block] in
            let text = (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
            var blocks: [Block] = []
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if line.hasPrefix("scenario: ") {
                    blocks.append(Block(file: name, title: String(line.dropFirst(10)), lines: []))
                } else if !line.isEmpty, !line.hasPrefix("#") {
                    if blocks.isEmpty { blocks.append(Block(file: name, title: "line \(index + 1)", lines: [])) }
                    blocks[blocks.count - 1].lines.append((index + 1, String(line)))
                }
            }
            return blocks
        }
    }()

    @Test func thereAreScenarios() {
        #expect(Self.blocks.count >= 20)
        #expect(Self.blocks.allSatisfy { $0.lines.count > 1 })
    }

    @Test(arguments: blocks) func scenario(_ block: Block) async throws {
        let scenario = try Scenario()
        defer { scenario.end() }
        for line in block.lines {
            let parts = line.text.components(separatedBy: " → ")
            let told: String
            do {
                told = try await scenario.run(parts[0])
            } catch {
                told = Scenario.name(of: error)
            }
            let expected = parts.count > 1 ? parts[1] : "ok"
            #expect(
                told == expected || parts.count == 1 && !told.hasPrefix("error"),
                "\(block.file):\(line.number): \(line.text), but: \(told)"
            )
        }
    }
}

/// What a scenario acts on.
final class Scenario: @unchecked Sendable {
    /// A line that cannot be read.
    struct Unreadable: Error {}

    private let harness: ServiceHarness
    private let folder = NSTemporaryDirectory() + "predicateql-scenario-" + UUID().uuidString
    private var devices: [String: ScenarioDevice] = [:]
    private var names: [String: String] = [:]

    init() throws {
        harness = try ServiceHarness {
            $0.deltas = .all
            $0.rights = .public
            $0.rightsOfCollections = [Owned.collection: .private]
            $0.historyDays = 0
        }
    }

    func end() { try? FileManager.default.removeItem(atPath: folder) }

    /// What an error is called in a scenario.
    static func name(of error: any Error) -> String {
        guard let error = error as? StoreError else { return "error \(error)" }
        return switch error {
        case .unreachable: "error unreachable"
        case .timedOut: "error timedOut"
        case .cancelled: "error cancelled"
        case .notFound: "error notFound"
        case .pendingChanges(let count): "error \(count) wait"
        case .foreignAnswer: "error foreignAnswer"
        case .unauthorized: "error unauthorized"
        case .service(let fault): "error \(fault.name.rawValue)"
        default: "error \(error)"
        }
    }

    /// Runs a step; what it tells.
    func run(_ step: String) async throws -> String {
        let words = step.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 1 else { throw Unreadable() }
        let rest = words.count > 2 ? words[2] : ""
        switch words[0] {
        case "service": return try await serve(words[1], rest)
        case "time":
            harness.time.advance((Int64(words[1]) ?? 0) * 1_000)
            return "ok"
        case "all": return try await compareAll()
        default: return try await device(words[0]).act(words[1], rest)
        }
    }

    private func device(_ name: String) throws -> ScenarioDevice {
        if let device = devices[name] { return device }
        let device = try ScenarioDevice(self, harness, folder + "/" + name, seed: UInt64(devices.count + 5))
        devices[name] = device
        return device
    }

    /// An id of a scenario: `$name` stands for one that a device made.
    func id(_ text: String) -> String { names[text] ?? text }

    func bind(_ name: String, _ id: String) { names[name] = id }

    private func serve(_ verb: String, _ rest: String) async throws -> String {
        harness.time.advance(10)
        let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
        let id = id(words.first ?? "")
        switch verb {
        case "puts": return "\(await harness.send("PUT", "Book/\(id)", words.last).status)"
        case "removes": return "\(await harness.send("DELETE", "Book/\(id)").status)"
        case "has":
            let answer = await harness.send("GET", "Book/\(id)")
            guard answer.status == 200, case .object(let entity)? = answer.json else { return "nothing" }
            return try Scenario.fields(of: entity)
        case "counts":
            guard case .object(let body)? = await harness.send("GET", "Book/_count").json else { return "nothing" }
            return body["count"]?.json ?? "nothing"
        case "forgets":
            _ = await harness.service.tidy()
            return "ok"
        default: throw Unreadable()
        }
    }

    /// The fields of an entity without those that the service writes.
    static func fields(of entity: Document) throws -> String {
        var entity = entity
        for key in ["_id", "_acl", "_kmd"] { entity[key] = nil }
        let pairs = entity.pairs.sorted { $0.0 < $1.0 }
        return QueryValue.object(Document(pairs: pairs)).json
    }

    /// Whether all caches hold what the service holds.
    private func compareAll() async throws -> String {
        guard case .list(let entities)? = await harness.send("GET", "Book").json else { return "nothing" }
        var theirs: [String] = []
        for case .object(let entity) in entities { theirs.append(try Scenario.fields(of: entity)) }
        for (name, device) in devices.sorted(by: { $0.key < $1.key }) {
            let mine = try await device.rows()
            guard mine.sorted() == theirs.sorted() else { return "\(name) has \(mine), not \(theirs)" }
        }
        return "equal"
    }
}

/// Books that are their owners' alone.
struct Owned: Entity {
    static let collection = "Owned"
    var _id: String?
    var _acl: AccessControl?
    var _kmd: Metadata?
    var title: String?
}
