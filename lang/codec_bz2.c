#include "lang/codec.h"

#include <bzlib.h>
#include <string.h>

enum { BLOCK_100K = 9 }; /* the largest block, as the bzip2 command uses */

typedef struct bz2 {
    bz_stream z;
    mem *m; /* borrowed */
} bz2;

static void *bz2_get(void *account, int items, int size)
{
    return codec_get(account, (size_t)items, (size_t)size);
}

static int begin_decoding(bz_stream *z) { return BZ2_bzDecompressInit(z, 0, 0); }

static int begin_encoding(bz_stream *z)
{
    return BZ2_bzCompressInit(z, BLOCK_100K, 0, 0);
}

static int bz2_begin(bz2 *b, int (*begin)(bz_stream *), const char *what, err *e)
{
    b->z = (bz_stream){ .bzalloc = bz2_get, .bzfree = codec_put, .opaque = b->m };
    if (begin(&b->z) == BZ_OK) return 0;
    return err_set(e, ERR_LIMIT, "out of memory for %s bzip2", what);
}

static int bz2_open(void **out, mem *m, int (*begin)(bz_stream *), const char *what,
                    err *e)
{
    bz2 *b = mem_get(m, sizeof *b, e);
    if (b == NULL) return (int)e->code;
    b->m = m;
    if (bz2_begin(b, begin, what, e) == 0) *out = b;
    else mem_put(m, b, sizeof *b);
    return (int)e->code;
}

static void bz2_close(bz2 *b, int (*end)(bz_stream *))
{
    end(&b->z); /* harmless on one that failed to begin */
    mem_put(b->m, b, sizeof *b);
}

static int call_compress(bz_stream *z, bool finish)
{
    return BZ2_bzCompress(z, finish ? BZ_FINISH : BZ_RUN);
}

static int call_decompress(bz_stream *z, bool finish)
{
    (void)finish;
    return BZ2_bzDecompress(z);
}

/* One call of the library; returns its code. */
static int bz2_pass(bz_stream *z, codec_step *io, int (*call)(bz_stream *, bool))
{
    unsigned in = codec_clamp(io->in_bytes), out = codec_clamp(io->out_bytes);
    z->next_in = (char *)(uintptr_t)io->in; /* the library does not write there */
    z->avail_in = in;
    z->next_out = io->out;
    z->avail_out = out;
    int rc = call(z, io->finish);
    codec_move(io, in - z->avail_in, out - z->avail_out);
    io->over = rc == BZ_STREAM_END;
    return rc;
}

/* ---- decoding ----------------------------------------------------------------------- */

static bool bz2_starts(const unsigned char *in, size_t bytes)
{
    return bytes >= 4 && memcmp(in, "BZh", 3) == 0 && in[3] >= '1' && in[3] <= '9';
}

static int bz2_open_decoder(void **out, mem *m, err *e)
{
    return bz2_open(out, m, begin_decoding, "decompressing", e);
}

static void bz2_close_decoder(void *self) { bz2_close(self, BZ2_bzDecompressEnd); }

/* bzip2 has no reset: every stream gets a new decoder. */
static int bz2_restart(void *self, err *e)
{
    BZ2_bzDecompressEnd(&((bz2 *)self)->z);
    return bz2_begin(self, begin_decoding, "decompressing", e);
}

static int bz2_decode(void *self, codec_step *io, err *e)
{
    int rc = bz2_pass(&((bz2 *)self)->z, io, call_decompress);
    if (rc == BZ_OK || rc == BZ_STREAM_END) return 0;
    if (rc == BZ_MEM_ERROR)
        return err_set(e, ERR_LIMIT, "out of memory for decompressing bzip2");
    return err_set(e, ERR_INPUT, "the bzip2 data are damaged");
}

/* ---- encoding ----------------------------------------------------------------------- */

static int bz2_open_encoder(void **out, mem *m, err *e)
{
    return bz2_open(out, m, begin_encoding, "compressing with", e);
}

static void bz2_close_encoder(void *self) { bz2_close(self, BZ2_bzCompressEnd); }

static int bz2_encode(void *self, codec_step *io, err *e)
{
    int rc = bz2_pass(&((bz2 *)self)->z, io, call_compress);
    if (rc == BZ_RUN_OK || rc == BZ_FINISH_OK || rc == BZ_STREAM_END) return 0;
    return err_set(e, ERR_SYSTEM, "bzip2 compression failed with code %d", rc);
}

const codec codec_bz2 = {
    .name = "bzip2",
    .suffix = ".bz2",
    .starts = bz2_starts,
    .open_decoder = bz2_open_decoder,
    .restart = bz2_restart,
    .decode = bz2_decode,
    .close_decoder = bz2_close_decoder,
    .open_encoder = bz2_open_encoder,
    .encode = bz2_encode,
    .close_encoder = bz2_close_encoder,
};
