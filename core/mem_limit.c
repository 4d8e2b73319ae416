#include "core/mem_limit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GROUP_PATH_MAX = 4096 };

static size_t least(size_t a, size_t b) { return a == 0 ? b : b == 0 || a < b ? a : b; }

/* A number in a file of its own; "max" and the huge numbers of version 1 mean none. */
static size_t read_limit(const char *path)
{
    FILE *f = fopen(path, "re");
    if (f == NULL) return 0;
    unsigned long long bytes = 0;
    if (fscanf(f, "%llu", &bytes) != 1 || bytes >= (1ull << 60)) bytes = 0;
    fclose(f);
    return (size_t)bytes;
}

/* The limit of a group and of all groups around it: cut the path from its end. */
static size_t read_groups(const char *root, char *group, const char *file)
{
    size_t found = 0;
    for (;;) {
        char path[GROUP_PATH_MAX + 128];
        snprintf(path, sizeof path, "%s%s/%s", root, group, file);
        found = least(found, read_limit(path));
        char *slash = strrchr(group, '/');
        if (slash == NULL) return found;
        *slash = '\0';
    }
}

/* /proc/self/cgroup: `0::/path` is version 2, `N:...,memory,...:/path` version 1. */
static size_t control_group_limit(void)
{
    FILE *f = fopen("/proc/self/cgroup", "re");
    if (f == NULL) return 0;
    char line[GROUP_PATH_MAX];
    size_t found = 0;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':'), *group;
        if (controllers == NULL || (group = strchr(++controllers, ':')) == NULL) continue;
        *group++ = '\0';
        if (controllers[0] == '\0')
            found = least(found, read_groups("/sys/fs/cgroup", group, "memory.max"));
        else if (strstr(controllers, "memory"))
            found = least(found, read_groups("/sys/fs/cgroup/memory", group,
                                             "memory.limit_in_bytes"));
    }
    fclose(f);
    return found;
}

static size_t megabytes_of(const char *variable)
{
    const char *text = getenv(variable);
    return text ? (size_t)strtoull(text, NULL, 10) << 20 : 0;
}

/* Slurm states a job's memory per node, or per cpu of the task. */
static size_t slurm_limit(void)
{
    const char *cpus = getenv("SLURM_CPUS_ON_NODE");
    size_t per_cpu = megabytes_of("SLURM_MEM_PER_CPU");
    if (cpus) per_cpu *= (size_t)strtoull(cpus, NULL, 10);
    return least(megabytes_of("SLURM_MEM_PER_NODE"), per_cpu);
}

size_t mem_limit_find(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    size_t machine = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
    return least(machine, least(control_group_limit(), slurm_limit()));
}
