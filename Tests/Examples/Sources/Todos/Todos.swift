import PredicateQLService

/// Reads commands such as `phone> add Buy milk`, a line each, and prints them with their answers.
///
/// A transcript is its own input: indented lines are answers, and are made anew.
@main struct Todos {
    static func main() async throws {
        var configuration = ServiceConfiguration(apps: [.init(key: "todos", secret: "secret", master: "master")])
        configuration.rights = .public
        configuration.deltas = .all
        let service = try Service(path: ":memory:", configuration, .insecure)
        let devices = [
            "phone": try Device(Network(service)),
            "laptop": try Device(Network(service)),
        ]
        while let line = readLine() {
            guard !line.hasPrefix("  ") else { continue }
            print(line)
            let parts = line.split(separator: "> ", maxSplits: 1)
            guard parts.count == 2, let device = devices[String(parts[0])] else { continue }
            let words = parts[1].split(separator: " ", maxSplits: 1).map(String.init)
            for answer in await answers(of: device, words[0], words.count == 2 ? words[1] : "") { print("  \(answer)") }
        }
    }

    private static func answers(of device: Device, _ command: String, _ words: String) async -> [String] {
        do {
            return try await device.run(command, words)
        } catch {
            return "\(error)".split(separator: "\n").map(String.init)
        }
    }
}
