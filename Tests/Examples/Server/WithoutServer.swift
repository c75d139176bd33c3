#if !Server
    /// Hummingbird comes with the trait Server; without it there is nothing to build here.
    @main struct WithoutServer {
        static func main() { print("build it with: swift build --product CitiesServer --traits default,Server") }
    }
#endif
