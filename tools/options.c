#include "tools/options.h"

#include "core/ids.h"
#include "core/suggest.h"
#include "tools/option_value.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

/* One option and what the command line said of it. */
typedef struct slot {
    const option_spec *spec;
    size_t count;      /* how often it was given */
    bool on;           /* switches: the last form was --name */
    uint64_t whole;    /* unsigned, size: the last value */
    double real;       /* real, seconds: the last value */
    const char **text; /* string: one entry, list: all, room for argc; borrowed texts */
} slot;

struct options {
    slot *slots;
    size_t count;
    const char *const *operand; /* tail of argv */
    size_t operands;
};

/* What getopt_long returns for slot i: ON + i for --name, OFF + i for --no-name. */
enum { CODE_ON = 1 << 10, CODE_OFF = 1 << 11 };

/* The tables in getopt's own form. */
typedef struct scanner {
    options *o;
    arena *a;
    char **argv;
    struct option *longs; /* two per slot at most, then zeros */
    char *letters;        /* ":" first: a missing argument is told apart */
} scanner;

static bool takes_argument(const option_spec *s) { return s->argument != NULL; }

static size_t count_specs(const option_group *const *groups)
{
    size_t n = 0;
    for (; *groups; groups++)
        for (const option_spec *s = (*groups)->specs; s->name; s++) n++;
    return n;
}

static int make_slots(options *o, arena *a, const option_group *const *groups, int argc,
                      err *e)
{
    o->count = 0;
    o->slots = arena_get(a, (count_specs(groups) + 1) * sizeof *o->slots, e);
    if (o->slots == NULL) return (int)e->code;
    for (; *groups; groups++)
        for (const option_spec *s = (*groups)->specs; s->name; s++) {
            slot *x = &o->slots[o->count++];
            *x = (slot){ .spec = s };
            size_t room = s->kind == OPTION_LIST ? (size_t)argc : 1;
            if ((x->text = arena_get(a, room * sizeof *x->text, e)) == NULL)
                return (int)e->code;
        }
    assert(o->count < CODE_ON);
    return 0;
}

/* "no-" and the name of a switch, in the arena. */
static const char *negated(arena *a, const char *name, err *e)
{
    size_t bytes = strlen(name) + sizeof "no-";
    char *text = arena_get(a, bytes, e);
    if (text) snprintf(text, bytes, "no-%s", name);
    return text;
}

static int make_scanner(scanner *s, err *e)
{
    size_t n = s->o->count;
    s->longs = arena_get(s->a, (2 * n + 1) * sizeof *s->longs, e);
    s->letters = arena_get(s->a, 2 * n + 2, e);
    if (s->longs == NULL || s->letters == NULL) return (int)e->code;
    memset(s->longs, 0, (2 * n + 1) * sizeof *s->longs);
    struct option *l = s->longs;
    char *c = s->letters;
    *c++ = ':';
    for (size_t i = 0; i < n; i++) {
        const option_spec *spec = s->o->slots[i].spec;
        int argument = takes_argument(spec) ? required_argument : no_argument;
        *l++ = (struct option){ spec->name, argument, NULL, CODE_ON + (int)i };
        if (spec->kind == OPTION_SWITCH) {
            const char *no = negated(s->a, spec->name, e);
            if (no == NULL) return (int)e->code;
            *l++ = (struct option){ no, no_argument, NULL, CODE_OFF + (int)i };
        }
        if (spec->letter) *c++ = spec->letter;
        if (spec->letter && takes_argument(spec)) *c++ = ':';
    }
    *c = '\0';
    return 0;
}

static slot *slot_of_code(const options *o, int code)
{
    if (code >= CODE_OFF) return &o->slots[code - CODE_OFF];
    if (code >= CODE_ON) return &o->slots[code - CODE_ON];
    for (size_t i = 0; i < o->count; i++)
        if (o->slots[i].spec->letter == (char)code) return &o->slots[i];
    return NULL;
}

static int record(slot *x, int code, const char *argument, err *e)
{
    size_t at = x->spec->kind == OPTION_LIST ? x->count : 0;
    x->count++;
    x->on = code < CODE_OFF;
    x->text[at] = argument;
    return option_value_read(x->spec, argument, &x->whole, &x->real, e);
}

/* A long name that is none of ours, or the beginning of several. */
static int unknown_long(const scanner *s, const char *word, err *e)
{
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word); /* as typed */
    suggest near = SUGGEST_INIT(name + 2);
    near.before = "--";
    size_t prefixed = 0;
    for (const struct option *l = s->longs; l->name; l++) {
        suggest_consider(&near, l->name);
        if (strncmp(l->name, name + 2, strlen(name + 2)) == 0) prefixed++;
    }
    if (prefixed > 1)
        return err_set(e, ERR_USAGE, "option '%s' is ambiguous; write it in full", name);
    return suggest_refuse(&near, "unknown option", NULL, e);
}

