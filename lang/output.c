#include "lang/output.h"

#include "lang/codec.h"
#include "lang/output_file.h"

#include <assert.h>
#include <string.h>
#include <sys/stat.h>

enum { BUFFER_BYTES = 512 * 1024, PACKED_BYTES = 256 * 1024 };

struct output {
    mem *m; /* borrowed */
    output_file file;
    const codec *codec; /* NULL = plain */
    void *encoder;      /* owned by way of the codec */
    char *buffer;       /* owned; BUFFER_BYTES, the first `used` wait */
    size_t used;
    char *packed; /* owned; PACKED_BYTES of compressed data, or NULL when plain */
};

static int open_encoder(output *o, err *e)
{
    if (o->codec == NULL) return 0;
    o->packed = mem_get(o->m, PACKED_BYTES, e);
    return o->packed ? o->codec->open_encoder(&o->encoder, o->m, e) : (int)e->code;
}

int output_open(output **out, mem *m, const char *path, err *e)
{
    output *o = mem_get(m, sizeof *o, e);
    if (o == NULL) return (int)e->code;
    o->m = m;
    o->file = OUTPUT_FILE_NONE;
    o->codec = codec_of_name(path, NULL);
    o->buffer = mem_get(m, BUFFER_BYTES, e);
    if (o->buffer && open_encoder(o, e) == 0 &&
        output_file_open(&o->file, path, e) == 0) {
        *out = o;
        return 0;
    }
    output_close(o);
    return (int)e->code;
}

void output_close(output *o)
{
    if (o == NULL) return;
    output_file_close(&o->file);
    if (o->encoder) o->codec->close_encoder(o->encoder);
    if (o->packed) mem_put(o->m, o->packed, PACKED_BYTES);
    mem_put(o->m, o->buffer, BUFFER_BYTES);
    mem_put(o->m, o, sizeof *o);
}

/* Compress `data` into the file; `finish` after the last. */
static int encode(output *o, const char *data, size_t bytes, bool finish, err *e)
{
    codec_step io = { .in = data, .in_bytes = bytes, .finish = finish };
    while (finish ? !io.over : io.in_bytes > 0) {
        io.out = o->packed;
        io.out_bytes = PACKED_BYTES;
        if (o->codec->encode(o->encoder, &io, e) != 0) return (int)e->code;
        if (output_file_write(&o->file, o->packed, PACKED_BYTES - io.out_bytes, e) != 0)
            return (int)e->code;
    }
    return 0;
}

static int put_out(output *o, const char *data, size_t bytes, err *e)
{
    if (o->codec) return encode(o, data, bytes, false, e);
    return output_file_write(&o->file, data, bytes, e);
}

static int flush(output *o, err *e)
{
    size_t bytes = o->used;
    o->used = 0;
    return put_out(o, o->buffer, bytes, e);
}

int output_check(mem *m, const char *path, err *e)
{
    output *o = NULL;
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return 0; /* to open a pipe and leave it would end its reader */
    if (output_open(&o, m, path, e) == 0) output_close(o);
    return (int)e->code;
}

int output_check_apart(const char *path, const char *read, err *e)
{
    struct stat one, two;
    if (path == NULL || stat(path, &one) != 0 || stat(read, &two) != 0) return 0;
    if (one.st_dev != two.st_dev || one.st_ino != two.st_ino || !S_ISREG(one.st_mode))
        return 0;
    return err_set(e, ERR_USAGE, "%s is read; expected another file to write to", path);
}

int output_write(output *o, const void *data, size_t bytes, err *e)
{
    if (bytes > BUFFER_BYTES - o->used && flush(o, e) != 0) return (int)e->code;
    if (bytes >= BUFFER_BYTES) return put_out(o, data, bytes, e);
    memcpy(o->buffer + o->used, data, bytes);
    o->used += bytes;
    return 0;
}

char *output_window(output *o, size_t bytes, err *e)
{
    assert(bytes <= OUTPUT_WINDOW_MAX);
    if (bytes > BUFFER_BYTES - o->used && flush(o, e) != 0) return NULL;
    return o->buffer + o->used;
}

void output_advance(output *o, size_t bytes)
{
    assert(bytes <= BUFFER_BYTES - o->used);
    o->used += bytes;
}

int output_write_at(output *o, uint64_t offset, const void *data, size_t bytes, err *e)
{
    assert(o->codec == NULL);
    return output_file_write_at(&o->file, offset, data, bytes, e);
}

int output_commit(output *o, err *e)
{
    if (flush(o, e) != 0) return (int)e->code;
    if (o->codec && encode(o, "", 0, true, e) != 0) return (int)e->code;
    return output_file_commit(&o->file, e);
}
