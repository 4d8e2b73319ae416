#include "tests/dtd_tiny.h"

#include <string.h>

enum {
    W = DTD_TINY_WORKERS,
    C = DTD_TINY_CHANNELS,
    U = DTD_TINY_UNITS,
    A = DTD_TINY_ASKS
};
enum { ASKED, PUT_OFF, WAITING, ANSWERED, ASK_STATES };
enum { BLOCK_WORDS = 100 };

typedef struct tiny_letter {
    uint8_t pair, kind, flags, channel, epoch, sent, received;
} tiny_letter;

/* All but the detectors is bytes, and goes into the key as it is. */
typedef struct tiny_host {
    uint8_t work[U + 1];
    uint8_t flight[U + 1]
                  [DTD_TINY_EPOCHS]; /* messages under way, by the epoch they carry */
    uint8_t ask[A + 1][ASK_STATES];
    uint8_t asker[A + 1]; /* the unit that asks it; constant */
    uint8_t sent[W][C], received[W][C], open[W][C], user[W][C];
    uint8_t announced[C], needed[C];
    uint8_t letters;
    tiny_letter letter[DTD_TINY_LETTERS]; /* by pair, oldest first */
} tiny_host;

typedef struct tiny_state {
    tiny_host h;
    uint64_t block[W][BLOCK_WORDS / 2];
} tiny_state;

typedef struct move {
    const dtd_tiny_script *s;
    const dtd_class *c;
    const tiny_state *from;
    tiny_state to;
    dtd_tiny_label label; /* the worst that happened */
} move;

const char *dtd_tiny_label_name(dtd_tiny_label label)
{
#define NAME(id, name, doc) [DTD_TINY_##id] = name,
    static const char *const names[] = { DTD_TINY_LABELS(NAME) };
#undef NAME
    return names[label];
}

static dtd *detector(move *m, worker_id j) { return (dtd *)(void *)m->to.block[j]; }

static void mark(move *m, dtd_tiny_label label)
{
    if (label > m->label) m->label = label;
}

/* --- keys ----------------------------------------------------------------------------- */

/* The head of a block never changes: it is made again. */
enum { HEAD_WORDS = 4 };

static size_t block_words(const dtd_tiny_script *s, const dtd_class *c, worker_id j)
{
    return dtd_bytes(c, s->workers, j, s->channels) / 4;
}

static size_t encode(move *m, uint8_t *key)
{
    size_t at = sizeof(tiny_host);
    memcpy(key, &m->to.h, sizeof(tiny_host));
    for (worker_id j = 0; j < m->s->workers; j++) {
        const uint32_t *word = (const void *)m->to.block[j];
        for (size_t i = HEAD_WORDS; i < block_words(m->s, m->c, j); i++) {
            if (word[i] > UINT8_MAX) mark(m, DTD_TINY_OVERFLOW);
            key[at++] = (uint8_t)word[i];
        }
    }
    return at;
}

static void decode(const dtd_tiny_script *s, const dtd_class *c, const uint8_t *key,
                   tiny_state *t)
{
    size_t at = sizeof(tiny_host);
    memset(t, 0, sizeof *t);
    memcpy(&t->h, key, sizeof(tiny_host));
    for (worker_id j = 0; j < s->workers; j++) {
        uint32_t *word = (void *)t->block[j];
        dtd_begin(c, t->block[j], s->workers, j, s->channels);
        for (size_t i = HEAD_WORDS; i < block_words(s, c, j); i++) word[i] = key[at++];
    }
}

size_t dtd_tiny_begin(const dtd_tiny_script *s, const dtd_class *c, uint8_t *key)
{
    move m = { .s = s, .c = c };
    tiny_host *h = &m.to.h;
    for (worker_id j = 0; j < s->workers; j++)
        dtd_begin(c, m.to.block[j], s->workers, j, s->channels);
    memcpy(h->user, s->need, sizeof h->user);
    for (uint8_t u = 1; u <= U; u++) {
        h->work[u] = s->unit[u].at_start;
        h->asker[s->unit[u].ask] = u;
    }
    h->asker[0] = 0;
    return encode(&m, key);
}

