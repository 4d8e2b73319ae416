#include "tools/gen_parts.h"

#include "core/lts_part.h"
#include "core/model.h"
#include "core/suffix.h"
#include "lang/aut.h"
#include "lang/output.h"
#include "tools/answer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    COMPONENT_MAX =
        1000000, /* of a component: more is no longer a small part of anything */
    LABEL_BYTES = 80,
    PART_BYTES = 40,
    TEXT_BYTES = 1000
};

struct gen_parts {
    tool *t;
    const gen_family *family;
    err *e;              /* the first failure */
    const char *out;     /* the .exp */
    const char *stem;    /* the same without .exp */
    const char *base;    /* the stem's last part: how the network names its components */
    output *network;     /* the .exp while it is written */
    label_table *names;  /* labels and ... */
    VEC(lts_edge) edges; /* ... transitions of the component that was begun */
    char part[PART_BYTES];
    json_t *components, *properties;
};

static bool failed(const gen_parts *p) { return p->e->code != ERR_NONE; }

/* ---- the command line --------------------------------------------------------------------- */

static const option_spec specs[] = {
    { "n", 0, OPTION_UNSIGNED, "N", 1, 1000,
      "How many there are: philosophers, nodes, cycles, processes, buffers." },
    { "deadlock-free", 0, OPTION_FLAG, NULL, 0, 0,
      "philosophers: one of them is left-handed." },
    { "messages", 0, OPTION_UNSIGNED, "M", 1, 1000000,
      "abp, fifo: how many distinct messages." },
    { "packets", 0, OPTION_UNSIGNED, "P", 1, 1000000, "brp: packets of a file." },
    { "retries", 0, OPTION_UNSIGNED, "R", 0, 1000000,
      "brp: how often a packet is sent again before the sender gives up." },
    { "length", 0, OPTION_UNSIGNED, "K", 2, 1000000, "cycles: steps of each cycle." },
    { "capacity", 0, OPTION_UNSIGNED, "C", 1, 1000,
      "fifo: messages that a buffer holds." },
    { 0 },
};
const option_group gen_parts_options = { "Networks (ranges and defaults: bespoke gen)",
                                         specs };

static const gen_parameter *find_parameter(const gen_family *f, const char *name)
{
    const gen_parameter *x = f->takes;
    while (x->name && strcmp(x->name, name) != 0) x++;
    assert(x->name);
    return x;
}

uint32_t gen_parts_number(gen_parts *p, const char *name)
{
    const gen_parameter *x = find_parameter(p->family, name);
    uint64_t value = options_unsigned(p->t->opts, name, x->otherwise);
    if (value >= x->min && value <= x->max) return (uint32_t)value;
    err_set(p->e, ERR_USAGE,
            "--%s: %" PRIu64 " is out of range for %s; expected %" PRIu64 " to %" PRIu64,
            name, value, p->family->name, x->min, x->max);
    return (uint32_t)x->min;
}

bool gen_parts_given(const gen_parts *p, const char *name)
{
    return options_given(p->t->opts, name);
}

bool gen_parts_too_large(gen_parts *p, double states, const char *what,
                         const char *remedy)
{
    if (states <= COMPONENT_MAX) return false;
    err_set(p->e, ERR_USAGE,
            "%s: %s would have %.3g states, and a component has at most %d; %s",
            p->family->name, what, states, COMPONENT_MAX, remedy);
    return true;
}

bool gen_parts_too_wide(gen_parts *p, uint32_t n, double states, const char *what,
                        const char *remedy)
{
    uint32_t bits = 0;
    while (bits < 32 && states > (double)((uint64_t)1 << bits)) bits++;
    uint32_t room = bits ? 32 / bits * MODEL_KEY_WORDS_MAX : UINT32_MAX;
    if (n <= room) return false;
    err_set(p->e, ERR_USAGE,
            "%s: %u %s of %.0f states need more than %d words of 32 bits in a state; "
            "at most %u fit, %s",
            p->family->name, n, what, states, (int)MODEL_KEY_WORDS_MAX, room, remedy);
    return true;
}

void gen_parts_refuse(gen_parts *p, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    err_set(p->e, ERR_USAGE, "%s", text);
}

