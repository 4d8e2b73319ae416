#include "tools/option_value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double seconds_max = 1e9; /* thirty years */

static int wrong(const option_spec *s, const char *text, const char *expected, err *e)
{
    return err_set(e, ERR_USAGE, "--%s: '%.60s' is not %s", s->name, text, expected);
}

/* A minus sign and then a number: say that, not that it is none. */
static bool is_negative(const char *text)
{
    return text[0] == '-' && ((text[1] >= '0' && text[1] <= '9') || text[1] == '.');
}

static int negative(const option_spec *s, const char *text, const char *expected, err *e)
{
    return err_set(e, ERR_USAGE, "--%s: %.60s is negative; expected %s", s->name, text,
                   expected);
}

/* Leading decimal digits of `text`, UINT64_MAX when they are too many; `rest` is what
   follows.  False: there are none. */
static bool digits(const char *text, uint64_t *out, const char **rest)
{
    char *end;
    if (*text < '0' || *text > '9') return false; /* strtoull takes blanks and signs */
    *out = strtoull(text, &end, 10);
    *rest = end;
    return true;
}

static int read_unsigned(const option_spec *s, const char *text, uint64_t *out, err *e)
{
    const char *rest;
    uint64_t max = s->max ? s->max : UINT64_MAX;
    if (is_negative(text)) return negative(s, text, "a whole number", e);
    errno = 0;
    if (!digits(text, out, &rest) || *rest != '\0')
        return wrong(s, text, "a whole number", e);
    if (errno == 0 && *out >= s->min && *out <= max) return 0;
    return err_set(e, ERR_USAGE,
                   "--%s: %.60s is out of range; expected %" PRIu64 " to %" PRIu64,
                   s->name, text, s->min, max);
}

/* Powers of 1024 that a suffix stands for: "", "K", "KB", "KiB", "M" ...; -1 = no suffix. */
static int suffix_power(const char *suffix)
{
    static const char letters[] = "KMGT";
    if (*suffix == '\0' || strcasecmp(suffix, "B") == 0) return 0;
    const char *letter = memchr(letters, *suffix & ~0x20, strlen(letters));
    bool known =
        letter != NULL && (suffix[1] == '\0' || strcasecmp(suffix + 1, "B") == 0 ||
                           strcasecmp(suffix + 1, "iB") == 0);
    return known ? (int)(letter - letters) + 1 : -1;
}

/* The decimals behind a point, as a share of one; none without a point. */
static double decimals(const char *text, const char **rest)
{
    double share = 0, weight = 1;
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++)
            share += (weight /= 10) * (*text - '0');
    *rest = text;
    return share;
}

static int read_size(const option_spec *s, const char *text, uint64_t *out, err *e)
{
    static const char expected[] = "a size such as 512M or 1.5G";
    const char *rest;
    uint64_t count;
    if (is_negative(text)) return negative(s, text, expected, e);
    if (!digits(text, &count, &rest)) return wrong(s, text, expected, e);
    double share = decimals(rest, &rest);
    int power = suffix_power(rest);
    if (power < 0 || rest[-1] == '.') return wrong(s, text, expected, e);
    uint64_t unit = UINT64_C(1) << (10 * power), more = (uint64_t)(share * (double)unit);
    if (__builtin_mul_overflow(count, unit, out) ||
        __builtin_add_overflow(*out, more, out))
        return err_set(e, ERR_USAGE, "--%s: %.60s is more than any machine has", s->name,
                       text);
    if (*out > 0) return 0;
    return err_set(e, ERR_USAGE, "--%s: %.60s is out of range; expected at least 1 byte",
                   s->name, text);
}

static int read_number(const option_spec *s, const char *text, double *out, err *e)
{
    char *end;
    if (is_negative(text)) return negative(s, text, "a number above 0", e);
    if (text[0] == '\0' || strspn(text, "0123456789.eE+-") != strlen(text))
        return wrong(s, text, "a number", e); /* strtod takes inf, nan, 0x and blanks */
    *out = strtod(text, &end);
    return *end == '\0' ? 0 : wrong(s, text, "a number", e);
}

static int read_share(const option_spec *s, const char *text, double *out, err *e)
{
    if (read_number(s, text, out, e) != 0) return (int)e->code;
    if (*out >= 0 && *out <= 1) return 0;
    return err_set(e, ERR_USAGE, "--%s: %.60s is out of range; expected 0 to 1", s->name,
                   text);
}

static int read_real(const option_spec *s, const char *text, double max, double *out,
                     err *e)
{
    if (read_number(s, text, out, e) != 0) return (int)e->code;
    if (*out > 0 && *out <= max) return 0;
    return err_set(e, ERR_USAGE,
                   "--%s: %.60s is out of range; expected above 0, at most %g", s->name,
                   text, max);
}

int option_value_read(const option_spec *s, const char *text, uint64_t *whole,
                      double *real, err *e)
{
    switch (s->kind) {
    case OPTION_UNSIGNED:
        return read_unsigned(s, text, whole, e);
    case OPTION_SIZE:
        return read_size(s, text, whole, e);
    case OPTION_REAL:
        return read_real(s, text, s->max ? (double)s->max : 1e300, real, e);
    case OPTION_SHARE:
        return read_share(s, text, real, e);
    case OPTION_SECONDS:
        return read_real(s, text, seconds_max, real, e);
    case OPTION_FLAG:
    case OPTION_SWITCH:
    case OPTION_STRING:
    case OPTION_LIST:
        break;
    }
    return 0;
}
