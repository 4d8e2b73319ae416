#include "dtd/dtd.h"
#include "dtd/dtd_confirm.h"

#include <string.h>

static size_t record_bytes(const dtd_class *c, uint32_t workers, worker_id self)
{
    assert(workers >= 1 && workers <= DTD_WORKERS_MAX && self < workers);
    return c->channel_bytes(workers, self);
}

size_t dtd_bytes(const dtd_class *c, uint32_t workers, worker_id self, uint32_t channels)
{
    assert(channels <= DTD_CHANNELS_MAX);
    return sizeof(dtd) + channels * record_bytes(c, workers, self);
}

dtd *dtd_begin(const dtd_class *c, void *block, uint32_t workers, worker_id self,
               uint32_t channels)
{
    dtd *d = block;
    memset(block, 0, dtd_bytes(c, workers, self, channels));
    d->self = self;
    d->workers = workers;
    d->channels = channels;
    d->record = (uint32_t)record_bytes(c, workers, self);
    return d;
}

uint32_t dtd_epoch(const dtd *d, uint32_t channel)
{
    const dtd_phase *p = dtd_record(d, channel);
    return p->epoch;
}

bool dtd_frozen(const dtd *d, uint32_t channel)
{
    const dtd_phase *p = dtd_record(d, channel);
    return p->frozen != 0;
}

const char *dtd_kind_name(dtd_kind kind)
{
#define NAME(id, name, doc) [DTD_##id] = name,
    static const char *const names[] = { DTD_KINDS(NAME) };
#undef NAME
    return names[kind];
}

/* A failed wave that is followed by the next: twice to everyone. */
size_t dtd_letters_max(uint32_t workers) { return 2 * (size_t)workers + 2; }

static void put(uint8_t *at, uint64_t x, int bytes)
{
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(x >> (8 * i));
}

static uint64_t get(const uint8_t *at, int bytes)
{
    uint64_t x = 0;
    for (int i = 0; i < bytes; i++) x |= (uint64_t)at[i] << (8 * i);
    return x;
}

enum {
    AT_KIND = 0,
    AT_FLAGS = 2,
    AT_CHANNEL = 4,
    AT_EPOCH = 8,
    AT_SENT = 12,
    AT_RECEIVED = 20
};

void dtd_pack(const dtd_message *m, uint8_t *wire)
{
    put(wire + AT_KIND, m->kind, 2);
    put(wire + AT_FLAGS, m->flags, 2);
    put(wire + AT_CHANNEL, m->channel, 4);
    put(wire + AT_EPOCH, m->epoch, 4);
    put(wire + AT_SENT, m->sent, 8);
    put(wire + AT_RECEIVED, m->received, 8);
}

int dtd_unpack(dtd_message *m, const uint8_t *wire, size_t bytes, uint32_t channels,
               err *e)
{
    if (bytes != DTD_WIRE_BYTES)
        return err_set(e, ERR_SYSTEM, "control message of %zu bytes; expected %d", bytes,
                       DTD_WIRE_BYTES);
    *m = (dtd_message){ .kind = (uint32_t)get(wire + AT_KIND, 2),
                        .flags = (uint32_t)get(wire + AT_FLAGS, 2),
                        .channel = (uint32_t)get(wire + AT_CHANNEL, 4),
                        .epoch = (uint32_t)get(wire + AT_EPOCH, 4),
                        .sent = get(wire + AT_SENT, 8),
                        .received = get(wire + AT_RECEIVED, 8) };
    if (m->kind >= DTD_KIND_COUNT || (m->flags & ~(uint32_t)DTD_FLAGS) != 0 ||
        m->channel >= channels)
        return err_set(e, ERR_SYSTEM,
                       "control message of kind %u, flags %u, channel %u of %u", m->kind,
                       m->flags, m->channel, channels);
    return 0;
}
