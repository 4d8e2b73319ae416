/*
 * comm_stats - see comm_stats.h.
 *
 * Idea       Each rank adds up its own workers, then numbers of all ranks are reduced three times: sums,
 *            least values (the most as the least of what is missing to 2^64), and the first worker
 *            of those that have them.
 * Cost       Three reductions of some hundred numbers, whatever the number of ranks and workers.
 */
#include "comm/comm_stats.h"

#include "comm/comm_inner.h"

typedef enum {
    UNIT_NANOSECONDS,
    UNIT_NUMBER,
    UNIT_BYTES,
    UNIT_SHARE /* of 10000 */
} unit;

static const struct {
    unit unit;
    const char *doc;
} rows[COMM_STATS_COUNTERS] = {
#define COMM_STATS_ROW(id, in, doc) [COMM_STATS_##id] = { UNIT_##in, doc },
    COMM_STATS_LIST(COMM_STATS_ROW)
#undef COMM_STATS_ROW
};

static uint32_t used(const comm_stats *s) { return COMM_STATS_KINDS + s->kinds; }

/* ---- of one worker, of one rank ----------------------------------------------------------- */

static void add(comm_stats *s, uint32_t which, worker_id w, uint64_t value)
{
    comm_stat *x = &s->of[which];
    x->known++;
    x->sum += value;
    if (value < x->least) x->least_at = w;
    if (value < x->least) x->least = value;
    if (x->known == 1 || value > x->most) x->most_at = w;
    if (value > x->most) x->most = value;
}

static void add_traffic(comm_stats *s, worker_id w, const comm_count *c)
{
    uint64_t payload = c->bytes - c->batches * COMM_HEADER_BYTES;
    add(s, COMM_STATS_CONTROL, w, c->letters);
    add(s, COMM_STATS_BATCHES, w, c->batches);
    add(s, COMM_STATS_BYTES, w, c->bytes);
    add(s, COMM_STATS_PAYLOAD, w, payload);
    add(s, COMM_STATS_ROOM, w, c->room);
    if (c->room > 0)
        add(s, COMM_STATS_FILL, w,
            (uint64_t)((double)payload / (double)c->room * 10000 + 0.5));
    add(s, COMM_STATS_FULL, w, c->full);
    add(s, COMM_STATS_PASSED, w, c->passed);
    for (uint32_t k = 0; k < s->kinds; k++) add(s, COMM_STATS_KINDS + k, w, c->sent[k]);
}

static void add_worker(comm_stats *s, worker_id w, const comm_report *r)
{
    add(s, COMM_STATS_BUSY, w, r->busy);
    add(s, COMM_STATS_POLLING, w, r->polling);
    add(s, COMM_STATS_STALLED, w, r->stalled);
    add(s, COMM_STATS_IDLE, w, r->idle);
    for (counters_id id = 0; id < COUNTERS_COUNT; id++)
        if (r->counters.known[id])
            add(s, COMM_STATS_COUNTERS + id, w, r->counters.value[id]);
    if (r->count.sent) add_traffic(s, w, &r->count); /* else it has not begun */
}

/* ---- of all ranks ------------------------------------------------------------------------- */

typedef void reduce_all(void *self, comm_reduction how, uint64_t *x, uint32_t count);

static void reduce_sums(comm_stats *s, reduce_all *reduce, void *transport)
{
    uint64_t x[2 * COMM_STATS_MOST];
    uint32_t n = used(s);
    for (uint32_t i = 0; i < n; i++) {
        x[i] = s->of[i].known;
        x[n + i] = s->of[i].sum;
    }
    reduce(transport, COMM_REDUCE_SUM, x, 2 * n);
    for (uint32_t i = 0; i < n; i++) {
        s->of[i].known = x[i];
        s->of[i].sum = x[n + i];
    }
}

/* Who has what all have agreed on says so; of several the first is meant. */
static void reduce_bounds(comm_stats *s, reduce_all *reduce, void *transport)
{
    uint64_t x[2 * COMM_STATS_MOST], who[2 * COMM_STATS_MOST];
    uint32_t n = used(s);
    for (uint32_t i = 0; i < n; i++) {
        x[i] = s->of[i].least;
        x[n + i] = UINT64_MAX - s->of[i].most;
    }
    reduce(transport, COMM_REDUCE_LEAST, x, 2 * n);
    for (uint32_t i = 0; i < n; i++) {
        comm_stat *k = &s->of[i];
        who[i] = k->least == x[i] ? k->least_at : UINT64_MAX;
        who[n + i] = UINT64_MAX - k->most == x[n + i] ? k->most_at : UINT64_MAX;
        k->least = x[i];
        k->most = UINT64_MAX - x[n + i];
    }
    reduce(transport, COMM_REDUCE_LEAST, who, 2 * n);
    for (uint32_t i = 0; i < n; i++) {
        s->of[i].least_at = (worker_id)who[i];
        s->of[i].most_at = (worker_id)who[n + i];
    }
}

