#include "tools/help.h"

#include "tools/build_info.h"
#include "tools/guide.h"
#include "tools/text.h"

#include <stdio.h>
#include <string.h>

enum { COMMAND_COLUMN = 12, OPTION_COLUMN = 27, STATUS_COLUMN = 6 };

static void print_heading(const char *title) { printf("\n%s:\n", title); }

static void print_option(const option_spec *s)
{
    char head[64], letter[8] = "    ";
    if (s->letter) snprintf(letter, sizeof letter, "-%c, ", s->letter);
    snprintf(head, sizeof head, "  %s--%s%s%s%s", letter,
             s->kind == OPTION_SWITCH ? "[no-]" : "", s->name, s->argument ? " " : "",
             s->argument ? s->argument : "");
    text_print_beside(head, s->doc, OPTION_COLUMN);
}

static void print_group(const option_group *g)
{
    print_heading(g->title);
    for (const option_spec *s = g->specs; s->name; s++) print_option(s);
}

static void print_examples(const command_example *x)
{
    if (x == NULL) return;
    print_heading("Examples");
    for (; x->line; x++) {
        printf("  %s\n", x->line);
        text_print(x->doc, 6);
    }
}

static void print_statuses(void)
{
    print_heading("Exit status");
    for (const guide_status *s = guide_statuses; s->doc; s++) {
        char head[16];
        snprintf(head, sizeof head, "  %d", s->status);
        text_print_beside(head, s->doc, STATUS_COLUMN);
    }
}

void help_overview(void)
{
    printf("bespoke %s - %s\n\nUsage: bespoke COMMAND [ARGUMENT]... [OPTION]...\n\n",
           build_info_version(), guide_title);
    text_print(guide_description, 0);
    print_heading("Commands");
    for (size_t i = 0; commands[i]; i++) {
        char head[32];
        snprintf(head, sizeof head, "  %s", commands[i]->name);
        text_print_beside(head, commands[i]->doc, COMMAND_COLUMN);
    }
    print_heading("Models");
    text_print(guide_models, 2);
    print_examples(guide_examples);
    print_group(&options_common);
    print_statuses();
    printf("\n'bespoke COMMAND --help' tells all about a command.\n");
}

void help_command(const command *c)
{
    printf("bespoke %s - %s\n\nUsage: bespoke %s %s\n\n", c->name, c->doc, c->name,
           c->synopsis);
    text_print(c->description, 0);
    if (guide_takes_model(c)) printf("\n"), text_print(guide_model, 0);
    for (size_t i = 0; c->options[i]; i++) print_group(c->options[i]);
    print_group(&options_common);
    print_examples(c->examples);
    print_statuses();
}

void help_version(void)
{
    printf("bespoke %s (%s)\n", build_info_version(), build_info_commit());
    printf("compiler: %s\n", build_info_compiler());
    build_library l;
    for (size_t i = 0; (l = build_info_library(i)).name; i++)
        printf("%s: %s\n", l.name, l.version);
}
