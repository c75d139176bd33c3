#ifndef PREDICATEQL_CFUZZER_H
#define PREDICATEQL_CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own main loop; SwiftPM gives an executable's main another name, so Swift's main calls this.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

#endif
