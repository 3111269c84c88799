/*
 * main.c - rperf-run: which command was meant, and the only exit status that is our own.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "help.h"
#include "say.h"

#define WRONG_USAGE 2

/* Whoever started us may have closed 0 to 2: placeholders keep our files from landing there. They
 * close themselves in the command, which gets what we got. */
static void guard_std_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            if (open("/dev/null", O_RDWR | O_CLOEXEC) < 0)
                return;
}

/* Text that was asked for goes to stdout, and a stdout that takes none is an error. */
static int finish_output(void)
{
    if (fflush(stdout) || ferror(stdout)) {
        rp_say("cannot write to stdout: %s", strerror(errno));
        return 1;
    }
    return 0;
}

static int show_version(void)
{
    printf("rperf %s\n", RP_VERSION);
    return finish_output();
}

static int show_usage(void)
{
    rp_help_usage(stdout);
    return finish_output();
}

static int show_options(void)
{
    fputs("usage: rperf-run [record] [options] [--] command [args]\n\n", stdout);
    rp_help_options(stdout, 'R');
    return finish_output();
}

static int show_man(void)
{
    rp_help_man(stdout);
    return finish_output();
}

/* Everything is `record` as long as it is the only command: the word may be there or not. */
int main(int argc, char **argv)
{
    static struct rp_cli cli;
    struct rp_error err;
    int named = 0, rc;

    guard_std_descriptors();
    if (argc < 2)
        return show_usage();
    if (argc == 2 && !strcmp(argv[1], "-v"))
        return show_version();
    if (argc == 2 && !strcmp(argv[1], "--man"))
        return show_man();
    rp_options_default(&cli.options);
    rc = rp_cli_parse(&cli, 'R', argc, argv, 1, &err);
    if (!rc && !cli.separated && cli.rest < argc && !strcmp(argv[cli.rest], "record")) {
        named = 1;
        rc = rp_cli_parse(&cli, 'R', argc, argv, cli.rest + 1, &err);
    }
    if (rc) {
        rp_say("%s", err.what);
        return WRONG_USAGE;
    }
    if (cli.version)
        return show_version();
    if (cli.help)
        return named || cli.n_given ? show_options() : show_usage();
    rc = rp_cmd_record(&cli, !named && !cli.separated, argv);
    return finish_output() ? 1 : rc;
}
