#include "core/suggest.h"
#include "tools/answer.h"
#include "tools/gen_bes.h"
#include "tools/gen_family.h"
#include "tools/gen_vlts.h"
#include "tools/text.h"

#include <stdio.h>
#include <string.h>

/* The registry of families: one line in each list. */
const gen_family *const gen_families[] = { &gen_vlts, &gen_bes, NULL };

static int families_json(err *e)
{
    json_t *list = json_array();
    for (size_t i = 0; gen_families[i]; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s}", "name", gen_families[i]->name, "arguments",
                            gen_families[i]->synopsis, "doc", gen_families[i]->doc));
    return answer_json(json_pack("{s:o}", "families", list), e);
}

static int list_families(const tool *t, err *e)
{
    if (options_given(t->opts, "json")) return families_json(e);
    printf("Families of models, for bespoke gen FAMILY:\n");
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
    suggest_refuse(&near, "no family of models is called", "bespoke gen lists them", e);
    return NULL;
}

/* No option of this family may be given. */
static int refuse_options_of(const gen_family *f, const char *why, const tool *t, err *e)
{
    for (const option_spec *o = f->options->specs; o->name; o++) {
        const char *const one[] = { o->name, NULL };
        if (options_refuse(t->opts, one, why, e) != 0) return (int)e->code;
    }
    return 0;
}

/* What a list has no use for. */
static int refuse_all_options(const tool *t, err *e)
{
    static const char *const common[] = { "output", "seed", NULL };
    static const char why[] =
        "is about one model: name it, as in bespoke gen vlts vasy_0_1";
    for (size_t i = 0; gen_families[i]; i++)
        if (refuse_options_of(gen_families[i], why, t, e) != 0) return (int)e->code;
    return options_refuse(t->opts, common, why, e);
}

static int refuse_foreign_options(const gen_family *own, const tool *t, err *e)
{
    for (size_t i = 0; gen_families[i]; i++) {
        char why[80];
        snprintf(why, sizeof why, "belongs to bespoke gen %s", gen_families[i]->name);
        if (gen_families[i] != own && refuse_options_of(gen_families[i], why, t, e) != 0)
            return (int)e->code;
    }
    return 0;
}

static int run(tool *t, err *e)
{
    const gen_family *f = t->operands > 0 ? find_family(t->operand[0], e) : NULL;
    if (e->code != ERR_NONE) return (int)e->code;
    if (f && (t->operands > 1 || f->lists == NULL))
        return refuse_foreign_options(f, t, e) == 0 ? f->run(t, e) : (int)e->code;
    if (refuse_all_options(t, e) != 0) return (int)e->code;
    return f ? f->lists(t, e) : list_families(t, e);
}

static const option_spec specs[] = {
    { "output", 'o', OPTION_STRING, "OUT", 0, 0,
      "Write to OUT, in the format of its suffix; - is stdout, as AUT text.  Without it "
      "a model goes to the cache as .plts, unless it is there already, and its path is "
      "printed; equation systems need it." },
    { "seed", 0, OPTION_UNSIGNED, "N", 0, 0,
      "Another model with the same facts for each N; default 1.  The same N gives the "
      "same bytes on every machine." },
    { 0 },
};
static const option_group group = { "Generating", specs };

const command cmd_gen = {
    .name = "gen",
    .doc = "generate a model: surrogates of the VLTS suite, equation systems",
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
        "SURROGATES.md, in docs of the source and in share/doc/bespoke of an "
        "installation, says how they are made and what --scale does.\n"
        "\n"
        "bespoke gen bes writes a random Boolean equation system, for bespoke solve.\n"
        "\n"
        "What was made is told on stderr.  For surrogates, with --json stdout has one "
        "object:\n"
        "\n"
        "  name, file, surrogate, scale, seed\n"
        "  status                ok, or limit: then there is no file and the rest is "
        "null\n"
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
            { "bespoke gen bes --variables 1000000 --blocks 3 --seed 7 -o big.bes.zst",
              "a million equations in three blocks" },
            { 0 },
        },
    .options = (const option_group *const[]){ &group, &gen_vlts_options, &gen_bes_options,
                                              &options_json, &options_limit, NULL },
    .operands_min = 0,
    .operands_max = 2,
    .run = run,
};
