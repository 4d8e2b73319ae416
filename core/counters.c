/*
 * counters - see counters.h.
 *
 * Switches between threads happen inside the system, where PAPI does not look unless told to and
 * allowed to; its figure would be 0.  So they come from the system's account, and moves between cpus
 * are asked for as seen from the system too: where that is not allowed they are not known.
 */
#include "core/counters.h"

#include <string.h>
#include <sys/resource.h>
#ifdef BESPOKE_WITH_PAPI
#include <papi.h>
#include <pthread.h>
#endif

static const struct {
    const char *name, *doc;
} rows[] = {
#define COUNTERS_ROW(id, name, doc) [COUNTERS_##id] = { name, doc },
    COUNTERS_LIST(COUNTERS_ROW)
#undef COUNTERS_ROW
};

const char *counters_name(counters_id id) { return rows[id].name; }

const char *counters_doc(counters_id id) { return rows[id].doc; }

static void know(counters_values *v, counters_id id, uint64_t value)
{
    v->known[id] = true;
    v->value[id] = value;
}

/* The system's account of the calling thread so far. */
static counters_values account(void)
{
    struct rusage u;
    counters_values v = { .known = { false } };
    if (getrusage(RUSAGE_THREAD, &u) != 0) return v;
    know(&v, COUNTERS_PAGE_FAULTS, (uint64_t)u.ru_minflt + (uint64_t)u.ru_majflt);
    know(&v, COUNTERS_SWITCHES, (uint64_t)u.ru_nvcsw + (uint64_t)u.ru_nivcsw);
    return v;
}

#ifdef BESPOKE_WITH_PAPI

static unsigned long thread_id(void) { return (unsigned long)pthread_self(); }

bool counters_prepare(void)
{
    return PAPI_is_initialized() != PAPI_NOT_INITED ||
           (PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT &&
            PAPI_thread_init(thread_id) == PAPI_OK);
}

/* What is asked of PAPI for a counter; NULL: nothing. */
static const char *event_of(counters_id id)
{
    if (id == COUNTERS_SWITCHES) return NULL;
    return id == COUNTERS_MIGRATIONS ? "perf::CPU-MIGRATIONS:u=1:k=1" : rows[id].name;
}

static void start_events(counters *c)
{
    c->set = PAPI_NULL;
    if (PAPI_is_initialized() == PAPI_NOT_INITED || PAPI_register_thread() != PAPI_OK ||
        PAPI_create_eventset(&c->set) != PAPI_OK)
        return;
    for (counters_id id = 0; id < COUNTERS_COUNT; id++)
        if (event_of(id) && PAPI_add_named_event(c->set, event_of(id)) == PAPI_OK)
            c->event[c->events++] = id;
    if (c->events > 0 && PAPI_start(c->set) != PAPI_OK) c->events = 0;
}

static void stop_events(counters *c, counters_values *v)
{
    long long value[COUNTERS_COUNT];
    if (c->events > 0 && PAPI_stop(c->set, value) == PAPI_OK)
        for (uint32_t i = 0; i < c->events; i++)
            know(v, c->event[i], value[i] < 0 ? 0 : (uint64_t)value[i]);
    if (c->set == PAPI_NULL) return;
    PAPI_cleanup_eventset(c->set);
    PAPI_destroy_eventset(&c->set);
}
#else
bool counters_prepare(void) { return false; }

static void start_events(counters *c) { (void)c; }

static void stop_events(counters *c, counters_values *v)
{
    (void)c;
    (void)v;
}
#endif

void counters_start(counters *c)
{
    *c = (counters){ .at_start = account() };
    start_events(c);
}

counters_values counters_stop(counters *c)
{
    counters_values v = account();
    for (counters_id id = 0; id < COUNTERS_COUNT; id++)
        v.value[id] -= c->at_start.value[id];
    stop_events(c, &v);
    return v;
}

void counters_add(counters_values *into, const counters_values *more)
{
    for (counters_id id = 0; id < COUNTERS_COUNT; id++) {
        into->known[id] |= more->known[id];
        into->value[id] += more->value[id];
    }
}
