#include "vlts_bench/vlts_cache.h"

#include "lang/plts.h"
#include "tests/capture.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A test's own folder, memory and environment. */
typedef struct place {
    scratch s;
    mem m;
    arena a;
    log_sink log;
    load_options o;
} place;

static void open_place(place *x)
{
    x->s = scratch_open();
    x->m = MEM_INIT;
    x->a = ARENA_INIT(&x->m, 4096);
    x->log = LOG_INIT;
    x->o = (load_options){ .m = &x->m, .log = &x->log, .threads = 2 };
    unsetenv("BESPOKE_CACHE");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("XDG_DATA_HOME");
    setenv("HOME", x->s.dir, 1);
}

static void close_place(place *x)
{
    arena_release(&x->a);
    CU_ASSERT_EQUAL(x->m.now, 0);
    scratch_close(&x->s);
}

static surrogate_plan *plan_of(place *x, const char *name, uint64_t seed)
{
    surrogate_options o = SURROGATE_OPTIONS_INIT;
    o.seed = seed;
    err e = ERR_INIT;
    surrogate_plan *p = NULL;
    CU_ASSERT_EQUAL_FATAL(surrogate_plan_open(&p, &x->m, manifest_find(name), &o, &e), 0);
    return p;
}

static const char *folder_of(place *x, const char *wish)
{
    err e = ERR_INIT;
    const char *folder = vlts_cache_folder(&x->a, wish, &e);
    return folder ? folder : e.text[0] ? "refused" : "no message";
}

static void the_folder_is_the_first_that_is_given(void)
{
    place x;
    open_place(&x);
    setenv("HOME", "/home/me", 1);
    CU_ASSERT_STRING_EQUAL(folder_of(&x, NULL), "/home/me/.cache/bespoke");
    setenv("XDG_CACHE_HOME", "/var/cache", 1);
    CU_ASSERT_STRING_EQUAL(folder_of(&x, NULL), "/var/cache/bespoke");
    setenv("BESPOKE_CACHE", "here", 1);
    CU_ASSERT_STRING_EQUAL(folder_of(&x, NULL), "here");
    CU_ASSERT_STRING_EQUAL(folder_of(&x, "there"), "there");
    close_place(&x);
}

static void relative_and_empty_variables_do_not_count(void)
{
    place x;
    open_place(&x);
    setenv("HOME", "/home/me", 1);
    setenv("BESPOKE_CACHE", "", 1);
    setenv("XDG_CACHE_HOME", "cache", 1);
    CU_ASSERT_STRING_EQUAL(folder_of(&x, NULL), "/home/me/.cache/bespoke");
    unsetenv("HOME");
    CU_ASSERT_STRING_EQUAL(folder_of(&x, NULL), "refused");
    close_place(&x);
}

static void names_carry_all_that_the_content_depends_on(void)
{
    place x;
    open_place(&x);
    surrogate_options o = SURROGATE_OPTIONS_INIT;
    err e = ERR_INIT;
    surrogate_plan *p;
    o.scale = SURROGATE_SCALE_ONE / 4;
    o.seed = 7;
    CU_ASSERT_EQUAL_FATAL(
        surrogate_plan_open(&p, &x.m, manifest_find("vasy_5_9"), &o, &e), 0);
    const surrogate_summary *s = surrogate_plan_summary(p);
    char wanted[128];
    snprintf(wanted, sizeof wanted,
             "d/vasy_5_9-scale_0.25-seed_7-levels_%u-deadlock_%u-v1.plts", s->levels,
             s->deadlock_depth);
    CU_ASSERT_STRING_EQUAL(vlts_cache_file(&x.a, "d", p, &e), wanted);
    surrogate_plan_close(p);
    p = plan_of(&x, "vasy_0_1", 1);
    CU_ASSERT_STRING_EQUAL(vlts_cache_file(&x.a, "d", p, &e),
                           "d/vasy_0_1-scale_1-seed_1-levels_13-deadlock_none-v1.plts");
    surrogate_plan_close(p);
    close_place(&x);
}

