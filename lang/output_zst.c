#include "lang/output_encoder.h"

#include <zstd.h>

typedef struct zst {
    ZSTD_CStream *z; /* owned; its memory is the library's own */
    mem *m;          /* borrowed */
} zst;

static int zst_open(void **out, mem *m, err *e)
{
    zst *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->m = m;
    s->z = ZSTD_createCStream();
    if (s->z && !ZSTD_isError(ZSTD_CCtx_setParameter(s->z, ZSTD_c_checksumFlag, 1))) {
        *out = s;
        return 0;
    }
    ZSTD_freeCStream(s->z);
    mem_put(m, s, sizeof *s);
    return err_set(e, ERR_LIMIT, "out of memory for compressing with zstd");
}

static void zst_close(void *self)
{
    zst *s = self;
    ZSTD_freeCStream(s->z);
    mem_put(s->m, s, sizeof *s);
}

static int zst_encode(void *self, output_step *io, err *e)
{
    ZSTD_inBuffer in = { io->in, io->in_bytes, 0 };
    ZSTD_outBuffer out = { io->out, io->out_bytes, 0 };
    size_t left = ZSTD_compressStream2(((zst *)self)->z, &out, &in,
                                       io->finish ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left))
        return err_set(e, ERR_SYSTEM, "zstd compression failed: %s",
                       ZSTD_getErrorName(left));
    io->in += in.pos;
    io->in_bytes -= in.pos;
    io->out += out.pos;
    io->out_bytes -= out.pos;
    io->over = io->finish && left == 0;
    return 0;
}

const output_encoder output_zst = {
    .suffix = ".zst",
    .open = zst_open,
    .encode = zst_encode,
    .close = zst_close,
};
