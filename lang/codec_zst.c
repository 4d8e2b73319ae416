/*
 * codec_zst - zstd.
 *
 * Its memory is not on our account: libzstd takes call-backs for memory only through
 * functions that it calls unstable and offers to static linking alone.
 */
#include "lang/codec.h"

#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* Either an encoder or a decoder. */
typedef struct zst {
    ZSTD_CStream *encoder; /* owned, or NULL */
    ZSTD_DStream *decoder; /* owned, or NULL */
    mem *m;                /* borrowed */
} zst;

static void zst_close(void *self)
{
    zst *s = self;
    ZSTD_freeCStream(s->encoder); /* both accept NULL */
    ZSTD_freeDStream(s->decoder);
    mem_put(s->m, s, sizeof *s);
}

/* ---- decoding ----------------------------------------------------------------------- */

/* A frame, or a skippable frame as pzstd puts before each. */
static bool zst_starts(const unsigned char *in, size_t bytes)
{
    if (bytes < 4) return false;
    return memcmp(in, "\x28\xb5\x2f\xfd", 4) == 0 ||
           ((in[0] & 0xf0) == 0x50 && memcmp(in + 1, "\x2a\x4d\x18", 3) == 0);
}

static int zst_open_decoder(void **out, mem *m, err *e)
{
    zst *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    *s = (zst){ .m = m, .decoder = ZSTD_createDStream() };
    if (s->decoder) {
        *out = s;
        return 0;
    }
    zst_close(s);
    return err_set(e, ERR_LIMIT, "out of memory for decompressing zstd");
}

static int zst_restart(void *self, err *e)
{
    (void)e;
    ZSTD_DCtx_reset(((zst *)self)->decoder, ZSTD_reset_session_only);
    return 0;
}

static int zst_decode(void *self, codec_step *io, err *e)
{
    ZSTD_inBuffer in = { io->in, io->in_bytes, 0 };
    ZSTD_outBuffer out = { io->out, io->out_bytes, 0 };
    size_t rc = ZSTD_decompressStream(((zst *)self)->decoder, &out, &in);
    if (ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation)
        return err_set(e, ERR_LIMIT, "out of memory for decompressing zstd");
    if (ZSTD_isError(rc))
        return err_set(e, ERR_INPUT, "the zstd data are damaged (%s)",
                       ZSTD_getErrorName(rc));
    codec_move(io, in.pos, out.pos);
    io->over = rc == 0;
    return 0;
}

/* ---- encoding ----------------------------------------------------------------------- */

static int zst_open_encoder(void **out, mem *m, err *e)
{
    zst *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    *s = (zst){ .m = m, .encoder = ZSTD_createCStream() };
    if (s->encoder &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(s->encoder, ZSTD_c_checksumFlag, 1))) {
        *out = s;
        return 0;
    }
    zst_close(s);
    return err_set(e, ERR_LIMIT, "out of memory for compressing with zstd");
}

static int zst_encode(void *self, codec_step *io, err *e)
{
    ZSTD_inBuffer in = { io->in, io->in_bytes, 0 };
    ZSTD_outBuffer out = { io->out, io->out_bytes, 0 };
    size_t left = ZSTD_compressStream2(((zst *)self)->encoder, &out, &in,
                                       io->finish ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left))
        return err_set(e, ERR_SYSTEM, "zstd compression failed: %s",
                       ZSTD_getErrorName(left));
    codec_move(io, in.pos, out.pos);
    io->over = io->finish && left == 0;
    return 0;
}

const codec codec_zst = {
    .name = "zstd",
    .suffix = ".zst",
    .starts = zst_starts,
    .open_decoder = zst_open_decoder,
    .restart = zst_restart,
    .decode = zst_decode,
    .close_decoder = zst_close,
    .open_encoder = zst_open_encoder,
    .encode = zst_encode,
    .close_encoder = zst_close,
};
