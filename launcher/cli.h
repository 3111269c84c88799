/*
 * cli.h - the command line of rperf-run as values.
 */
#ifndef RP_CLI_H
#define RP_CLI_H

#include "../agent/options.h"
#include "../encoders/error.h"

struct rp_cli {
    struct rp_options options;
    int output_given; /* -o was there */
    int n_given;      /* options that were there */
    int help, version;
    int separated; /* `--` was there: what follows is a program, whatever its name */
    int rest;      /* index of the first argument behind the options; argc when there is none */
};

/*
 * Parses argv[first...] by the rows of options.def that command (a letter of their column) takes,
 * up to the first word that is no option or behind `--`. cli->options holds the defaults or what an
 * earlier call left. -1: err says what is wrong in one line.
 */
int rp_cli_parse(struct rp_cli *cli, char command, int argc, char *const argv[], int first,
                 struct rp_error *err);

#endif
