/*
 * dtd_model.c - detectors as a model: the code that runs, checked by the tool that it runs in.
 *
 *     bespoke check dtd_model.so --model-arg ring --model-arg "round three" -f '[ true* . "EARLY" ] false'
 *
 * A plug-in over dtd_tiny: a state is a tiny world with the blocks of its detectors.  The first
 * argument is the detector, the second the script; tests/cli/dtd_model.py builds and asks.
 */
#include "tests/dtd_tiny.h"

#include <bespoke_model.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = DTD_TINY_KEY / 4 };

typedef struct dtd_model {
    const dtd_class *c;
    const dtd_tiny_script *s;
    size_t bytes; /* of a key, before it is filled up to whole words */
    uint32_t words, initial[WORDS];
    const char *label[DTD_TINY_LABEL_COUNT];
} dtd_model;

static const dtd_tiny_script *find_script(const char *name)
{
    size_t count;
    const dtd_tiny_script *s = dtd_tiny_scripts(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(s[i].name, name) == 0) return &s[i];
    return NULL;
}

static void *model_open(bespoke_shape *shape, size_t count, const char *const *arguments)
{
    const dtd_class *c = count == 2 ? dtd_find(arguments[0]) : NULL;
    const dtd_tiny_script *s = count == 2 ? find_script(arguments[1]) : NULL;
    dtd_model *m = c && s ? calloc(1, sizeof *m) : NULL;
    if (m == NULL) {
        snprintf(shape->trouble, sizeof shape->trouble,
                 "expected a detector and a script of dtd_tiny_scripts.c");
        return NULL;
    }
    m->c = c;
    m->s = s;
    m->bytes = dtd_tiny_begin(s, c, (uint8_t *)m->initial);
    m->words = (uint32_t)(m->bytes + 3) / 4;
    for (int i = 0; i < DTD_TINY_LABEL_COUNT; i++)
        m->label[i] = dtd_tiny_label_name((dtd_tiny_label)i);
    shape->key_words = m->words;
    shape->initial = m->initial;
    shape->label_count = DTD_TINY_LABEL_COUNT;
    shape->labels = m->label;
    return m;
}

typedef struct sink {
    const dtd_model *m;
    bespoke_out *out;
} sink;

static void put(void *self, dtd_tiny_label label, const uint8_t *key)
{
    sink *s = self;
    uint32_t words[WORDS] = { 0 };
    memcpy(words, key, s->m->bytes);
    bespoke_emit(s->out, (uint32_t)label, words);
}

static int model_moves(const void *model, void *context, const uint32_t *key,
                       bespoke_out *out)
{
    sink s = { .m = model, .out = out };
    (void)context;
    dtd_tiny_moves(s.m->s, s.m->c, (const uint8_t *)key, put, &s);
    return 0;
}

const bespoke_plugin bespoke_model = {
    BESPOKE_PLUGIN_HEAD, .name = "detectors",  .open = model_open,
    .close = free,       .moves = model_moves,
};