/* ---- components ---------------------------------------------------------------------------- */

/* STEM.part.suffix, in memory that lasts; NULL after a failure. */
static const char *file_name(gen_parts *p, const char *part, const char *suffix)
{
    size_t bytes = strlen(p->stem) + strlen(part) + strlen(suffix) + 2;
    char *name = failed(p) ? NULL : arena_get(&p->t->scratch, bytes, p->e);
    if (name) snprintf(name, bytes, "%s.%s%s", p->stem, part, suffix);
    return name;
}

void gen_parts_begin(gen_parts *p, const char *part, ...)
{
    va_list args;
    va_start(args, part);
    int used = vsnprintf(p->part, sizeof p->part, part, args);
    va_end(args);
    assert(used > 0 && used < PART_BYTES && p->names == NULL);
    (void)used;
    p->edges.count = 0;
    if (!failed(p)) label_table_open(&p->names, &p->t->m, p->e);
}

void gen_parts_step(gen_parts *p, state_id from, state_id to, const char *label, ...)
{
    char text[LABEL_BYTES];
    lts_edge x = { .from = from, .to = to };
    va_list args;
    va_start(args, label);
    int used = vsnprintf(text, sizeof text, label, args);
    va_end(args);
    assert(used > 0 && used < LABEL_BYTES);
    if (failed(p)) return;
    assert(p->edges.count == 0 || p->edges.at[p->edges.count - 1].from <= from);
    if (label_table_put(p->names, text, (size_t)used, &x.label, p->e) == 0)
        (void)vec_push(&p->t->m, &p->edges, x, p->e);
}

static int put_edges(gen_parts *p, lts_sink *s)
{
    for (size_t i = 0; i < p->edges.count; i++) {
        const lts_edge *x = &p->edges.at[i];
        if (lts_sink_put(s, x->from, x->label, x->to, p->e) != 0) return (int)p->e->code;
    }
    return lts_sink_commit(s, p->e);
}

static state_id states_of(const gen_parts *p)
{
    state_id last = 0;
    for (size_t i = 0; i < p->edges.count; i++) {
        const lts_edge *x = &p->edges.at[i];
        state_id most = x->from > x->to ? x->from : x->to;
        if (most > last) last = most;
    }
    return last + 1;
}

void gen_parts_end(gen_parts *p)
{
    lts_sink *s = NULL;
    const char *file = file_name(p, p->part, ".aut");
    lts_shape shape = { .states = states_of(p),
                        .transitions = p->edges.count,
                        .labels = p->names };
    if (file && aut_sink_open(&s, &p->t->m, file, &shape, p->e) == 0 &&
        put_edges(p, s) == 0)
        json_array_append_new(p->components, answer_json_text(file));
    lts_sink_close(s);
    label_table_close(p->names);
    p->names = NULL;
}

void gen_parts_queue(gen_parts *p, const char *part, uint32_t capacity, uint32_t first,
                     uint32_t values)
{
    /* Contents of one length are numbers in base `values`, the oldest one's digit first. */
    state_id base = 0, count = 1; /* where they begin, how many there are */
    gen_parts_begin(p, "%s", part);
    for (uint32_t length = 0; length <= capacity; length++) {
        state_id shorter = base - count / values; /* where those one shorter begin */
        for (state_id x = 0; x < count; x++) {
            for (uint32_t v = 0; length < capacity && v < values; v++)
                gen_parts_step(p, base + x, base + count + x * values + v, "ACCEPT !%u",
                               first + v);
            if (length > 0)
                gen_parts_step(p, base + x, shorter + x % (count / values), "PASS !%u",
                               first + x / (count / values));
        }
        base += count;
        count *= values;
    }
    gen_parts_end(p);
}

/* ---- the network and its properties -------------------------------------------------------- */

static void write_formatted(gen_parts *p, const char *format, va_list args)
{
    char text[TEXT_BYTES];
    int used = vsnprintf(text, sizeof text, format, args);
    assert(used >= 0 && used < TEXT_BYTES);
    if (!failed(p)) output_write(p->network, text, (size_t)used, p->e);
}

void gen_parts_text(gen_parts *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_formatted(p, format, args);
    va_end(args);
}

