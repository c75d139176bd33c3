#if os(Linux)
    import CCurl
    import Foundation
    import FoundationNetworking

    /// libcurl, on which FoundationNetworking stands: where that is, this is.
    struct CurlLibrary: @unchecked Sendable {
        typealias Handle = UnsafeMutableRawPointer

        /// Options by their numbers in `curl.h`, which never change.
        enum Option: Int32 {
            case noBody = 44, httpVersion = 84, noSignal = 99, timeout = 155, protocols = 181, pathAsIs = 234
            case hidesProxyHeads = 265
            case bodyContext = 10_001, url = 10_002, headers = 10_023, headContext = 10_029, method = 10_036
            case encodings = 10_102, body = 10_165, protocolNames = 10_318
            case onBody = 20_011, onHead = 20_079
            case bodySize = 30_120
        }

        /// Options of a group of requests.
        enum GroupOption: Int32 { case keptConnections = 6, hostConnections = 7 }

        typealias Make = @convention(c) () -> Handle?
        typealias Free = @convention(c) (Handle?) -> Void
        typealias Join = @convention(c) (Handle, Handle) -> Int32
        typealias Perform = @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> Int32
        typealias Poll = @convention(c) (Handle, Handle?, UInt32, Int32, UnsafeMutablePointer<Int32>?) -> Int32
        typealias Wake = @convention(c) (Handle) -> Int32
        typealias Read = @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafePointer<pql_curl_message>?
        private typealias Append = @convention(c) (Handle?, UnsafePointer<CChar>) -> Handle?
        private typealias Reason = @convention(c) (Int32) -> UnsafePointer<CChar>?

        /// The library; nil where it is missing, or older than 7.68.
        static let shared = CurlLibrary()

        let make: Make
        let free: Free
        let makeGroup: Make
        let add: Join
        let remove: Join
        let perform: Perform
        let poll: Poll
        let wake: Wake
        let read: Read
        let freeList: Free
        private let append: Append
        private let reason: Reason
        private let setOption: Handle
        private let setGroupOption: Handle
        private let getInfo: Handle

        /// The library of a name; nil if there is none, or one that lacks a function.
        init?(_ name: String = "libcurl.so.4") {
            guard let library = dlopen(name, RTLD_NOW) else { return nil }
            func find<Function>(_ name: String, _ type: Function.Type) -> Function? {
                dlsym(library, name).map { unsafeBitCast($0, to: type) }
            }
            guard let start = find("curl_global_init", (@convention(c) (Int) -> Int32).self),
                let make = find("curl_easy_init", Make.self), let free = find("curl_easy_cleanup", Free.self),
                let makeGroup = find("curl_multi_init", Make.self),
                let add = find("curl_multi_add_handle", Join.self),
                let remove = find("curl_multi_remove_handle", Join.self),
                let perform = find("curl_multi_perform", Perform.self),
                let poll = find("curl_multi_poll", Poll.self), let wake = find("curl_multi_wakeup", Wake.self),
                let read = find("curl_multi_info_read", Read.self),
                let append = find("curl_slist_append", Append.self),
                let freeList = find("curl_slist_free_all", Free.self),
                let reason = find("curl_easy_strerror", Reason.self),
                let setOption = dlsym(library, "curl_easy_setopt"), let getInfo = dlsym(library, "curl_easy_getinfo"),
                let setGroupOption = dlsym(library, "curl_multi_setopt")
            else { return nil }
            // Before 7.84 two threads must not start the library at once, and Foundation's session starts it as well.
            _ = URLSession.shared
            // All that it has: TLS.
            guard start(3) == 0 else { return nil }
            (self.make, self.free, self.makeGroup, self.add, self.remove) = (make, free, makeGroup, add, remove)
            (self.perform, self.poll, self.wake, self.read) = (perform, poll, wake, read)
            (self.append, self.freeList, self.reason) = (append, freeList, reason)
            (self.setOption, self.setGroupOption, self.getInfo) = (setOption, setGroupOption, getInfo)
        }

        func set(_ handle: Handle, _ option: Option, _ value: Int) -> Bool {
            pql_curl_set_long(setOption, handle, option.rawValue, value) == 0
        }

        func set(_ handle: Handle, _ option: Option, _ value: UnsafeRawPointer?) -> Bool {
            pql_curl_set_pointer(setOption, handle, option.rawValue, value) == 0
        }

        func set(_ handle: Handle, _ option: Option, _ value: String) -> Bool {
            value.withCString { pql_curl_set_pointer(setOption, handle, option.rawValue, $0) == 0 }
        }

        func set(_ handle: Handle, _ option: Option, _ value: @escaping pql_curl_write) -> Bool {
            pql_curl_set_write(setOption, handle, option.rawValue, value) == 0
        }

        /// What is sent; the library copies it.
        func set(_ handle: Handle, body: [UInt8]) -> Bool {
            body.withUnsafeBytes { bytes in
                pql_curl_set_size(setOption, handle, Option.bodySize.rawValue, Int64(bytes.count)) == 0
                    && (bytes.isEmpty ? set(handle, .body, "") : set(handle, .body, bytes.baseAddress))
            }
        }

        func set(group: Handle, _ option: GroupOption, _ value: Int) -> Bool {
            pql_curl_set_long(setGroupOption, group, option.rawValue, value) == 0
        }

        /// A list of lines; nil if there is no memory for it.
        func list(_ lines: [String]) -> Handle? {
            var list: Handle?
            for line in lines {
                guard let longer = line.withCString({ append(list, $0) }) else {
                    freeList(list)
                    return nil
                }
                list = longer
            }
            return list
        }

        /// The target of a redirect; nil if there is none.
        func redirect(_ handle: Handle) -> String? {
            var text: UnsafePointer<CChar>?
            guard pql_curl_get_text(getInfo, handle, 1_048_607, &text) == 0 else { return nil }
            return text.map { String(cString: $0) }
        }

        /// What an error of the library means.
        func text(_ code: Int32) -> String {
            switch code {
            case 18: "the connection broke in the middle of the answer"
            case 52: "the connection was closed without an answer"
            default: reason(code).map { String(cString: $0) } ?? "libcurl's error \(code)"
            }
        }
    }
#endif
