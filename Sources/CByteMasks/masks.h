#ifndef PREDICATEQL_CBYTEMASKS_MASKS_H
#define PREDICATEQL_CBYTEMASKS_MASKS_H

#include <stdint.h>

/* Tests of several bytes at once, one bit of the answer for each byte, the first byte's lowest. Swift compiles comparisons
   of its own vectors to loops. Each is a few instructions of any processor with vectors, and correct on any other. */

#if defined(__clang__) && __clang_major__ >= 15 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PQL_VECTORS 1
typedef int8_t pql_bytes16 __attribute__((vector_size(16)));
typedef _Bool pql_bits16 __attribute__((ext_vector_type(16)));

static inline pql_bytes16 pql_load16(const void *at) {
    pql_bytes16 bytes;
    __builtin_memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

static inline uint32_t pql_mask16(pql_bytes16 isMarked) {
    pql_bits16 bits = __builtin_convertvector(isMarked, pql_bits16);
    uint16_t mask;
    __builtin_memcpy(&mask, &bits, sizeof mask);
    return mask;
}
#endif

/* Of the 16 bytes at a position those where a string's plain characters end: quotes, backslashes, control characters and
   bytes of characters beyond ASCII. */
static inline uint32_t pql_string_stops16(const void *at) {
#ifdef PQL_VECTORS
    pql_bytes16 bytes = pql_load16(at);
    /* A byte from 0x80 on is negative. */
    return pql_mask16((bytes == 0x22) | (bytes == 0x5C) | (bytes < 0x20));
#else
    const uint8_t *bytes = (const uint8_t *)at;
    uint32_t mask = 0;
    for (int i = 0; i < 16; i++)
        mask |= (uint32_t)(bytes[i] == 0x22 || bytes[i] == 0x5C || bytes[i] < 0x20 || bytes[i] >= 0x80) << i;
    return mask;
#endif
}

/* Of the 16 bytes at a position those that are not digits. */
static inline uint32_t pql_not_digits16(const void *at) {
#ifdef PQL_VECTORS
    pql_bytes16 bytes = pql_load16(at);
    return pql_mask16((bytes < 0x30) | (bytes > 0x39));
#else
    const uint8_t *bytes = (const uint8_t *)at;
    uint32_t mask = 0;
    for (int i = 0; i < 16; i++) mask |= (uint32_t)(bytes[i] < 0x30 || bytes[i] > 0x39) << i;
    return mask;
#endif
}

#endif
