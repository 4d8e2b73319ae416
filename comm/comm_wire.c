#include "comm/comm_wire.h"

#include "core/hash.h"

enum {
    AT_KIND = 0,
    AT_HOP = 1,
    AT_UNIT = 2,
    AT_COUNT = 4,
    AT_FROM = 8,
    AT_EPOCH = 12,
    AT_ZERO = 16,
    AT_CHECK = 28
};

void comm_wire_pack(const comm_header *h, uint8_t *at)
{
    memset(at, 0, COMM_HEADER_BYTES);
    comm_wire_put(at + AT_KIND, h->kind, 1);
    comm_wire_put(at + AT_HOP, h->hop, 1);
    comm_wire_put(at + AT_UNIT, h->unit, 2);
    comm_wire_put(at + AT_COUNT, h->count, 4);
    comm_wire_put(at + AT_FROM, h->from, 4);
    comm_wire_put(at + AT_EPOCH, h->epoch, 4);
    comm_wire_put(at + AT_CHECK, hash_file(at, AT_CHECK), 4);
}

static bool fits(const comm_header *h, size_t bytes, worker_id from, const comm_config *c)
{
    if (h->kind >= c->kind_count || h->from != from || h->count == 0) return false;
    if (h->hop > COMM_LAST_HOP || (h->hop != COMM_DIRECT) != c->two_hops) return false;
    uint32_t width = c->kinds[h->kind].width;
    uint32_t unit = h->hop == COMM_DIRECT ? width : width + comm_wire_prefix(width);
    return h->unit == unit && bytes == COMM_HEADER_BYTES + (size_t)h->count * unit;
}

int comm_wire_unpack(comm_header *h, const uint8_t *at, size_t bytes, worker_id from,
                     const comm_config *c, err *e)
{
    if (bytes < COMM_HEADER_BYTES)
        return err_set(e, ERR_SYSTEM, "batch of %zu bytes from worker %u; expected %d",
                       bytes, from, COMM_HEADER_BYTES);
    *h = (comm_header){ .kind = (uint32_t)comm_wire_get(at + AT_KIND, 1),
                        .hop = (comm_hop)comm_wire_get(at + AT_HOP, 1),
                        .unit = (uint32_t)comm_wire_get(at + AT_UNIT, 2),
                        .count = (uint32_t)comm_wire_get(at + AT_COUNT, 4),
                        .from = (worker_id)comm_wire_get(at + AT_FROM, 4),
                        .epoch = (uint32_t)comm_wire_get(at + AT_EPOCH, 4) };
    if (comm_wire_get(at + AT_CHECK, 4) != (uint32_t)hash_file(at, AT_CHECK) ||
        !fits(h, bytes, from, c))
        return err_set(e, ERR_SYSTEM,
                       "damaged batch from worker %u: %zu bytes, kind %u, %u of %u bytes",
                       from, bytes, h->kind, h->count, h->unit);
    return 0;
}
