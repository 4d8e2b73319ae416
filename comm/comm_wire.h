/*
 * comm_wire.h - a batch as bytes: a header of 32, then messages of one kind.
 *
 *      0 kind   1 routed   2 unit (2)   4 count (4)   8 from (4)   12 epoch (4)   16 zero (12)
 *     28 check (4)
 * All little-endian, unsigned.  A unit is a message with what goes before it: nothing, or where
 * it is routed the number of a worker, whose it is (last hop) or for whom (first hop).
 */
#ifndef BESPOKE_COMM_WIRE_H
#define BESPOKE_COMM_WIRE_H

#include "comm/comm.h"

enum { COMM_HEADER_BYTES = 32, COMM_LETTER_BYTES = 64 };

typedef enum { COMM_DIRECT, COMM_FIRST_HOP, COMM_LAST_HOP } comm_hop;

typedef struct comm_header {
    uint32_t kind, unit, count;
    comm_hop hop;
    worker_id from;
    uint32_t epoch;
} comm_header;

/* What goes before a routed message of this width: 4 bytes, and more to keep it aligned. */
static inline uint32_t comm_wire_prefix(uint32_t width)
{
    return width % 16 == 0 ? 16 : width % 8 == 0 ? 8 : 4;
}

static inline void comm_wire_put(uint8_t *at, uint64_t x, int bytes)
{
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(x >> (8 * i));
}

static inline uint64_t comm_wire_get(const uint8_t *at, int bytes)
{
    uint64_t x = 0;
    for (int i = 0; i < bytes; i++) x |= (uint64_t)at[i] << (8 * i);
    return x;
}

void comm_wire_pack(const comm_header *h, uint8_t *at);

/** Read and check the header of a batch of `bytes` bytes from `from`: nothing of it is used that
    has not been compared with what there is.  0, or ERR_SYSTEM. */
int comm_wire_unpack(comm_header *h, const uint8_t *at, size_t bytes, worker_id from,
                     const comm_config *c, err *e);

#endif
