#include "lang/codec.h"
#include "lang/source_decoder.h"

#include <bzlib.h>
#include <string.h>

typedef struct bz2 {
    bz_stream z;
    mem *m; /* borrowed */
} bz2;

static void *bz2_get(void *account, int items, int size)
{
    return codec_get(account, (size_t)items, (size_t)size);
}

static bool bz2_starts(const unsigned char *in, size_t bytes)
{
    return bytes >= 4 && memcmp(in, "BZh", 3) == 0 && in[3] >= '1' && in[3] <= '9';
}

/* bzip2 has no reset: every stream gets a new decoder. */
static int begin(bz2 *b, err *e)
{
    b->z = (bz_stream){ .bzalloc = bz2_get, .bzfree = codec_put, .opaque = b->m };
    if (BZ2_bzDecompressInit(&b->z, 0, 0) == BZ_OK) return 0;
    return err_set(e, ERR_LIMIT, "out of memory for decompressing bzip2");
}

static int bz2_open(void **out, mem *m, err *e)
{
    bz2 *b = mem_get(m, sizeof *b, e);
    if (b == NULL) return (int)e->code;
    b->m = m;
    if (begin(b, e) == 0) *out = b;
    else mem_put(m, b, sizeof *b);
    return (int)e->code;
}

static int bz2_restart(void *self, err *e)
{
    BZ2_bzDecompressEnd(&((bz2 *)self)->z);
    return begin(self, e);
}

static void bz2_close(void *self)
{
    bz2 *b = self;
    BZ2_bzDecompressEnd(&b->z); /* harmless on one that failed to begin */
    mem_put(b->m, b, sizeof *b);
}

static int bz2_decode(void *self, source_step *io, err *e)
{
    bz_stream *z = &((bz2 *)self)->z;
    unsigned in = codec_clamp(io->in_bytes), out = codec_clamp(io->out_bytes);
    z->next_in = (char *)(uintptr_t)io->in; /* the library does not write there */
    z->avail_in = in;
    z->next_out = io->out;
    z->avail_out = out;
    int rc = BZ2_bzDecompress(z);
    io->in += in - z->avail_in;
    io->in_bytes -= in - z->avail_in;
    io->out += out - z->avail_out;
    io->out_bytes -= out - z->avail_out;
    io->member_over = rc == BZ_STREAM_END;
    if (rc == BZ_OK || rc == BZ_STREAM_END) return 0;
    if (rc == BZ_MEM_ERROR)
        return err_set(e, ERR_LIMIT, "out of memory for decompressing bzip2");
    return err_set(e, ERR_INPUT, "the bzip2 data are damaged");
}

const source_decoder source_bz2 = {
    .name = "bzip2",
    .starts = bz2_starts,
    .open = bz2_open,
    .restart = bz2_restart,
    .decode = bz2_decode,
    .close = bz2_close,
};
