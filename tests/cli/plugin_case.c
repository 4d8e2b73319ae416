/*
 * plugin_case.c - plug-ins that misbehave: plugin.py builds one per CASE, by name.
 */
#include <bespoke_model.h>

#include <stdlib.h>
#include <string.h>

enum {
    GOOD,
    NO_SYMBOL,
    OTHER_ABI,
    SHORT_TABLE,
    NO_NAME,
    NO_OPEN,
    NO_MOVES,
    HALF_CONTEXT,
    NULL_MODEL,
    NULL_MODEL_WHY,
    ENDLESS_WHY,
    NO_WORDS,
    MANY_WORDS,
    NO_INITIAL,
    MANY_LABELS,
    NO_LABELS,
    NULL_LABEL,
    EMPTY_LABEL,
    NEWLINE_LABEL,
    SAME_LABELS,
    SAME_HIDDEN,
    BAD_LABEL,
    NULL_KEY,
    MANY_MOVES,
    FAILING,
    FAILING_WHY,
    NO_CONTEXT,
    BARE,
    UNRESOLVED
};

static const char *const labels[] = {
    CASE == SAME_HIDDEN ? "i" : "a",
    CASE == NULL_LABEL      ? NULL
    : CASE == EMPTY_LABEL   ? ""
    : CASE == NEWLINE_LABEL ? "b\nc"
    : CASE == SAME_LABELS   ? "a"
    : CASE == SAME_HIDDEN   ? "i"
                            : "b",
};

static void *case_open(bespoke_shape *shape, size_t count, const char *const *arguments)
{
    static const uint32_t initial[256] = { 0 };
    static char something;
    (void)count, (void)arguments;
    if (CASE == NULL_MODEL) return NULL;
    if (CASE == NULL_MODEL_WHY) return strcpy(shape->trouble, "no\nmoon"), NULL;
    if (CASE == ENDLESS_WHY)
        return memset(shape->trouble, 'x', sizeof shape->trouble), NULL;
    shape->key_words = CASE == NO_WORDS ? 0 : CASE == MANY_WORDS ? 1000 : 2;
    shape->initial = CASE == NO_INITIAL ? NULL : initial;
    shape->label_count = CASE == MANY_LABELS ? UINT32_MAX : 2;
    shape->labels = CASE == NO_LABELS ? NULL : labels;
    return &something;
}

#ifdef UNKNOWN_FUNCTION
void nobody_has_this_function(void);
#endif

/* Ten states in a row; what is wrong happens in the fifth. */
static int case_moves(const void *model, void *context, const uint32_t *key,
                      bespoke_out *out)
{
    uint32_t next[2] = { key[0] + 1, 0 };
    (void)model, (void)context;
#ifdef UNKNOWN_FUNCTION
    nobody_has_this_function();
#endif
    if (key[0] == 9) return 0;
    bespoke_emit(out, 0, next);
    if (key[0] != 4) return 0;
    if (CASE == BAD_LABEL) bespoke_emit(out, 2, next);
    if (CASE == NULL_KEY) bespoke_emit(out, 1, NULL);
    if (CASE == MANY_MOVES)
        for (uint64_t i = 0; i < (1u << 24) + 10; i++) bespoke_emit(out, 1, next);
    if (CASE == FAILING_WHY) strcpy(out->trouble, "the fifth state is out of order");
    return CASE == FAILING || CASE == FAILING_WHY;
}

static void *case_context_open(const void *model)
{
    (void)model;
    return CASE == NO_CONTEXT ? NULL : malloc(100);
}

static void case_context_close(const void *model, void *context)
{
    (void)model;
    free(context);
}

const bespoke_plugin
#if CASE == 1
    nobody_looks_for_this
#else
    bespoke_model
#endif
    = {
          .abi = CASE == OTHER_ABI ? 7 : BESPOKE_MODEL_ABI,
          .bytes = CASE == SHORT_TABLE ? 24 : sizeof(bespoke_plugin),
          .name = CASE == NO_NAME ? NULL : "case",
          .open = CASE == NO_OPEN ? NULL : case_open,
          .moves = CASE == NO_MOVES ? NULL : case_moves,
          .context_open = CASE == BARE ? NULL : case_context_open,
          .context_close =
              CASE == HALF_CONTEXT || CASE == BARE ? NULL : case_context_close,
      };
