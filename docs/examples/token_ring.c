/*
 * token_ring.c - N stations in a ring pass on a token; who has it may work before.
 *
 *     cc -shared -fPIC -O2 -I include -o token_ring.so docs/examples/token_ring.c
 *     bespoke explore ./token_ring.so --model-arg 8
 *     bespoke explore ./token_ring.so --model-arg 8 --model-arg lossy --stop-at deadlock
 *
 * A state is two words: where the token is, and which stations want it, a bit each.  In a lossy
 * ring the token may get lost on its way; then stations can still want it, and no more.
 */
#include <bespoke_model.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOLDER, WANTS, WORDS };           /* of a key */
enum { WANT, WORK, PASS, LOSE, LABELS }; /* numbers of the labels */
static const char *const labels[] = { "WANT", "WORK", "i", "LOSE" };

typedef struct ring {
    uint32_t stations, lossy;
} ring;

static void *ring_open(bespoke_shape *shape, size_t count, const char *const *arguments)
{
    static const uint32_t initial[WORDS] = { 0, 0 };
    long stations = count > 0 ? strtol(arguments[0], NULL, 10) : 3;
    ring *r = stations >= 1 && stations <= 31 ? malloc(sizeof *r) : NULL;
    if (r == NULL) {
        snprintf(shape->trouble, sizeof shape->trouble, "expected 1 to 31 stations");
        return NULL;
    }
    r->stations = (uint32_t)stations;
    r->lossy = count > 1 && strcmp(arguments[1], "lossy") == 0;
    shape->key_words = WORDS;
    shape->initial = initial;
    shape->label_count = LABELS;
    shape->labels = labels;
    return r;
}

static void go(bespoke_out *out, uint32_t label, uint32_t holder, uint32_t wants)
{
    const uint32_t key[WORDS] = { holder, wants };
    bespoke_emit(out, label, key);
}

static int ring_moves(const void *model, void *context, const uint32_t *key,
                      bespoke_out *out)
{
    const ring *r = model;
    uint32_t holder = key[HOLDER], wants = key[WANTS], nobody = r->stations;
    (void)context;
    for (uint32_t s = 0; s < r->stations; s++)
        if (!(wants >> s & 1)) go(out, WANT, holder, wants | 1u << s);
    if (holder == nobody) return 0;
    if (wants >> holder & 1) go(out, WORK, holder, wants & ~(1u << holder));
    go(out, PASS, (holder + 1) % r->stations, wants);
    if (r->lossy) go(out, LOSE, nobody, wants);
    return 0;
}

static void ring_print(const void *model, const uint32_t *key, char *into, size_t bytes)
{
    (void)model;
    snprintf(into, bytes, "token at %u, wanted by 0x%x", key[HOLDER], key[WANTS]);
}

const bespoke_plugin bespoke_model = {
    BESPOKE_PLUGIN_HEAD, .name = "token ring", .open = ring_open,
    .close = free,       .moves = ring_moves,  .print = ring_print,
};
