#include "tools/gen_bes.h"

#include "lang/bes_random.h"

#include <string.h>

static const option_spec specs[] = {
    { "variables", 0, OPTION_UNSIGNED, "N", 1, VERTICES_MAX,
      "Variables in all.  Default: 1000." },
    { "blocks", 0, OPTION_UNSIGNED, "N", 1, VERTICES_MAX,
      "Blocks, each least or greatest by chance.  Default: 1." },
    { "degree", 0, OPTION_REAL, "D", 0, 1 << 20,
      "Operands of an equation on average; each has up to twice as many.  Default: 2." },
    { "and", 0, OPTION_SHARE, "SHARE", 0, 0,
      "Share of equations that are conjunctions, 0 to 1.  Default: 0.5." },
    { "shape", 0, OPTION_STRING, "SHAPE", 0, 0,
      "Of every block: general, acyclic, disjunctive or conjunctive.  Default: "
      "general." },
    { 0 },
};
const option_group gen_bes_options = { "Equation systems (bes)", specs };

static int read_shape(bes_shape *out, const char *name, err *e)
{
    for (bes_shape s = 0; s < BES_SHAPE_COUNT; s++)
        if (strcmp(bes_shape_name(s), name) == 0) {
            *out = s;
            return 0;
        }
    return err_set(e, ERR_USAGE,
                   "--shape: '%.60s' is not general, acyclic, disjunctive or conjunctive",
                   name);
}

static int run(tool *t, err *e)
{
    bes b;
    bes_random_options o = {
        .variables = (vertex_id)options_unsigned(t->opts, "variables", 1000),
        .blocks = (uint32_t)options_unsigned(t->opts, "blocks", 1),
        .degree = options_real(t->opts, "degree", 2),
        .and_share = options_share(t->opts, "and", 0.5),
        .seed = options_unsigned(t->opts, "seed", 1),
    };
    const char *out = options_string(t->opts, "output", NULL);
    if (out == NULL)
        return err_set(e, ERR_USAGE, "-o OUT is missing: where shall the system go?");
    if (t->operands > 1)
        return err_set(e, ERR_USAGE, "gen bes: '%.60s' is too much; it has options only",
                       t->operand[1]);
    if (read_shape(&o.shape, options_string(t->opts, "shape", "general"), e) != 0)
        return (int)e->code;
    if (o.blocks > o.variables)
        return err_set(e, ERR_USAGE, "--blocks: %u is more than there are variables",
                       o.blocks);
    if (bes_random(&b, &t->m, &o, e) != 0) return (int)e->code;
    progress_begin(&t->clock, "writing", "lines", 0);
    bes_write(&b, out, &t->clock, e);
    progress_end(&t->clock);
    bes_close(&b);
    return (int)e->code;
}

const gen_family gen_bes = {
    .name = "bes",
    .doc = "random Boolean equation systems",
    .synopsis = "",
    .takes = (const gen_parameter[]){ { "output", 0, 0, 0 },
                                      { "seed", 0, 0, 0 },
                                      { "variables", 0, 0, 0 },
                                      { "blocks", 0, 0, 0 },
                                      { "degree", 0, 0, 0 },
                                      { "and", 0, 0, 0 },
                                      { "shape", 0, 0, 0 },
                                      { 0 } },
    .run = run,
};