static const char *fetch(place *x, const char *folder, const surrogate_plan *p,
                         bool *fresh)
{
    err e = ERR_INIT;
    const char *file = NULL;
    if (vlts_cache_fetch(&file, fresh, &x->a, folder, p, &x->o, &e) != 0)
        printf("\n%s\n", e.text);
    CU_ASSERT_EQUAL_FATAL(e.code, ERR_NONE);
    return file;
}

static void a_surrogate_is_generated_once(void)
{
    place x;
    open_place(&x);
    surrogate_plan *p = plan_of(&x, "vasy_0_1", 1);
    const char *folder = scratch_path(&x.s, "a/b/c");
    bool fresh = false;
    const char *file = fetch(&x, folder, p, &fresh);
    struct stat first, second;
    CU_ASSERT(fresh);
    CU_ASSERT_EQUAL(stat(file, &first), 0);
    fetch(&x, folder, p, &fresh);
    CU_ASSERT(!fresh);
    CU_ASSERT_EQUAL(stat(file, &second), 0);
    CU_ASSERT_EQUAL(first.st_ino, second.st_ino);
    surrogate_plan_close(p);
    close_place(&x);
}

/* Flip a byte, cut the end off, write rubbish, put another surrogate in its place. */
static void a_damaged_file_is_told_about_and_generated_again(void)
{
    place x;
    open_place(&x);
    surrogate_plan *p = plan_of(&x, "vasy_0_1", 1), *other = plan_of(&x, "cwi_1_2", 1);
    bool fresh;
    const char *file = fetch(&x, x.s.dir, p, &fresh);
    const char *wrong = fetch(&x, x.s.dir, other, &fresh);
    size_t bytes, wrong_bytes, got;
    char *sound = scratch_read(file, &bytes), *alien = scratch_read(wrong, &wrong_bytes);
    for (int damage = 0; damage < 4; damage++) {
        char *bad = malloc(bytes);
        memcpy(bad, sound, bytes);
        bad[bytes / 2] ^= 1;
        if (damage == 0) scratch_write(file, bad, bytes);
        if (damage == 1) scratch_write(file, sound, bytes / 2);
        if (damage == 2) scratch_write(file, "rubbish", 7);
        if (damage == 3) scratch_write(file, alien, wrong_bytes);
        free(bad);
        capture c;
        capture_begin(&c);
        fetch(&x, x.s.dir, p, &fresh);
        CU_ASSERT_PTR_NOT_NULL(strstr(capture_end(&c), "generated again"));
        CU_ASSERT(fresh);
        char *again = scratch_read(file, &got);
        CU_ASSERT(got == bytes && memcmp(again, sound, bytes) == 0);
        free(again);
    }
    free(sound);
    free(alien);
    surrogate_plan_close(p);
    surrogate_plan_close(other);
    close_place(&x);
}

static void several_processes_may_generate_at_once(void)
{
    enum { PROCESSES = 4 };
    place x;
    open_place(&x);
    surrogate_plan *p = plan_of(&x, "vasy_8_24", 1);
    fflush(stdout);
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            err e = ERR_INIT;
            const char *file;
            x.o.threads = 1; /* OpenMP's threads do not survive a fork */
            _exit(vlts_cache_fetch(&file, NULL, &x.a, x.s.dir, p, &x.o, &e) != 0);
        }
    for (int i = 0; i < PROCESSES; i++) {
        int status = -1;
        wait(&status);
        CU_ASSERT_EQUAL(status, 0);
    }
    bool fresh = true;
    fetch(&x, x.s.dir, p, &fresh);
    CU_ASSERT(!fresh);
    CU_ASSERT_EQUAL(scratch_count(&x.s), 1);
    surrogate_plan_close(p);
    close_place(&x);
}

