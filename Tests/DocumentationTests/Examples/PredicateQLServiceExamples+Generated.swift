// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import PredicateQLService
import StoreModel
import StoreSupport

enum PredicateQLServiceExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("Environment+Insecure.swift: let insecure", Environment_Insecure_1))
        all.append(Example("Environment.swift: struct ServiceEnvironment", Environment_1))
        all.append(Example("Environment.swift: struct ServiceConfiguration", Environment_2))
        all.append(Example("Environment.swift: struct App", Environment_3))
        all.append(Example("Environment.swift: enum Deltas", Environment_4))
        all.append(Example("RequestTrace.swift: struct RequestTrace", RequestTrace_1))
        all.append(Example("Service+Upkeep.swift: func tidy", Service_Upkeep_1))
        all.append(Example("Service.swift: class Service", Service_1))
        all.append(Example("Service.swift: enum Durability", Service_2))
        all.append(Example("Service.swift: func answer", Service_3))
        all.append(Example("Service.swift: func tracedAnswer", Service_4))
        all.append(Example("Service.swift: func refuse", Service_5))
        all.append(Example("Apps.swift: func hasApps", Apps_1))
        all.append(Example("Backup.swift: func backUp", Backup_1))
        all.append(Example("Backup.swift: func restore", Backup_2))
        return (all, leftOut)
    }

    static func Environment_Insecure_1() async throws {
        let service = try ServiceHarness().service; _ = service
        do {
            let configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
            let service = try Service(path: ":memory:", configuration, .insecure)
            expectShown(await service.answer(WireRequest("GET", "/healthz")).status, "200")
            _ = (configuration, service)
        }
    }

    static func Environment_1() throws {
        let environment = ServiceHarness.environment(); _ = environment
        do {
            expectShown(environment.digest(Array("secret".utf8)).count, "32")
        }
    }

    static func Environment_2() throws {
        do {
            var configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
            configuration.deltas = .all
            _ = (configuration)
        }
    }

    static func Environment_3() throws {
        do {
            expectShown(ServiceConfiguration.App(key: "kid", secret: "s", master: "m").key, "kid")
        }
    }

    static func Environment_4() throws {
        do {
            expectShown(ServiceConfiguration.Deltas.named(["Book"]) == .all, "false")
        }
    }

    static func RequestTrace_1() throws {
        do {
            expectShown(RequestTrace().route == nil, "true")
        }
    }

    static func Service_Upkeep_1() async throws {
        let service = try ServiceHarness().service; _ = service
        do {
            expectShown(await service.tidy(), "false")
        }
    }

    static func Service_1() async throws {
        let environment = ServiceHarness.environment(); _ = environment
        let service = try ServiceHarness().service; _ = service
        do {
            let configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
            let service = try Service(path: ":memory:", configuration, environment)
            expectShown(await service.answer(WireRequest("GET", "/healthz")).status, "200")
            _ = (configuration, service)
        }
    }

    static func Service_2() throws {
        do {
            expectShown(Service.Durability(rawValue: "normal"), "normal")
        }
    }

    static func Service_3() async throws {
        let service = try ServiceHarness().service; _ = service
        do {
            let answer = await service.answer(WireRequest("GET", "/appdata/kid/Book"))
            expectShown(answer.status, "401")
            _ = (answer)
        }
    }

    static func Service_4() async throws {
        let service = try ServiceHarness().service; _ = service
        do {
            let answer = await service.tracedAnswer(WireRequest("GET", "/healthz"))
            expectShown(answer.trace.route, "health")
            _ = (answer)
        }
    }

    static func Service_5() throws {
        let service = try ServiceHarness().service; _ = service
        do {
            expectShown(service.refuse(WireRequest("POST", "/"), ServiceFault(.entityTooLarge)).response.status, "413")
        }
    }

    static func Apps_1() throws {
        do {
            expectShown(Service.hasApps(path: "/no/such/file.sqlite"), "false")
        }
    }

    static func Backup_1() throws {
        do {
            expectThrown("store") { try Service.backUp(path: "/no/such/file.sqlite", to: "/no/such/copy.sqlite") }
        }
    }

    static func Backup_2() throws {
        let environment = ServiceHarness.environment(); _ = environment
        do {
            expectThrown("store") { try Service.restore("/no/such/copy.sqlite", to: "/no/such/file.sqlite", environment) }
        }
    }
}