/* --- what is true --------------------------------------------------------------------- */

static bool is_at(const dtd_tiny_script *s, uint8_t unit, worker_id j, uint32_t k)
{
    return unit != 0 && s->unit[unit].worker == j && s->unit[unit].channel == k;
}

static bool passive(const move *m, worker_id j, uint32_t k)
{
    for (uint8_t u = 1; u <= U; u++)
        if (m->to.h.work[u] > 0 && is_at(m->s, u, j, k)) return false;
    return m->to.h.open[j][k] == 0;
}

static uint32_t under_way(const move *m, uint32_t k)
{
    uint32_t n = 0;
    for (uint8_t u = 1; u <= U; u++)
        for (uint32_t e = 0; e < DTD_TINY_EPOCHS && m->s->unit[u].channel == k; e++)
            n += m->to.h.flight[u][e];
    return n;
}

static dtd_figures figures(move *m, worker_id j, uint32_t k)
{
    tiny_host *h = &m->to.h;
    bool need = h->user[j][k] > 0;
    for (uint8_t a = 1; a <= A; a++)
        need |= h->ask[a][WAITING] > 0 && is_at(m->s, m->s->ask[a].unit, j, k);
    if (need && dtd_epoch(detector(m, j), k) == h->announced[k]) h->needed[k] = 1;
    return (dtd_figures){ h->sent[j][k], h->received[j][k], passive(m, j, k), need };
}

/* Is it an end?  Said by the first worker to learn of it. */
static void judge_end(move *m, worker_id j, uint32_t k)
{
    tiny_host *h = &m->to.h;
    if (under_way(m, k) > 0 || !h->needed[k]) mark(m, DTD_TINY_EARLY);
    for (worker_id i = 0; i < m->s->workers; i++)
        if (!passive(m, i, k) ||
            dtd_epoch(detector(m, i), k) - (i == j) != h->announced[k])
            mark(m, DTD_TINY_EARLY);
    h->announced[k]++;
    h->needed[k] = 0;
}

/* --- events of a detector ------------------------------------------------------------- */

static void mail(move *m, worker_id from, const dtd_letter *l)
{
    tiny_host *h = &m->to.h;
    const dtd_message *x = &l->message;
    uint8_t pair = (uint8_t)(from * W + l->to), i = h->letters;
    if (i == DTD_TINY_LETTERS || x->sent > UINT8_MAX || x->received > UINT8_MAX) {
        mark(m, DTD_TINY_OVERFLOW);
        return;
    }
    for (; i > 0 && h->letter[i - 1].pair > pair; i--) h->letter[i] = h->letter[i - 1];
    h->letter[i] = (tiny_letter){ pair,
                                  (uint8_t)x->kind,
                                  (uint8_t)x->flags,
                                  (uint8_t)x->channel,
                                  (uint8_t)x->epoch,
                                  (uint8_t)x->sent,
                                  (uint8_t)x->received };
    h->letters++;
}

static void accept(move *m, uint8_t a)
{
    m->to.h.work[m->s->ask[a].unit]++;
    m->to.h.ask[a][WAITING]++;
}

static void release(move *m, worker_id j, uint32_t k)
{
    for (uint8_t a = 1; a <= A; a++)
        while (is_at(m->s, m->s->ask[a].unit, j, k) && m->to.h.ask[a][PUT_OFF] > 0) {
            m->to.h.ask[a][PUT_OFF]--;
            accept(m, a);
        }
}

