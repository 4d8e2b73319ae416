#include "models/lts_file.h"
#include "tools/command.h"
#include "tools/explored.h"
#include "tools/report.h"

static int convert(tool *t, const model_arg *in, const char *out, err *e)
{
    explored g = EXPLORED_INIT;
    lts_file_numbering numbering =
        options_given(t->opts, "renumber") ? LTS_FILE_INITIAL_FIRST : LTS_FILE_KEEP;
    if (explored_open(&g, in, out, t, e) == 0) {
        lts_file_write(g.rows, out, numbering, &t->clock, e);
        report_complete_limit(e, in->name, out);
    }
    if (e->code == ERR_NONE)
        log_detail(&t->log, "%s: %lu states, %llu transitions, %.3f s", out,
                   (unsigned long)g.rows->states, (unsigned long long)g.rows->transitions,
                   clock_seconds() - t->started);
    explored_close(&g);
    return (int)e->code;
}

static int run(tool *t, err *e)
{
    model_arg in;
    if (lts_file_check_suffix(t->operand[1], e) != 0) return (int)e->code;
    if (model_arg_resolve(&in, t, t->operand[0], e) != 0) return (int)e->code;
    return convert(t, &in, t->operand[1], e);
}

static const option_spec specs[] = {
    { "renumber", 0, OPTION_FLAG, NULL, 0, 0,
      "Exchange the numbers of the initial state and of state 0, for tools that expect 0 "
      "to be initial." },
    { 0 },
};
static const option_group group = { "Converting", specs };

const command cmd_convert = {
    .name = "convert",
    .doc = "write a model in another format",
    .synopsis = "IN OUT [OPTION]...",
    .description =
        "Reads the model IN and writes OUT; the name of OUT tells the format:\n"
        "\n"
        "  .aut .aut.gz .aut.zst .aut.bz2   Aldebaran text, plain or compressed\n"
        "  .plts                            our binary form, which opens at once\n"
        "  .dot                             Graphviz, for small ones\n"
        "  .seq                             the labels of a path, for what is one\n"
        "  -                                stdout, as plain Aldebaran text\n"
        "\n"
        "A network (.exp) or a plug-in (.so) is explored first; its states are numbered "
        "as a "
        "breadth-first search meets them, whatever the number of threads.  Of an LTS, "
        "state "
        "numbers and the order of a state's transitions are kept, duplicates "
        "too.  Labels named with --hidden become the hidden label i.  OUT appears whole "
        "or "
        "not at all: it is written under another name and renamed at the end, so OUT may "
        "also be IN, if that is an LTS.",
    .examples =
        (const command_example[]){
            { "bespoke convert big.aut.gz big.plts",
              "loads many times faster next time" },
            { "bespoke convert --hidden tau mcrl2.aut cadp.aut",
              "from mCRL2 to CADP: tau becomes i" },
            { "bespoke convert --threads 8 network.exp states.plts",
              "a network, explored with eight threads" },
            { "bespoke convert big.plts - | head", "have a look at the text" },
            { "bespoke convert --renumber in.plts out.aut.zst",
              "compressed text with initial state 0" },
            { 0 },
        },
    .options = (const option_group *const[]){ &group, &options_load, &options_explore,
                                              &options_limit, NULL },
    .operands_min = 2,
    .operands_max = 2,
    .run = run,
};
