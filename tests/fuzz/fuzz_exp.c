#include "tests/fuzz/fuzz_exp.h"

#include "lang/exp_tree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

exp_case fuzz_exp_folder(void)
{
    exp_case c = exp_case_open();
    exp_case_write(&c, "in.exp", "hide A in a");
    exp_case_write(&c, "loop.exp", "a ||| \"loop.exp\"");
    exp_case_write(&c, "main2.exp", "\"main.exp\"");
    exp_case_write(&c, "r.hid", "hide all but\nA\n");
    exp_case_write(&c, "r.cut", "cut\n\"A !1\"\n");
    exp_case_write(&c, "r.ren", "rename\nA -> B\n");
    return c;
}

/* "file:LINE:COLUMN: a sentence" */
static bool is_located(const char *message)
{
    const char *p = strchr(message, ':');
    for (int i = 0; p && i < 2; i++) {
        if (!isdigit((unsigned char)*++p)) return false;
        p += strspn(p, "0123456789");
        if (*p != ':') return false;
    }
    return p && p[1] == ' ' && strlen(p) > 10;
}

/* The tree as text, to be freed, or NULL with the error. */
static char *read_network(exp_case *c, const void *data, size_t bytes, mem *m, err *e)
{
    exp_net *n;
    char *text = NULL;
    size_t length;
    exp_options o = { .m = m };
    scratch_write(c->path, data, bytes);
    if (exp_read(&n, c->path, &o, e) != 0) return NULL;
    FILE *to = open_memstream(&text, &length);
    exp_tree_print_net(n, to);
    fclose(to);
    exp_close(n);
    return text;
}

/* Rules of files are case-sensitive and stay as they are; printed they are the network's. */
static const char *check_again(exp_case *c, const char *tree, mem *m)
{
    err e = ERR_INIT;
    char *again = read_network(c, tree, strlen(tree), m, &e);
    const char *wrong = NULL;
    if (again == NULL) wrong = "what was printed cannot be read";
    else if (strcmp(again, tree) != 0) wrong = "what was printed reads differently";
    if (wrong) printf("\n%s\n%s\n", tree, again ? again : e.text);
    free(again);
    return wrong;
}

const char *fuzz_exp_one(exp_case *c, const uint8_t *data, size_t bytes, err_code *code)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    const char *wrong = NULL;
    char *tree = read_network(c, data, bytes, &m, &e);
    *code = e.code;
    if (tree) wrong = check_again(c, tree, &m);
    else if (e.code != ERR_INPUT && e.code != ERR_LIMIT)
        wrong = "the failure is not of the input";
    else if (e.code == ERR_INPUT && !is_located(e.text))
        wrong = "the message has no place";
    free(tree);
    if (wrong) return wrong;
    return m.now == 0 ? NULL : "memory was not given back";
}

#ifdef BESPOKE_LIBFUZZER
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static exp_case folder;

static void remove_folder(void) { exp_case_close(&folder); }

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    folder = fuzz_exp_folder();
    return atexit(remove_folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    err_code code;
    if (fuzz_exp_one(&folder, data, bytes, &code)) abort();
    return 0;
}
#endif