static void end_epoch(move *m, worker_id j, uint32_t k)
{
    tiny_host *h = &m->to.h;
    uint32_t epoch = dtd_epoch(detector(m, j), k);
    mark(m, DTD_TINY_ANNOUNCE);
    if (epoch >= DTD_TINY_EPOCHS) mark(m, DTD_TINY_OVERFLOW);
    if (epoch == h->announced[k] + 1u) judge_end(m, j, k);
    else if (epoch != h->announced[k] || !passive(m, j, k)) mark(m, DTD_TINY_EARLY);
    h->user[j][k] = 0;
    for (uint8_t a = 1; a <= A; a++) {
        if (!is_at(m->s, m->s->ask[a].unit, j, k)) continue;
        h->ask[a][ANSWERED] = (uint8_t)(h->ask[a][ANSWERED] + h->ask[a][WAITING]);
        h->ask[a][WAITING] = 0;
    }
}

static void follow(move *m, worker_id j, uint32_t k, const dtd_out *out)
{
    for (size_t i = 0; i < out->count; i++) mail(m, j, &out->at[i]);
    if (out->announced) end_epoch(m, j, k);
    if (!dtd_frozen(detector(m, j), k)) release(m, j, k);
}

static void tell_state(move *m, worker_id j, uint32_t k)
{
    dtd_letter room[2 * W + 2];
    dtd_out out = { .at = room, .room = 2 * W + 2 };
    dtd_figures now = figures(m, j, k);
    m->c->state(detector(m, j), k, &now, &out);
    follow(m, j, k, &out);
}

static void go_ahead(move *m, worker_id j, uint32_t k)
{
    dtd_letter room[2 * W + 2];
    dtd_out out = { .at = room, .room = 2 * W + 2 };
    m->c->ahead(detector(m, j), k, &out);
    follow(m, j, k, &out);
}

static void deliver(move *m, uint8_t i)
{
    dtd_letter room[2 * W + 2];
    dtd_out out = { .at = room, .room = 2 * W + 2 };
    tiny_host *h = &m->to.h;
    tiny_letter x = h->letter[i];
    for (h->letters--; i < h->letters; i++) h->letter[i] = h->letter[i + 1];
    h->letter[i] = (tiny_letter){ 0 };
    worker_id j = x.pair % W;
    dtd_figures now = figures(m, j, x.channel);
    dtd_message message = { .kind = x.kind,
                            .flags = x.flags,
                            .channel = x.channel,
                            .epoch = x.epoch,
                            .sent = x.sent,
                            .received = x.received };
    m->c->message(detector(m, j), x.pair / W, &message, &now, &out);
    follow(m, j, x.channel, &out);
}

/* --- work and data -------------------------------------------------------------------- */

static void do_work(move *m, uint8_t u)
{
    tiny_host *h = &m->to.h;
    const dtd_tiny_unit *x = &m->s->unit[u];
    uint32_t epoch = dtd_epoch(detector(m, x->worker), x->channel);
    h->work[u]--;
    for (int i = 0; i < 2; i++) {
        if (x->send[i] == 0) continue;
        h->flight[x->send[i]][epoch % DTD_TINY_EPOCHS]++;
        h->sent[x->worker][x->channel]++;
    }
    if (x->ask == 0) return;
    h->ask[x->ask][ASKED]++;
    h->open[x->worker][x->channel]++;
}

static void receive(move *m, uint8_t u, uint32_t e)
{
    tiny_host *h = &m->to.h;
    const dtd_tiny_unit *x = &m->s->unit[u];
    uint32_t here = dtd_epoch(detector(m, x->worker), x->channel);
    h->flight[u][e]--;
    if (e == here + 1) {
        h->flight[u][e]++; /* still under way while its receiver goes on */
        go_ahead(m, x->worker, x->channel);
        h->flight[u][e]--;
        mark(m, DTD_TINY_RECEIVE);
    } else if (e != here) mark(m, DTD_TINY_LATE);
    h->received[x->worker][x->channel]++;
    h->work[u]++;
}

static void request(move *m, uint8_t a)
{
    const dtd_tiny_unit *x = &m->s->unit[m->s->ask[a].unit];
    m->to.h.ask[a][ASKED]--;
    if (dtd_frozen(detector(m, x->worker), x->channel)) m->to.h.ask[a][PUT_OFF]++;
    else accept(m, a);
}

