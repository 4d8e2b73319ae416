#include "tests/capture.h"

#include <stdlib.h>
#include <unistd.h>

void capture_begin(capture *c)
{
    fflush(stderr);
    c->file = tmpfile();
    c->saved = dup(STDERR_FILENO);
    if (c->file == NULL || c->saved < 0 || dup2(fileno(c->file), STDERR_FILENO) < 0)
        abort();
}

const char *capture_end(capture *c)
{
    fflush(stderr);
    if (dup2(c->saved, STDERR_FILENO) < 0) abort();
    close(c->saved);
    rewind(c->file);
    size_t bytes = fread(c->text, 1, sizeof c->text - 1, c->file);
    c->text[bytes] = '\0';
    fclose(c->file);
    return c->text;
}
