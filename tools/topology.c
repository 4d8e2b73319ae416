#include "tools/topology.h"

#include "core/ids.h"
#include "core/mem_limit.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef BESPOKE_WITH_HWLOC
#include <hwloc.h>
#endif

enum { CPUS_MAX = 1 << 16 }; /* of the largest set we ask the kernel for */

/* "0-3,8": one range more; a set that does not fit ends in "...". */
static void add_range(char *text, int from, int to)
{
    char range[32];
    size_t used = strlen(text);
    if (from == to) snprintf(range, sizeof range, "%s%d", used ? "," : "", from);
    else snprintf(range, sizeof range, "%s%d-%d", used ? "," : "", from, to);
    if (used + strlen(range) + sizeof "..." <= TOPOLOGY_CPUS_BYTES) strcat(text, range);
    else if (used > 0 && text[used - 1] != '.') strcat(text, "...");
}

static void name_cpus(topology *out, const cpu_set_t *set, size_t bytes)
{
    int from = -1;
    for (int cpu = 0; cpu <= CPUS_MAX; cpu++) {
        bool in = cpu < CPUS_MAX && CPU_ISSET_S((size_t)cpu, bytes, set);
        if (in && from < 0) from = cpu;
        if (!in && from >= 0) add_range(out->allowed_cpus, from, cpu - 1);
        if (!in) from = -1;
    }
}

static int read_allowed(topology *out, err *e)
{
    size_t bytes = CPU_ALLOC_SIZE(CPUS_MAX);
    cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
    if (set == NULL) return err_set(e, ERR_SYSTEM, "topology: out of memory");
    CPU_ZERO_S(bytes, set);
    if (sched_getaffinity(0, bytes, set) == 0) {
        out->allowed = (unsigned)CPU_COUNT_S(bytes, set);
        name_cpus(out, set, bytes);
    }
    CPU_FREE(set);
    return 0;
}

static uint64_t value(int name)
{
    long n = sysconf(name);
    return n > 0 ? (uint64_t)n : 0;
}

#ifdef BESPOKE_WITH_HWLOC
static unsigned count(hwloc_topology_t h, hwloc_obj_type_t type)
{
    int n = hwloc_get_nbobjs_by_type(h, type);
    return n > 0 ? (unsigned)n : 0;
}

static void read_caches(topology *out, hwloc_topology_t h)
{
    static const hwloc_obj_type_t types[] = { HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                              HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE };
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        hwloc_obj_t first = hwloc_get_obj_by_type(h, types[i], 0);
        if (first == NULL) continue;
        topology_cache *c = &out->cache[out->caches++];
        hwloc_obj_type_snprintf(c->name, sizeof c->name, first, 0);
        c->bytes = first->attr->cache.size;
        c->count = count(h, types[i]);
    }
}

static int read_machine(topology *out, err *e)
{
    hwloc_topology_t h;
    if (hwloc_topology_init(&h) != 0)
        return err_set(e, ERR_SYSTEM, "hwloc: cannot initialise");
    hwloc_topology_set_flags(h, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(h) != 0) {
        hwloc_topology_destroy(h);
        return err_set(e, ERR_SYSTEM, "hwloc: cannot read the topology");
    }
    out->source = "hwloc";
    out->packages = count(h, HWLOC_OBJ_PACKAGE);
    out->numa_nodes = count(h, HWLOC_OBJ_NUMANODE);
    out->cores = count(h, HWLOC_OBJ_CORE);
    out->threads = count(h, HWLOC_OBJ_PU);
    read_caches(out, h);
    hwloc_topology_destroy(h);
    return 0;
}
#else
static int read_machine(topology *out, err *e)
{
    static const struct {
        const char *name;
        int size;
    } caches[] = { { "L1d", _SC_LEVEL1_DCACHE_SIZE },
                   { "L2", _SC_LEVEL2_CACHE_SIZE },
                   { "L3", _SC_LEVEL3_CACHE_SIZE } };
    (void)e;
    out->source = "libc";
    out->threads = (unsigned)value(_SC_NPROCESSORS_CONF);
    for (size_t i = 0; i < COUNT_OF(caches); i++) {
        topology_cache *c = &out->cache[out->caches];
        if ((c->bytes = value(caches[i].size)) == 0) continue;
        snprintf(c->name, sizeof c->name, "%s", caches[i].name);
        out->caches++; /* how many there are of it the C library does not know */
    }
    return 0;
}
#endif

int topology_read(topology *out, err *e)
{
    *out = (topology){ .memory_bytes = value(_SC_PHYS_PAGES) * value(_SC_PAGESIZE),
                       .memory_allowed = mem_limit_find() };
    if (read_allowed(out, e) != 0) return (int)e->code;
    return read_machine(out, e);
}
