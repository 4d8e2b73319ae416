#include "core/hash.h"
#include "core/ids.h"

#include <CUnit/CUnit.h>
#include <string.h>

/* Files written today must be readable for ever: the published values of XXH64, seed 0. */
static void file_checksums_are_xxh64(void)
{
    static const struct {
        const char *text;
        uint64_t sum;
    } rows[] = {
        { "", 0xef46db3751d8e999u },
        { "a", 0xd24ec4f1a98c6e5bu },
        { "abc", 0x44bc2cf5ad770999u },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        CU_ASSERT_EQUAL(hash_file(rows[i].text, strlen(rows[i].text)), rows[i].sum);
}

static void every_changed_byte_changes_both_hashes(void)
{
    unsigned char data[300] = { 0 };
    for (size_t bytes = 1; bytes <= sizeof data; bytes++) {
        uint64_t table = hash_bytes(data, bytes), file = hash_file(data, bytes);
        for (size_t i = 0; i < bytes; i++) {
            data[i] ^= 0x40;
            CU_ASSERT_NOT_EQUAL(hash_bytes(data, bytes), table);
            CU_ASSERT_NOT_EQUAL(hash_file(data, bytes), file);
            data[i] ^= 0x40;
        }
        CU_ASSERT_EQUAL(hash_bytes(data, bytes), table);
    }
}

static void the_length_is_part_of_the_hash(void)
{
    static const char zeros[100] = { 0 };
    for (size_t bytes = 1; bytes < sizeof zeros; bytes++) {
        CU_ASSERT_NOT_EQUAL(hash_bytes(zeros, bytes), hash_bytes(zeros, bytes - 1));
        CU_ASSERT_NOT_EQUAL(hash_file(zeros, bytes), hash_file(zeros, bytes - 1));
    }
}

/* The way back, step by step: that it exists is what bijective means. */
static uint64_t unmix(uint64_t x)
{
    uint64_t odd = 0xd6e8feb86659fd93u, inverse = odd;
    for (int i = 0; i < 6; i++) inverse *= 2 - odd * inverse; /* Newton: 3 bits to 64 */
    x ^= x >> 32;
    x *= inverse;
    x ^= x >> 32;
    x *= inverse;
    return x ^ (x >> 32);
}

static void the_mix_of_a_word_can_be_undone(void)
{
    for (uint64_t i = 0; i < 100000; i++) {
        CU_ASSERT_EQUAL(unmix(hash_word(i)), i);
        CU_ASSERT_EQUAL(unmix(hash_word(i << 32 | ~i)), (i << 32 | ~i));
    }
}

/* Flipping any input bit flips each output bit in 35 to 65 of 100 words. */
static void the_mix_carries_every_bit_to_every_bit(void)
{
    enum { WORDS = 1000 };
    int weak = 0;
    for (unsigned in = 0; in < 64; in++) {
        int flipped[64] = { 0 };
        for (uint64_t x = 1; x <= WORDS; x++) {
            uint64_t difference = hash_word(x) ^ hash_word(x ^ (uint64_t)1 << in);
            for (unsigned out = 0; out < 64; out++)
                flipped[out] += (int)(difference >> out & 1);
        }
        for (unsigned out = 0; out < 64; out++)
            weak += flipped[out] < WORDS * 35 / 100 || flipped[out] > WORDS * 65 / 100;
    }
    CU_ASSERT_EQUAL(weak, 0);
}

CU_TestInfo test_hash[] = {
    { "file checksums are XXH64", file_checksums_are_xxh64 },
    { "every changed byte changes both hashes", every_changed_byte_changes_both_hashes },
    { "the length is part of the hash", the_length_is_part_of_the_hash },
    { "the mix of a word can be undone", the_mix_of_a_word_can_be_undone },
    { "the mix carries every bit to every bit", the_mix_carries_every_bit_to_every_bit },
    CU_TEST_INFO_NULL
};
