#include "core/suggest.h"
#include "tools/gen_bes.h"

#include <string.h>

const gen_family *const gen_families[] = { &gen_bes, NULL };

static const gen_family *find_family(const char *name, err *e)
{
    suggest near = SUGGEST_INIT(name);
    for (size_t i = 0; gen_families[i]; i++) {
        if (strcmp(gen_families[i]->name, name) == 0) return gen_families[i];
        suggest_consider(&near, gen_families[i]->name);
    }
    err_set(e, ERR_USAGE, "unknown family '%.60s'%s%s; see bespoke list", name,
            near.best ? "; did you mean " : "", near.best ? near.best : "");
    return NULL;
}

static int run(tool *t, err *e)
{
    const gen_family *f = find_family(t->operand[0], e);
    if (f == NULL) return (int)e->code;
    if (!options_given(t->opts, "output"))
        return err_set(e, ERR_USAGE, "-o OUT is missing: where shall it go?");
    progress_begin(&t->clock, "writing", "lines", 0);
    f->run(t, e);
    progress_end(&t->clock);
    return (int)e->code;
}

static const option_spec specs[] = {
    { "output", 'o', OPTION_STRING, "OUT", 0, 0,
      "The file to write; .gz, .zst or .bz2 behind its name compresses." },
    { "seed", 0, OPTION_UNSIGNED, "N", 0, 0,
      "What is random follows from N: the same N, the same file.  Default: 1." },
    { 0 },
};
static const option_group group = { "Generating", specs };

const command cmd_gen = {
    .name = "gen",
    .doc = "make models and equation systems, at random from a seed",
    .synopsis = "FAMILY [OPERAND]... -o OUT [OPTION]...",
    .description =
        "Writes a member of a family; bespoke list names the families.  The same options "
        "and the same seed give the same file on every machine.\n"
        "\n"
        "  bes    Boolean equation systems (.bes), for bespoke solve",
    .examples =
        (const command_example[]){
            { "bespoke gen bes --variables 1000000 --blocks 3 --seed 7 -o big.bes.zst",
              "a million equations in three blocks" },
            { "bespoke gen bes --shape disjunctive --and 0.1 -o d.bes",
              "mostly disjunctions" },
            { 0 },
        },
    .options =
        (const option_group *const[]){ &group, &gen_bes_options, &options_limit, NULL },
    .operands_min = 1,
    .operands_max = 2,
    .run = run,
};
