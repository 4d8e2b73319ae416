/*
 * command.h - read this to write a subcommand.
 *
 * A subcommand is one constant in cmd_<name>.c and one line in commands.c.  Everything a
 * user can read about it (help, man page, list) is printed from that constant.
 *
 *     static int run(tool *t, err *e) { ... }
 *
 *     const command cmd_info = {
 *         .name = "info", .doc = "count states and transitions, find deadlocks", ...
 *         .options = (const option_group *const[]){ &options_load, &options_json, NULL },
 *         .operands_min = 1, .operands_max = SIZE_MAX, .run = run,
 *     };
 */
#ifndef BESPOKE_COMMAND_H
#define BESPOKE_COMMAND_H

#include "core/log.h"
#include "core/progress.h"
#include "tools/options.h"

/* One run of the executable; handed to the command, which may use all of it. */
typedef struct tool {
    mem m;          /* account for all large memory; has --memory-limit */
    arena scratch;  /* dies at the end of the run */
    log_sink log;   /* stderr; knows -q and -v */
    progress clock; /* knows --progress and --timeout */
    double started; /* clock_seconds() at the start */
    int argc;       /* the command line, as main got it */
    char **argv;
    const options *opts;        /* the same, parsed */
    const char *const *operand; /* what is no option: argv texts */
    size_t operands;            /* within the command's operands_min .. operands_max */
    bool is_false; /* set by a command whose verdict is FALSE: exit status 1 */
    bool is_kept;  /* one of several ranks, with a keeper (launch.h), */
    bool has_left; /* that needs the others no more */
} tool;

typedef struct command_example {
    const char *line; /* what to type */
    const char *doc;  /* what it does */
} command_example;

/* Texts are paragraphs divided by empty lines and wrapped when printed; a line that begins
   with two blanks is printed as it stands. */
typedef struct command {
    const char *name;                /* "info" */
    const char *doc;                 /* one line, lower case, no full stop */
    const char *synopsis;            /* what follows the name: "MODEL... [OPTION]..." */
    const char *description;         /* the manual's text */
    const command_example *examples; /* ends with a NULL line */
    const option_group *const *options; /* ends with NULL; options_common is added */
    size_t operands_min, operands_max;  /* checked before run is called */
    /* 0, or a code: its message is printed and decides the exit status.  The answer goes
       to stdout (answer.h), which is flushed and checked after run. */
    int (*run)(tool *t, err *e);
} command;

/* Groups of options for several commands (option_tables.c). */
extern const option_group options_common; /* --help --version -q -v: every command */
extern const option_group
    options_load; /* --hidden --lenient --model-arg --load-threads */
extern const option_group options_limit; /* --memory-limit --timeout --[no-]progress */
extern const option_group options_json;  /* --json */

/* The registry (commands.c): every subcommand, in the order of the help; ends with NULL. */
extern const command *const commands[];

/** By name, or NULL. */
const command *command_find(const char *name);

/** By name, or NULL with ERR_USAGE and, if one is near, a suggestion. */
const command *command_need(const char *name, err *e);

#endif
