#include "algorithms/algorithm.h"
#include "comm/comm_transport.h"
#include "core/distribution.h"
#include "dtd/dtd.h"
#include "models/lts_file.h"
#include "models/model_file.h"
#include "tools/answer.h"
#include "tools/command.h"
#include "tools/gen_family.h"
#include "tools/placement.h"
#include "tools/text.h"
#include "tools/topology.h"
#include "vlts_bench/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Everything that can be chosen by name, as headings of entries. */
typedef struct entry {
    const char *name; /* NULL past the last entry */
    char doc[120];
    unsigned access; /* formats: ACCESS_READ, ACCESS_WRITE or both; else 0 */
} entry;
enum { ACCESS_READ = 1, ACCESS_WRITE = 2 };

typedef struct heading {
    const char *title;                  /* for people */
    const char *key;                    /* in JSON */
    void (*get)(entry *into, size_t i); /* the i-th; `into` is zero before */
} heading;

static void get_format(entry *into, size_t i)
{
    lts_file_format f = lts_file_format_get(i);
    into->name = f.suffix;
    into->access = (f.read ? ACCESS_READ : 0) | (f.written ? ACCESS_WRITE : 0);
    if (f.suffix) snprintf(into->doc, sizeof into->doc, "%s", f.doc);
}

static void get_kind(entry *into, size_t i)
{
    model_file_kind k = model_file_kind_get(i);
    into->name = k.suffix;
    if (k.suffix) snprintf(into->doc, sizeof into->doc, "%s", k.doc);
}

static void get_distribution(entry *into, size_t i)
{
    if (i >= DISTRIBUTION_KIND_COUNT) return;
    distribution_kind kind = (distribution_kind)i;
    into->name = distribution_name(kind);
    snprintf(into->doc, sizeof into->doc, "%s", distribution_doc(kind));
}

static void get_detector(entry *into, size_t i)
{
    size_t count;
    const dtd_class *const *all = dtd_list(&count);
    if (i >= count) return;
    into->name = all[i]->name;
    snprintf(into->doc, sizeof into->doc, "%s", all[i]->doc);
}

static void get_transport(entry *into, size_t i)
{
    size_t count;
    const comm_transport *const *all = comm_transport_list(&count);
    if (i >= count) return;
    into->name = all[i]->name;
    snprintf(into->doc, sizeof into->doc, "%s", all[i]->doc);
}

static void get_family(entry *into, size_t i)
{
    if (gen_families[i] == NULL) return;
    into->name = gen_families[i]->name;
    snprintf(into->doc, sizeof into->doc, "%s", gen_families[i]->doc);
}

static void get_vlts(entry *into, size_t i)
{
    if (i >= MANIFEST_ROWS) return;
    into->name = manifest[i].name;
    snprintf(into->doc, sizeof into->doc, "%" PRIu64 " states, %" PRIu64 " transitions",
             manifest[i].facts.states, manifest[i].facts.transitions);
}

/* "auto" first: it is no solver but chooses one.  Last those that have several workers. */
static void get_algorithm(entry *into, size_t i)
{
    static const entry together[] = {
        { "mb-dsolve", "breadth-first by several workers, any plain blocks", 0 },
        { "dsolve", "the same, one block", 0 }
    };
    size_t count;
    const algorithm *const *solver = algorithm_list(&count);
    if (i > count + COUNT_OF(together)) return;
    if (i > count) {
        *into = together[i - count - 1];
        return;
    }
    into->name = i == 0 ? "auto" : solver[i - 1]->name;
    snprintf(into->doc, sizeof into->doc, "%s",
             i == 0 ? "per block the best that its shape allows" : solver[i - 1]->doc);
}

static const heading headings[] = {
    { "Formats, by suffix; .aut also with .gz, .zst or .bz2 behind", "formats",
      get_format },
    { "Models whose states are computed, by suffix", "models", get_kind },
    { "Algorithms, for --algorithm", "algorithms", get_algorithm },
    { "Distributions of states over workers, for --distribution", "distributions",
      get_distribution },
    { "Detectors of the end of a block, for --dtd", "detectors", get_detector },
    { "What carries messages, for --transport", "transports", get_transport },
    { "Families of models for bespoke gen", "families", get_family },
    { "Instances of the VLTS suite, as vlts:NAME", "vlts", get_vlts },
};

