/*
 * cmd.h - the commands of rperf-run, one cmd_<name>.c each.
 */
#ifndef RP_CMD_H
#define RP_CMD_H

#include "cli.h"

/*
 * rperf-run record: runs argv[cli->rest...] under the profiler and ends as it ended. Returns an
 * exit status when there is nothing to end like; bare: the user did not say `record` or `--`, so
 * the word may have been meant as a command of ours.
 */
int rp_cmd_record(struct rp_cli *cli, int bare, char *const argv[]);

#endif
