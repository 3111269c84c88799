/*
 * enter.c - runs the Ruby of a folder made by mmdebstrap: becomes ROOT's own RUBY, in the caller's
 * working folder. Compiled once per folder by tests/rubies/setup, with ROOT and RUBY as strings.
 *
 * One exec and no shell, so that the program under test gets the caller's environment, descriptors
 * and preloaded library as they are. The folders that tests use have the same paths in ROOT
 * (tests/e2e/run mounts them there).
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failed(const char *what)
{
    fprintf(stderr, "enter: %s: %s\n", what, strerror(errno));
    return 127;
}

int main(int argc, char **argv)
{
    static char ruby[] = RUBY;
    char cwd[PATH_MAX];

    (void)argc;
    if (!getcwd(cwd, sizeof(cwd)))
        return failed("working folder");
    if (chroot(ROOT) != 0)
        return failed(ROOT);
    if (chdir(cwd) != 0 && chdir("/") != 0)
        return failed(cwd);
    argv[0] = ruby;
    execv(ruby, argv);
    return failed(ruby);
}
