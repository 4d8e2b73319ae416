/*
 * lts_sink.h - where transitions are written, whatever the format.
 *
 * A producer (a loaded LTS, a generator, later an explorer) knows its counts, opens a sink
 * with them and puts the transitions state by state, sources ascending.  Nothing is held
 * twice: a sink streams.  A file appears under its name only when lts_sink_commit
 * returns 0; after anything else there is no trace of it.
 *
 * To write one out:  lts_sink_open -> lts_sink_put ... -> lts_sink_commit
 * To implement one:  fill an lts_sink_class; its state begins with an lts_sink.
 */
#ifndef BESPOKE_LTS_SINK_H
#define BESPOKE_LTS_SINK_H

#include "core/lts.h"

typedef struct lts_sink lts_sink;

/* What a sink must know before the first transition. */
typedef struct lts_shape {
    state_id states, initial;
    uint64_t transitions;
    const label_table *labels; /* borrowed until commit or close; complete, every number
                                  below label_table_count may be put */
} lts_shape;

typedef struct lts_sink_class {
    const char *name; /* "aut" */
    /* One transition; sources never descend.  0 or a code. */
    int (*put)(lts_sink *s, state_id from, label_id label, state_id to, err *e);
    /* All were put: finish the file, make it durable, give it its name.  0 or a code. */
    int (*commit)(lts_sink *s, err *e);
    /* Free; what was not committed vanishes. */
    void (*close)(lts_sink *s);
} lts_sink_class;

struct lts_sink {
    const lts_sink_class *class;
};

static inline int lts_sink_put(lts_sink *s, state_id from, label_id label, state_id to,
                               err *e)
{
    return s->class->put(s, from, label, to, e);
}

static inline int lts_sink_commit(lts_sink *s, err *e) { return s->class->commit(s, e); }

static inline void lts_sink_close(lts_sink *s)
{
    if (s) s->class->close(s);
}

#endif
