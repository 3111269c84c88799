/*
 * options.c - the option table, and each value's way from text to member and back.
 *
 * Called by the launcher (command line, environment for the command) and by the agent in the
 * library's constructor, before main: it must not allocate, print, or read anything but its
 * arguments.
 */
#include "options.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct rp_option rp_option_table[] = {
#define OPTION(field, type, long_name, short_name, argument, env, default_text, min, max, choices, \
               commands, help)                                                                     \
    {#field,                                                                                       \
     RP_##type,                                                                                    \
     long_name,                                                                                    \
     short_name,                                                                                   \
     argument,                                                                                     \
     env,                                                                                          \
     default_text,                                                                                 \
     min,                                                                                          \
     max,                                                                                          \
     choices,                                                                                      \
     commands,                                                                                     \
     help,                                                                                         \
     offsetof(struct rp_options, field)},
#include "options.def"
#undef OPTION
    {NULL, RP_BOOL, NULL, 0, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, 0},
};

static int *int_member(const struct rp_options *o, const struct rp_option *row)
{
    return (int *)((char *)(uintptr_t)o + row->offset);
}

static char *path_member(const struct rp_options *o, const struct rp_option *row)
{
    return (char *)(uintptr_t)o + row->offset;
}

/* The name that the user knows the row by, in messages: as in the gem, words and no dashes. */
static const char *shown_name(const struct rp_option *row)
{
    return row->type != RP_BOOL && row->long_name ? row->long_name : row->field;
}

/* The row with this member name, NULL when there is none. */
const struct rp_option *rp_option_by_field(const char *field)
{
    for (const struct rp_option *row = rp_option_table; row->field; row++)
        if (!strcmp(row->field, field))
            return row;
    return NULL;
}

/* All members at their defaults. Cannot fail: the defaults of the table are valid (a test). */
void rp_options_default(struct rp_options *o)
{
    memset(o, 0, sizeof *o);
    for (const struct rp_option *row = rp_option_table; row->field; row++)
        rp_option_parse(o, row, row->default_text, NULL);
}

static int parse_bool(int *value, const struct rp_option *row, const char *text,
                      struct rp_error *err)
{
    if (!strcmp(text, "1") || !strcmp(text, "true"))
        *value = 1;
    else if (!strcmp(text, "0") || !strcmp(text, "false"))
        *value = 0;
    else
        return rp_error_set(err, 0, "%s must be 0 or 1 (got %s)", shown_name(row), text);
    return 0;
}

/* A whole decimal number that fits into a long; digits only, so that "1e3" and " 5" are refused. */
static int parse_long(const char *text, long *value)
{
    const char *digits = text + (*text == '-' || *text == '+');
    char *end;

    if (!*digits || strspn(digits, "0123456789") != strlen(digits))
        return -1;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (errno == ERANGE) /* clamped: too large is still a number, and out of every range */
        return 0;
    return *end ? -1 : 0;
}

static int parse_int(int *value, const struct rp_option *row, const char *text,
                     struct rp_error *err)
{
    long n;

    if (parse_long(text, &n) || n < row->min)
        return row->min == 1 ? rp_error_set(err, 0, "%s must be a positive integer (got %s)",
                                            shown_name(row), text)
                             : rp_error_set(err, 0, "%s must be an integer from %d to %d (got %s)",
                                            shown_name(row), row->min, row->max, text);
    if (n > row->max)
        return rp_error_set(err, 0, "%s must be <= %d%s, got %s", shown_name(row), row->max,
                            !strcmp(row->field, "frequency") ? " (10KHz)" : "", text);
    *value = (int)n;
    return 0;
}

/* "a|b|c" as "a, b or c". */
static const char *choices_in_words(const char *choices, char *out, size_t size)
{
    size_t n = 0;

    out[0] = 0;
    for (const char *p = choices; *p && n + 5 < size;) {
        size_t len = strcspn(p, "|");
        const char *rest = p + len + (p[len] == '|');
        const char *separator = !p[len] ? "" : strchr(rest, '|') ? ", " : " or ";
        n += (size_t)snprintf(out + n, size - n, "%.*s%s", (int)len, p, separator);
        p = rest;
    }
    return out;
}

static int parse_choice(int *value, const struct rp_option *row, const char *text,
                        struct rp_error *err)
{
    char words[128];
    int index = 0;

    if (!*text) {
        *value = -1;
        return 0;
    }
    for (const char *p = row->choices; *p; index++) {
        size_t len = strcspn(p, "|");
        if (strlen(text) == len && !strncmp(p, text, len)) {
            *value = index;
            return 0;
        }
        p += len + (p[len] == '|');
    }
    return rp_error_set(err, 0, "%s must be %s (got %s)", shown_name(row),
                        choices_in_words(row->choices, words, sizeof words), text);
}

/* Whether a handler can be put on this signal: the kernel refuses two, the C library keeps those
 * between the standard and its first real-time signal. */
