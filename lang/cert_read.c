#include "lang/cert.h"

#include "core/arena.h"
#include "core/hash.h"
#include "core/ids.h"
#include "core/vec.h"
#include "lang/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 64 << 10 };

struct cert_reader {
    mem *m;
    const char *path; /* borrowed */
    source *src;
    char *buffer; /* owned; BUFFER bytes, at .. end are not yet read */
    size_t at, end;
    VEC(char) line; /* the line being read, with a NUL instead of its newline */
    uint64_t row;   /* its number, from 1 */
    XXH64_state_t sum;
    cert_header header;
    VEC(const char *) hidden, arguments; /* of the header */
    VEC(cert_state) states;              /* of the header */
    arena strings;                       /* of the header */
    uint64_t given;                      /* vertices so far */
};

static int wrong(const cert_reader *r, size_t column, const char *expected, err *e)
{
    return err_set(e, ERR_INPUT, "%s:%llu:%zu: expected %s, found '%.20s'", r->path,
                   (unsigned long long)r->row, column + 1, expected, r->line.at + column);
}

/* One more byte, or -1 at the end or on failure. */
static int next_byte(cert_reader *r, err *e)
{
    if (r->at == r->end) {
        ssize_t got = source_read(r->src, r->buffer, BUFFER, e);
        if (got <= 0) return -1;
        r->at = 0;
        r->end = (size_t)got;
    }
    return (unsigned char)r->buffer[r->at++];
}

/* The next line into r->line; false at the end of the file or on failure. */
static bool next_line(cert_reader *r, err *e)
{
    int c;
    r->line.count = 0;
    r->row++;
    while ((c = next_byte(r, e)) >= 0 && c != '\n')
        if (vec_push(r->m, &r->line, (char)c, e) != 0) return false;
    if (e->code == ERR_NONE) vec_push(r->m, &r->line, '\0', e);
    if (e->code == ERR_NONE && c < 0)
        err_set(e, ERR_INPUT,
                "%s:%llu:%zu: the certificate ends here; expected more lines", r->path,
                (unsigned long long)r->row, r->line.count);
    return e->code == ERR_NONE;
}

/* The line read last counts for the checksum; the last one of the file does not. */
static void add_to_sum(cert_reader *r)
{
    char *end = &r->line.at[r->line.count - 1];
    *end = '\n';
    XXH64_update(&r->sum, r->line.at, r->line.count);
    *end = '\0';
}

/* What follows `word` and a blank in the line read last, or NULL. */
static const char *behind(cert_reader *r, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(r->line.at, word, length) != 0 || r->line.at[length] != ' ') return NULL;
    add_to_sum(r);
    return r->line.at + length + 1;
}

/* The same of the next line, which must begin so. */
static const char *field(cert_reader *r, const char *word, err *e)
{
    if (!next_line(r, e)) return NULL;
    const char *rest = behind(r, word);
    if (rest == NULL) wrong(r, 0, word, e);
    return rest;
}

static bool number(const char **at, uint64_t most, uint64_t *out)
{
    uint64_t n = 0;
    const char *s = *at;
    if (*s < '0' || *s > '9') return false;
    for (; *s >= '0' && *s <= '9'; s++) {
        n = n * 10 + (uint64_t)(*s - '0');
        if (n > most) return false;
    }
    *at = s;
    *out = n;
    return true;
}

/* Copy the rest of a line, \ooo turned back into bytes. */
static char *copy_rest(cert_reader *r, const char *s, err *e)
{
    char *copy = arena_get(&r->strings, strlen(s) + 1, e), *into = copy;
    if (copy == NULL) return NULL;
    while (*s) {
        char octal[4] = { 0 };
        if (*s != '\\') {
            *into++ = *s++;
            continue;
        }
        size_t digits = strspn(s + 1, "01234567");
        memcpy(octal, s + 1, digits < 3 ? digits : 3);
        *into++ = (char)strtoul(octal, NULL, 8);
        s += 1 + (digits < 3 ? digits : 3);
    }
    *into = '\0';
    return copy;
}

