/*
 * fuzz_aut - libFuzzer over the AUT reader.  The first byte says how to read, the rest is the
 * text; the naive reader must have the same opinion of it.
 */
#include "tests/reader_check.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes == 0) return 0;
    unsigned how = data[0];
    reader_way way = { .threads = how & 1 ? 2 : 1,
                       .block_bytes = how & 2 ? 4096 : 16 + (how >> 4),
                       .limit = 16 << 20,
                       .lenient = how & 4,
                       .hiding = how & 8 };
    reader_check check = reader_check_open();
    const char *what =
        reader_check_text(&check, PACKED_PLAIN, (const char *)data + 1, bytes - 1, &way);
    if (what) fprintf(stderr, "fuzz_aut: %s\n", what);
    reader_check_close(&check);
    if (what) abort();
    return 0;
}