static int check_catchable(int signal_number, struct rp_error *err)
{
    if (signal_number == SIGKILL || signal_number == SIGSTOP)
        return rp_error_set(err, 0, "signal %d (%s) cannot be caught; use a different signal",
                            signal_number, sigabbrev_np(signal_number));
    if (signal_number > 31 && signal_number < SIGRTMIN)
        return rp_error_set(err, 0, "signal %d is the C library's own; use a different signal",
                            signal_number);
    return 0;
}

static int parse_signal_number(int *value, const struct rp_option *row, const char *text,
                               struct rp_error *err)
{
    long n;

    if (!strcmp(text, "false")) {
        *value = 0;
        return 0;
    }
    if (parse_long(text, &n) || n < row->min || n > row->max)
        return rp_error_set(err, 0, "%s must be false or a number from %d to %d (got %s)",
                            shown_name(row), row->min, row->max, text);
    if (check_catchable((int)n, err))
        return -1;
    *value = (int)n;
    return 0;
}

/* "USR2", "SIGUSR2", "usr2" or a number; 0 when it is none. */
static int signal_by_name(const char *text)
{
    const char *name = strncasecmp(text, "SIG", 3) ? text : text + 3;
    long n;

    if (!parse_long(text, &n))
        return n >= 1 && n <= SIGRTMAX ? (int)n : 0;
    for (int i = 1; i < 32; i++) {
        const char *abbrev = sigabbrev_np(i);
        if (abbrev && !strcasecmp(abbrev, name))
            return i;
    }
    return 0;
}

static int parse_signal_name(int *value, const struct rp_option *row, const char *text,
                             struct rp_error *err)
{
    int n;

    if (!strcasecmp(text, "none")) {
        *value = 0;
        return 0;
    }
    n = signal_by_name(text);
    if (!n)
        return rp_error_set(err, 0, "%s must be none or the name of a signal (got %s)",
                            shown_name(row), text);
    if (check_catchable(n, err))
        return -1;
    *value = n;
    return 0;
}

/*
 * Sets one member from text. -1: err says what is wrong and what is allowed, and the member is as
 * it was. Keeps nothing of text.
 */
int rp_option_parse(struct rp_options *o, const struct rp_option *row, const char *text,
                    struct rp_error *err)
{
    switch (row->type) {
    case RP_BOOL:
        return parse_bool(int_member(o, row), row, text, err);
    case RP_INT:
        return parse_int(int_member(o, row), row, text, err);
    case RP_CHOICE:
        return parse_choice(int_member(o, row), row, text, err);
    case RP_SIGNAL_NUMBER:
        return parse_signal_number(int_member(o, row), row, text, err);
    case RP_SIGNAL_NAME:
        return parse_signal_name(int_member(o, row), row, text, err);
    case RP_PATH:
        break;
    }
    if (strlen(text) >= PATH_MAX)
        return rp_error_set(err, 0, "%s must be shorter than %d bytes", shown_name(row), PATH_MAX);
    strcpy(path_member(o, row), text);
    return 0;
}

/* Text of a CHOICE value ("cpu") in out; "" for -1 and for what the row does not have. */
const char *rp_option_choice(const struct rp_option *row, int value, char *out, size_t size)
{
    const char *p = row->choices;

    out[0] = 0;
    for (; value > 0 && *p; value--) {
        p += strcspn(p, "|");
        p += *p == '|';
    }
    if (value == 0)
        snprintf(out, size, "%.*s", (int)strcspn(p, "|"), p);
    return out;
}

/* The member as text that rp_option_parse reads back (into out, size bytes). Returns out. */
const char *rp_option_text(const struct rp_options *o, const struct rp_option *row, char *out,
                           size_t size)
{
    int value = row->type == RP_PATH ? 0 : *int_member(o, row);

    switch (row->type) {
    case RP_BOOL:
    case RP_INT:
        snprintf(out, size, "%d", value);
        break;
    case RP_CHOICE:
        return rp_option_choice(row, value, out, size);
    case RP_SIGNAL_NUMBER:
        if (value)
            snprintf(out, size, "%d", value);
        else
            snprintf(out, size, "false");
        break;
    case RP_SIGNAL_NAME:
        if (!value)
            snprintf(out, size, "none");
        else if (sigabbrev_np(value))
            snprintf(out, size, "%s", sigabbrev_np(value));
        else
            snprintf(out, size, "%d", value);
        break;
    case RP_PATH:
        snprintf(out, size, "%s", path_member(o, row));
        break;
    }
    return out;
}

/*
 * Reads every row with an environment name from getenv_like (getenv in the agent) over what o
 * holds. -1 at the first wrong value: err names variable, value and what is allowed. An empty
 * variable counts as unset.
 */
int rp_options_from_env(struct rp_options *o, char *(*getenv_like)(const char *),
                        struct rp_error *err)
{
    struct rp_error reason;

    for (const struct rp_option *row = rp_option_table; row->field; row++) {
        const char *text = row->env ? getenv_like(row->env) : NULL;
        if (!text || !*text)
            continue;
        if (rp_option_parse(o, row, text, &reason))
            return rp_error_set(err, 0, "%s: %s", row->env, reason.what);
    }
    return 0;
}
