#ifndef PREDICATEQL_CALLOCATIONS_H
#define PREDICATEQL_CALLOCATIONS_H

#include <stdint.h>

/// The heap blocks that this thread has asked for so far; 0 where the C library is not glibc.
uint64_t thread_allocations(void);

#endif
