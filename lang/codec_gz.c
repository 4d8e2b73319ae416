#include "lang/codec.h"

#define ZLIB_CONST /* next_in is read only */
#include <zlib.h>

/* The largest window; a gzip header is required. */
enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 9 };

typedef struct gz {
    z_stream z;
    mem *m; /* borrowed */
} gz;

static void *gz_get(void *account, unsigned items, unsigned size)
{
    return codec_get(account, items, size);
}

static int begin_decoding(z_stream *z) { return inflateInit2(z, GZIP_WINDOW); }

static int begin_encoding(z_stream *z)
{
    return deflateInit2(z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
                        Z_DEFAULT_STRATEGY);
}

static int gz_open(void **out, mem *m, int (*begin)(z_stream *), const char *what, err *e)
{
    gz *g = mem_get(m, sizeof *g, e);
    if (g == NULL) return (int)e->code;
    g->m = m;
    g->z = (z_stream){ .zalloc = gz_get, .zfree = codec_put, .opaque = m };
    if (begin(&g->z) == Z_OK) {
        *out = g;
        return 0;
    }
    mem_put(m, g, sizeof *g);
    return err_set(e, ERR_LIMIT, "out of memory for %s gzip", what);
}

static void gz_close(gz *g, int (*end)(z_stream *))
{
    end(&g->z);
    mem_put(g->m, g, sizeof *g);
}

/* One call of inflate or deflate; returns its code. */
static int gz_pass(z_stream *z, codec_step *io, int (*call)(z_stream *, int), int flush)
{
    unsigned in = codec_clamp(io->in_bytes), out = codec_clamp(io->out_bytes);
    z->next_in = (const Bytef *)io->in;
    z->avail_in = in;
    z->next_out = (Bytef *)io->out;
    z->avail_out = out;
    int rc = call(z, flush);
    codec_move(io, in - z->avail_in, out - z->avail_out);
    io->over = rc == Z_STREAM_END;
    return rc;
}

static bool gz_went_on(int rc)
{
    return rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR;
}

/* ---- decoding ----------------------------------------------------------------------- */

static bool gz_starts(const unsigned char *in, size_t bytes)
{
    return bytes >= 2 && in[0] == 0x1f && in[1] == 0x8b;
}

static int gz_open_decoder(void **out, mem *m, err *e)
{
    return gz_open(out, m, begin_decoding, "decompressing", e);
}

static void gz_close_decoder(void *self) { gz_close(self, inflateEnd); }

static int gz_restart(void *self, err *e)
{
    (void)e;
    inflateReset(&((gz *)self)->z);
    return 0;
}

static int gz_decode(void *self, codec_step *io, err *e)
{
    z_stream *z = &((gz *)self)->z;
    int rc = gz_pass(z, io, inflate, Z_NO_FLUSH);
    if (gz_went_on(rc)) return 0;
    if (rc == Z_MEM_ERROR)
        return err_set(e, ERR_LIMIT, "out of memory for decompressing gzip");
    return err_set(e, ERR_INPUT, "the gzip data are damaged (%s)",
                   z->msg ? z->msg : "a preset dictionary is needed");
}

/* ---- encoding ----------------------------------------------------------------------- */

static int gz_open_encoder(void **out, mem *m, err *e)
{
    return gz_open(out, m, begin_encoding, "compressing with", e);
}

static void gz_close_encoder(void *self) { gz_close(self, deflateEnd); }

static int gz_encode(void *self, codec_step *io, err *e)
{
    int rc = gz_pass(&((gz *)self)->z, io, deflate, io->finish ? Z_FINISH : Z_NO_FLUSH);
    if (gz_went_on(rc)) return 0;
    return err_set(e, ERR_SYSTEM, "gzip compression failed with zlib code %d", rc);
}

const codec codec_gz = {
    .name = "gzip",
    .suffix = ".gz",
    .zero_padding = true, /* tapes and block devices leave it */
    .starts = gz_starts,
    .open_decoder = gz_open_decoder,
    .restart = gz_restart,
    .decode = gz_decode,
    .close_decoder = gz_close_decoder,
    .open_encoder = gz_open_encoder,
    .encode = gz_encode,
    .close_encoder = gz_close_encoder,
};