static void share_fill(comm_stats *s)
{
    double payload = (double)s->of[COMM_STATS_PAYLOAD].sum,
           room = (double)s->of[COMM_STATS_ROOM].sum;
    if (room > 0) s->of[COMM_STATS_FILL].sum = (uint64_t)(payload / room * 10000 + 0.5);
}

static void name_kinds(comm_stats *s, const comm_config *c)
{
    for (uint32_t k = 0; k < s->kinds; k++)
        snprintf(s->name[k], sizeof s->name[k], "%s", c->kinds[k].name);
}

void comm_stats_collect(comm_stats *s, comm_net *n, const comm_report *reports)
{
    const comm_transport *t = comm_net_class(n);
    worker_id first = comm_net_first(n);
    const comm_config *c = comm_inside(comm_net_end(n, first))->config;
    memset(s, 0, sizeof *s);
    s->workers = c->workers;
    s->kinds = c->kind_count;
    name_kinds(s, c);
    for (uint32_t i = 0; i < COMM_STATS_MOST; i++)
        s->of[i] = (comm_stat){ .least = UINT64_MAX,
                                .least_at = UINT32_MAX,
                                .most_at = UINT32_MAX };
    for (uint32_t i = 0; reports && i < comm_net_here(n); i++)
        add_worker(s, first + i, &reports[i]);
    if (t->reduce) {
        reduce_sums(s, t->reduce, comm_net_transport(n));
        reduce_bounds(s, t->reduce, comm_net_transport(n));
    }
    share_fill(s);
}

uint64_t comm_stats_sent(const comm_stats *s, const char *kind)
{
    for (uint32_t k = 0; k < s->kinds; k++)
        if (strcmp(s->name[k], kind) == 0) return s->of[COMM_STATS_KINDS + k].sum;
    return 0;
}

/* ---- the table ---------------------------------------------------------------------------- */

enum { CELL = 16 };

static const char *cell(char text[CELL], unit in, uint64_t x)
{
    double y = (double)x;
    if (in == UNIT_NANOSECONDS) snprintf(text, CELL, "%.3f s", y * 1e-9);
    else if (in == UNIT_SHARE) snprintf(text, CELL, "%.1f %%", y / 100);
    else if (x < 10000000) snprintf(text, CELL, "%llu", (unsigned long long)x);
    else if (in == UNIT_BYTES) snprintf(text, CELL, "%.1f MiB", y / (1 << 20));
    else snprintf(text, CELL, "%.1f M", y * 1e-6);
    return text;
}

static const char *name_of(const comm_stats *s, uint32_t i, char text[64])
{
    if (i < COMM_STATS_COUNTERS) return rows[i].doc;
    if (i < COMM_STATS_KINDS) return counters_doc((counters_id)(i - COMM_STATS_COUNTERS));
    snprintf(text, 64, "messages: %s", s->name[i - COMM_STATS_KINDS]);
    return text;
}

static void print_line(const comm_stats *s, uint32_t i, FILE *into)
{
    const comm_stat *x = &s->of[i];
    unit in = i < COMM_STATS_COUNTERS ? rows[i].unit : UNIT_NUMBER;
    char name[64], sum[CELL], least[CELL], most[CELL];
    if (x->known == 0 || x->most == 0) return;
    fprintf(into, "bespoke:   %-31s %12s %12s %6u %12s %6u\n", name_of(s, i, name),
            cell(sum, in, x->sum), cell(least, in, x->least), x->least_at,
            cell(most, in, x->most), x->most_at);
}

void comm_stats_print(const comm_stats *s, FILE *into)
{
    fprintf(into, "bespoke:   %-31s %12s %12s %6s %12s %6s\n", "of all workers", "sum",
            "least", "by", "most", "by");
    for (uint32_t i = 0; i < used(s); i++) print_line(s, i, into);
}
