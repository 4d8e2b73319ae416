#include "core/label_table.h"

#include "core/hash.h"
#include "core/vec.h"

#include <assert.h>
#include <string.h>

/* A slot keeps the upper half of the hash beside the number: most misses end there. */
typedef struct slot {
    uint32_t tag;
    uint32_t id_plus_1; /* 0 = free */
} slot;

/* A further name of the hidden label. */
typedef struct hidden_name {
    char *text; /* owned */
    bool met;   /* it was put */
} hidden_name;

struct label_table {
    mem *m;      /* borrowed */
    slot *slots; /* owned; 2^bits, at most half full */
    unsigned bits;
    VEC(char) text;      /* all texts, each with its NUL */
    VEC(uint64_t) start; /* of each label in `text`; one more entry marks the end */
    VEC(hidden_name) hidden;
    label_id hidden_id; /* LABEL_NONE until put */
};

static size_t slot_count(unsigned bits) { return (size_t)1 << bits; }

int label_table_open(label_table **out, mem *m, err *e)
{
    label_table *t = mem_get(m, sizeof *t, e);
    if (t == NULL) return (int)e->code;
    t->m = m;
    t->bits = 6;
    t->hidden_id = LABEL_NONE;
    t->slots = mem_get_array(m, slot_count(t->bits), sizeof *t->slots, e);
    if (t->slots && vec_push(m, &t->start, 0, e) == 0) {
        *out = t;
        return 0;
    }
    label_table_close(t);
    return (int)e->code;
}

void label_table_close(label_table *t)
{
    if (t == NULL) return;
    mem *m = t->m;
    mem_put(m, t->slots, slot_count(t->bits) * sizeof *t->slots);
    for (size_t i = 0; i < t->hidden.count; i++)
        mem_put(m, t->hidden.at[i].text, strlen(t->hidden.at[i].text) + 1);
    vec_release(m, &t->hidden);
    vec_release(m, &t->text);
    vec_release(m, &t->start);
    mem_put(m, t, sizeof *t);
}

int label_table_hide(label_table *t, const char *name, err *e)
{
    assert(label_table_count(t) == 0);
    size_t bytes = strlen(name) + 1;
    char *copy = mem_get(t->m, bytes, e);
    if (copy == NULL) return (int)e->code;
    memcpy(copy, name, bytes);
    hidden_name added = { .text = copy };
    if (vec_push(t->m, &t->hidden, added, e) == 0) return 0;
    mem_put(t->m, copy, bytes);
    return (int)e->code;
}

/* The hidden name that reads so, or NULL. */
static hidden_name *find_hidden(const label_table *t, const char *text, size_t bytes)
{
    for (size_t i = 0; i < t->hidden.count; i++) {
        hidden_name *h = &t->hidden.at[i];
        if (strlen(h->text) == bytes && memcmp(h->text, text, bytes) == 0) return h;
    }
    return NULL;
}

bool label_table_met(const label_table *t, const char *name)
{
    const hidden_name *h = find_hidden(t, name, strlen(name));
    return h && h->met;
}

const char *label_table_text(const label_table *t, label_id id, size_t *bytes)
{
    uint64_t start = t->start.at[id];
    if (bytes) *bytes = (size_t)(t->start.at[id + 1] - start - 1);
    return t->text.at + start;
}

static bool equals(const label_table *t, label_id id, const char *text, size_t bytes)
{
    size_t own;
    const char *mine = label_table_text(t, id, &own);
    return own == bytes && memcmp(mine, text, bytes) == 0;
}

/* The slot that holds the label, or the free one where it belongs. */
static slot *probe(const label_table *t, uint64_t hash, const char *text, size_t bytes)
{
    size_t mask = slot_count(t->bits) - 1;
    uint32_t tag = (uint32_t)(hash >> 32);
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        slot *s = &t->slots[i];
        if (s->id_plus_1 == 0) return s;
        if (s->tag == tag && equals(t, s->id_plus_1 - 1, text, bytes)) return s;
    }
}

static int double_slots(label_table *t, err *e)
{
    slot *old = t->slots;
    size_t count = slot_count(t->bits);
    slot *wider = mem_get_array(t->m, 2 * count, sizeof *wider, e);
    if (wider == NULL) return (int)e->code;
    t->slots = wider;
    t->bits++;
    for (label_id id = 0; id < label_table_count(t); id++) {
        size_t bytes;
        const char *text = label_table_text(t, id, &bytes);
        uint64_t hash = hash_bytes(text, bytes);
        *probe(t, hash, text, bytes) = (slot){ (uint32_t)(hash >> 32), id + 1 };
    }
    mem_put(t->m, old, count * sizeof *old);
    return 0;
}

static int append(label_table *t, const char *text, size_t bytes, label_id *out, err *e)
{
    label_id id = label_table_count(t);
    if (id >= LABELS_MAX) return err_set(e, ERR_INPUT, "more than 2^32 - 2 labels");
    if (vec_reserve(t->m, &t->text, t->text.count + bytes + 1, e) != 0 ||
        vec_push(t->m, &t->start, t->text.count + bytes + 1, e) != 0)
        return (int)e->code;
    memcpy(t->text.at + t->text.count, text, bytes);
    t->text.at[t->text.count + bytes] = '\0';
    t->text.count += bytes + 1;
    if (bytes == strlen(LABEL_HIDDEN_NAME) && memcmp(text, LABEL_HIDDEN_NAME, bytes) == 0)
        t->hidden_id = id;
    *out = id;
    return 0;
}

int label_table_put(label_table *t, const char *text, size_t bytes, label_id *out, err *e)
{
    hidden_name *h = find_hidden(t, text, bytes);
    if (h) {
        h->met = true;
        text = LABEL_HIDDEN_NAME;
        bytes = strlen(text);
    }
    uint64_t hash = hash_bytes(text, bytes);
    slot *s = probe(t, hash, text, bytes);
    if (s->id_plus_1 != 0) {
        *out = s->id_plus_1 - 1;
        return 0;
    }
    if (2 * ((size_t)label_table_count(t) + 1) > slot_count(t->bits)) {
        if (double_slots(t, e) != 0) return (int)e->code;
        s = probe(t, hash, text, bytes);
    }
    if (append(t, text, bytes, out, e) != 0) return (int)e->code;
    *s = (slot){ (uint32_t)(hash >> 32), *out + 1 };
    return 0;
}

label_id label_table_find(const label_table *t, const char *text, size_t bytes)
{
    if (find_hidden(t, text, bytes)) return t->hidden_id;
    return probe(t, hash_bytes(text, bytes), text, bytes)->id_plus_1 -
           1; /* 0 - 1: none */
}

label_id label_table_count(const label_table *t)
{
    return (label_id)(t->start.count - 1);
}

label_id label_table_hidden(const label_table *t) { return t->hidden_id; }

unsigned label_table_width(label_id count)
{
    return count <= 1u << 8 ? 1 : count <= 1u << 16 ? 2 : 4;
}
