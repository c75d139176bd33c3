#define _GNU_SOURCE
#include "CAllocations.h"
#include <stddef.h>
#include <errno.h>

static __thread uint64_t count;

uint64_t thread_allocations(void) { return count; }

#if defined(__GLIBC__)
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) { count++; return __libc_malloc(size); }
void *calloc(size_t n, size_t size) { count++; return __libc_calloc(n, size); }
void *realloc(void *block, size_t size) { count++; return __libc_realloc(block, size); }
void free(void *block) { __libc_free(block); }
int posix_memalign(void **block, size_t alignment, size_t size) {
    count++;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
#endif
