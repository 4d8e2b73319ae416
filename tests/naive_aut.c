#include "tests/naive_aut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stretch of text that is eaten from its beginning. */
typedef struct span {
    const char *at, *end;
} span;

static bool is_blank(char c) { return c != '\0' && strchr(" \t\r\f\v", c) != NULL; }

static span trim(span s)
{
    while (s.at < s.end && is_blank(s.at[0])) s.at++;
    while (s.at < s.end && is_blank(s.end[-1])) s.end--;
    return s;
}

static bool eat(span *s, const char *token)
{
    *s = trim(*s);
    size_t bytes = strlen(token);
    if ((size_t)(s->end - s->at) < bytes || memcmp(s->at, token, bytes) != 0)
        return false;
    s->at += bytes;
    return true;
}

/* Numbers that do not fit are larger than any that is legal; so is the answer. */
static bool eat_number(span *s, uint64_t *out)
{
    *s = trim(*s);
    if (s->at == s->end || *s->at < '0' || *s->at > '9') return false;
    unsigned __int128 n = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
        if (n < (unsigned __int128)1 << 64) n = n * 10 + (unsigned)(*s->at - '0');
    *out = n > UINT64_MAX ? UINT64_MAX : (uint64_t)n;
    return true;
}

/* A count, or `?`. */
static bool eat_count(span *s, uint64_t *out, bool *known)
{
    *known = !eat(s, "?");
    return !*known || eat_number(s, out);
}

static bool at_end(span s) { return trim(s).at == trim(s).end; }

typedef struct header {
    uint64_t initial, transitions, states;
    bool transitions_known, states_known;
} header;

static bool read_header(header *h, span line, const naive_rules *rules)
{
    *h = (header){ 0 };
    if (line.end - line.at >= 3 && memcmp(line.at, "\xef\xbb\xbf", 3) == 0)
        line.at += 3; /* the byte-order mark of Windows */
    bool fine = eat(&line, "des") && eat(&line, "(") && eat_number(&line, &h->initial) &&
                eat(&line, ",") &&
                eat_count(&line, &h->transitions, &h->transitions_known) &&
                eat(&line, ",") && eat_count(&line, &h->states, &h->states_known) &&
                eat(&line, ")") && at_end(line);
    if (!fine || h->states > STATES_MAX) return false;
    if (rules->lenient) return h->initial < STATES_MAX;
    return h->transitions_known && h->states_known && h->initial < h->states;
}

static bool is_hidden(span label, const naive_rules *rules)
{
    for (size_t i = 0; i < rules->hidden_count; i++)
        if (strlen(rules->hidden[i]) == (size_t)(label.end - label.at) &&
            memcmp(rules->hidden[i], label.at, (size_t)(label.end - label.at)) == 0)
            return true;
    return false;
}

static bool printable(span label)
{
    for (const char *c = label.at; c < label.end; c++)
        if ((unsigned char)*c < 32 || *c == 127) return false;
    return true;
}

/* Blanks off, then one pair of quotes. */
static bool strip(span *label)
{
    *label = trim(*label);
    if (label->at == label->end) return false;
    if (*label->at != '"') return true;
    label->at++;
    if (label->at == label->end || label->end[-1] != '"') return false;
    label->end--;
    return true;
}

static bool read_transition(naive_lts *n, span line, uint64_t limit,
                            const naive_rules *rules)
{
    uint64_t from = 0, to = 0;
    if (!eat(&line, "(") || !eat_number(&line, &from) || !eat(&line, ",")) return false;
    const char *comma = line.end;
    while (comma > line.at && comma[-1] != ',') comma--;
    if (comma == line.at) return false;
    span label = { line.at, comma - 1 };
    line.at = comma;
    if (!strip(&label) || !eat_number(&line, &to) || !eat(&line, ")") || !at_end(line))
        return false;
    if (from >= limit || to >= limit || !printable(label)) return false;
    if (is_hidden(label, rules)) label.at = "i", label.end = label.at + 1;
    naive_add(n, from, naive_label_of(n, label.at, (size_t)(label.end - label.at)), to);
    return true;
}

