#include "tools/guide.h"

const char guide_title[] = "on-the-fly verification of concurrent systems";

const char guide_description[] =
    "bespoke reads the state space of a concurrent system, a labelled transition system "
    "(LTS) with millions of states, and answers questions about it.\n"
    "\n"
    "Every command prints its answer on stdout and everything else on stderr; with "
    "--json "
    "the answer is one object on one line.";

const char guide_models[] =
    "A MODEL is a file; its name tells the format:\n"
    "\n"
    "  .aut        Aldebaran text, as CADP, mCRL2 and LTSmin write it; also\n"
    "              compressed: .aut.gz, .aut.zst, .aut.bz2\n"
    "  .plts       our binary form: mapped into memory, not parsed\n"
    "  .bcg        CADP's binary form, through its bcg_io when that is installed\n"
    "  .exp        a network: LTSs side by side and how they synchronise\n"
    "  .so         a plug-in: a model in C, computed state by state\n"
    "  vlts:NAME   an instance of the VLTS suite: the real file if it was imported,\n"
    "              otherwise a surrogate of the same size and shape\n"
    "  -           AUT text from stdin, plain or compressed\n"
    "\n"
    "The first bytes of a file outrank its name.\n"
    "\n"
    "The label i is hidden (the silent action).  mCRL2 and LTSmin write tau instead: "
    "give "
    "--hidden tau for their files.";

const command_example guide_examples[] = {
    { "bespoke gen vlts vasy_0_1 -o small.aut", "make a model to play with" },
    { "bespoke info small.aut", "count, find deadlocks and livelocks" },
    { "bespoke convert small.aut small.plts", "the form that opens at once" },
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
