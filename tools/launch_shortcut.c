#include "tools/launch_shortcut.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Abstract: a leading NUL, and no file that would have to be removed. */
static socklen_t address_of(struct sockaddr_un *to, const char *word)
{
    *to = (struct sockaddr_un){ .sun_family = AF_UNIX };
    snprintf(to->sun_path + 1, LAUNCH_WORD_BYTES, "%s", word);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
                       strlen(to->sun_path + 1));
}

int launch_shortcut_open(char word[LAUNCH_WORD_BYTES])
{
    uint64_t noise[2];
    struct sockaddr_un here;
    if (getrandom(noise, sizeof noise, 0) != sizeof noise) return -1;
    snprintf(word, LAUNCH_WORD_BYTES, "%016llx%016llx", (unsigned long long)noise[0],
             (unsigned long long)noise[1]);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t bytes = address_of(&here, word);
    if (fd < 0 || bind(fd, (struct sockaddr *)&here, bytes) == 0) return fd;
    close(fd);
    return -1;
}

size_t launch_shortcut_take(int fd, char *line, size_t bytes)
{
    ssize_t got = fd < 0 ? -1 : recv(fd, line, bytes - 1, 0);
    line[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

void launch_shortcut_say(const char *line)
{
    const char *word = getenv(LAUNCH_SHORTCUT);
    struct sockaddr_un there;
    if (word == NULL) return;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t bytes = address_of(&there, word);
    if (fd < 0) return;
    (void)sendto(fd, line, strlen(line), 0, (struct sockaddr *)&there, bytes);
    close(fd);
}