static entry get(const heading *h, size_t i)
{
    entry x = { .name = NULL };
    h->get(&x, i);
    return x;
}

static void print_entry(const entry *x)
{
    static const char *const access[] = { "", " (read)", " (written)",
                                          " (read, written)" };
    char head[40], doc[sizeof x->doc + 20];
    snprintf(head, sizeof head, "  %s", x->name);
    snprintf(doc, sizeof doc, "%s%s", x->doc, access[x->access]);
    text_print_beside(head, doc, 20);
}

static void print_headings(void)
{
    entry x;
    for (size_t i = 0; i < COUNT_OF(headings); i++) {
        printf("%s%s:\n", i ? "\n" : "", headings[i].title);
        for (size_t k = 0; (x = get(&headings[i], k)).name; k++) print_entry(&x);
    }
}

static json_t *entry_json(const entry *x)
{
    json_t *o = json_pack("{s:s, s:s}", "name", x->name, "doc", x->doc);
    if (x->access == 0) return o;
    json_object_set_new(o, "read", json_boolean(x->access & ACCESS_READ));
    json_object_set_new(o, "written", json_boolean(x->access & ACCESS_WRITE));
    return o;
}

static json_t *headings_json(void)
{
    json_t *all = json_object();
    entry x;
    for (size_t i = 0; i < COUNT_OF(headings); i++) {
        json_t *list = json_array();
        for (size_t k = 0; (x = get(&headings[i], k)).name; k++)
            json_array_append_new(list, entry_json(&x));
        json_object_set_new(all, headings[i].key, list);
    }
    return all;
}

static void print_count(const char *what, unsigned n)
{
    if (n > 0) printf("%-17s %u\n", what, n);
}

static void print_topology(const topology *m)
{
    print_count("packages", m->packages);
    print_count("NUMA nodes", m->numa_nodes);
    print_count("cores", m->cores);
    print_count("hardware threads", m->threads);
    printf("%-17s %u: %s\n", "allowed to us", m->allowed, m->allowed_cpus);
    printf("%-17s %.1f GiB, %.1f GiB allowed to us\n", "memory",
           (double)m->memory_bytes / (1 << 30), (double)m->memory_allowed / (1 << 30));
    for (size_t i = 0; i < m->caches; i++) {
        const topology_cache *c = &m->cache[i];
        printf("%-5s cache       %" PRIu64 " KiB", c->name, c->bytes / 1024);
        if (c->count > 0) printf(", %u of them", c->count);
        printf("\n");
    }
    printf("%-17s %s\n", "source", m->source);
}

/* ---- where workers would stand ------------------------------------------------------------ */

typedef struct places {
    comm_binding *bind;
    comm_bind_mode mode;
    uint32_t workers; /* 0: nobody asked */
} places;

static int open_places(places *p, tool *t, err *e)
{
    p->workers = (uint32_t)options_unsigned(t->opts, "workers", 0);
    if (p->workers == 0 && options_given(t->opts, "bind"))
        return err_set(e, ERR_USAGE, "--bind needs --workers N here");
    if (placement_open(&p->bind, t, e) != 0) return (int)e->code;
    p->mode = comm_bind_mode_of(p->bind);
    return p->workers > 0 ? comm_bind_prepare(p->bind, p->workers, e) : 0;
}

/* The cpus that worker `w` would get, by the system's numbers. */
static json_t *place_json(const places *p, uint32_t w)
{
    const comm_bind_machine *m = comm_bind_machine_of(p->bind);
    json_t *cpus = json_array();
    for (uint32_t i = 0; i < m->cpus; i++)
        if (comm_bind_gives(m, p->mode, p->workers, w, i))
            json_array_append_new(cpus, json_integer(m->cpu[i].os));
    return cpus;
}

