#include "lang/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { LINKS_MAX = 40, NAME_TRIES = 100 };

/* For messages; /dev/stdout leads to this entry of /proc. */
static const char *name_of(const output_file *f)
{
    return strcmp(f->path, "/proc/self/fd/1") == 0 ? "stdout" : f->path;
}

static int refuse(const output_file *f, err *e)
{
    return err_set(e, ERR_INPUT, "%s: cannot be written: %s", name_of(f),
                   strerror(errno));
}

static int fail(const output_file *f, err *e)
{
    return err_set(e, ERR_SYSTEM, "%s: writing failed: %s", name_of(f), strerror(errno));
}

/* The directory part of `path`, "." when it has none. */
static void directory_of(char *out, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t bytes = slash ? (size_t)(slash - path) : 0;
    if (slash == path) bytes = 1;
    memcpy(out, slash ? path : ".", slash ? bytes : 1);
    out[slash ? bytes : 1] = '\0';
}

/* A link in /proc (that is where /dev/stdout leads) stands for an open file, not a name. */
static bool stands_for_open_file(const char *path)
{
    char dir[PATH_MAX];
    struct statfs fs;
    directory_of(dir, path);
    return statfs(dir, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* Replace the path of a link by what it points to. */
static int step_over_link(output_file *f, const char *text, err *e)
{
    char dir[PATH_MAX], next[2 * PATH_MAX];
    directory_of(dir, f->path);
    int bytes = snprintf(next, sizeof next, "%s%s%s", text[0] == '/' ? "" : dir,
                         text[0] == '/' ? "" : "/", text);
    if (bytes >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return refuse(f, e);
    }
    memcpy(f->path, next, (size_t)bytes + 1);
    return 0;
}

static int follow_links(output_file *f, err *e)
{
    char text[PATH_MAX];
    for (int i = 0; i < LINKS_MAX; i++) {
        ssize_t bytes = readlink(f->path, text, sizeof text - 1);
        if (bytes < 0) return 0; /* no link, or nothing there yet */
        if (stands_for_open_file(f->path)) {
            f->direct = true;
            return 0;
        }
        text[bytes] = '\0';
        if (step_over_link(f, text, e) != 0) return (int)e->code;
    }
    errno = ELOOP;
    return refuse(f, e);
}

/* What stands under the name now decides how it is written. */
static int look_at_target(output_file *f, err *e)
{
    struct stat st;
    if (stat(f->path, &st) != 0) {
        if (errno == ENOENT) return 0;
        return refuse(f, e);
    }
    if (S_ISDIR(st.st_mode))
        return err_set(e, ERR_INPUT, "%s: is a directory, a file name is needed",
                       f->path);
    if (!S_ISREG(st.st_mode)) f->direct = true;
    f->replaces = !f->direct;
    f->mode = st.st_mode & 07777;
    if (f->replaces && access(f->path, W_OK) != 0) return refuse(f, e);
    return 0;
}

static int open_directory(output_file *f, err *e)
{
    char dir[PATH_MAX];
    directory_of(dir, f->path);
    const char *slash = strrchr(f->path, '/');
    f->base = slash ? slash + 1 : f->path;
    if (f->base[0] == '\0')
        return err_set(e, ERR_INPUT, "%s: is a directory, a file name is needed",
                       f->path);
    f->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->dir >= 0) return 0;
    return err_set(e, ERR_INPUT, "%s: the directory %s cannot be opened: %s", f->path,
                   dir, strerror(errno));
}

static int choose_temp_name(output_file *f)
{
    uint64_t noise;
    if (getrandom(&noise, sizeof noise, 0) != sizeof noise) return -1;
    snprintf(f->temp, sizeof f->temp, ".%.200s.%016llx.tmp", f->base,
             (unsigned long long)noise);
    return 0;
}

static int open_hidden(output_file *f, err *e)
{
    for (int i = 0; i < NAME_TRIES && choose_temp_name(f) == 0; i++) {
        f->fd = openat(f->dir, f->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (f->fd >= 0) return 0;
        if (errno != EEXIST) break;
    }
    f->temp[0] = '\0';
    return refuse(f, e);
}

/* A nameless file gets its name through /proc, so without that it is of no use. */
static int open_nameless(output_file *f, err *e)
{
    if (access("/proc/self/fd", X_OK) == 0)
        f->fd = openat(f->dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (f->fd >= 0) return 0;
    return open_hidden(f, e);
}

/* An open file of our own is shared, with its position: `> FILE` and `>> FILE` then do what
   the shell's user meant.  -1 when the path is none. */
static int share_own(const char *path)
{
    char dir[PATH_MAX];
    struct stat here, own;
    directory_of(dir, path);
    if (stat(dir, &here) != 0 || stat("/proc/self/fd", &own) != 0) return -1;
    if (here.st_dev != own.st_dev || here.st_ino != own.st_ino) return -1;
    return fcntl(atoi(strrchr(path, '/') + 1), F_DUPFD_CLOEXEC, 0);
}

static int open_direct(output_file *f, err *e)
{
    f->fd = share_own(f->path);
    if (f->fd < 0) f->fd = open(f->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return f->fd >= 0 ? 0 : refuse(f, e);
}

int output_file_open(output_file *f, const char *path, err *e)
{
    *f = OUTPUT_FILE_NONE;
    if (strlen(path) >= sizeof f->path)
        return err_set(e, ERR_INPUT, "%.60s...: the name is too long", path);
    memcpy(f->path, path, strlen(path) + 1);
    if (follow_links(f, e) != 0 || look_at_target(f, e) != 0) return (int)e->code;
    if (f->direct) return open_direct(f, e);
    if (open_directory(f, e) != 0) return (int)e->code;
    return open_nameless(f, e);
}

int output_file_write(output_file *f, const char *data, size_t bytes, err *e)
{
    while (bytes > 0) {
        ssize_t put = write(f->fd, data, bytes);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return fail(f, e);
        data += put;
        bytes -= (size_t)put;
    }
    return 0;
}

int output_file_write_at(output_file *f, uint64_t offset, const char *data, size_t bytes,
                         err *e)
{
    if (f->direct)
        return err_set(e, ERR_INPUT,
                       "%s: this format needs a file, a pipe or device will not do",
                       f->path);
    while (bytes > 0) {
        ssize_t put = pwrite(f->fd, data, bytes, (off_t)offset);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return fail(f, e);
        data += put;
        offset += (uint64_t)put;
        bytes -= (size_t)put;
    }
    return 0;
}

/* Give a nameless file the name `name`; its entry in /proc stands for it. */
static int link_as(const output_file *f, const char *name)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", f->fd);
    return linkat(AT_FDCWD, self, f->dir, name, AT_SYMLINK_FOLLOW);
}

static int link_hidden(output_file *f)
{
    for (int i = 0; i < NAME_TRIES && choose_temp_name(f) == 0; i++) {
        if (link_as(f, f->temp) == 0) return 0;
        if (errno != EEXIST) break;
    }
    f->temp[0] = '\0';
    return -1;
}

static int name_it(output_file *f)
{
    if (f->temp[0] == '\0') {
        if (link_as(f, f->base) == 0) return 0;
        if (errno != EEXIST || link_hidden(f) != 0) return -1;
    }
    if (renameat(f->dir, f->temp, f->dir, f->base) != 0) return -1;
    f->temp[0] = '\0';
    return 0;
}

/* Some file systems cannot sync a directory (EINVAL): then nobody can do more. */
static bool sync_failed(int fd) { return fsync(fd) != 0 && errno != EINVAL; }

int output_file_commit(output_file *f, err *e)
{
    if (f->direct) return 0;
    if (f->replaces && fchmod(f->fd, f->mode) != 0) return fail(f, e);
    if (sync_failed(f->fd) || name_it(f) != 0 || sync_failed(f->dir)) return fail(f, e);
    return 0;
}

void output_file_close(output_file *f)
{
    if (f->temp[0] != '\0') unlinkat(f->dir, f->temp, 0);
    if (f->fd >= 0) close(f->fd);
    if (f->dir >= 0) close(f->dir);
    *f = OUTPUT_FILE_NONE;
}
