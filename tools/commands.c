/*
 * commands.c - the registry: a new subcommand is one line in each list here.
 */
#include "tools/command.h"

#include "core/suggest.h"

#include <string.h>

extern const command cmd_info, cmd_convert, cmd_explore, cmd_gen, cmd_check, cmd_deadlock,
    cmd_livelock, cmd_solve, cmd_certify, cmd_netbench, cmd_list, cmd_help;

const command *const commands[] = {
    &cmd_info,     &cmd_convert,  &cmd_explore, &cmd_gen,     &cmd_check,
    &cmd_deadlock, &cmd_livelock, &cmd_solve,   &cmd_certify, &cmd_netbench,
    &cmd_list,     &cmd_help,     NULL,
};

const command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

const command *command_need(const char *name, err *e)
{
    const command *c = command_find(name);
    if (c != NULL) return c;
    suggest near = SUGGEST_INIT(name);
    for (size_t i = 0; commands[i]; i++) suggest_consider(&near, commands[i]->name);
    suggest_refuse(&near, "unknown command", NULL, e);
    return NULL;
}
