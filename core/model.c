#include "core/model.h"

#include "core/vertex_store.h"

#include <string.h>

/* ---- room ---------------------------------------------------------------------------------- */

/* A move's marks: twice as many slots as moves. */
enum { MARKS = 2, FIRST_ROOM = 16, SHORT = 24 };

int model_moves_grow(model_moves *o, err *e)
{
    model_moves more = *o;
    size_t room = o->room == 0 ? FIRST_ROOM : (size_t)o->room * 2;
    if (room > UINT32_MAX / MARKS)
        return err_set(e, ERR_LIMIT, "a state has more than 2^30 moves");
    more.room = (uint32_t)room;
    more.label = mem_get_array(o->m, room, sizeof *o->label, e);
    more.key = mem_get_array(o->m, room * o->key_words, sizeof *o->key, e);
    more.hash = mem_get_array(o->m, room, sizeof *o->hash, e);
    more.marks = mem_get_array(o->m, room * MARKS, sizeof *o->marks, e);
    if (e->code != ERR_NONE) {
        model_moves_release(&more);
        return (int)e->code;
    }
    if (o->count > 0) {
        memcpy(more.label, o->label, o->count * sizeof *o->label);
        memcpy(more.key, o->key, (size_t)o->count * o->key_words * sizeof *o->key);
    }
    model_moves_release(o);
    *o = more;
    return 0;
}

void model_moves_release(model_moves *o)
{
    mem_put(o->m, o->label, o->room * sizeof *o->label);
    mem_put(o->m, o->key, (size_t)o->room * o->key_words * sizeof *o->key);
    mem_put(o->m, o->hash, o->room * sizeof *o->hash);
    mem_put(o->m, o->marks, (size_t)o->room * MARKS * sizeof *o->marks);
    *o = (model_moves){ .m = o->m, .key_words = o->key_words };
}

/* ---- a set --------------------------------------------------------------------------------- */

static bool is_equal(const model_moves *o, uint32_t i, uint32_t k)
{
    return o->hash[i] == o->hash[k] && o->label[i] == o->label[k] &&
           memcmp(model_moves_key(o, i), model_moves_key(o, k),
                  o->key_words * sizeof *o->key) == 0;
}

/* Is move i one of those before `end`?  By looking at each. */
static bool is_known_short(const model_moves *o, uint32_t i, uint32_t end)
{
    for (uint32_t k = 0; k < end; k++)
        if (o->hash[k] == o->hash[i] && is_equal(o, i, k)) return true;
    return false;
}

/* The same by a table of marks, which are numbers of moves from 1; if not, it is marked `end`. */
static bool is_known_long(const model_moves *o, uint32_t slots, uint32_t i, uint32_t end)
{
    uint64_t mixed = hash_word(o->hash[i] ^ o->label[i]);
    uint32_t slot = (uint32_t)(((mixed >> 32) * slots) >> 32);
    for (; o->marks[slot] != 0; slot = slot + 1 == slots ? 0 : slot + 1)
        if (is_equal(o, i, o->marks[slot] - 1)) return true;
    o->marks[slot] = end + 1;
    return false;
}

static void keep_move(model_moves *o, uint32_t i, uint32_t to)
{
    if (i == to) return;
    o->label[to] = o->label[i];
    o->hash[to] = o->hash[i];
    memcpy(o->key + (size_t)to * o->key_words, model_moves_key(o, i),
           o->key_words * sizeof *o->key);
}

void model_moves_settle(model_moves *o)
{
    uint32_t count = 0, slots = MARKS * o->count;
    for (uint32_t i = 0; i < o->count; i++)
        o->hash[i] = vertex_store_hash(model_moves_key(o, i), o->key_words);
    if (o->count > SHORT) memset(o->marks, 0, slots * sizeof *o->marks);
    for (uint32_t i = 0; i < o->count; i++) {
        bool known = o->count > SHORT ? is_known_long(o, slots, i, count)
                                      : is_known_short(o, i, count);
        if (!known) keep_move(o, i, count++);
    }
    o->count = count;
}