static void answer(move *m, uint8_t a)
{
    const dtd_tiny_unit *x = &m->s->unit[m->to.h.asker[a]];
    m->to.h.ask[a][ANSWERED]--;
    m->to.h.open[x->worker][x->channel]--;
    if (m->s->ask[a].then) m->to.h.work[m->s->ask[a].then]++;
}

/* --- all moves ------------------------------------------------------------------------ */

typedef struct moves {
    move m;
    tiny_state from;
    const uint8_t *key;
    dtd_tiny_emit *emit;
    void *self;
    size_t bytes;
} moves;

static move *fresh(moves *v, dtd_tiny_label label)
{
    v->m.to = v->from;
    v->m.label = label;
    return &v->m;
}

static void emit(moves *v)
{
    uint8_t key[DTD_TINY_KEY];
    size_t bytes = encode(&v->m, key);
    if (memcmp(key, v->key, bytes) != 0) v->emit(v->self, v->m.label, key);
}

static void work_moves(moves *v)
{
    for (uint8_t u = 1; u <= U; u++) {
        if (v->from.h.work[u] > 0) do_work(fresh(v, DTD_TINY_WORK), u), emit(v);
        for (uint32_t e = 0; e < DTD_TINY_EPOCHS; e++)
            if (v->from.h.flight[u][e] > 0)
                receive(fresh(v, DTD_TINY_RECEIVE), u, e), emit(v);
    }
    for (uint8_t a = 1; a <= A; a++) {
        if (v->from.h.ask[a][ASKED] > 0) request(fresh(v, DTD_TINY_REQUEST), a), emit(v);
        if (v->from.h.ask[a][ANSWERED] > 0) answer(fresh(v, DTD_TINY_ANSWER), a), emit(v);
    }
}

static void control_moves(moves *v)
{
    const tiny_host *h = &v->from.h;
    for (uint8_t i = 0; i < h->letters; i++)
        if (i == 0 || h->letter[i].pair != h->letter[i - 1].pair)
            deliver(fresh(v, DTD_TINY_CONTROL), i), emit(v);
    for (worker_id j = 0; j < v->m.s->workers; j++)
        for (uint32_t k = 0; k < v->m.s->channels; k++)
            tell_state(fresh(v, DTD_TINY_STATE), j, k), emit(v);
}

static bool frozen(moves *v)
{
    move *m = fresh(v, DTD_TINY_DONE);
    for (worker_id j = 0; j < m->s->workers; j++)
        for (uint32_t k = 0; k < m->s->channels; k++)
            if (dtd_frozen(detector(m, j), k)) return true;
    return false;
}

/* Everybody has what it waited for. */
static bool served(moves *v)
{
    static const tiny_host none;
    const tiny_host *h = &v->from.h;
    if (frozen(v)) return false;
    return memcmp(h->work, none.work, sizeof h->work) == 0 &&
           memcmp(h->flight, none.flight, sizeof h->flight) == 0 &&
           memcmp(h->ask, none.ask, sizeof h->ask) == 0 &&
           memcmp(h->user, none.user, sizeof h->user) == 0 && h->letters == 0;
}

static void count_moves(void *self, dtd_tiny_label label, const uint8_t *key)
{
    (void)label;
    (void)key;
    ++*(size_t *)self;
}

void dtd_tiny_moves(const dtd_tiny_script *s, const dtd_class *c, const uint8_t *key,
                    dtd_tiny_emit *emit_to, void *self)
{
    size_t count = 0;
    moves v = {
        .m = { .s = s, .c = c }, .key = key, .emit = count_moves, .self = &count
    };
    decode(s, c, key, &v.from);
    if (served(&v)) { /* is this the last state? */
        work_moves(&v);
        control_moves(&v);
        if (count == 0) emit_to(self, DTD_TINY_DONE, key);
        if (count == 0) return;
    }
    v.emit = emit_to;
    v.self = self;
    work_moves(&v);
    control_moves(&v);
}