void gen_parts_use(gen_parts *p, const char *part, ...)
{
    va_list args;
    gen_parts_text(p, "\"%s.", p->base);
    va_start(args, part);
    write_formatted(p, part, args);
    va_end(args);
    gen_parts_text(p, ".aut\"");
}

static void write_file(gen_parts *p, const char *file, const char *text)
{
    output *o = NULL;
    if (output_open(&o, &p->t->m, file, p->e) == 0 &&
        output_write(o, text, strlen(text), p->e) == 0)
        output_commit(o, p->e);
    output_close(o);
}

void gen_parts_claim(gen_parts *p, const char *claim, bool expected, const char *sentence,
                     const char *formula, ...)
{
    static const char library[] = "library standard.mcl end_library";
    char own[TEXT_BYTES], text[2 * TEXT_BYTES];
    va_list args;
    va_start(args, formula);
    int used = vsnprintf(own, sizeof own, formula, args);
    va_end(args);
    assert(used > 0 && used < TEXT_BYTES);
    (void)used;
    const char *file = file_name(p, claim, ".mcl");
    if (file == NULL) return;
    used = snprintf(text, sizeof text, "(* expected %s: %s *)\n%s\n%s\n",
                    expected ? "TRUE" : "FALSE", sentence, library, own);
    assert(used > 0 && used < 2 * TEXT_BYTES);
    write_file(p, file, text);
    json_array_append_new(p->properties,
                          json_pack("{s:o, s:b}", "file", answer_json_text(file),
                                    "expected", (int)expected));
}

/* ---- all of a run -------------------------------------------------------------------------- */

/* The three forms of OUT. */
static int name_files(gen_parts *p)
{
    p->out = options_string(p->t->opts, "output", NULL);
    if (p->out == NULL)
        return err_set(p->e, ERR_USAGE,
                       "-o OUT.exp is missing: where shall the network go?");
    size_t bytes = suffix_stem(p->out, strlen(p->out), ".exp");
    if (bytes == 0 || p->out[bytes - 1] == '/')
        return err_set(p->e, ERR_USAGE,
                       "--output: '%s' is no name of a network; expected NAME.exp, "
                       "beside which its components go",
                       p->out);
    char *stem = arena_get(&p->t->scratch, bytes + 1, p->e);
    if (stem == NULL) return (int)p->e->code;
    snprintf(stem, bytes + 1, "%s", p->out);
    const char *slash = strrchr(stem, '/');
    p->stem = stem;
    p->base = slash ? slash + 1 : stem;
    if (strpbrk(p->base, "\"\\\n"))
        return err_set(p->e, ERR_USAGE,
                       "--output: '%s' has a quote, a backslash or an end of line, which "
                       "a network cannot name its components by",
                       p->out);
    return 0;
}

static int tell(gen_parts *p)
{
    size_t parts = json_array_size(p->components),
           claims = json_array_size(p->properties);
    log_note(&p->t->log, "%s: %zu component%s and %zu properties beside it", p->out,
             parts, parts == 1 ? "" : "s", claims);
    if (!options_given(p->t->opts, "json")) return 0;
    return answer_json(json_pack("{s:s, s:o, s:O, s:O}", "family", p->family->name,
                                 "file", answer_json_text(p->out), "components",
                                 p->components, "properties", p->properties),
                       p->e);
}

static void release(gen_parts *p)
{
    output_close(p->network);
    label_table_close(p->names);
    vec_release(&p->t->m, &p->edges);
    json_decref(p->components);
    json_decref(p->properties);
}

int gen_parts_make(tool *t, const gen_family *f, void (*build)(gen_parts *p), err *e)
{
    gen_parts p = { .t = t, .family = f, .e = e };
    if (t->operands > 1)
        return err_set(e, ERR_USAGE, "gen %s: '%.60s' is too much; it has options only",
                       f->name, t->operand[1]);
    p.components = json_array();
    p.properties = json_array();
    if (name_files(&p) == 0 && output_open(&p.network, &t->m, p.out, e) == 0) build(&p);
    if (!failed(&p) && output_commit(p.network, e) == 0) tell(&p);
    release(&p);
    return (int)e->code;
}
