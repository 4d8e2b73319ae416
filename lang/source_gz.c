#include "lang/codec.h"
#include "lang/source_decoder.h"

#define ZLIB_CONST /* next_in is read only */
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16 }; /* the largest window; a gzip header is required */

typedef struct gz {
    z_stream z;
    mem *m; /* borrowed */
} gz;

static void *gz_get(void *account, unsigned items, unsigned size)
{
    return codec_get(account, items, size);
}

static bool gz_starts(const unsigned char *in, size_t bytes)
{
    return bytes >= 2 && in[0] == 0x1f && in[1] == 0x8b;
}

static int gz_open(void **out, mem *m, err *e)
{
    gz *g = mem_get(m, sizeof *g, e);
    if (g == NULL) return (int)e->code;
    g->m = m;
    g->z = (z_stream){ .zalloc = gz_get, .zfree = codec_put, .opaque = m };
    if (inflateInit2(&g->z, GZIP_WINDOW) == Z_OK) {
        *out = g;
        return 0;
    }
    mem_put(m, g, sizeof *g);
    return err_set(e, ERR_LIMIT, "out of memory for decompressing gzip");
}

static void gz_close(void *self)
{
    gz *g = self;
    inflateEnd(&g->z);
    mem_put(g->m, g, sizeof *g);
}

static int gz_restart(void *self, err *e)
{
    (void)e;
    inflateReset(&((gz *)self)->z);
    return 0;
}

static int gz_decode(void *self, source_step *io, err *e)
{
    z_stream *z = &((gz *)self)->z;
    unsigned in = codec_clamp(io->in_bytes), out = codec_clamp(io->out_bytes);
    z->next_in = (const Bytef *)io->in;
    z->avail_in = in;
    z->next_out = (Bytef *)io->out;
    z->avail_out = out;
    int rc = inflate(z, Z_NO_FLUSH);
    io->in += in - z->avail_in;
    io->in_bytes -= in - z->avail_in;
    io->out += out - z->avail_out;
    io->out_bytes -= out - z->avail_out;
    io->member_over = rc == Z_STREAM_END;
    if (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR) return 0;
    if (rc == Z_MEM_ERROR)
        return err_set(e, ERR_LIMIT, "out of memory for decompressing gzip");
    return err_set(e, ERR_INPUT, "the gzip data are damaged (%s)",
                   z->msg ? z->msg : "a preset dictionary is needed");
}

const source_decoder source_gz = {
    .name = "gzip",
    .zero_padding = true, /* tapes and block devices leave it */
    .starts = gz_starts,
    .open = gz_open,
    .restart = gz_restart,
    .decode = gz_decode,
    .close = gz_close,
};
