#include "tools/gen_family.h"
#include "tools/suggest.h"
#include "tools/text.h"

#include <stdio.h>
#include <string.h>

/* The registry of families: one line in each list. */
extern const gen_family gen_vlts;

const gen_family *const gen_families[] = { &gen_vlts, NULL };

static int list_families(void)
{
    for (size_t i = 0; gen_families[i]; i++) {
        char head[60];
        snprintf(head, sizeof head, "  %s %s", gen_families[i]->name,
                 gen_families[i]->synopsis);
        text_print_beside(head, gen_families[i]->doc, 20);
    }
    return 0;
}

static const gen_family *find_family(const char *name, err *e)
{
    suggest near = SUGGEST_INIT(name);
    for (size_t i = 0; gen_families[i]; i++) {
        if (strcmp(gen_families[i]->name, name) == 0) return gen_families[i];
        suggest_consider(&near, gen_families[i]->name);
    }
    if (near.best)
        err_set(e, ERR_USAGE, "no family of models is called '%.60s'; did you mean %s?",
                name, near.best);
    else
        err_set(e, ERR_USAGE,
                "no family of models is called '%.60s'; bespoke gen lists them", name);
    return NULL;
}

static int run(tool *t, err *e)
{
    if (t->operands == 0) return list_families();
    const gen_family *f = find_family(t->operand[0], e);
    return f ? f->run(t, e) : (int)e->code;
}

static const option_spec specs[] = {
    { "output", 'o', OPTION_STRING, "OUT", 0, 0,
      "Write to OUT, in the format of its suffix.  Without it the model goes to the "
      "cache "
      "as .plts, unless it is there already, and its path is printed." },
    { "seed", 0, OPTION_UNSIGNED, "N", 0, 0,
      "Another model with the same facts for each N; default 1.  The same N gives the "
      "same bytes on every machine." },
    { "scale", 0, OPTION_REAL, "F", 0, 1000,
      "Multiply the numbers of states, transitions and hidden transitions by F; default "
      "1.  Nine decimals count." },
    { "levels", 0, OPTION_UNSIGNED, "N", 1, 0,
      "Exactly N levels of a breadth-first search; default: four times the cube root of "
      "the states over the square root of the branching, as in real instances." },
    { "deadlock-depth", 0, OPTION_UNSIGNED, "N", 0, 0,
      "The level of the first deadlock; default: two thirds down." },
    { "cache", 0, OPTION_STRING, "DIR", 0, 0,
      "Keep generated models in DIR; default: $BESPOKE_CACHE, $XDG_CACHE_HOME/bespoke or "
      "~/.cache/bespoke." },
    { "check", 0, OPTION_STRING, "FILE", 0, 0,
      "Generate nothing; compare the real FILE with what is published about NAME.  "
      "Prints "
      "NAME and ok, or NAME, differs and the columns, divided by tabs; status 2 when it "
      "differs." },
    { 0 },
};
static const option_group group = { "Generating", specs };

const command cmd_gen = {
    .name = "gen",
    .doc = "generate a model: surrogates of the VLTS suite",
    .synopsis = "[FAMILY [NAME]] [OPTION]...",
    .description =
        "Without arguments, lists the families of models.  bespoke gen vlts lists the "
        "forty instances of the VLTS benchmark suite with what is published about them; "
        "bespoke gen vlts NAME generates a surrogate of one: other transitions, but the "
        "same numbers of states, transitions, hidden transitions and labels, the same "
        "least and greatest branching, and the same answers for deadlock, livelock and "
        "determinism.\n"
        "\n"
        "Every state is reachable and numbered breadth-first.  A deadlock or livelock "
        "lies deep, so that a search on the fly has something to do.  Every surrogate "
        "has a label SURROGATE, by which all commands know it from a real instance.  "
        "docs/SURROGATES.md says how they are made and what --scale does.\n"
        "\n"
        "What was made is told on stderr.  With --json stdout has one object:\n"
        "\n"
        "  name, file, surrogate, scale, seed\n"
        "  states, transitions, tau_transitions, labels, branching {min, max}\n"
        "  deadlock, livelock, deterministic, unreachable_states\n"
        "  levels, deadlock_depth, livelock_depth   the depths null where there is none\n"
        "  generated             false when it was in the cache\n"
        "  seconds               {total}",
    .examples =
        (const command_example[]){
            { "bespoke gen vlts", "the instances of the suite" },
            { "bespoke gen vlts vasy_0_1 -o small.aut", "a surrogate, as text" },
            { "bespoke info $(bespoke gen vlts cwi_7838_59101)",
              "a large one, generated once and kept" },
            { "bespoke gen vlts vasy_8_38 --scale 0.1 --seed 7 --deadlock-depth 4 "
              "-o x.plts",
              "a tenth of it, with an early deadlock" },
            { 0 },
        },
    .options =
        (const option_group *const[]){ &group, &options_json, &options_limit, NULL },
    .operands_min = 0,
    .operands_max = 2,
    .run = run,
};
