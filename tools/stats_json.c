#include "tools/stats_json.h"

static json_t *number(uint64_t x) { return json_integer((json_int_t)x); }

json_t *stats_json_messages(const comm_stats *s)
{
    json_t *x = json_object();
    for (uint32_t k = 0; k < s->kinds; k++)
        json_object_set_new(x, s->name[k], number(comm_stats_sent(s, s->name[k])));
    json_object_set_new(x, "control", number(s->of[COMM_STATS_CONTROL].sum));
    json_object_set_new(x, "batches", number(s->of[COMM_STATS_BATCHES].sum));
    json_object_set_new(x, "bytes", number(s->of[COMM_STATS_BYTES].sum));
    return x;
}

json_t *stats_json_counters(const comm_stats *s, bool asked)
{
    if (!asked) return json_null();
    json_t *x = json_object();
    for (counters_id id = 0; id < COUNTERS_COUNT; id++) {
        const comm_stat *k = &s->of[COMM_STATS_COUNTERS + id];
        json_object_set_new(x, counters_name(id),
                            k->known ? number(k->sum) : json_null());
    }
    return x;
}
