/*
 * stats_json.h - what workers did, as the pieces of an answer that all commands with workers share.
 */
#ifndef BESPOKE_STATS_JSON_H
#define BESPOKE_STATS_JSON_H

#include "comm/comm_stats.h"

#include <jansson.h>

/** {kind: messages sent, ..., "control", "batches", "bytes"}, kinds by their names. */
json_t *stats_json_messages(const comm_stats *s);

/** {PAPI's name: value, or null where nobody knows}; null unless they were asked for. */
json_t *stats_json_counters(const comm_stats *s, bool asked);

#endif
