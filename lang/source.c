#include "lang/source.h"

#include "lang/codec.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INPUT_BYTES = 512 * 1024 };

struct source {
    mem *m;           /* borrowed */
    const char *path; /* borrowed */
    int fd;
    bool regular;        /* a regular file, of this many bytes: */
    uint64_t file_bytes; /*   */
    const codec *codec;  /* NULL = plain */
    void *decoder;       /* owned by way of the codec */
    bool in_member;      /* a member has begun and is not over */
    bool at_end;         /* the file has no more bytes than those in `input` */
    char *input;         /* owned; INPUT_BYTES */
    size_t from, to;     /* the bytes input[from .. to-1] are not yet used */
};

static ssize_t read_some(const source *s, char *into, size_t bytes, err *e)
{
    for (;;) {
        ssize_t got = read(s->fd, into, bytes);
        if (got >= 0) return got;
        if (errno == EINTR) continue;
        err_set(e, ERR_SYSTEM, "reading failed: %s", strerror(errno));
        return -1;
    }
}

/* Read more input behind what is left of it.  0, also at the end, or a code. */
static int fill(source *s, err *e)
{
    memmove(s->input, s->input + s->from, s->to - s->from);
    s->to -= s->from;
    s->from = 0;
    ssize_t got = read_some(s, s->input + s->to, INPUT_BYTES - s->to, e);
    if (got < 0) return (int)e->code;
    s->to += (size_t)got;
    s->at_end = got == 0;
    return 0;
}

/* Have enough input to see how a member begins, or all there is. */
static int fill_magic(source *s, err *e)
{
    while (s->to - s->from < CODEC_MAGIC_BYTES && !s->at_end)
        if (fill(s, e) != 0) return (int)e->code;
    return 0;
}

static bool starts(const source *s, const codec *c)
{
    return c->starts((const unsigned char *)s->input + s->from, s->to - s->from);
}

static int open_file(source *s, err *e)
{
    s->fd = open(s->path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (s->fd < 0 || fstat(s->fd, &st) != 0)
        return err_set(e, ERR_INPUT, "%s: cannot be opened: %s", s->path,
                       strerror(errno));
    if (S_ISDIR(st.st_mode))
        return err_set(e, ERR_INPUT, "%s: is a directory, a file is needed", s->path);
    s->regular = S_ISREG(st.st_mode);
    s->file_bytes = s->regular ? (uint64_t)st.st_size : 0;
    if (s->regular) posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return 0;
}

static int open_codec(source *s, err *e)
{
    err deep = ERR_INIT;
    if (fill_magic(s, &deep) != 0)
        return err_set(e, deep.code, "%s: %s", s->path, deep.text);
    for (size_t i = 0; codecs[i] && s->codec == NULL; i++)
        if (starts(s, codecs[i])) s->codec = codecs[i];
    if (s->codec == NULL) return 0;
    s->in_member = true;
    return s->codec->open_decoder(&s->decoder, s->m, e);
}

int source_open(source **out, mem *m, const char *path, err *e)
{
    source *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->m = m;
    s->path = path;
    s->fd = -1;
    s->input = mem_get(m, INPUT_BYTES, e);
    if (s->input && open_file(s, e) == 0 && open_codec(s, e) == 0) {
        *out = s;
        return 0;
    }
    source_close(s);
    return (int)e->code;
}

void source_close(source *s)
{
    if (s == NULL) return;
    if (s->decoder) s->codec->close_decoder(s->decoder);
    if (s->fd >= 0) close(s->fd);
    mem_put(s->m, s->input, INPUT_BYTES);
    mem_put(s->m, s, sizeof *s);
}

static ssize_t read_plain(source *s, char *into, size_t bytes, err *e)
{
    size_t have = s->to - s->from;
    if (have == 0) return read_some(s, into, bytes, e);
    if (have > bytes) have = bytes;
    memcpy(into, s->input + s->from, have);
    s->from += have;
    return (ssize_t)have;
}

static int skip_zeros(source *s, err *e)
{
    for (;;) {
        while (s->from < s->to && s->input[s->from] == 0) s->from++;
        if (s->from < s->to || s->at_end) return 0;
        if (fill(s, e) != 0) return (int)e->code;
    }
}

/* Between members: begin the next one, or find that the file is over (in_member stays
   false), or find bytes that belong to nothing. */
static int next_member(source *s, err *e)
{
    if (fill_magic(s, e) != 0) return (int)e->code;
    if (starts(s, s->codec)) {
        s->in_member = true;
        return s->codec->restart(s->decoder, e);
    }
    if (s->codec->zero_padding && skip_zeros(s, e) != 0) return (int)e->code;
    if (s->from == s->to) return 0;
    return err_set(e, ERR_INPUT, "the %s data are followed by bytes that are not %s",
                   s->codec->name, s->codec->name);
}

/* Decode once; needs input, or all of it read. */
static int decode(source *s, codec_step *io, err *e)
{
    if (s->from == s->to && !s->at_end && fill(s, e) != 0) return (int)e->code;
    const char *out = io->out;
    io->in = s->input + s->from;
    io->in_bytes = s->to - s->from;
    if (s->codec->decode(s->decoder, io, e) != 0) return (int)e->code;
    bool stuck = io->in == s->input + s->from && io->out == out && !io->over;
    s->from = s->to - io->in_bytes;
    s->in_member = !io->over;
    if (stuck && s->at_end)
        return err_set(e, ERR_INPUT, "the %s data end early: the file is truncated",
                       s->codec->name);
    return 0;
}

ssize_t source_read(source *s, char *into, size_t bytes, err *e)
{
    assert(bytes > 0);
    if (s->codec == NULL) return read_plain(s, into, bytes, e);
    codec_step io = { .out = into, .out_bytes = bytes };
    while (io.out == into) {
        if (!s->in_member && next_member(s, e) != 0) return -1;
        if (!s->in_member) return 0;
        if (decode(s, &io, e) != 0) return -1;
    }
    return io.out - into;
}

bool source_is_plain(const source *s) { return s->codec == NULL && s->regular; }

uint64_t source_plain_bytes(const source *s)
{
    assert(source_is_plain(s));
    return s->file_bytes;
}

ssize_t source_read_at(const source *s, uint64_t offset, char *into, size_t bytes, err *e)
{
    assert(source_is_plain(s));
    size_t have = 0;
    while (have < bytes) {
        ssize_t got = pread(s->fd, into + have, bytes - have, (off_t)(offset + have));
        if (got == 0) break;
        if (got > 0) have += (size_t)got;
        else if (errno != EINTR) {
            err_set(e, ERR_SYSTEM, "reading failed: %s", strerror(errno));
            return -1;
        }
    }
    return (ssize_t)have;
}

const char *source_codec(const source *s) { return s->codec ? s->codec->name : "plain"; }
