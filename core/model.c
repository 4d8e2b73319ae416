#include "core/model.h"

#include "core/vec.h"

int model_moves_grow(model_moves *o, err *e)
{
    size_t keys = (size_t)o->room * o->key_words, labels = o->room;
    size_t want = o->room < 16 ? 16 : (size_t)o->room * 2;
    if (want > UINT32_MAX) return err_set(e, ERR_LIMIT, "a state has 2^32 moves or more");
    label_id *label =
        mem_resize(o->m, o->label, labels * sizeof *label, want * sizeof *label, e);
    if (label == NULL) return (int)e->code;
    o->label = label;
    uint32_t *key = mem_resize(o->m, o->key, keys * sizeof *key,
                               want * o->key_words * sizeof *key, e);
    if (key == NULL) { /* the labels shrink again: their room is told by `room` alone */
        err ignored = ERR_INIT;
        o->label = mem_resize(o->m, label, want * sizeof *label, labels * sizeof *label,
                              &ignored);
        return (int)e->code;
    }
    o->key = key;
    o->room = (uint32_t)want;
    return 0;
}

void model_moves_release(model_moves *o)
{
    mem_put(o->m, o->label, o->room * sizeof *o->label);
    mem_put(o->m, o->key, (size_t)o->room * o->key_words * sizeof *o->key);
    o->label = NULL, o->key = NULL, o->count = o->room = 0;
}
