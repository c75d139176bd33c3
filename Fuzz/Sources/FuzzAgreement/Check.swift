func check(_ bytes: [UInt8]) {}
