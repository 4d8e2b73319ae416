#include "tools/command.h"
#include "tools/help.h"
#include "tools/manual.h"

static int run(tool *t, err *e)
{
    bool man = options_given(t->opts, "man");
    const command *c = t->operands > 0 ? command_need(t->operand[0], e) : NULL;
    if (e->code != ERR_NONE) return (int)e->code;
    if (c) (man ? manual_command : help_command)(c);
    else (man ? manual_overview : help_overview)();
    return 0;
}

static const option_spec specs[] = {
    { "man", 0, OPTION_FLAG, NULL, 0, 0, "Print the man page, in roff." },
    { 0 },
};
static const option_group group = { "Output", specs };

const command cmd_help = {
    .name = "help",
    .doc = "explain bespoke or one of its commands",
    .synopsis = "[COMMAND] [OPTION]...",
    .description =
        "Without COMMAND, what bespoke is and which commands it has; otherwise "
        "all about that command, as 'bespoke COMMAND --help' prints it too.",
    .examples =
        (const command_example[]){
            { "bespoke help info", "all about bespoke info" },
            { "bespoke help --man info > bespoke-info.1", "its man page" },
            { 0 },
        },
    .options = (const option_group *const[]){ &group, NULL },
    .operands_max = 1,
    .run = run,
};
