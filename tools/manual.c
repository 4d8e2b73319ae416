#include "tools/manual.h"

#include "tools/build_info.h"
#include "tools/guide.h"
#include "tools/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Text as roff: a backslash and a dash have meanings, a dot or a quote in front too. */
static void put_bytes(const char *at, size_t bytes)
{
    if (bytes > 0 && (*at == '.' || *at == '\'')) fputs("\\&", stdout);
    for (size_t i = 0; i < bytes; i++) {
        if (at[i] == '\\') fputs("\\e", stdout);
        else if (at[i] == '-') fputs("\\-", stdout);
        else putchar(at[i]);
    }
}

static void put(const char *text) { put_bytes(text, strlen(text)); }

static void put_paragraphs(const char *text)
{
    text_line l;
    bool kept = false;
    while (text_next(&text, &l)) {
        if (l.kept != kept) puts(l.kept ? ".PP\n.nf" : ".fi");
        kept = l.kept;
        if (l.bytes == 0) puts(".PP");
        else put_bytes(l.at, l.bytes);
        if (l.bytes > 0) putchar('\n');
    }
    if (kept) puts(".fi");
}

static void put_title(const char *name, const char *suffix, const char *doc)
{
    printf(".TH \"");
    for (const char *c = name; *c; c++) putchar(toupper((unsigned char)*c));
    for (const char *c = suffix; *c; c++) putchar(toupper((unsigned char)*c));
    printf("\" 1 \"\" \"bespoke %s\" \"bespoke manual\"\n.nh\n", build_info_version());
    printf(".SH NAME\n%s%s \\- ", name, suffix);
    put(doc);
    printf("\n");
}

static void put_option(const option_spec *s)
{
    printf(".TP\n");
    if (s->letter) printf("\\fB\\-%c\\fR, ", s->letter);
    printf("\\fB\\-\\-%s", s->kind == OPTION_SWITCH ? "[no\\-]" : "");
    put(s->name);
    printf("\\fR");
    if (s->argument) printf(" \\fI%s\\fR", s->argument);
    printf("\n");
    put(s->doc);
    printf("\n");
}

static void put_group(const option_group *g)
{
    printf(".SS ");
    put(g->title);
    printf("\n");
    for (const option_spec *s = g->specs; s->name; s++) put_option(s);
}

static void put_examples(const command_example *x)
{
    if (x == NULL) return;
    printf(".SH EXAMPLES\n");
    for (; x->line; x++) {
        printf(".TP\n\\fB");
        put(x->line);
        printf("\\fR\n");
        put(x->doc);
        printf("\n");
    }
}

static void put_statuses(void)
{
    printf(".SH EXIT STATUS\n");
    for (const guide_status *s = guide_statuses; s->doc; s++) {
        printf(".TP\n%d\n", s->status);
        put(s->doc);
        printf("\n");
    }
}

/* The other pages, with this one left out. */
static void put_see_also(const command *self)
{
    printf(".SH SEE ALSO\n%s", self ? ".BR bespoke (1)" : "");
    for (size_t i = 0, n = self != NULL; commands[i]; i++)
        if (commands[i] != self)
            printf("%s.BR bespoke\\-%s (1)", n++ ? ",\n" : "", commands[i]->name);
    printf("\n");
}

void manual_overview(void)
{
    put_title("bespoke", "", guide_title);
    printf(".SH SYNOPSIS\n.B bespoke\n.I COMMAND\n[\\fIARGUMENT\\fR]... "
           "[\\fIOPTION\\fR]...\n.SH DESCRIPTION\n");
    put_paragraphs(guide_description);
    printf(".SH COMMANDS\n");
    for (size_t i = 0; commands[i]; i++) {
        printf(".TP\n.BR bespoke\\-%s (1)\n", commands[i]->name);
        put(commands[i]->doc);
        printf("\n");
    }
    printf(".SH MODELS\n");
    put_paragraphs(guide_models);
    printf(".SH OPTIONS\n");
    put_group(&options_common);
    put_examples(guide_examples);
    put_statuses();
    put_see_also(NULL);
}

void manual_command(const command *c)
{
    put_title("bespoke-", c->name, c->doc);
    printf(".SH SYNOPSIS\n.B bespoke %s\n", c->name);
    put(c->synopsis);
    printf("\n.SH DESCRIPTION\n");
    put_paragraphs(c->description);
    if (guide_takes_model(c)) {
        printf(".PP\n");
        put_paragraphs(guide_model);
    }
    printf(".SH OPTIONS\n");
    for (size_t i = 0; c->options[i]; i++) put_group(c->options[i]);
    put_group(&options_common);
    put_examples(c->examples);
    put_statuses();
    put_see_also(c);
}
