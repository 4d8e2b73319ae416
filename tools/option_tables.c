/*
 * option_tables.c - the options that several commands share.
 */
#include "tools/command.h"

static const option_spec common[] = {
    { "help", 'h', OPTION_FLAG, NULL, 0, 0, "Print this help and stop." },
    { "version", 0, OPTION_FLAG, NULL, 0, 0,
      "Print version, commit, compiler and libraries and stop." },
    { "quiet", 'q', OPTION_FLAG, NULL, 0, 0, "Only errors on stderr." },
    { "verbose", 'v', OPTION_FLAG, NULL, 0, 0, "More about what is done, on stderr." },
    { 0 },
};
const option_group options_common = { "General options", common };

static const option_spec load[] = {
    { "hidden", 0, OPTION_LIST, "NAME", 0, 0,
      "Take the label NAME as hidden too, beside i; may be given several times.  In a "
      "network it is hidden wherever it occurs, in components before they are composed.  "
      "Files of mCRL2 and LTSmin need --hidden tau." },
    { "lenient", 0, OPTION_FLAG, NULL, 0, 0,
      "Accept an AUT header whose counts disagree with the body, with a warning." },
    { "model-arg", 0, OPTION_LIST, "ARG", 0, 0,
      "Hand ARG to the model, a plug-in (.so); may be given several times." },
    { "load-threads", 0, OPTION_UNSIGNED, "N", 1, 1 << 20,
      "Load with N threads; default: all cores this process may use.  The result does "
      "not "
      "depend on N." },
    { 0 },
};
const option_group options_load = { "Loading", load };

static const option_spec limit[] = {
    { "memory-limit", 0, OPTION_SIZE, "SIZE", 0, 0,
      "Stop with status 3 before using more than SIZE bytes: a number such as 512M, 1.5G "
      "or 2GiB; K, M, G and T, also with B or iB behind, are powers of 1024.  Default: "
      "what the machine, the control group or the Slurm job allows." },
    { "timeout", 0, OPTION_SECONDS, "SECONDS", 0, 0,
      "Stop with status 3 after this time; fractions are allowed." },
    { "progress", 0, OPTION_SWITCH, NULL, 0, 0,
      "Show on stderr how far it is: a line redrawn on a terminal, elsewhere a line "
      "every "
      "10 s.  Default: only on a terminal." },
    { 0 },
};
const option_group options_limit = { "Limits and progress", limit };

static const option_spec json[] = {
    { "json", 0, OPTION_FLAG, NULL, 0, 0, "Answer with one JSON object on one line." },
    { 0 },
};
const option_group options_json = { "Output", json };