static int read_model(cert_reader *r, err *e)
{
    const char *s = field(r, "model", e);
    if (s == NULL) return (int)e->code;
    char *end;
    r->header.model_hash = strtoull(s, &end, 16);
    if (end != s + 16 || *end != ' ') return wrong(r, 6, "a hash of 16 digits", e);
    r->header.model = copy_rest(r, end + 1, e);
    return (int)e->code;
}

/* Names taken as hidden and arguments, as many as there are, then the property. */
static int read_property(cert_reader *r, err *e)
{
    const char *s = NULL, *word = "property";
    while (next_line(r, e) && (s = behind(r, word)) == NULL) {
        bool hides = (s = behind(r, "hidden")) != NULL;
        if (!hides && (s = behind(r, "model-arg")) == NULL) return wrong(r, 0, word, e);
        const char *name = copy_rest(r, s, e);
        if (name == NULL) return (int)e->code;
        if (hides ? vec_push(r->m, &r->hidden, name, e) != 0
                  : vec_push(r->m, &r->arguments, name, e) != 0)
            return (int)e->code;
    }
    if (e->code != ERR_NONE) return (int)e->code;
    r->header.property = copy_rest(r, s, e);
    r->header.hidden = r->hidden.at;
    r->header.hidden_count = r->hidden.count;
    r->header.arguments = r->arguments.at;
    r->header.argument_count = r->arguments.count;
    return (int)e->code;
}

static int read_verdict(cert_reader *r, err *e)
{
    const char *s = field(r, "verdict", e);
    if (s == NULL) return (int)e->code;
    r->header.verdict = strcmp(s, "TRUE") == 0;
    if (r->header.verdict || strcmp(s, "FALSE") == 0) return 0;
    return wrong(r, 8, "TRUE or FALSE", e);
}

static int read_state(cert_reader *r, uint32_t i, err *e)
{
    const char *s;
    uint64_t parent = 0, step = 0;
    if (!next_line(r, e)) return (int)e->code;
    s = r->line.at;
    bool fine = number(&s, i - 1, &parent) && *s++ == ' ' &&
                number(&s, UINT32_MAX, &step) && *s == '\0';
    if (!fine) return wrong(r, 0, "a state before this one and a transition of it", e);
    cert_state state = { (uint32_t)parent, (uint32_t)step };
    add_to_sum(r);
    return vec_push(r->m, &r->states, state, e);
}

/* The line read last says how many states are listed. */
static int read_states(cert_reader *r, const char *s, err *e)
{
    uint64_t count = 0;
    if (!number(&s, STATES_MAX, &count) || *s != '\0' || count == 0)
        return wrong(r, 7, "a number of states", e);
    for (uint32_t i = 1; i < count; i++)
        if (read_state(r, i, e) != 0) return (int)e->code;
    r->header.states = (uint32_t)count;
    r->header.state = r->states.at;
    return 0;
}

/* The number of vertices, and states before it, if they are listed. */
static int read_counts(cert_reader *r, err *e)
{
    const char *s;
    if (!next_line(r, e)) return (int)e->code;
    s = behind(r, "states");
    if (s && (read_states(r, s, e) != 0 || !next_line(r, e))) return (int)e->code;
    s = behind(r, "vertices");
    if (s == NULL) return wrong(r, 0, "vertices", e);
    if (number(&s, UINT32_MAX, &r->header.vertices) && *s == '\0') return 0;
    return wrong(r, 9, "a number of vertices", e);
}

static int read_header(cert_reader *r, err *e)
{
    const char *s = field(r, "bespoke certificate", e);
    if (s && strcmp(s, "1") != 0) return wrong(r, 20, "version 1", e);
    if (s) s = field(r, "problem", e);
    if (s) snprintf(r->header.problem, sizeof r->header.problem, "%s", s);
    if (s == NULL || read_model(r, e) != 0) return (int)e->code;
    if (read_property(r, e) != 0 || read_verdict(r, e) != 0) return (int)e->code;
    return read_counts(r, e);
}

int cert_reader_open(cert_reader **out, mem *m, const char *path, err *e)
{
    cert_reader *r = mem_get(m, sizeof *r, e);
    if (r == NULL) return (int)e->code;
    r->m = m;
    r->path = path;
    r->strings = ARENA_INIT(m, 0);
    XXH64_reset(&r->sum, 0);
    r->buffer = mem_get(m, BUFFER, e);
    if (r->buffer && source_open(&r->src, m, path, e) == 0 && read_header(r, e) == 0)
        *out = r;
    else cert_reader_close(r);
    return (int)e->code;
}

