#include "lang/plts_file.h"

#include "core/hash.h"
#include "core/lts.h"
#include "lang/plts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int damaged(const plts_file *f, plts_section_id section, const char *how, err *e)
{
    return err_set(e, ERR_INPUT, "%s: damaged: the %s section %s", f->path,
                   plts_section_name(section), how);
}

int plts_file_read(const plts_file *f, uint64_t offset, void *into, size_t bytes, err *e)
{
    char *at = into;
    while (bytes > 0) {
        ssize_t got = pread(f->fd, at, bytes, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return err_set(e, ERR_SYSTEM, "%s: reading failed: %s", f->path,
                           strerror(errno));
        if (got == 0)
            return err_set(e, ERR_INPUT, "%s: truncated while it was read", f->path);
        at += got;
        offset += (uint64_t)got;
        bytes -= (size_t)got;
    }
    return 0;
}

static int open_header(plts_file *f, err *e)
{
    f->fd = open(f->path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (f->fd < 0 || fstat(f->fd, &st) != 0)
        return err_set(e, ERR_INPUT, "%s: cannot be opened: %s", f->path,
                       strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_INPUT, "%s: is no regular file; a .plts must be one",
                       f->path);
    uint8_t header[PLTS_HEADER_BYTES] = { 0 };
    uint64_t size = (uint64_t)st.st_size;
    size_t have = size < sizeof header ? (size_t)size : sizeof header;
    if (plts_file_read(f, 0, header, have, e) != 0) return (int)e->code;
    return plts_layout_decode(&f->at, header, have, size, f->path, e);
}

static uint64_t sum_of_sums(const plts_file *f, unsigned section)
{
    const plts_section *s = f->at.section;
    uint64_t from = s[section].piece, to = s[section + 1].piece;
    return hash_file(f->sums + from, (size_t)(to - from) * sizeof *f->sums);
}

static int open_sums(plts_file *f, err *e)
{
    const plts_section *s = f->at.section;
    f->sums = mem_get_array(f->m, f->at.pieces, sizeof *f->sums, e);
    if (f->sums == NULL) return (int)e->code;
    size_t bytes = (size_t)s[PLTS_SUMS].bytes;
    if (plts_file_read(f, s[PLTS_SUMS].offset, f->sums, bytes, e) != 0)
        return (int)e->code;
    if (hash_file(f->sums, bytes) != s[PLTS_SUMS].sum)
        return damaged(f, PLTS_SUMS, "does not match its checksum", e);
    for (unsigned i = 0; i < PLTS_SUMS; i++)
        if (sum_of_sums(f, i) != s[i].sum)
            return damaged(f, i, "does not match its checksum in the header", e);
    return 0;
}

static int check_names(const plts_file *f, const char *names, err *e)
{
    for (uint64_t p = f->at.section[PLTS_NAMES].piece; p < f->at.pieces; p++) {
        uint64_t start = plts_layout_piece(&f->at, p).start;
        if (plts_file_check(f, p, names + start, e) != 0) return (int)e->code;
    }
    return 0;
}

/* Enter one name; a second of the same text is damage, unless both are hidden. */
static int put_name(plts_file *f, label_id number, const char *text, size_t bytes, err *e)
{
    label_id before = label_table_count(f->labels), id = 0;
    if (label_table_put(f->labels, text, bytes, &id, e) != 0) return (int)e->code;
    if (id < before && id != label_table_hidden(f->labels))
        return damaged(f, PLTS_NAMES, "has a label twice", e);
    f->rename[number] = id;
    return 0;
}

static int put_names(plts_file *f, const char *names, err *e)
{
    const uint64_t *end = (const void *)names;
    const char *text = names + f->at.labels * sizeof *end;
    uint64_t start = 0, all = f->at.names_bytes - f->at.labels * sizeof *end;
    for (label_id i = 0; i < f->at.labels; i++) {
        if (end[i] < start || end[i] > all)
            return damaged(f, PLTS_NAMES, "has labels that overlap", e);
        if (put_name(f, i, text + start, (size_t)(end[i] - start), e) != 0)
            return (int)e->code;
        start = end[i];
    }
    return start == all ? 0 : damaged(f, PLTS_NAMES, "has bytes of no label", e);
}

static void put_rename(plts_file *f)
{
    mem_put(f->m, f->rename, f->at.labels * sizeof *f->rename);
    f->rename = NULL;
}

static int open_labels(plts_file *f, const load_options *o, err *e)
{
    size_t bytes = (size_t)f->at.names_bytes;
    char *names = mem_get(f->m, bytes, e);
    if (names == NULL) return (int)e->code;
    f->rename = mem_get_array(f->m, f->at.labels, sizeof *f->rename, e);
    int ok = f->rename && label_table_open(&f->labels, f->m, e) == 0 &&
             load_options_hide(o, f->labels, e) == 0 &&
             plts_file_read(f, f->at.section[PLTS_NAMES].offset, names, bytes, e) == 0 &&
             check_names(f, names, e) == 0 && put_names(f, names, e) == 0;
    mem_put(f->m, names, bytes);
    if (ok && label_table_count(f->labels) == f->at.labels) put_rename(f);
    return (int)e->code;
}

int plts_file_open(plts_file *f, const char *path, const load_options *o, err *e)
{
    *f = (plts_file){ .m = o->m, .path = path, .fd = -1 };
    if (open_header(f, e) != 0 || open_sums(f, e) != 0) return (int)e->code;
    return open_labels(f, o, e);
}

void plts_file_close(plts_file *f)
{
    put_rename(f);
    label_table_close(f->labels);
    mem_put(f->m, f->sums, f->at.pieces * sizeof *f->sums);
    if (f->fd >= 0) close(f->fd);
    *f = (plts_file){ .m = f->m, .fd = -1 };
}

label_table *plts_file_take_labels(plts_file *f)
{
    label_table *t = f->labels;
    f->labels = NULL;
    return t;
}

/* The same labels, renamed, from one column into another; they may be the same one. */
static void rename_column(const plts_file *f, const lts *from, lts *to, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (uint64_t t = 0; t < from->transitions; t++)
        lts_set_label(to, t, f->rename[lts_label(from, t)]);
}

int plts_file_rename(const plts_file *f, void **column, uint64_t count, unsigned *width,
                     int threads, err *e)
{
    if (f->rename == NULL) return 0;
    unsigned smallest = label_table_width(label_table_count(f->labels));
    lts from = { .transitions = count, .label = *column, .label_bytes = *width };
    lts to = { .transitions = count, .label = *column, .label_bytes = smallest };
    if (smallest != *width) to.label = mem_get_array(f->m, count, smallest, e);
    if (to.label == NULL) return (int)e->code;
    rename_column(f, &from, &to, threads);
    if (smallest != *width) mem_put(f->m, *column, count * *width);
    *column = to.label;
    *width = smallest;
    return 0;
}