static bool next_line(span *text, span *line)
{
    if (text->at == text->end) return false;
    const char *end = memchr(text->at, '\n', (size_t)(text->end - text->at));
    *line = (span){ text->at, end ? end : text->end };
    text->at = end ? end + 1 : text->end;
    return true;
}

static bool nothing_in(span line)
{
    while (line.at < line.end && is_blank(*line.at)) line.at++;
    return line.at == line.end || (line.end - line.at == 1 && *line.at == 4);
}

static uint64_t states_needed(const naive_lts *n)
{
    uint64_t states = n->initial + 1;
    for (size_t i = 0; i < n->count; i++) {
        if (n->edges[i].from >= states) states = n->edges[i].from + 1;
        if (n->edges[i].to >= states) states = n->edges[i].to + 1;
    }
    return states;
}

static size_t read_all(naive_lts *n, span text, const naive_rules *rules)
{
    span line = { NULL, NULL };
    size_t number = 0, header_line = 0;
    header h = { 0 };
    while (next_line(&text, &line)) {
        number++;
        if (header_line == 0) {
            if (at_end(line)) continue;
            header_line = number;
            if (!read_header(&h, line, rules)) return number;
        } else if (!nothing_in(line) &&
                   !read_transition(n, line, rules->lenient ? STATES_MAX : h.states,
                                    rules))
            return number;
    }
    if (header_line == 0) return 1;
    n->initial = h.initial;
    uint64_t needed = states_needed(n);
    n->states = h.states > needed ? h.states : needed;
    if (!rules->lenient && h.transitions != n->count) return header_line;
    return 0;
}

size_t naive_aut_read(naive_lts *out, const char *text, size_t bytes,
                      const naive_rules *rules)
{
    *out = (naive_lts){ 0 };
    size_t wrong = read_all(out, (span){ text, text + bytes }, rules);
    if (wrong) naive_close(out);
    return wrong;
}

/* ---- writing ----------------------------------------------------------------------------- */

static const char *pick(random_stream *r, const char *usual, const char *other)
{
    return r && random_below(r, 8) == 0 ? other : usual;
}

static bool is_identifier(const naive_label *l)
{
    bool fine = l->text[0] < '0' || l->text[0] > '9';
    for (size_t i = 0; i < l->bytes; i++)
        fine = fine && l->text[i] &&
               strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
                      "WXYZ0123456789_",
                      l->text[i]);
    return fine && l->bytes > 0;
}

static void write_edge(FILE *f, const naive_lts *n, const naive_edge *e, random_stream *r)
{
    const naive_label *l = &n->labels[e->label];
    const char *quote = is_identifier(l) ? pick(r, "", "\"") : "\"";
    fprintf(f, "%s(%s%llu%s,%s%s", pick(r, "", "\t "), pick(r, "", " 00"),
            (unsigned long long)e->from, pick(r, "", " "), pick(r, " ", ""), quote);
    fwrite(l->text, 1, l->bytes, f);
    fprintf(f, "%s%s,%s%llu%s)%s%s", quote, pick(r, "", "\t"), pick(r, " ", ""),
            (unsigned long long)e->to, pick(r, "", " "), pick(r, "", " "),
            pick(r, "\n", "\r\n"));
    if (r && random_below(r, 16) == 0) fputs(pick(r, "\n", " \t\r\n\n"), f);
}

char *naive_aut_write(const naive_lts *n, random_stream *r, size_t *bytes)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, bytes);
    if (f == NULL) abort();
    fprintf(f, "%sdes%s(%llu,%s%zu, %llu%s)%s\n", pick(r, "", "\n \r\n"),
            pick(r, " ", ""), (unsigned long long)n->initial, pick(r, " ", "\t"),
            n->count, (unsigned long long)n->states, pick(r, "", " "),
            pick(r, "", "        "));
    for (size_t i = 0; i < n->count; i++) write_edge(f, n, &n->edges[i], r);
    if (fclose(f) != 0) abort();
    if (r && n->count > 0 && random_below(r, 4) == 0 && text[*bytes - 1] == '\n')
        (*bytes)--; /* the last line need not end */
    return text;
}
