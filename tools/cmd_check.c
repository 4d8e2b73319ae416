#include "tools/evidence.h"
#include "tools/launch.h"
#include "tools/question.h"
#include "tools/together.h"

static int run_check(tool *t, err *e)
{
    question_source from = { .text = options_string(t->opts, "formula", NULL),
                             .file = options_string(t->opts, "formula-file", NULL) };
    if ((from.text == NULL) == (from.file == NULL))
        return err_set(e, ERR_USAGE, "%s: give the formula with -f, or its file with -F",
                       from.text ? "-f and -F at once" : "what is to be checked?");
    return question_run(t, &from, from.text ? from.text : from.file, e);
}

static const option_spec specs[] = {
    { "formula", 'f', OPTION_STRING, "FORMULA", 0, 0, "The formula." },
    { "formula-file", 'F', OPTION_STRING, "FILE", 0, 0,
      "A file (.mcl, also compressed) with the formula, macros and libraries before "
      "it." },
    { 0 },
};
static const option_group group = { "Question", specs };

const command cmd_check = {
    .name = "check",
    .doc = "does a temporal property hold?",
    .synopsis = "(-f FORMULA | -F FILE.mcl) MODEL [OPTION]...",
    .description =
        "Prints TRUE if the initial state of the model satisfies the formula, otherwise "
        "FALSE; the exit status is 0 or 1.  Formulas are of the modal mu-calculus with "
        "regular modalities, MCL version 3; MCL.md, in docs of the source and in "
        "share/doc/bespoke of an installation, describes them all.  In short:\n"
        "\n"
        "  \"SEND !1\"   'SEND.*'      a label; labels that match as a whole\n"
        "  true  not A  A and B      sets of labels; \"i\" is the hidden one\n"
        "  R . S   R | S   R*        sequences of steps\n"
        "  < R > F   [ R ] F         some, every sequence R leads to F\n"
        "  < R > @   [ R ] -|        R can, cannot be repeated for ever\n"
        "  mu X . F   nu X . F       least, greatest fixed point\n"
        "\n"
        "With `library standard.mcl end_library` in front there are macros such as "
        "NEVER (R), INEVITABLE (A), AFTER_1_INEVITABLE_2 (A, B).\n"
        "\n"
        "Only what the verdict depends on is looked at; of a network or a plug-in "
        "nothing "
        "else is computed.  --diagnostic writes the reason: "
        "a part of the model on which the formula has the same value (.aut, .dot), the "
        "sequence if it is one (.seq), or a proof for bespoke certify (.cert).\n"
        "\n"
        "With --json there is one object: verdict, status (ok or limit), algorithm, "
        "model, "
        "property, vertices visited, edges looked at, blocks, seconds, memory_bytes, "
        "diagnostic (vertices; depth, the greatest distance in the proof; height, its "
        "longest way, with --shortest; certified) and more; what does not apply is null.",
    .examples =
        (const command_example[]){
            { "bespoke check -f '[ true* ] < true > true' small.aut",
              "is there always a next step?" },
            { "bespoke check -f '< true* . \"GET\" > true' --diagnostic get.seq "
              "small.aut",
              "a shortest way to GET" },
            { "bespoke check -F phil.exclusive.mcl phil.exp",
              "a network of bespoke gen and one of its properties" },
            { "bespoke check -F fair.mcl --explain vlts:vasy_8_24",
              "how the question is solved" },
            { "bespoke check -f '< true* . \"A\" > @' --certify --json small.plts",
              "for a script that trusts nobody" },
            { 0 },
        },
    .options = (const option_group *const[]){ &group, &options_formula, &options_solve,
                                              &options_together, &options_ranks,
                                              &options_transport, &options_evidence,
                                              &options_load, &options_json,
                                              &options_limit, NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = run_check,
};
