#include "tools/evidence.h"
#include "tools/launch.h"
#include "tools/question.h"
#include "tools/together.h"

static int run_livelock(tool *t, err *e)
{
    question_source from = { .text = "< true* > < \"i\" > @" };
    return question_run(t, &from, "livelock", e);
}

const command cmd_livelock = {
    .name = "livelock",
    .doc = "can hidden steps go on for ever?",
    .synopsis = "MODEL [OPTION]...",
    .description =
        "Prints TRUE if a cycle of hidden steps can be reached from the initial state, "
        "otherwise FALSE; the exit status is 0 or 1.  The same as\n"
        "\n"
        "  bespoke check -f '< true* > < \"i\" > @' MODEL\n"
        "\n"
        "Hidden is the label i; models of mCRL2 and LTSmin need --hidden tau.",
    .examples =
        (const command_example[]){
            { "bespoke livelock small.aut", "TRUE or FALSE" },
            { "bespoke livelock --hidden tau --diagnostic loop.aut small.aut",
              "and the cycle with a way to it" },
            { 0 },
        },
    .options = (const option_group *const[]){ &options_formula, &options_solve,
                                              &options_together, &options_ranks,
                                              &options_transport, &options_evidence,
                                              &options_load, &options_json,
                                              &options_limit, NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = run_livelock,
};
