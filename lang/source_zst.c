#include "lang/source_decoder.h"

#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

typedef struct zst {
    ZSTD_DStream *z; /* owned; its memory is the library's own */
    mem *m;          /* borrowed */
} zst;

/* A frame, or a skippable frame as pzstd puts before each. */
static bool zst_starts(const unsigned char *in, size_t bytes)
{
    if (bytes < 4) return false;
    return memcmp(in, "\x28\xb5\x2f\xfd", 4) == 0 ||
           ((in[0] & 0xf0) == 0x50 && memcmp(in + 1, "\x2a\x4d\x18", 3) == 0);
}

static int zst_open(void **out, mem *m, err *e)
{
    zst *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->m = m;
    s->z = ZSTD_createDStream();
    if (s->z) {
        *out = s;
        return 0;
    }
    mem_put(m, s, sizeof *s);
    return err_set(e, ERR_LIMIT, "out of memory for decompressing zstd");
}

static int zst_restart(void *self, err *e)
{
    (void)e;
    ZSTD_DCtx_reset(((zst *)self)->z, ZSTD_reset_session_only);
    return 0;
}

static void zst_close(void *self)
{
    zst *s = self;
    ZSTD_freeDStream(s->z);
    mem_put(s->m, s, sizeof *s);
}

static int zst_decode(void *self, source_step *io, err *e)
{
    ZSTD_inBuffer in = { io->in, io->in_bytes, 0 };
    ZSTD_outBuffer out = { io->out, io->out_bytes, 0 };
    size_t rc = ZSTD_decompressStream(((zst *)self)->z, &out, &in);
    if (ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation)
        return err_set(e, ERR_LIMIT, "out of memory for decompressing zstd");
    if (ZSTD_isError(rc))
        return err_set(e, ERR_INPUT, "the zstd data are damaged (%s)",
                       ZSTD_getErrorName(rc));
    io->in += in.pos;
    io->in_bytes -= in.pos;
    io->out += out.pos;
    io->out_bytes -= out.pos;
    io->member_over = rc == 0;
    return 0;
}

const source_decoder source_zst = {
    .name = "zstd",
    .starts = zst_starts,
    .open = zst_open,
    .restart = zst_restart,
    .decode = zst_decode,
    .close = zst_close,
};
