#include "lang/codec.h"
#include "lang/output_encoder.h"

#define ZLIB_CONST /* next_in is read only */
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 9 };

typedef struct gz {
    z_stream z;
    mem *m; /* borrowed */
} gz;

static void *gz_get(void *account, unsigned items, unsigned size)
{
    return codec_get(account, items, size);
}

static int gz_open(void **out, mem *m, err *e)
{
    gz *g = mem_get(m, sizeof *g, e);
    if (g == NULL) return (int)e->code;
    g->m = m;
    g->z = (z_stream){ .zalloc = gz_get, .zfree = codec_put, .opaque = m };
    if (deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) == Z_OK) {
        *out = g;
        return 0;
    }
    mem_put(m, g, sizeof *g);
    return err_set(e, ERR_LIMIT, "out of memory for compressing with gzip");
}

static void gz_close(void *self)
{
    gz *g = self;
    deflateEnd(&g->z);
    mem_put(g->m, g, sizeof *g);
}

static int gz_encode(void *self, output_step *io, err *e)
{
    z_stream *z = &((gz *)self)->z;
    unsigned in = codec_clamp(io->in_bytes), out = codec_clamp(io->out_bytes);
    z->next_in = (const Bytef *)io->in;
    z->avail_in = in;
    z->next_out = (Bytef *)io->out;
    z->avail_out = out;
    int rc = deflate(z, io->finish ? Z_FINISH : Z_NO_FLUSH);
    io->in += in - z->avail_in;
    io->in_bytes -= in - z->avail_in;
    io->out += out - z->avail_out;
    io->out_bytes -= out - z->avail_out;
    io->over = rc == Z_STREAM_END;
    if (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR) return 0;
    return err_set(e, ERR_SYSTEM, "gzip compression failed with zlib code %d", rc);
}

const output_encoder output_gz = {
    .suffix = ".gz",
    .open = gz_open,
    .encode = gz_encode,
    .close = gz_close,
};
