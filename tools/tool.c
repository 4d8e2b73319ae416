#include "tools/tool.h"

#include "core/ids.h"
#include "core/mem_limit.h"
#include "tools/answer.h"
#include "tools/help.h"
#include "tools/launch.h"
#include "tools/report.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

/* A closed stdin, stdout or stderr gets a descriptor that cannot be written, so that no file
   of ours takes its number and receives the answer or a message. */
static void fill_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)!open("/dev/null", O_RDONLY);
}

/* `bespoke --help` and the like: options before, or without, a command. */
static int run_without_command(tool *t, int argc, char **argv, err *e)
{
    for (int i = 2; i < argc; i++)
        if (command_find(argv[i]) && strcmp(argv[1], "--help") != 0)
            return err_set(e, ERR_USAGE,
                           "options stand behind the command: bespoke %s %s", argv[i],
                           argv[1]);
    const option_group *const groups[] = { &options_common, NULL };
    if (options_parse(&t->opts, &t->scratch, groups, argc, argv, e) != 0)
        return (int)e->code;
    t->operands = options_operands(t->opts, &t->operand);
    if (options_given(t->opts, "version")) return help_version(), 0;
    if (!options_given(t->opts, "help")) return err_set(e, ERR_USAGE, "no command given");
    const command *c = t->operands > 0 ? command_need(t->operand[0], e) : NULL;
    if (c) help_command(c);
    else if (t->operands == 0) help_overview();
    return (int)e->code;
}

static int check_operands(const tool *t, const command *c, err *e)
{
    if (t->operands < c->operands_min)
        return err_set(e, ERR_USAGE, "%s: too few arguments; usage: bespoke %s %s",
                       c->name, c->name, c->synopsis);
    if (t->operands > c->operands_max)
        return err_set(e, ERR_USAGE, "%s: '%.60s' is too much; usage: bespoke %s %s",
                       c->name, t->operand[c->operands_max], c->name, c->synopsis);
    return 0;
}

static log_level wanted_level(const options *o)
{
    if (options_given(o, "quiet") || launch_rank() > 0) return LOG_QUIET;
    return options_given(o, "verbose") ? LOG_VERBOSE : LOG_NORMAL;
}

static progress_mode wanted_progress(const options *o)
{
    static const progress_mode modes[] = { PROGRESS_AUTO, PROGRESS_OFF, PROGRESS_ON };
    int chosen = options_switch(o, "progress");
    if (launch_rank() > 0) return PROGRESS_OFF;
    if (chosen < 0 && options_given(o, "quiet")) return PROGRESS_OFF;
    return modes[chosen + 1];
}

/* Log, limits and clock as the options say. */
static void configure(tool *t)
{
    t->operands = options_operands(t->opts, &t->operand);
    t->log.level = wanted_level(t->opts);
    progress_open(&t->clock, PROGRESS_OFF, 0);
    if (!options_accepts(t->opts, "memory-limit")) return;
    t->m.limit = options_size(t->opts, "memory-limit", mem_limit_find());
    progress_open(&t->clock, wanted_progress(t->opts),
                  options_seconds(t->opts, "timeout", 0));
}

static int run_command(tool *t, const command *c, int argc, char **argv, err *e)
{
    const option_group *groups[16];
    size_t n = 0;
    for (; c->options[n]; n++) {
        assert(n + 2 < COUNT_OF(groups));
        groups[n] = c->options[n];
    }
    groups[n] = &options_common;
    groups[n + 1] = NULL;
    if (options_parse(&t->opts, &t->scratch, groups, argc, argv, e) != 0)
        return (int)e->code;
    configure(t);
    if (options_given(t->opts, "help")) return help_command(c), 0;
    if (options_given(t->opts, "version")) return help_version(), 0;
    if (launch_begin(t, e) != 0 || check_operands(t, c, e) != 0) return (int)e->code;
    c->run(t, e);
    launch_end(t, e);
    return (int)e->code;
}

static void report_usage(const tool *t, const command *c)
{
    if (c) log_note(&t->log, "see 'bespoke %s --help'", c->name);
    else log_note(&t->log, "see 'bespoke --help'");
}

static int finish_quietly(tool *t)
{
    arena_release(&t->scratch);
    return 0;
}

/* Tell what failed and flush the answer; the exit status. */
static int finish(tool *t, const command *c, const err *e)
{
    progress_end(&t->clock);
    err lost = ERR_INIT;
    answer_finish(&lost);
    if (launch_rank() > 0) return finish_quietly(t); /* rank 0 speaks for all */
    if (e->code != ERR_NONE) report_failure(&t->log, e);
    if (e->code == ERR_USAGE) report_usage(t, c);
    if (lost.code != ERR_NONE) report_failure(&t->log, &lost);
    arena_release(&t->scratch);
    if (t->m.now != 0)
        log_warn(&t->log, "%zu bytes of memory were not given back: please report this",
                 (size_t)t->m.now);
    int status = e->code ? err_exit_status(e->code) : t->is_false;
    int status_lost = err_exit_status(lost.code);
    return status > status_lost ? status : status_lost;
}

int tool_main(int argc, char **argv)
{
    fill_standard_streams();
    signal(SIGPIPE, SIG_IGN); /* a reader that is gone is a lost answer, status 4 */
    tool t = { .m = MEM_INIT, .log = LOG_INIT, .started = clock_seconds() };
    t.argc = argc;
    t.argv = argv;
    t.scratch = ARENA_INIT(&t.m, 16 * 1024);
    err e = ERR_INIT;
    const command *c = argc > 1 ? command_find(argv[1]) : NULL;
    if (argc < 2) err_set(&e, ERR_USAGE, "no command given");
    else if (c) run_command(&t, c, argc - 1, argv + 1, &e);
    else if (argv[1][0] == '-') run_without_command(&t, argc, argv, &e);
    else command_need(argv[1], &e);
    return launch_status(&t, finish(&t, c, &e));
}
