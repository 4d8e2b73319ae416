#include "comm/comm_machine.h"

#include "core/ids.h"
#include "core/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct key {
    const char *name;
    uint64_t value, least;
    size_t at; /* in comm_machine */
} key;

#define KEY(name_, value_, least_, doc) \
    { .name = #name_,                   \
      .value = (value_),                \
      .least = (least_),                \
      .at = offsetof(comm_machine, name_) },
static const key keys[] = { COMM_MACHINE_KEYS(KEY) };
#undef KEY

static uint64_t *field(comm_machine *m, const key *k)
{
    return (uint64_t *)(void *)((char *)m + k->at);
}

void comm_machine_default(comm_machine *m)
{
    for (size_t i = 0; i < COUNT_OF(keys); i++) *field(m, &keys[i]) = keys[i].value;
}

/* A line being read. */
typedef struct reader {
    const char *path;
    unsigned line;
    const char *text, *at;
    err *e;
} reader;

static int refuse(const reader *r, const char *what, const char *expected)
{
    return err_set(r->e, ERR_INPUT, "%s:%u:%d: %s; expected %s", r->path, r->line,
                   (int)(r->at - r->text) + 1, what, expected);
}

static void skip_blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r') r->at++;
}

static bool at_end(const reader *r)
{
    return *r->at == '\0' || *r->at == '\n' || *r->at == '#';
}

static const key *read_key(reader *r)
{
    char word[64], what[128];
    size_t n = strcspn(r->at, " \t\r\n#");
    if (n >= sizeof word) n = sizeof word - 1;
    memcpy(word, r->at, n);
    word[n] = '\0';
    suggest s = SUGGEST_INIT(word);
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (strcmp(keys[i].name, word) == 0) {
            r->at += n;
            return &keys[i];
        }
        suggest_consider(&s, keys[i].name);
    }
    snprintf(what, sizeof what, "unknown key '%s'", word);
    refuse(r, what, s.best ? s.best : "a key such as latency_ns");
    return NULL;
}

static int read_value(reader *r, const key *k, uint64_t *value)
{
    char expected[96];
    snprintf(expected, sizeof expected, "a whole number from %u to %u",
             (unsigned)k->least, (unsigned)COMM_MACHINE_MOST);
    if (!isdigit((unsigned char)*r->at)) return refuse(r, "no number here", expected);
    const char *begin = r->at;
    for (*value = 0; isdigit((unsigned char)*r->at); r->at++)
        if (*value <= COMM_MACHINE_MOST) *value = 10 * *value + (uint64_t)(*r->at - '0');
    bool in_range = *value >= k->least && *value <= COMM_MACHINE_MOST;
    if (!in_range) r->at = begin;
    return in_range ? 0 : refuse(r, "out of range", expected);
}

static int read_line(comm_machine *m, uint32_t *seen, reader *r)
{
    skip_blanks(r);
    if (at_end(r)) return 0;
    const char *begin = r->at;
    const key *k = read_key(r);
    if (k == NULL) return (int)r->e->code;
    if (*seen & 1u << (k - keys)) {
        r->at = begin;
        return refuse(r, "this key was given before", "each key once");
    }
    *seen |= 1u << (k - keys);
    skip_blanks(r);
    if (read_value(r, k, field(m, k)) != 0) return (int)r->e->code;
    skip_blanks(r);
    return at_end(r) ? 0 : refuse(r, "more than a value", "the end of the line");
}

int comm_machine_read(comm_machine *m, const char *path, err *e)
{
    enum { LINE_MOST = 256 };
    char line[LINE_MOST];
    FILE *f = fopen(path, "r");
    if (f == NULL) return err_set(e, ERR_INPUT, "%s: cannot be read: %m", path);
    uint32_t seen = 0;
    reader r = { .path = path, .text = line, .e = e };
    while (e->code == ERR_NONE && fgets(line, sizeof line, f)) {
        r.line++;
        r.at = line;
        if (strlen(line) == sizeof line - 1 && line[sizeof line - 2] != '\n')
            refuse(&r, "a line of more than 254 bytes", "a key and a value");
        else read_line(m, &seen, &r);
    }
    if (ferror(f)) err_set(e, ERR_INPUT, "%s: cannot be read: %m", path);
    fclose(f);
    return (int)e->code;
}
