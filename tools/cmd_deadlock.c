#include "tools/evidence.h"
#include "tools/launch.h"
#include "tools/question.h"
#include "tools/together.h"

static int run_deadlock(tool *t, err *e)
{
    question_source from = { .text = "< true* > [ true ] false" };
    return question_run(t, &from, "deadlock", e);
}

const command cmd_deadlock = {
    .name = "deadlock",
    .doc = "can a state without a way out be reached?",
    .synopsis = "MODEL [OPTION]...",
    .description =
        "Prints TRUE if a state without transitions can be reached from the initial one, "
        "otherwise FALSE; the exit status is 0 or 1.  The same as\n"
        "\n"
        "  bespoke check -f '< true* > [ true ] false' MODEL\n"
        "\n"
        "--diagnostic why.seq writes a shortest way there; with several workers a short "
        "one.",
    .examples =
        (const command_example[]){
            { "bespoke deadlock small.aut", "TRUE or FALSE" },
            { "bespoke deadlock --diagnostic way.seq small.aut",
              "and how to come there" },
            { 0 },
        },
    .options = (const option_group *const[]){ &options_formula, &options_solve,
                                              &options_together, &options_ranks,
                                              &options_transport, &options_evidence,
                                              &options_load, &options_json,
                                              &options_limit, NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = run_deadlock,
};
