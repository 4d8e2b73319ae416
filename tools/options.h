/*
 * options.h - the command line as tables.
 *
 * An option is one line of a table: how it is spelled, what it takes, one sentence.  From
 * the same line come the parser, `--help`, the man page and the suggestion after a slip of
 * the pen.  A command lists the groups of options it accepts and asks for values by name:
 *
 *     uint64_t seed = options_unsigned(t->opts, "seed", 1);
 *
 * Asking for a name that is in none of its groups, or with the wrong kind, is a bug of ours.
 */
#ifndef BESPOKE_OPTIONS_H
#define BESPOKE_OPTIONS_H

#include "core/arena.h"

#include <stdbool.h>

typedef enum {
    OPTION_FLAG,     /* takes nothing; given or not */
    OPTION_SWITCH,   /* takes nothing; --name or --no-name, the last one counts */
    OPTION_STRING,   /* one text; the last one counts */
    OPTION_LIST,     /* one text, may be given several times */
    OPTION_UNSIGNED, /* decimal digits, min .. max (max 0 = no bound) */
    OPTION_REAL,     /* a decimal number above 0, at most max (0 = no bound) */
    OPTION_SHARE,    /* a decimal number, 0 to 1 */
    OPTION_SIZE,     /* bytes above 0, with K, M, G or T for powers of 1024; "1.5G" */
    OPTION_SECONDS,  /* a decimal number above 0 */
} option_kind;

typedef struct option_spec {
    const char *name;     /* long name without its dashes */
    char letter;          /* short name, 0 = none */
    option_kind kind;     /* decides what the argument may be */
    const char *argument; /* its name in the help, NULL for flags and switches */
    uint64_t min, max;    /* see the kinds */
    const char *doc;      /* what it does; plain sentence, wrapped when printed */
} option_spec;

typedef struct option_group {
    const char *title;        /* heading in the help, "Loading" */
    const option_spec *specs; /* ends with a NULL name */
} option_group;

typedef struct options options;

/**
 * Parse argv[1 .. argc-1]; argv[0] is skipped.  Options and operands may be mixed, `--`
 * ends the options.  `groups` ends with NULL.  All memory is of `a`, the texts stay argv's;
 * argv is reordered (operands last).
 * 0, or ERR_USAGE with a sentence that names the option and, if one is near, a suggestion.
 */
int options_parse(const options **out, arena *a, const option_group *const *groups,
                  int argc, char **argv, err *e);

/* What is left when the options are taken away. */
size_t options_operands(const options *o, const char *const **out);

/* Is it in the tables that were parsed with? */
bool options_accepts(const options *o, const char *name);

/* Was it given at all (switches: in either form)? */
bool options_given(const options *o, const char *name);

/** None of these may be given; `names` ends with NULL.  0, or ERR_USAGE "--name WHY". */
int options_refuse(const options *o, const char *const *names, const char *why, err *e);

/* A switch: 1 for --name, 0 for --no-name, -1 when neither was given. */
int options_switch(const options *o, const char *name);

/* The value given last, or `otherwise`. */
const char *options_string(const options *o, const char *name, const char *otherwise);
uint64_t options_unsigned(const options *o, const char *name, uint64_t otherwise);
double options_real(const options *o, const char *name, double otherwise);
double options_share(const options *o, const char *name, double otherwise);
uint64_t options_size(const options *o, const char *name, uint64_t otherwise);
double options_seconds(const options *o, const char *name, double otherwise);

/* All values of a list in the order given; returns how many. */
size_t options_list(const options *o, const char *name, const char *const **out);

#endif