/* A letter that is none of ours; perhaps a long name written with one dash. */
static int unknown_letter(const scanner *s, const char *word, err *e)
{
    for (const struct option *l = s->longs; l->name && word; l++)
        if (strcmp(l->name, word + 1) == 0)
            return err_set(e, ERR_USAGE, "unknown option '%s'; did you mean --%s?", word,
                           l->name);
    return err_set(e, ERR_USAGE, "unknown option '-%c'", optopt);
}

/* getopt said '?': an unknown word, or an argument given to an option that takes none. */
static int complain(const scanner *s, err *e)
{
    if (optopt != 0 && optopt < CODE_ON) return unknown_letter(s, s->argv[optind], e);
    const char *word = s->argv[optind - 1];
    if (optopt == 0) return unknown_long(s, word, e);
    return err_set(e, ERR_USAGE, "option '%.*s' takes no argument",
                   (int)strcspn(word, "="), word);
}

static int scan(scanner *s, int argc, err *e)
{
    optind = 0; /* getopt starts anew */
    opterr = 0; /* and leaves the messages to us */
    for (int code;
         (code = getopt_long(argc, s->argv, s->letters, s->longs, NULL)) != -1;) {
        if (code == '?') return complain(s, e);
        slot *x = slot_of_code(s->o, code == ':' ? optopt : code);
        if (code == ':')
            return err_set(e, ERR_USAGE, "option '--%s' needs an argument: --%s %s",
                           x->spec->name, x->spec->name, x->spec->argument);
        if (record(x, code, optarg, e) != 0) return (int)e->code;
    }
    s->o->operand = (const char *const *)&s->argv[optind];
    s->o->operands = (size_t)(argc - optind);
    return 0;
}

int options_parse(const options **out, arena *a, const option_group *const *groups,
                  int argc, char **argv, err *e)
{
    assert(argc > 0);
    options *o = arena_get(a, sizeof *o, e);
    if (o == NULL || make_slots(o, a, groups, argc, e) != 0) return (int)e->code;
    scanner s = { .o = o, .a = a, .argv = argv };
    if (make_scanner(&s, e) != 0 || scan(&s, argc, e) != 0) return (int)e->code;
    *out = o;
    return 0;
}

size_t options_operands(const options *o, const char *const **out)
{
    *out = o->operand;
    return o->operands;
}

static const slot *find(const options *o, const char *name)
{
    for (size_t i = 0; i < o->count; i++)
        if (strcmp(o->slots[i].spec->name, name) == 0) return &o->slots[i];
    return NULL;
}

/* The slot of an option the command has in its tables, with the kind it has there. */
static const slot *find_kind(const options *o, const char *name, option_kind kind)
{
    const slot *x = find(o, name);
    assert(x != NULL && x->spec->kind == kind);
    (void)kind;
    return x;
}

bool options_accepts(const options *o, const char *name) { return find(o, name) != NULL; }

bool options_given(const options *o, const char *name)
{
    const slot *x = find(o, name);
    assert(x != NULL);
    return x->count > 0;
}

int options_refuse(const options *o, const char *const *names, const char *why, err *e)
{
    for (; *names; names++)
        if (options_given(o, *names))
            return err_set(e, ERR_USAGE, "--%s %s", *names, why);
    return 0;
}

int options_switch(const options *o, const char *name)
{
    const slot *x = find_kind(o, name, OPTION_SWITCH);
    return x->count == 0 ? -1 : x->on;
}

const char *options_string(const options *o, const char *name, const char *otherwise)
{
    const slot *x = find_kind(o, name, OPTION_STRING);
    return x->count == 0 ? otherwise : x->text[0];
}

uint64_t options_unsigned(const options *o, const char *name, uint64_t otherwise)
{
    const slot *x = find_kind(o, name, OPTION_UNSIGNED);
    return x->count == 0 ? otherwise : x->whole;
}

double options_real(const options *o, const char *name, double otherwise)
{
    const slot *x = find_kind(o, name, OPTION_REAL);
    return x->count == 0 ? otherwise : x->real;
}

double options_share(const options *o, const char *name, double otherwise)
{
    const slot *x = find_kind(o, name, OPTION_SHARE);
    return x->count == 0 ? otherwise : x->real;
}

uint64_t options_size(const options *o, const char *name, uint64_t otherwise)
{
    const slot *x = find_kind(o, name, OPTION_SIZE);
    return x->count == 0 ? otherwise : x->whole;
}

double options_seconds(const options *o, const char *name, double otherwise)
{
    const slot *x = find_kind(o, name, OPTION_SECONDS);
    return x->count == 0 ? otherwise : x->real;
}

size_t options_list(const options *o, const char *name, const char *const **out)
{
    const slot *x = find_kind(o, name, OPTION_LIST);
    *out = x->text;
    return x->count;
}
