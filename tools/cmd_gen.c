#include "core/suggest.h"
#include "tools/answer.h"
#include "tools/gen_bes.h"
#include "tools/gen_networks.h"
#include "tools/gen_parts.h"
#include "tools/gen_vlts.h"
#include "tools/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The registry of families: one line in each list. */
const gen_family *const gen_families[] = { &gen_vlts,   &gen_bes,      &gen_philosophers,
                                           &gen_abp,    &gen_brp,      &gen_election,
                                           &gen_cycles, &gen_peterson, &gen_fifo,
                                           NULL };

static const option_spec specs[] = {
    { "output", 'o', OPTION_STRING, "OUT", 0, 0,
      "Write to OUT, in the format of its suffix; - is stdout, as AUT text.  Without it "
      "a surrogate goes to the cache as .plts, unless it is there already, and its path "
      "is "
      "printed; equation systems and networks (OUT.exp) need it." },
    { "seed", 0, OPTION_UNSIGNED, "N", 0, 0,
      "vlts, bes: another model with the same facts for each N; default 1.  The same N "
      "gives the "
      "same bytes on every machine." },
    { 0 },
};
static const option_group group = { "Generating", specs };

/* Options that belong to some families, and to the others not. */
static const option_group *const generating[] = { &group, &gen_vlts_options,
                                                  &gen_bes_options, &gen_parts_options,
                                                  NULL };

static int families_json(err *e)
{
    json_t *list = json_array();
    for (size_t i = 0; gen_families[i]; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s}", "name", gen_families[i]->name, "arguments",
                            gen_families[i]->synopsis, "doc", gen_families[i]->doc));
    return answer_json(json_pack("{s:o}", "families", list), e);
}

/* Those that the family bounds itself. */
static void list_parameters(const gen_family *f)
{
    for (const gen_parameter *x = f->takes; x->name; x++) {
        if (x->max == 0) continue;
        printf("%20s--%s %" PRIu64 " to %" PRIu64, "", x->name, x->min, x->max);
        if (x->otherwise >= x->min) printf(", default %" PRIu64, x->otherwise);
        printf("\n");
    }
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
        list_parameters(gen_families[i]);
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

static bool takes(const gen_family *f, const char *option)
{
    const gen_parameter *x = f->takes;
    while (x->name && strcmp(x->name, option) != 0) x++;
    return x->name != NULL;
}

/* "belongs to bespoke gen vlts, cycles" */
static void owners(char into[120], const char *option)
{
    int used = snprintf(into, 120, "belongs to bespoke gen");
    const char *before = " ";
    for (size_t i = 0; gen_families[i] && used < 120; i++)
        if (takes(gen_families[i], option)) {
            used += snprintf(into + used, (size_t)(120 - used), "%s%s", before,
                             gen_families[i]->name);
            before = ", ";
        }
}

/* What this family, or a list (NULL), has no use for. */
static int refuse_others(const gen_family *own, const tool *t, err *e)
{
    static const char listing[] =
        "is about one model: name it, as in bespoke gen vlts vasy_0_1";
    for (size_t g = 0; generating[g]; g++)
        for (const option_spec *o = generating[g]->specs; o->name; o++) {
            const char *const one[] = { o->name, NULL };
            char why[120];
            if (own && takes(own, o->name)) continue;
            owners(why, o->name);
            if (options_refuse(t->opts, one, own ? why : listing, e) != 0)
                return (int)e->code;
        }
    return 0;
}

static int run(tool *t, err *e)
{
    const gen_family *f = t->operands > 0 ? find_family(t->operand[0], e) : NULL;
    if (e->code != ERR_NONE) return (int)e->code;
    if (f && (t->operands > 1 || f->lists == NULL))
        return refuse_others(f, t, e) == 0 ? f->run(t, e) : (int)e->code;
    if (refuse_others(NULL, t, e) != 0) return (int)e->code;
    return f ? f->lists(t, e) : list_families(t, e);
}

const command cmd_gen = {
    .name = "gen",
    .doc = "generate a model: VLTS surrogates, equation systems, networks",
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
        "The other families are networks with parameters: -o NAME.exp writes the "
        "network, "
        "its components NAME.PART.aut and properties NAME.CLAIM.mcl beside it; the first "
        "line of a property says whether it is expected to hold.  FAMILIES.md, beside "
        "SURROGATES.md, says what they model and how large they are.  With --json stdout "
        "has one object:\n"
        "\n"
        "  family, file\n"
        "  components            [file]\n"
        "  properties            [{file, expected}]\n"
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
            { "bespoke gen philosophers --n 13 --deadlock-free -o phil.exp",
              "thirteen of them, five million states" },
            { 0 },
        },
    .options = (const option_group *const[]){ &group, &gen_vlts_options, &gen_bes_options,
                                              &gen_parts_options, &options_json,
                                              &options_limit, NULL },
    .operands_min = 0,
    .operands_max = 2,
    .run = run,
};
