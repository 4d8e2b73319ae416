/*
 * comm_bind - see comm_bind.h.
 *
 * Spread     Worker w of W gets core w * C / W of C: neighbours by number stay near each other, and
 *            few workers still have the caches and memory channels of the whole machine.  With more
 *            workers than cores the first threads of all cores are dealt out, then the second.
 * Cost       A look at the machine, 5 to 10 ms, only if there are workers to be bound.
 */
#include "comm/comm_bind.h"

#include "core/hash.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef BESPOKE_WITH_HWLOC
#include <hwloc.h>
#endif

static const struct {
    const char *name, *doc;
} modes[] = {
#define COMM_BIND_ROW(id, name, doc) [COMM_BIND_##id] = { name, doc },
    COMM_BIND_MODES(COMM_BIND_ROW)
#undef COMM_BIND_ROW
};

const char *comm_bind_name(comm_bind_mode mode) { return modes[mode].name; }

comm_bind_mode comm_bind_find(const char *name)
{
    comm_bind_mode m = COMM_BIND_AUTO;
    while (m < COMM_BIND_MODE_COUNT && strcmp(modes[m].name, name) != 0) m++;
    return m;
}

/* ---- the plan ----------------------------------------------------------------------------- */

bool comm_bind_crowded(const comm_bind_machine *m, uint32_t workers)
{
    return workers > m->cpus;
}

/* Its number when the first threads of all cores are counted, then the second, ... */
static uint32_t turn_of(const comm_bind_machine *m, uint32_t i)
{
    uint32_t before = 0;
    for (uint32_t k = 0; k < m->cpus; k++)
        before += m->cpu[k].sibling < m->cpu[i].sibling ||
                  (m->cpu[k].sibling == m->cpu[i].sibling && k < i);
    return before;
}

static uint32_t core_of(const comm_bind_machine *m, uint32_t workers, uint32_t w)
{
    return (uint32_t)((uint64_t)w * m->cores / workers);
}

static uint32_t node_of(const comm_bind_machine *m, uint32_t core)
{
    uint32_t i = 0;
    while (m->cpu[i].core != core) i++;
    return m->cpu[i].node;
}

bool comm_bind_gives(const comm_bind_machine *m, comm_bind_mode mode, uint32_t workers,
                     uint32_t w, uint32_t i)
{
    bool a_core_each = workers <= m->cores;
    if (mode == COMM_BIND_NONE || comm_bind_crowded(m, workers)) return false;
    if (mode == COMM_BIND_AUTO && !a_core_each) return false;
    if (mode == COMM_BIND_NUMA)
        return m->cpu[i].node == node_of(m, core_of(m, workers, w));
    if (a_core_each) return m->cpu[i].core == core_of(m, workers, w);
    return turn_of(m, i) == w;
}

/* ---- the machine -------------------------------------------------------------------------- */

enum { CPUS_MAX = 1 << 16 }; /* of the largest set we ask the kernel for */

struct comm_binding {
    comm_bind_mode mode;
    mem *m;
    const char *synthetic;
    comm_bind_machine machine; /* cpu NULL: not read */
    size_t room;               /* of machine.cpu */
    _Atomic uint32_t bound;
    uint32_t workers; /* that are to be bound; 0: none */
    bool told;
    char refusal[160];
};

const comm_bind_machine *comm_bind_machine_of(const comm_binding *b)
{
    return &b->machine;
}

comm_bind_mode comm_bind_mode_of(const comm_binding *b) { return b->mode; }

uint32_t comm_bind_count(const comm_binding *b) { return b->bound; }

int comm_bind_open_synthetic(comm_binding **out, comm_bind_mode mode,
                             const char *synthetic, mem *m, err *e)
{
    comm_binding *b = *out = mem_get(m, sizeof *b, e);
    if (b == NULL) return (int)e->code;
    b->mode = mode;
    b->m = m;
    b->synthetic = synthetic;
    return 0;
}

int comm_bind_open(comm_binding **out, comm_bind_mode mode, mem *m, err *e)
{
    return comm_bind_open_synthetic(out, mode, NULL, m, e);
}

void comm_bind_close(comm_binding *b)
{
    if (b == NULL) return;
    mem_put(b->m, b->machine.cpu, b->room * sizeof *b->machine.cpu);
    mem_put(b->m, b, sizeof *b);
}

static size_t set_bytes(void) { return CPU_ALLOC_SIZE(CPUS_MAX); }

/* What the calling thread may use; NULL: nobody knows. */
static cpu_set_t *allowed(void)
{
    cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
    if (set == NULL) return NULL;
    CPU_ZERO_S(set_bytes(), set);
    if (sched_getaffinity(0, set_bytes(), set) == 0) return set;
    CPU_FREE(set);
    return NULL;
}

uint64_t comm_bind_place(void)
{
    struct {
        char host[256];
        uint64_t cpus;
    } facts = { .host = "" };
    cpu_set_t *set = allowed();
    if (gethostname(facts.host, sizeof facts.host - 1) != 0) facts.host[0] = '\0';
    if (set) facts.cpus = hash_file(set, set_bytes());
    CPU_FREE(set);
    return hash_file(&facts, sizeof facts);
}

#ifdef BESPOKE_WITH_HWLOC

/* Nothing is left out: without what it belongs to, a memory would be everybody's. */
static int load(hwloc_topology_t h, const char *synthetic, err *e)
{
    if (synthetic && hwloc_topology_set_synthetic(h, synthetic) != 0)
        return err_set(e, ERR_USAGE, "hwloc: no topology: %.60s", synthetic);
    if (hwloc_topology_load(h) != 0)
        return err_set(e, ERR_SYSTEM, "hwloc: cannot read the topology");
    return 0;
}

