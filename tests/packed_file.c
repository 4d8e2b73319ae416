#include "tests/packed_file.h"

#include <bzlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static void must(int ok, const char *what)
{
    if (ok) return;
    perror(what);
    abort();
}

static size_t pack_gz(char *into, size_t room, const char *data, size_t bytes)
{
    z_stream z = { 0 };
    must(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib");
    z.next_in = (Bytef *)(size_t)data;
    z.avail_in = (unsigned)bytes;
    z.next_out = (Bytef *)into;
    z.avail_out = (unsigned)room;
    must(deflate(&z, Z_FINISH) == Z_STREAM_END, "zlib");
    deflateEnd(&z);
    return room - z.avail_out;
}

static size_t pack_zst(char *into, size_t room, const char *data, size_t bytes)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    must(c != NULL, "zstd");
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    size_t used = ZSTD_compress2(c, into, room, data, bytes);
    must(!ZSTD_isError(used), "zstd");
    ZSTD_freeCCtx(c);
    return used;
}

static size_t pack_bz2(char *into, size_t room, const char *data, size_t bytes)
{
    unsigned used = (unsigned)room;
    int rc = BZ2_bzBuffToBuffCompress(into, &used, (char *)(size_t)data, (unsigned)bytes,
                                      1, 0, 0);
    must(rc == BZ_OK, "bzip2");
    return used;
}

char *packed_bytes(packed_kind kind, const char *data, size_t bytes, size_t *out_bytes)
{
    size_t room = bytes + bytes / 8 + 1024;
    char *into = malloc(room);
    must(into != NULL, "malloc");
    if (kind == PACKED_GZ) *out_bytes = pack_gz(into, room, data, bytes);
    else if (kind == PACKED_ZST) *out_bytes = pack_zst(into, room, data, bytes);
    else if (kind == PACKED_BZ2) *out_bytes = pack_bz2(into, room, data, bytes);
    else memcpy(into, data, *out_bytes = bytes);
    return into;
}

packed_file packed_file_open(void)
{
    packed_file f = { .fd = memfd_create("bespoke-test", MFD_CLOEXEC) };
    must(f.fd >= 0, "memfd_create");
    snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
    return f;
}

void packed_file_close(packed_file *f) { close(f->fd); }

void packed_file_set(packed_file *f, const char *data, size_t bytes)
{
    must(ftruncate(f->fd, 0) == 0, "ftruncate");
    for (size_t done = 0; done < bytes;) {
        ssize_t put = pwrite(f->fd, data + done, bytes - done, (off_t)done);
        must(put > 0, "pwrite");
        done += (size_t)put;
    }
}

void packed_file_pack(packed_file *f, packed_kind kind, const char *data, size_t bytes)
{
    size_t packed;
    char *form = packed_bytes(kind, data, bytes, &packed);
    packed_file_set(f, form, packed);
    free(form);
}
