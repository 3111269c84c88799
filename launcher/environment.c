/*
 * environment.c - the environment that the command gets: the way of the options to the agent.
 *
 * Inherited RPERF_* belong to a profiler around us and are dropped, so that a profiled program can
 * itself profile another.
 */
#include "environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_dropped(const char *var)
{
    static const char keep[] = "RPERF_TMPDIR=", preload[] = "LD_PRELOAD=";

    return !strncmp(var, preload, sizeof preload - 1) ||
           (!strncmp(var, "RPERF_", 6) && strncmp(var, keep, sizeof keep - 1) != 0);
}

/* Whether the agent must be told: the output always (the program may change its folder). */
static int is_told(const struct rp_option *row, const char *text, const char *default_text)
{
    if (!row->env || !strcmp(row->field, "tmpdir"))
        return 0;
    return !strcmp(row->field, "output") || strcmp(text, default_text) != 0;
}

static int add(struct rp_environment *e, size_t *n, const char *name, const char *value)
{
    if (asprintf(&e->vars[*n], "%s=%s", name, value) < 0) {
        e->vars[*n] = NULL;
        return -1;
    }
    e->vars[++*n] = NULL;
    return 0;
}

/*
 * What we inherited less RPERF_* (but RPERF_TMPDIR) and LD_PRELOAD, then LD_PRELOAD=preload and
 * what differs from the defaults in o, its output and session as they stand there. -1: out of
 * memory. Free it with rp_environment_free, also after -1.
 */
int rp_environment_build(struct rp_environment *e, const struct rp_options *o, const char *preload,
                         struct rp_error *err)
{
    static struct rp_options defaults;
    char text[PATH_MAX], default_text[PATH_MAX];
    size_t n = 0, room = 2;

    for (char **var = environ; *var; var++)
        room++;
    for (const struct rp_option *row = rp_option_table; row->field; row++)
        room++;
    e->first = 0;
    e->vars = calloc(room, sizeof *e->vars);
    if (!e->vars)
        return rp_error_set(err, ENOMEM, "environment");
    for (char **var = environ; *var; var++)
        if (!is_dropped(*var))
            e->vars[n++] = *var;
    e->first = n;
    if (add(e, &n, "LD_PRELOAD", preload))
        return rp_error_set(err, ENOMEM, "environment");
    rp_options_default(&defaults);
    for (const struct rp_option *row = rp_option_table; row->field; row++) {
        rp_option_text(o, row, text, sizeof text);
        rp_option_text(&defaults, row, default_text, sizeof default_text);
        if (is_told(row, text, default_text) && add(e, &n, row->env, text))
            return rp_error_set(err, ENOMEM, "environment");
    }
    return 0;
}

void rp_environment_free(struct rp_environment *e)
{
    for (size_t i = e->first; e->vars && e->vars[i]; i++)
        free(e->vars[i]);
    free(e->vars);
    e->vars = NULL;
}

/* Our part as `export NAME='value'` lines. */
void rp_environment_print(const struct rp_environment *e, FILE *out)
{
    for (size_t i = e->first; e->vars[i]; i++) {
        const char *value = strchr(e->vars[i], '=') + 1;
        fprintf(out, "export %.*s'", (int)(value - e->vars[i]), e->vars[i]);
        for (; *value; value++)
            if (*value == '\'')
                fputs("'\\''", out);
            else
                fputc(*value, out);
        fputs("'\n", out);
    }
}
