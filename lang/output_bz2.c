#include "lang/codec.h"
#include "lang/output_encoder.h"

#include <bzlib.h>

enum { BLOCK_100K = 9 }; /* the largest block, as the bzip2 command uses */

typedef struct bz2 {
    bz_stream z;
    mem *m; /* borrowed */
} bz2;

static void *bz2_get(void *account, int items, int size)
{
    return codec_get(account, (size_t)items, (size_t)size);
}

static int bz2_open(void **out, mem *m, err *e)
{
    bz2 *b = mem_get(m, sizeof *b, e);
    if (b == NULL) return (int)e->code;
    b->m = m;
    b->z = (bz_stream){ .bzalloc = bz2_get, .bzfree = codec_put, .opaque = m };
    if (BZ2_bzCompressInit(&b->z, BLOCK_100K, 0, 0) == BZ_OK) {
        *out = b;
        return 0;
    }
    mem_put(m, b, sizeof *b);
    return err_set(e, ERR_LIMIT, "out of memory for compressing with bzip2");
}

static void bz2_close(void *self)
{
    bz2 *b = self;
    BZ2_bzCompressEnd(&b->z);
    mem_put(b->m, b, sizeof *b);
}

static int bz2_encode(void *self, output_step *io, err *e)
{
    bz_stream *z = &((bz2 *)self)->z;
    unsigned in = codec_clamp(io->in_bytes), out = codec_clamp(io->out_bytes);
    z->next_in = (char *)(uintptr_t)io->in; /* the library does not write there */
    z->avail_in = in;
    z->next_out = io->out;
    z->avail_out = out;
    int rc = BZ2_bzCompress(z, io->finish ? BZ_FINISH : BZ_RUN);
    io->in += in - z->avail_in;
    io->in_bytes -= in - z->avail_in;
    io->out += out - z->avail_out;
    io->out_bytes -= out - z->avail_out;
    io->over = rc == BZ_STREAM_END;
    if (rc == BZ_RUN_OK || rc == BZ_FINISH_OK || rc == BZ_STREAM_END) return 0;
    return err_set(e, ERR_SYSTEM, "bzip2 compression failed with code %d", rc);
}

const output_encoder output_bz2 = {
    .suffix = ".bz2",
    .open = bz2_open,
    .encode = bz2_encode,
    .close = bz2_close,
};
