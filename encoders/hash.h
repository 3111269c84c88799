/*
 * hash.h - the hash functions behind the interning tables of strtab.c and profile.c.
 *
 * Fast and well mixed; not keyed, so the order of slots must never reach an output.
 */
#ifndef RP_HASH_H
#define RP_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Folds two words into one, every bit of the input reaching the low bits of the result. */
static inline uint64_t rp_hash_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;

    h = (h ^ (h >> 32) ^ b) * 0xa0761d6478bd642fu;
    return h ^ (h >> 29);
}

/* Hash of len bytes, eight at a time. */
static inline uint64_t rp_hash_bytes(const void *data, size_t len)
{
    const char *s = data;
    uint64_t hash = len;

    for (; len >= sizeof(uint64_t); s += sizeof(uint64_t), len -= sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, s, sizeof(word));
        hash = rp_hash_mix(hash, word);
    }
    if (len > 0) {
        uint64_t word = 0;
        memcpy(&word, s, len);
        hash = rp_hash_mix(hash, word);
    }
    return hash ^ (hash >> 32);
}

#endif
