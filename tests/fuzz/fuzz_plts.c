/*
 * fuzz_plts - libFuzzer over the .plts readers.  The first byte says how to read, and whether
 * the checksums are made right first; the rest is the file.
 */
#include "tests/reader_check.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes == 0) return 0;
    reader_way way = { .threads = data[0] & 1 ? 2 : 1,
                       .hiding = data[0] & 2,
                       .limit = 16 << 20 };
    char *file = malloc(bytes);
    if (file == NULL) abort();
    memcpy(file, data + 1, bytes - 1);
    if (data[0] & 4) reader_check_sign(file, bytes - 1);
    reader_check check = reader_check_open();
    const char *what = reader_check_plts(&check, file, bytes - 1, &way);
    if (what) fprintf(stderr, "fuzz_plts: %s\n", what);
    reader_check_close(&check);
    free(file);
    if (what) abort();
    return 0;
}
