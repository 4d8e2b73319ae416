#include "tests/net_parts.h"

#include <CUnit/CUnit.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- components -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int transitions, states;
    const char *lines;
} parts[] = {
    { "p", 2, 2, "(0,A,1)\n(1,B,0)\n" },
    { "q", 2, 2, "(0,A,1)\n(1,C,0)\n" },
    { "v", 3, 2, "(0,\"A !1\",1)\n(0,\"A !2\",1)\n(1,B,0)\n" },
    { "w", 1, 2, "(0,\"A !1\",1)\n" },
    { "h", 2, 2, "(0,i,1)\n(1,A,0)\n" },
    { "x", 2, 3, "(0,A,1)\n(1,exit,2)\n" },
    { "y", 1, 2, "(0,exit,1)\n" },
    { "n", 3, 2, "(0,A,0)\n(0,A,1)\n(0,A,1)\n" },
    { "o", 1, 1, "(0,A,0)\n" },
    { "l", 3, 2, "(0,a,1)\n(0,A,1)\n(1,\"b !x\",0)\n" },
    { "k", 1, 2, "(0,A,1)\n" },
    { "c", 1, 2, "(0,\"'A\",1)\n" },
    { "d", 1, 2, "(0,C,1)\n" },
    { "u", 2, 2, "(0,A,1)\n(0,B,1)\n" },
    { "f", 1, 2, "(0,\"a(1)\",1)\n" },
    { "g", 2, 2, "(0,\"b(1)\",1)\n(0,\"b(2)\",1)\n" },
    { "z", 2, 2, "(0,tau,1)\n(0,t,1)\n" },
    { "s", 1, 2, "(0,\"t !1\",1)\n" },
    { "e", 0, 1, "" },
};

scratch net_parts_open(void)
{
    scratch dir = scratch_open();
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        char name[16], text[256];
        snprintf(name, sizeof name, "%s.aut", parts[i].name);
        int bytes = snprintf(text, sizeof text, "des (0, %d, %d)\n%s",
                             parts[i].transitions, parts[i].states, parts[i].lines);
        scratch_write(scratch_path(&dir, name), text, (size_t)bytes);
    }
    return dir;
}

int net_parts_network(model **out, scratch *dir, const char *text, mem *m,
                      const log_sink *log, err *e)
{
    load_options o = { .m = m, .threads = 1, .log = log };
    const char *path = scratch_path(dir, "net.exp");
    scratch_write(path, text, strlen(text));
    return network_open(out, path, &o, e);
}

/* ---- exploring --------------------------------------------------------------------------- */

enum { STATES_MAX_HERE = 100 };

static int compare(const void *a, const void *b) { return strcmp(a, b); }

/* Sorted, each once. */
static void sort(net_lines *l)
{
    size_t kept = 0;
    qsort(l->at, l->count, NET_LINE_BYTES, compare);
    for (size_t i = 0; i < l->count; i++)
        if (kept == 0 || strcmp(l->at[i], l->at[kept - 1]) != 0)
            memmove(l->at[kept++], l->at[i], NET_LINE_BYTES);
    l->count = kept;
}

static void add(net_lines *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(net_lines *l, const char *format, ...)
{
    va_list list;
    CU_ASSERT_FATAL(l->count < NET_LINES_MAX);
    va_start(list, format);
    vsnprintf(l->at[l->count++], NET_LINE_BYTES, format, list);
    va_end(list);
}

void net_parts_name(const model *s, void *context, const uint32_t *key, char into[16])
{
    char text[128];
    s->class->print(s, context, key, text, sizeof text);
    for (const char *p = text; *p; p++)
        if (*p >= '0' && *p <= '9') *into++ = *p;
    *into = '\0';
}

void net_lines_explore(const model *s, net_lines *out)
{
    void *context = NULL;
    err e = ERR_INIT;
    uint32_t queue[STATES_MAX_HERE] = { s->initial[0] };
    size_t count = 1;
    model_moves moves = MODEL_MOVES_INIT(s);
    CU_ASSERT_EQUAL_FATAL(s->key_words, 1);
    CU_ASSERT_EQUAL_FATAL(model_context_open(s, &context, &e), 0);
    for (size_t i = 0; i < count; i++) {
        char from[16], to[16];
        net_parts_name(s, context, &queue[i], from);
        CU_ASSERT_EQUAL_FATAL(model_moves_of(s, context, &queue[i], &moves, &e), 0);
        for (uint32_t k = 0; k < moves.count; k++) {
            size_t at = 0;
            net_parts_name(s, context, &moves.key[k], to);
            add(out, "(%s, %s, %s)", from,
                label_table_text(s->labels, moves.label[k], NULL), to);
            while (at < count && queue[at] != moves.key[k]) at++;
            CU_ASSERT_FATAL(at < STATES_MAX_HERE);
            if (at == count) queue[count++] = moves.key[k];
        }
    }
    model_moves_release(&moves);
    model_context_close(s, context);
    sort(out);
}

void net_lines_split(const char *text, net_lines *out)
{
    while (*text) {
        size_t bytes = strcspn(text, "\n");
        add(out, "%.*s", (int)bytes, text);
        text += bytes + (text[bytes] == '\n');
    }
    sort(out);
}

bool net_lines_equal(const net_lines *a, const net_lines *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) same = strcmp(a->at[i], b->at[i]) == 0;
    return same;
}

void net_lines_show(const char *what, const net_lines *l)
{
    printf("%s:", what);
    for (size_t i = 0; i < l->count; i++) printf(" %s", l->at[i]);
    printf("\n");
}
