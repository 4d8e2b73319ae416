#include "lang/plts.h"

#include "lang/plts_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file and the LTS that is being made of it. */
typedef struct loading {
    const plts_file *file;
    lts *g;
} loading;

static void set_counts(lts *g, const plts_file *f)
{
    *g = (lts){ .m = f->m,
                .states = (state_id)f->at.states,
                .initial = (state_id)f->at.initial,
                .transitions = f->at.transitions,
                .label_bytes = f->at.label_bytes };
}

static char *array_of(const lts *g, plts_section_id section)
{
    if (section == PLTS_FIRST) return (char *)g->first;
    return section == PLTS_TARGET ? (char *)g->target : g->label;
}

/* What both ways end with. */
static int finish(lts *g, plts_file *f, err *e)
{
    if (plts_file_check_rows(f, g->first, e) != 0) return (int)e->code;
    g->labels = plts_file_take_labels(f);
    return 0;
}

static int copy_piece(void *context, uint64_t piece, err *e)
{
    const loading *job = context;
    plts_piece p = plts_layout_piece(&job->file->at, piece);
    char *into = array_of(job->g, p.section) + p.start;
    if (plts_file_read(job->file, p.offset, into, (size_t)p.bytes, e) != 0)
        return (int)e->code;
    return plts_file_check(job->file, piece, into, e);
}

static int copy_all(lts *g, plts_file *f, const load_options *o, err *e)
{
    set_counts(g, f);
    loading job = { f, g };
    if (lts_allocate(g, e) != 0 || plts_file_each(f, o, copy_piece, &job, e) != 0 ||
        plts_file_rename(f, &g->label, g->transitions, &g->label_bytes,
                         load_options_threads(o), e) != 0)
        return (int)e->code;
    return finish(g, f, e);
}

static int check_piece(void *context, uint64_t piece, err *e)
{
    const loading *job = context;
    plts_piece p = plts_layout_piece(&job->file->at, piece);
    return plts_file_check(job->file, piece, array_of(job->g, p.section) + p.start, e);
}

static int map_all(lts *g, plts_file *f, const load_options *o, err *e)
{
    set_counts(g, f);
    size_t bytes = (size_t)f->at.file_bytes;
    char *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, f->fd, 0);
    if (map == MAP_FAILED)
        return err_set(e, ERR_SYSTEM, "%s: cannot be mapped: %s", f->path,
                       strerror(errno));
    g->map = map;
    g->map_bytes = bytes;
    g->first = (void *)(map + f->at.section[PLTS_FIRST].offset);
    g->target = (void *)(map + f->at.section[PLTS_TARGET].offset);
    g->label = map + f->at.section[PLTS_LABEL].offset;
    loading job = { f, g };
    if (plts_file_each(f, o, check_piece, &job, e) != 0) return (int)e->code;
    return finish(g, f, e);
}

static int load(lts *out, const char *path, const load_options *o, bool map, err *e)
{
    plts_file f;
    lts g = { .m = o->m };
    if (plts_file_open(&f, path, o, e) == 0) {
        if (map && f.rename == NULL) map_all(&g, &f, o, e);
        else copy_all(&g, &f, o, e);
    }
    plts_file_close(&f);
    if (e->code != ERR_NONE) lts_close(&g);
    *out = g;
    return (int)e->code;
}

int plts_map(lts *out, const char *path, const load_options *o, err *e)
{
    return load(out, path, o, true, e);
}

int plts_read(lts *out, const char *path, const load_options *o, err *e)
{
    return load(out, path, o, false, e);
}

bool plts_is(const char *path)
{
    uint8_t first_bytes[PLTS_MAGIC_BYTES];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    bool is = pread(fd, first_bytes, sizeof first_bytes, 0) == sizeof first_bytes &&
              plts_layout_is(first_bytes);
    close(fd);
    return is;
}
