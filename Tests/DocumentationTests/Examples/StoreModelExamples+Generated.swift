// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import StoreModel

enum StoreModelExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("AccessControl.swift: struct AccessControl", AccessControl_1))
        all.append(Example("AccessControl.swift: init", AccessControl_2))
        all.append(Example("AccessControl.swift: init", AccessControl_3))
        all.append(Example("AccessControl.swift: enum CollectionRights", AccessControl_4))
        all.append(Example("EntityID.swift: enum EntityID", EntityID_1))
        all.append(Example("EntityID.swift: func isValid", EntityID_2))
        all.append(Example("EntityID.swift: func isCollection", EntityID_3))
        all.append(Example("EntityID.swift: func make", EntityID_4))
        all.append(Example("EntityID.swift: func text", EntityID_5))
        all.append(Example("Metadata.swift: struct Metadata", Metadata_1))
        all.append(Example("RequestKey.swift: struct RequestKey", RequestKey_1))
        all.append(Example("RequestKey.swift: init", RequestKey_2))
        all.append(Example("RequestKey.swift: init", RequestKey_3))
        all.append(Example("ServiceFault.swift: struct ServiceFault", ServiceFault_1))
        all.append(Example("ServiceFault.swift: struct Name", ServiceFault_2))
        all.append(Example("ServiceFault.swift: init", ServiceFault_3))
        all.append(Example("ServiceFault.swift: let known", ServiceFault_4))
        all.append(Example("ServiceLimits.swift: struct ServiceLimits", ServiceLimits_1))
        all.append(Example("Tick.swift: struct Tick", Tick_1))
        all.append(Example("Tick.swift: init", Tick_2))
        all.append(Example("Tick.swift: func next", Tick_3))
        all.append(Example("WireRequest.swift: struct WireRequest", WireRequest_1))
        all.append(Example("WireRequest.swift: init", WireRequest_2))
        all.append(Example("WireRequest.swift: struct WireResponse", WireRequest_3))
        all.append(Example("WireRequest.swift: init", WireRequest_4))
        all.append(Example("WireRequest.swift: struct HeaderFields", WireRequest_5))
        all.append(Example("WireRequest.swift: init", WireRequest_6))
        all.append(Example("WireRequest.swift: subscript", WireRequest_7))
        all.append(Example("WireRequest.swift: func append", WireRequest_8))
        return (all, leftOut)
    }

    static func AccessControl_1() throws {
        do {
            var access = AccessControl(creator: "ann")
            access.readers = ["bob"]
            expectShown(QueryValue.object(access.document).json, "{\"creator\":\"ann\",\"r\":[\"bob\"]}")
            _ = (access)
        }
    }

    static func AccessControl_2() throws {
        do {
            expectShown(AccessControl(creator: "ann").writers, "[]")
        }
    }

    static func AccessControl_3() throws {
        do {
            expectShown(AccessControl(["creator": "ann", "gr": true])?.isReadable, "true")
            expectShown(AccessControl(["r": "bob"]) == nil, "true")
        }
    }

    static func AccessControl_4() throws {
        do {
            expectShown(CollectionRights(rawValue: "shared"), "shared")
        }
    }

    static func EntityID_1() throws {
        do {
            expectShown(EntityID.isValid("book-1"), "true")
            expectShown(EntityID.isValid("_find"), "false")
        }
    }

    static func EntityID_2() throws {
        do {
            expectShown(EntityID.isValid(""), "false")
        }
    }

    static func EntityID_3() throws {
        do {
            expectShown(EntityID.isCollection("Book"), "true")
            expectShown(EntityID.isCollection("a/b"), "false")
        }
    }

    static func EntityID_4() throws {
        do {
            expectShown(EntityID.make(at: 1_594_916_197_597, random: 0, 0), "01edc6kn6x0000000000000000")
        }
    }

    static func EntityID_5() throws {
        do {
            expectShown(EntityID.text(of: 0, 31), "0000000000000000000000000z")
        }
    }

    static func Metadata_1() throws {
        do {
            try expectShown((["ect": "2020-07-16T16:16:37.597Z"] as Document).decode(Metadata.self).created?.timeIntervalSince1970, "1594916197.597")
        }
    }

    static func RequestKey_1() throws {
        do {
            let key = RequestKey("dGhlIGNsaWVudCBvZiBtaW5l:7:a1b2c3")
            expectShown(key == nil, "true")
            expectShown(RequestKey("AAAAAAAAAAAAAAAAAAAAAA:7:a1b2c3")?.number, "7")
            _ = (key)
        }
    }

    static func RequestKey_2() throws {
        do {
            expectShown(RequestKey(client: "AAAAAAAAAAAAAAAAAAAAAA", number: 1, nonce: "").text, "AAAAAAAAAAAAAAAAAAAAAA:1:")
        }
    }

    static func RequestKey_3() throws {
        do {
            expectShown(RequestKey("client:1") == nil, "true")
        }
    }

    static func ServiceFault_1() throws {
        do {
            let fault = ServiceFault(.entityNotFound, debug: "Book/1")
            expectShown(fault.status, "404")
            expectShown(QueryValue.object(fault.document).json, "{\"error\":\"EntityNotFound\",\"description\":…,\"debug\":\"Book/1\"}")
            _ = (fault)
        }
    }

    static func ServiceFault_2() throws {
        do {
            expectShown(ServiceFault.Name.staleRequest.rawValue, "StaleRequest")
        }
    }

    static func ServiceFault_3() throws {
        do {
            expectShown(ServiceFault(.missingQuery).description, "The request needs a query")
        }
    }

    static func ServiceFault_4() throws {
        do {
            expectShown(ServiceFault.known[.staleRequest]?.status, "409")
        }
    }

    static func ServiceLimits_1() throws {
        do {
            var limits = ServiceLimits()
            expectShown(limits.entitiesPerAnswer, "10000")
            limits.requestsPerSecond = nil
            _ = (limits)
        }
    }

    static func Tick_1() throws {
        do {
            expectShown(Tick(rawValue: 1_594_916_197_597).text, "2020-07-16T16:16:37.597Z")
            expectShown(Tick("2020-07-16T16:16:37.597Z")?.rawValue, "1594916197597")
        }
    }

    static func Tick_2() throws {
        do {
            expectShown(Tick("2020-07-16T16:16:37Z")?.rawValue, "1594916197000")
            expectShown(Tick("yesterday") == nil, "true")
        }
    }

    static func Tick_3() throws {
        do {
            expectShown(Tick(rawValue: 5).next(at: 3).rawValue, "6")
            expectShown(Tick(rawValue: 5).next(at: 9).rawValue, "9")
        }
    }

    static func WireRequest_1() throws {
        do {
            let request = WireRequest("GET", "/appdata/kid/Book", query: "limit=20", headers: [("Accept", "*/*")])
            expectShown(request.headers["accept"], "*/*")
            _ = (request)
        }
    }

    static func WireRequest_2() throws {
        do {
            expectShown(WireRequest("GET", "/healthz").body.isEmpty, "true")
        }
    }

    static func WireRequest_3() throws {
        do {
            expectShown(WireResponse(status: 204).body.isEmpty, "true")
        }
    }

    static func WireRequest_4() throws {
        do {
            expectShown(WireResponse(status: 200, body: Array("{}".utf8)).body.count, "2")
        }
    }

    static func WireRequest_5() throws {
        do {
            let headers: HeaderFields = [("ETag", "\"1\"")]
            expectShown(headers["etag"], "\"1\"")
            expectShown(headers["X-Other"] == nil, "true")
            _ = (headers)
        }
    }

    static func WireRequest_6() throws {
        do {
            expectShown(HeaderFields([("A", "1")])["a"], "1")
        }
    }

    static func WireRequest_7() throws {
        do {
            var headers = HeaderFields()
            headers["Location"] = "/a"
            expectShown(headers["location"], "/a")
            _ = (headers)
        }
    }

    static func WireRequest_8() throws {
        do {
            var headers: HeaderFields = [("Vary", "Origin")]
            headers.append("Vary", "Accept-Encoding")
            expectShown(headers.fields.count, "2")
            _ = (headers)
        }
    }
}
