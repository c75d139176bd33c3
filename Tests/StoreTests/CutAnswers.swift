/// Answers as networks, gateways and captive portals leave them: cut anywhere, or no HTTP at all.
enum CutAnswers {
    /// What must come of one whose connection is closed after it.
    enum Outcome: Hashable, Sendable {
        /// A fault, with this reason if one is given.
        case fault(String?)
        /// An answer of this status.
        case status(Int)
        /// Either of them: versions of libcurl differ.
        case either
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let typed = ok + "Content-Type: application/json"
    private static let inside = Outcome.fault("the response ended inside its head")

    /// The answers.
    static let all: [(bytes: [UInt8], outcome: Outcome)] =
        texts.map { (Array($0.utf8), $1) } + [
            (Array((ok + "A: ").utf8) + [0xFF, 0xFE] + Array("\r\nContent-Length: 2\r\n\r\n[]".utf8), .either)
        ]

    private static let texts: [(String, Outcome)] = cut + bodies + odd

    private static let cut: [(String, Outcome)] = [
        ("", .fault(nil)), ("H", .fault(nil)), ("HTTP", .fault(nil)), ("HTTP/1.1", .fault(nil)),
        ("HTTP/1.1 ", .fault(nil)), ("HTTP/1.1 200", .fault(nil)), ("HTTP/1.1 200 OK", .fault(nil)),
        ("HTTP/1.1 200 OK\r", .fault(nil)), (ok, inside), (ok + "Content-Type", inside), (typed, inside),
        (typed + "\r\n", inside), (typed + "\r\nContent-Length: 2", inside),
        (typed + "\r\nContent-Length: 2\r\n", .fault(nil)), (typed + "\r\nContent-Length: 2\r\n\r", .fault(nil)),
        ("HTTP/1.1 302 Found\r\nLocation: /", inside), ("HTTP/1.1 100 Continue\r\n\r\n", .fault(nil)),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200", .fault(nil)),
    ]

    private static let bodies: [(String, Outcome)] = [
        (ok + "Content-Length: 2\r\n\r\n", .fault(nil)), (ok + "Content-Length: 2\r\n\r\n[", .fault(nil)),
        (ok + "Content-Length: 2\r\n\r\n[]", .status(200)), (ok + "\r\n[]", .status(200)),
        ("HTTP/1.1 204 No Content\r\n\r\n", .status(204)), ("HTTP/1.0 200 OK\r\n\r\n[]", .status(200)),
        (ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nab", .fault(nil)),
        (ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", .fault(nil)),
        (ok + "Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nHTTP/1.1 500 No: 1\r\n\r\n", .either),
        (ok + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n[]", .fault(nil)),
        (ok + "Content-Length: -1\r\n\r\n[]", .either),
        (ok + "Content-Length: 99999999999999999999\r\n\r\n[]", .either),
        (ok + "Content-Length: 2\r\n\r\n[]HTTP/1.1 500", .status(200)),
    ]

    private static let odd: [(String, Outcome)] = [
        ("garbage\r\n\r\n", .fault(nil)), ("<html>", .fault(nil)), ("HTTP/1.1 abc\r\n\r\n", .fault(nil)),
        (ok + "broken line\r\n\r\n[]", .either), (ok + ": x\r\n\r\n[]", .either), ("\r\n\r\n", .fault(nil)),
        ("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", .status(302)),
        ("HTTP/1.1 302 Found\r\nLocation: \r\nContent-Length: 0\r\n\r\n", .either),
        ("HTTP/1.1 302 Found\r\nLocation: http://[::bad\r\nContent-Length: 0\r\n\r\n", .either),
        ("HTTP/1.1 302 Found\r\nLocation: ftp://x/\r\nContent-Length: 0\r\n\r\n", .status(302)),
        ("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n", .status(401)),
        ("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n", .status(401)),
        ("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n", .status(407)),
        ("HTTP/1.1 200 OK\nContent-Length: 2\n\n[]", .status(200)), ("HTTP/2 200\r\n\r\n[]", .either),
        ("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n[]", .status(200)),
        ("HTTP/1.1 999 X\r\nContent-Length: 2\r\n\r\n[]", .either),
        (ok + "Set-Cookie: a\r\nContent-Length: 2\r\n\r\n[]", .status(200)),
        (ok + "A: 1\r\n folded: x\r\nContent-Length: 2\r\n\r\n[]", .status(200)),
    ]
}