/* Nodes get numbers from 0; so far they have those of the system. */
static void number_nodes(comm_bind_machine *m)
{
    for (uint32_t i = 0; i < m->cpus; i++) m->cpu[i].node += m->cpus;
    for (uint32_t i = 0; i < m->cpus; i++) {
        uint32_t os = m->cpu[i].node;
        if (os < m->cpus) continue;
        for (uint32_t k = i; k < m->cpus; k++)
            if (m->cpu[k].node == os) m->cpu[k].node = m->nodes;
        m->nodes++;
    }
}

/* Hardware threads come core by core; one whose core nobody knows is a core. */
static void add_cpu(comm_bind_machine *m, hwloc_topology_t h, hwloc_obj_t pu,
                    hwloc_obj_t *last)
{
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(h, HWLOC_OBJ_CORE, pu);
    bool same = core && core == *last;
    uint32_t sibling = same ? m->cpu[m->cpus - 1].sibling + 1 : 0;
    int node = pu->nodeset ? hwloc_bitmap_first(pu->nodeset) : 0;
    m->cores += !same;
    m->cpu[m->cpus++] = (comm_bind_cpu){ .os = pu->os_index,
                                         .core = m->cores - 1,
                                         .node = node < 0 ? 0 : (uint32_t)node,
                                         .sibling = sibling };
    *last = core;
}

static int read_cpus(comm_binding *b, hwloc_topology_t h, const cpu_set_t *set, err *e)
{
    hwloc_obj_t last = NULL;
    int count = hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_PU);
    b->room = count > 0 ? (size_t)count : 0;
    b->machine.cpu = mem_get_array(b->m, b->room, sizeof *b->machine.cpu, e);
    for (uint32_t i = 0; b->machine.cpu && i < b->room; i++) {
        hwloc_obj_t pu = hwloc_get_obj_by_type(h, HWLOC_OBJ_PU, i);
        if (b->synthetic || (set && CPU_ISSET_S(pu->os_index, set_bytes(), set)))
            add_cpu(&b->machine, h, pu, &last);
    }
    number_nodes(&b->machine);
    return (int)e->code;
}

static int read_machine(comm_binding *b, err *e)
{
    hwloc_topology_t h;
    if (hwloc_topology_init(&h) != 0)
        return err_set(e, ERR_SYSTEM, "hwloc: cannot initialise");
    cpu_set_t *set = allowed();
    if (load(h, b->synthetic, e) == 0) read_cpus(b, h, set, e);
    CPU_FREE(set);
    hwloc_topology_destroy(h);
    return (int)e->code;
}

bool comm_bind_has_hwloc(void) { return true; }

static const char *const no_machine = "the machine does not say which cores it has";
#else
static int read_machine(comm_binding *b, err *e)
{
    (void)b;
    (void)e;
    return 0;
}

bool comm_bind_has_hwloc(void) { return false; }

static const char *const no_machine = "this program was built without hwloc";
#endif

/* ---- binding ------------------------------------------------------------------------------ */

/* Who has given cores to threads by OMP_PROC_BIND has decided already; who is alone may wander;
   and with fewer cpus than workers nobody gets one. */
static bool is_settled(const comm_binding *b, uint32_t workers)
{
    if (b->mode != COMM_BIND_AUTO) return b->mode == COMM_BIND_NONE;
    if (b->synthetic) return false;
    return workers == 1 || omp_get_proc_bind() != omp_proc_bind_false ||
           workers > (uint32_t)omp_get_num_procs();
}

int comm_bind_prepare(comm_binding *b, uint32_t workers, err *e)
{
    if (b == NULL) return 0;
    b->workers = is_settled(b, workers) ? 0 : workers;
    if (b->workers == 0) return 0;
    if (b->machine.cpu == NULL && read_machine(b, e) != 0) return (int)e->code;
    if (b->mode == COMM_BIND_AUTO || b->refusal[0] != '\0') return 0;
    if (b->machine.cpus == 0)
        snprintf(b->refusal, sizeof b->refusal, "no worker is bound: %s", no_machine);
    else if (comm_bind_crowded(&b->machine, workers))
        snprintf(b->refusal, sizeof b->refusal,
                 "no worker is bound: %u of them share %u hardware threads", workers,
                 b->machine.cpus);
    return 0;
}

const char *comm_bind_refusal(comm_binding *b)
{
    if (b == NULL || b->refusal[0] == '\0' || b->told) return NULL;
    b->told = true;
    return b->refusal;
}

static uint32_t choose(const comm_binding *b, uint32_t w, cpu_set_t *set)
{
    uint32_t count = 0;
    CPU_ZERO_S(set_bytes(), set);
    for (uint32_t i = 0; i < b->machine.cpus; i++) {
        if (!comm_bind_gives(&b->machine, b->mode, b->workers, w, i)) continue;
        CPU_SET_S(b->machine.cpu[i].os, set_bytes(), set);
        count++;
    }
    return count;
}

void *comm_bind_enter(comm_binding *b, uint32_t w)
{
    if (b == NULL || b->synthetic || b->workers == 0) return NULL;
    cpu_set_t *before = allowed(), *set = before ? CPU_ALLOC(CPUS_MAX) : NULL;
    bool bound =
        set && choose(b, w, set) > 0 && sched_setaffinity(0, set_bytes(), set) == 0;
    CPU_FREE(set);
    b->bound += bound;
    if (bound) return before;
    CPU_FREE(before);
    return NULL;
}

void comm_bind_leave(void *before)
{
    if (before) sched_setaffinity(0, set_bytes(), before);
    CPU_FREE(before);
}