void cert_reader_close(cert_reader *r)
{
    if (r == NULL) return;
    mem *m = r->m;
    source_close(r->src);
    mem_put(m, r->buffer, BUFFER);
    vec_release(m, &r->line);
    vec_release(m, &r->hidden);
    vec_release(m, &r->arguments);
    vec_release(m, &r->states);
    arena_release(&r->strings);
    mem_put(m, r, sizeof *r);
}

const cert_header *cert_reader_header(const cert_reader *r) { return &r->header; }

static int read_vertex(cert_reader *r, cert_vertex *out, err *e)
{
    const char *s = r->line.at;
    uint64_t vertex = 0, rank = 0, choice = VERTEX_NONE;
    bool fine = number(&s, VERTICES_MAX, &vertex) && *s++ == ' ' &&
                number(&s, UINT32_MAX, &rank) && *s++ == ' ' &&
                (*s == '*' ? *s++ == '*' : number(&s, VERTICES_MAX, &choice)) &&
                *s == '\0';
    if (!fine) return wrong(r, 0, "a vertex, a rank and a successor or *", e);
    *out = (cert_vertex){ (vertex_id)vertex, (vertex_id)choice, (uint32_t)rank };
    add_to_sum(r);
    return 0;
}

static int read_end(cert_reader *r, err *e)
{
    char expected[32];
    snprintf(expected, sizeof expected, "end %016llx",
             (unsigned long long)XXH64_digest(&r->sum));
    if (strcmp(r->line.at, expected) == 0 && next_byte(r, e) < 0) return (int)e->code;
    return err_set(
        e, ERR_INPUT,
        "%s:%llu:1: the checksum is not that of the lines before, or more lines "
        "follow: the certificate was changed or damaged",
        r->path, (unsigned long long)r->row);
}

bool cert_reader_next(cert_reader *r, cert_vertex *out, err *e)
{
    if (!next_line(r, e)) return false;
    if (r->given == r->header.vertices) return read_end(r, e), false;
    r->given++;
    return read_vertex(r, out, e) == 0;
}

/* A piece ends with its length, so that no other pieces make the same bytes. */
static void add_length(XXH64_state_t *sum, char *buffer, uint64_t bytes)
{
    for (int i = 0; i < 8; i++) buffer[i] = (char)(bytes >> 8 * i);
    XXH64_update(sum, buffer, 8);
}

static int add_file(XXH64_state_t *sum, char *buffer, const char *path, uint64_t *bytes,
                    err *e)
{
    FILE *f = fopen(path, "rbe");
    *bytes = 0;
    if (f == NULL) return err_set(e, ERR_INPUT, "%s: cannot be opened", path);
    for (size_t got; (got = fread(buffer, 1, BUFFER, f)) > 0; *bytes += got)
        XXH64_update(sum, buffer, got);
    if (ferror(f)) err_set(e, ERR_INPUT, "%s: cannot be read", path);
    fclose(f);
    return (int)e->code;
}

int cert_hash(uint64_t *out, mem *m, const cert_origin *o, err *e)
{
    XXH64_state_t sum;
    bool many = o->file_count + o->argument_count > 1;
    char *buffer = mem_get(m, BUFFER, e);
    if (buffer == NULL) return (int)e->code;
    XXH64_reset(&sum, many ? (uint64_t)o->argument_count << 32 | o->file_count : 0);
    for (size_t i = 0; i < o->file_count && e->code == ERR_NONE; i++) {
        uint64_t bytes;
        if (add_file(&sum, buffer, o->files[i], &bytes, e) == 0 && many)
            add_length(&sum, buffer, bytes);
    }
    for (size_t i = 0; i < o->argument_count; i++) {
        size_t bytes = strlen(o->arguments[i]);
        XXH64_update(&sum, o->arguments[i], bytes);
        add_length(&sum, buffer, bytes);
    }
    *out = XXH64_digest(&sum);
    mem_put(m, buffer, BUFFER);
    return (int)e->code;
}
