/*
 * commands.c - the registry: a new subcommand is one line in each list here.
 */
#include "tools/command.h"

#include <string.h>

extern const command cmd_info, cmd_convert, cmd_gen, cmd_list, cmd_help;

const command *const commands[] = {
    &cmd_info, &cmd_convert, &cmd_gen, &cmd_list, &cmd_help, NULL,
};

const command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}
