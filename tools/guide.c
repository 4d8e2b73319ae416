#include "tools/guide.h"

const char guide_title[] = "on-the-fly verification of concurrent systems";

const char guide_description[] =
    "bespoke answers questions about concurrent systems: does it deadlock, does a "
    "temporal "
    "property hold, and why.  A system is a graph in a file, a labelled transition "
    "system "
    "(LTS) with millions of states; or a network or a program, whose states are computed "
    "when they are asked for.\n"
    "\n"
    "Every command prints its answer on stdout and everything else on stderr; with "
    "--json "
    "the answer is one object on one line.";

const char guide_model[] = "A model is an LTS, a network of LTSs (.exp) or a plug-in "
                           "(.so); 'bespoke help' tells "
                           "of all kinds.";

bool guide_takes_model(const command *c)
{
    for (size_t i = 0; c->options[i]; i++)
        if (c->options[i] == &options_load) return true;
    return false;
}

const char guide_models[] =
    "A MODEL is a file; its name tells the format:\n"
    "\n"
    "  .aut        Aldebaran text, as CADP, mCRL2 and LTSmin write it; also\n"
    "              compressed: .aut.gz, .aut.zst, .aut.bz2\n"
    "  .plts       our binary form: mapped into memory, not parsed\n"
    "  .bcg        CADP's binary form, through its bcg_io when that is installed\n"
    "  .exp        a network: LTSs side by side and how they synchronise, as CADP's\n"
    "              exp.open reads them\n"
    "  .so         a plug-in: a program in C; --model-arg hands it arguments\n"
    "  vlts:NAME   an instance of the VLTS suite: the real file if it was imported,\n"
    "              otherwise a surrogate of the same size and shape\n"
    "  -           AUT text from stdin, plain or compressed\n"
    "\n"
    "The first bytes of an LTS outrank the name of its file.  NETWORKS.md, in docs of "
    "the "
    "source and in share/doc/bespoke of an installation, describes networks; "
    "examples/README.md, beside it, plug-ins.  check, deadlock and livelock compute only "
    "what the verdict depends on; info and convert explore all of a network or a plug-in "
    "first.\n"
    "\n"
    "The label i is hidden (the silent action).  mCRL2 and LTSmin write tau instead: "
    "give "
    "--hidden tau for their files.  Components of a network may be such files.";

const command_example guide_examples[] = {
    { "bespoke gen vlts vasy_0_1 -o small.aut", "make a model to play with" },
    { "bespoke info small.aut", "count, find deadlocks and livelocks" },
    { "bespoke convert small.aut small.plts", "the form that opens at once" },
    { "bespoke gen philosophers --n 10 -o phil.exp", "a network, with its components" },
    { "bespoke deadlock phil.exp --diagnostic way.seq",
      "a shortest way to where nobody can go on" },
    { 0 },
};

const guide_status guide_statuses[] = {
    { 0, "done; true, where there is a verdict" },
    { 1, "false (commands that give a verdict, and gen --check)" },
    { 2, "the input or the command line is wrong" },
    { 3, "a limit was reached (--timeout, --memory-limit, --max-states)" },
    { 4, "the machine failed: disk full, a library" },
    { 0 },
};
