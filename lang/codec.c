#include "lang/codec.h"

#include "core/suffix.h"

#include <limits.h>
#include <string.h>

enum { FRONT = 16 }; /* holds the size of a block; keeps the alignment of malloc */

const codec *const codecs[] = { &codec_gz, &codec_zst, &codec_bz2, NULL };

const codec *codec_of_name(const char *name, size_t *stem)
{
    size_t bytes = strlen(name);
    for (const codec *const *c = codecs; *c; c++) {
        size_t rest = suffix_stem(name, bytes, (*c)->suffix);
        if (rest == 0) continue;
        if (stem) *stem = rest;
        return *c;
    }
    if (stem) *stem = bytes;
    return NULL;
}

void *codec_get(void *account, size_t items, size_t size)
{
    err unused = ERR_INIT;
    size_t bytes = items * size + FRONT;
    char *block = mem_get((mem *)account, bytes, &unused);
    if (block == NULL) return NULL;
    *(size_t *)(void *)block = bytes;
    return block + FRONT;
}

void codec_put(void *account, void *address)
{
    if (address == NULL) return;
    char *block = (char *)address - FRONT;
    mem_put((mem *)account, block, *(size_t *)(void *)block);
}

unsigned codec_clamp(size_t bytes)
{
    return bytes < UINT_MAX ? (unsigned)bytes : UINT_MAX;
}

void codec_move(codec_step *io, size_t consumed, size_t produced)
{
    io->in += consumed;
    io->in_bytes -= consumed;
    io->out += produced;
    io->out_bytes -= produced;
}
