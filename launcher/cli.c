/*
 * cli.c - command line to values, driven by the option table alone.
 *
 * Long options as `--x=v` and `--x v`, short ones as `-f 5`, `-f5` and in bundles (`-pvf5`). Stops
 * at the first word that is no option, as that is the command to run. Prints nothing.
 */
#include "cli.h"

#include <string.h>

/* Where the parser stands: the argument, and in a bundle of short options the letter in it. */
struct cursor {
    int argc;
    char *const *argv;
    int i;
};

static const struct rp_option *find_long(char command, const char *name, size_t len)
{
    for (const struct rp_option *row = rp_option_table; row->field; row++)
        if (row->long_name && strchr(row->commands, command) && strlen(row->long_name) == len &&
            !strncmp(row->long_name, name, len))
            return row;
    return NULL;
}

static const struct rp_option *find_short(char command, char letter)
{
    for (const struct rp_option *row = rp_option_table; row->field; row++)
        if (row->short_name == letter && strchr(row->commands, command))
            return row;
    return NULL;
}

/* Stores one option. value: NULL for options that take none. */
static int apply(struct rp_cli *cli, const struct rp_option *row, const char *value,
                 struct rp_error *err)
{
    cli->n_given++;
    if (row->type == RP_BOOL)
        return rp_option_parse(&cli->options, row, row->default_text[0] == '1' ? "0" : "1", err);
    if (!*value)
        return rp_error_set(err, 0, "%s must not be empty", row->long_name);
    if (!strcmp(row->field, "output"))
        cli->output_given = 1;
    return rp_option_parse(&cli->options, row, value, err);
}

static int parse_long_option(struct rp_cli *cli, char command, struct cursor *c,
                             struct rp_error *err)
{
    const char *arg = c->argv[c->i++];
    const char *name = arg + 2;
    size_t len = strcspn(name, "=");
    const char *value = name[len] ? name + len + 1 : NULL;
    const struct rp_option *row;

    if (!strcmp(name, "help") || !strcmp(name, "version")) {
        *(*name == 'h' ? &cli->help : &cli->version) = 1;
        return 0;
    }
    row = find_long(command, name, len);
    if (!row)
        return rp_error_set(err, 0, "invalid option: --%.*s", (int)len, name);
    if (row->type == RP_BOOL && value)
        return rp_error_set(err, 0, "needless argument: %s", arg);
    if (row->type != RP_BOOL && !value) {
        if (c->i == c->argc)
            return rp_error_set(err, 0, "missing argument: %s", arg);
        value = c->argv[c->i++];
    }
    return apply(cli, row, value, err);
}

static int parse_bundle(struct rp_cli *cli, char command, struct cursor *c, struct rp_error *err)
{
    const char *p = c->argv[c->i++] + 1;

    while (*p) {
        const struct rp_option *row = find_short(command, *p);
        const char *value = NULL;
        if (*p == 'h') {
            cli->help = 1;
            p++;
            continue;
        }
        if (!row)
            return rp_error_set(err, 0, "invalid option: -%c", *p);
        p++;
        if (row->type != RP_BOOL) {
            if (!*p && c->i == c->argc)
                return rp_error_set(err, 0, "missing argument: -%c", row->short_name);
            value = *p ? p : c->argv[c->i++];
            p += strlen(p);
        }
        if (apply(cli, row, value, err))
            return -1;
    }
    return 0;
}

/*
 * Parses argv[first...] by the rows of options.def that command (a letter of their column) takes,
 * up to the first word that is no option or behind `--`. cli->options holds the defaults or what an
 * earlier call left. -1: err says what is wrong in one line.
 */
int rp_cli_parse(struct rp_cli *cli, char command, int argc, char *const argv[], int first,
                 struct rp_error *err)
{
    struct cursor c = {argc, argv, first};

    while (c.i < argc && argv[c.i][0] == '-' && argv[c.i][1] && !cli->help && !cli->version) {
        int is_long = argv[c.i][1] == '-';
        if (is_long && !argv[c.i][2]) {
            cli->separated = 1;
            c.i++;
            break;
        }
        if (is_long ? parse_long_option(cli, command, &c, err)
                    : parse_bundle(cli, command, &c, err))
            return -1;
    }
    cli->rest = c.i;
    return 0;
}