static json_t *places_json(const places *p)
{
    json_t *all = json_array();
    for (uint32_t w = 0; w < p->workers; w++)
        json_array_append_new(all, place_json(p, w));
    return all;
}

static void print_places(const places *p)
{
    for (uint32_t w = 0; w < p->workers; w++) {
        json_t *cpus = place_json(p, w);
        printf("worker %-10u", w);
        for (size_t i = 0; i < json_array_size(cpus); i++)
            printf(" %lld", (long long)json_integer_value(json_array_get(cpus, i)));
        printf("%s\n", json_array_size(cpus) > 0 ? "" : " not bound");
        json_decref(cpus);
    }
}

/* An unknown count is null, not 0. */
static json_t *count_json(unsigned n) { return n == 0 ? json_null() : json_integer(n); }

static json_t *caches_json(const topology *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->caches; i++)
        json_array_append_new(list, json_pack("{s:s, s:I, s:o}", "name", m->cache[i].name,
                                              "bytes", (json_int_t)m->cache[i].bytes,
                                              "count", count_json(m->cache[i].count)));
    return list;
}

static json_t *topology_json(const topology *m)
{
    return json_pack(
        "{s:{s:o, s:o, s:o, s:o, s:o, s:s, s:I, s:I, s:o, s:s}}", "topology", "packages",
        count_json(m->packages), "numa_nodes", count_json(m->numa_nodes), "cores",
        count_json(m->cores), "threads", count_json(m->threads), "allowed",
        count_json(m->allowed), "allowed_cpus", m->allowed_cpus, "memory_bytes",
        (json_int_t)m->memory_bytes, "memory_allowed", (json_int_t)m->memory_allowed,
        "caches", caches_json(m), "source", m->source);
}

static int answer_topology(tool *t, bool json, err *e)
{
    topology m;
    places p = { 0 };
    if (topology_read(&m, e) == 0 && open_places(&p, t, e) == 0) {
        json_t *x = json ? topology_json(&m) : NULL;
        if (x && p.workers > 0) json_object_set_new(x, "places", places_json(&p));
        if (json) answer_json(x, e);
        else print_topology(&m), print_places(&p);
    }
    comm_bind_close(p.bind);
    return (int)e->code;
}

static int run_list(tool *t, err *e)
{
    static const char *const of_topology[] = { "workers", "bind", NULL };
    bool json = options_given(t->opts, "json");
    if (!options_given(t->opts, "topology")) {
        if (options_refuse(t->opts, of_topology, "is for --topology", e) != 0)
            return (int)e->code;
        if (json) return answer_json(headings_json(), e);
        print_headings();
        return 0;
    }
    return answer_topology(t, json, e);
}

static const option_spec specs[] = {
    { "topology", 0, OPTION_FLAG, NULL, 0, 0,
      "Print the machine instead: packages, cores, caches, memories, and the cores this "
      "process may use." },
    { "workers", 0, OPTION_UNSIGNED, "N", 1, 1 << 16,
      "With --topology: on which of them N workers of this machine, of all ranks and "
      "threads together, would stand." },
    { "bind", 0, OPTION_STRING, "HOW", 0, 0,
      "... with this --bind: core, numa or none." },
    { "json", 0, OPTION_FLAG, NULL, 0, 0, "Answer with one JSON object on one line." },
    { 0 },
};
static const option_group group = { "Output", specs };

const command cmd_list = {
    .name = "list",
    .doc = "what is compiled in, and what the machine is",
    .synopsis = "[OPTION]...",
    .description =
        "Names everything that an option or a command can choose by name, with "
        "one line each.  With --topology, what the machine offers: useful to "
        "put beside a measurement.",
    .examples =
        (const command_example[]){
            { "bespoke list", "formats, distributions, model families" },
            { "bespoke list --topology --json", "the machine, for a script" },
            { "bespoke list --topology --workers 4 --bind core",
              "where the workers of --ranks 2 --threads 2 would stand" },
            { 0 },
        },
    .options = (const option_group *const[]){ &group, NULL },
    .run = run_list,
};