static void a_folder_that_cannot_be_made_is_named(void)
{
    place x;
    open_place(&x);
    surrogate_plan *p = plan_of(&x, "vasy_0_1", 1);
    err e = ERR_INIT;
    const char *file, *blocked = scratch_path(&x.s, "file/below");
    scratch_write(scratch_path(&x.s, "file"), "", 0);
    CU_ASSERT_EQUAL(vlts_cache_fetch(&file, NULL, &x.a, blocked, p, &x.o, &e), ERR_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "below"));
    surrogate_plan_close(p);
    close_place(&x);
}

static int resolve(place *x, vlts_model *out, const char *name, uint64_t seed, err *e)
{
    surrogate_options o = SURROGATE_OPTIONS_INIT;
    o.seed = seed;
    *e = ERR_INIT;
    return vlts_cache_resolve(out, &x->a, name, &o, x->s.dir, &x->o, e);
}

static void register_real(place *x, const char *target)
{
    CU_ASSERT_EQUAL(mkdir(scratch_path(&x->s, "bespoke"), 0777), 0);
    CU_ASSERT_EQUAL(mkdir(scratch_path(&x->s, "bespoke/vlts"), 0777), 0);
    CU_ASSERT_EQUAL(symlink(target, scratch_path(&x->s, "bespoke/vlts/vasy_0_1.aut.gz")),
                    0);
    setenv("XDG_DATA_HOME", x->s.dir, 1);
}

static void a_name_means_the_real_file_once_it_is_imported(void)
{
    place x;
    open_place(&x);
    vlts_model found;
    err e;
    CU_ASSERT_EQUAL(resolve(&x, &found, "vasy_0_1", 1, &e), 0);
    CU_ASSERT(found.surrogate);
    CU_ASSERT_PTR_NOT_NULL(strstr(found.path, ".plts"));
    scratch_write(scratch_path(&x.s, "real"), "x", 1);
    register_real(&x, scratch_path(&x.s, "real"));
    CU_ASSERT_EQUAL(resolve(&x, &found, "vasy_0_1", 1, &e), 0);
    CU_ASSERT(!found.surrogate);
    CU_ASSERT_PTR_NOT_NULL(strstr(found.path, "/bespoke/vlts/vasy_0_1.aut.gz"));
    CU_ASSERT_EQUAL(resolve(&x, &found, "vasy_0_1", 2, &e), 0); /* a wish: a surrogate */
    CU_ASSERT(found.surrogate);
    close_place(&x);
}

static void a_real_file_that_is_gone_is_no_silent_surrogate(void)
{
    place x;
    open_place(&x);
    vlts_model found;
    err e;
    register_real(&x, "/nowhere/vasy_0_1.aut.gz");
    CU_ASSERT_EQUAL(resolve(&x, &found, "vasy_0_1", 1, &e), ERR_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "import.sh"));
    CU_ASSERT_EQUAL(resolve(&x, &found, "cwi_1_2", 1, &e), 0);
    CU_ASSERT(found.surrogate);
    close_place(&x);
}

static void an_unknown_name_is_refused(void)
{
    place x;
    open_place(&x);
    vlts_model found;
    err e;
    CU_ASSERT_EQUAL(resolve(&x, &found, "vasy_0_0", 1, &e), ERR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "'vasy_0_0'"));
    close_place(&x);
}

CU_TestInfo test_vlts_cache[] = {
    { "the folder is the first that is given", the_folder_is_the_first_that_is_given },
    { "relative and empty variables do not count",
      relative_and_empty_variables_do_not_count },
    { "names carry all that the content depends on",
      names_carry_all_that_the_content_depends_on },
    { "a surrogate is generated once", a_surrogate_is_generated_once },
    { "a damaged file is told about and generated again",
      a_damaged_file_is_told_about_and_generated_again },
    { "several processes may generate at once", several_processes_may_generate_at_once },
    { "a folder that cannot be made is named", a_folder_that_cannot_be_made_is_named },
    { "a name means the real file once it is imported",
      a_name_means_the_real_file_once_it_is_imported },
    { "a real file that is gone is no silent surrogate",
      a_real_file_that_is_gone_is_no_silent_surrogate },
    { "an unknown name is refused", an_unknown_name_is_refused },
    CU_TEST_INFO_NULL
};
