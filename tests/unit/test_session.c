/*
 * test_session.c - the session folder and the output file: privacy, who writes a store out, names,
 * the probe, whole files or none.
 */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../agent/session.h"

static char base[PATH_MAX], dir[PATH_MAX], path[PATH_MAX];
static struct rp_error err;

static void set_up(void)
{
    strcpy(base, "/tmp/rperf-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(base));
    ck_assert_int_eq(chdir(base), 0);
    ck_assert_int_eq(rp_session_create(base, dir, &err), 0);
}

static void tear_down(void)
{
    char command[PATH_MAX + 16];

    snprintf(command, sizeof command, "rm -rf %s", base);
    ck_assert_int_eq(system(command), 0);
}

static const char *in_base(const char *name)
{
    static char out[PATH_MAX + 64];

    snprintf(out, sizeof out, "%s/%s", base, name);
    return out;
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static const char *read_back(const char *name)
{
    static char text[4096];
    FILE *f = fopen(name, "r");
    size_t n;

    if (!f)
        return "(none)";
    n = fread(text, 1, sizeof text - 1, f);
    text[n] = 0;
    fclose(f);
    return text;
}

START_TEST(a_session_is_private)
{
    struct stat st;

    ck_assert_int_eq(strncmp(dir, base, strlen(base)), 0);
    ck_assert_int_eq(stat(dir, &st), 0);
    ck_assert_int_eq(st.st_mode & 07777, 0700);
    ck_assert_int_eq(rp_session_check(dir, &err), 0);
    chmod(dir, 0710);
    ck_assert_int_eq(rp_session_check(dir, &err), -1);
    ck_assert_int_eq(symlink(dir, "link"), 0);
    ck_assert_int_eq(rp_session_check(in_base("link"), &err), -1);
    ck_assert_int_eq(rp_session_check(in_base("nothing"), &err), -1);
    if (geteuid() == 0) {
        chmod(dir, 0700);
        ck_assert_int_eq(chown(dir, 12345, 12345), 0);
        ck_assert_int_eq(rp_session_check(dir, &err), -1);
    }
}
END_TEST

START_TEST(folders_that_others_may_change_are_passed_over)
{
    mkdir("open", 0777);
    chmod("open", 0777);
    ck_assert_int_eq(rp_session_create(in_base("open"), path, &err), 0);
    ck_assert_ptr_null(strstr(path, "/open/"));
    rp_session_remove(path);
    chmod("open", 01777);
    ck_assert_int_eq(rp_session_create(in_base("open"), path, &err), 0);
    ck_assert_ptr_nonnull(strstr(path, "/open/"));
    ck_assert_int_eq(rp_session_create("/nowhere", path, &err), 0);
    rp_session_remove(path);
}
END_TEST

START_TEST(stores_are_counted_and_claimed_once)
{
    struct rp_session_store *list;
    char again[PATH_MAX];
    struct stat st;
    size_t n;
    int fd;

    umask(0);
    for (int i = 1; i <= 3; i++) {
        fd = rp_session_open_store(dir, 77, path, &err);
        ck_assert_int_ge(fd, 3);
        ck_assert_int_ne(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
        ck_assert_int_eq(fstat(fd, &st), 0);
        ck_assert_int_eq(st.st_mode & 07777, 0600);
        close(fd);
    }
    ck_assert_ptr_nonnull(strstr(path, "/77.3.store"));
    strcpy(again, path);
    ck_assert_int_eq(rp_session_claim(path), 0);
    ck_assert_ptr_nonnull(strstr(path, "/77.3.taken"));
    ck_assert_int_eq(rp_session_claim(again), -1);
    rp_session_give_back(path); /* could not be written: anybody's again */
    strcpy(path, again);
    ck_assert_int_eq(rp_session_claim(path), 0);
    close(rp_session_open_store(dir, 77, path, &err));
    ck_assert_ptr_nonnull(strstr(path, "/77.4.store")); /* the number of a taken one stays taken */
    close(rp_session_open_store(dir, 9, path, &err));
    ck_assert_int_eq(rp_session_list(dir, &list, &n, &err), 0);
    ck_assert_uint_eq(n, 4);
    ck_assert_int_eq(list[0].pid, 9);
    ck_assert_int_eq(list[3].n, 4);
    free(list);
}
END_TEST

START_TEST(a_session_goes_when_nobody_needs_it)
{
    ck_assert_int_eq(rp_session_note(dir, getpid(), "/o\nut", "", "ruby x", &err), 0);
    ck_assert_int_eq(rp_session_is_closed(dir), 0);
    ck_assert_int_eq(rp_session_close(dir, &err), 0);
    ck_assert_int_eq(rp_session_close(dir, &err), 0);
    ck_assert_int_eq(rp_session_is_closed(dir), 1);
    close(rp_session_open_store(dir, 77, path, &err));
    rp_session_remove(dir);
    ck_assert_int_eq(access(path, F_OK), 0); /* of somebody who still runs */
    ck_assert_int_eq(rp_session_is_closed(dir), 1);
    ck_assert_int_eq(rp_session_claim(path), 0);
    rp_session_remove(dir);
    ck_assert_int_ne(access(dir, F_OK), 0);
    ck_assert_int_eq(rp_session_is_closed(dir), 1);
}
END_TEST

START_TEST(closed_descriptors_0_to_2_are_not_taken)
{
    int fd;

    close(0);
    fd = rp_session_open_store(dir, 5, path, &err);
    ck_assert_int_ge(fd, 3);
    ck_assert_int_eq(fcntl(0, F_GETFD), -1);
    close(fd);
}
END_TEST

START_TEST(the_dead_and_the_living_are_told_apart)
{
    uint64_t start = rp_session_pid_start(getpid());
    pid_t pid;

    ck_assert_uint_gt(start, 0);
    ck_assert_int_eq(rp_session_pid_alive(getpid(), start), 1);
    ck_assert_int_eq(rp_session_pid_alive(getpid(), start + 1), 0); /* a reused pid */
    pid = fork();
    if (pid == 0)
        pause();
    start = rp_session_pid_start(pid);
    ck_assert_int_eq(rp_session_pid_alive(pid, start), 1);
    kill(pid, SIGKILL);
    waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT);
    ck_assert_int_eq(rp_session_pid_alive(pid, start), 0); /* a zombie */
    waitpid(pid, NULL, 0);
    ck_assert_int_eq(rp_session_pid_alive(pid, start), 0);
}
END_TEST

START_TEST(names_are_expanded)
{
    char want[PATH_MAX + 64];

    ck_assert_int_eq(rp_output_expand("/a/%p-%t-%%-%x-%", 42, 86399, path, &err), 0);
    ck_assert_str_eq(path, "/a/42-19700101-235959-%-%x-%");
    ck_assert_int_eq(rp_output_expand("/a/%p%%p-%t", 0, 0, path, &err), 0);
    ck_assert_str_eq(path, "/a/%p%%p-19700101-000000");
    ck_assert_int_eq(rp_output_expand("rel", 1, 0, path, &err), 0);
    snprintf(want, sizeof want, "%s/rel", base);
    ck_assert_str_eq(path, want);
    mkdir("100%p", 0755);
    ck_assert_int_eq(chdir("100%p"), 0);
    ck_assert_int_eq(rp_output_expand("x%p", 0, 0, path, &err), 0);
    snprintf(want, sizeof want, "%s/100%%%%p/x%%p", base);
    ck_assert_str_eq(path, want);
    ck_assert_int_eq(rp_output_expand(path, 7, 0, dir, &err), 0);
    snprintf(want, sizeof want, "%s/100%%p/x7", base);
    ck_assert_str_eq(dir, want);
    ck_assert_int_eq(rp_output_expand("", 1, 0, path, &err), -1);
    ck_assert(rp_output_has_pid("a%p") && rp_output_has_pid("%%%p"));
    ck_assert(!rp_output_has_pid("a%%p") && !rp_output_has_pid("p%"));
}
END_TEST

START_TEST(siblings_keep_the_suffix)
{
    ck_assert_int_eq(rp_output_sibling("/x/a.b.pb.gz", 5, 2, path, &err), 0);
    ck_assert_str_eq(path, "/x/a.b.5.2.pb.gz");
    ck_assert_int_eq(rp_output_sibling("/x/p.collapsed", 5, 0, path, &err), 0);
    ck_assert_str_eq(path, "/x/p.5.collapsed");
    ck_assert_int_eq(rp_output_sibling("/x.d/plain", 5, 1, path, &err), 0);
    ck_assert_str_eq(path, "/x.d/plain.5.1");
    ck_assert_int_eq(rp_output_sibling("/dev/null", 5, 1, path, &err), -1);
    ck_assert_int_eq(rp_output_sibling("/dev/stdout", 5, 1, path, &err), -1);
}
END_TEST

START_TEST(the_probe_writes_nothing)
{
    write_file("file", "x");
    ck_assert_int_eq(rp_output_probe(in_base("new"), &err), 0);
    ck_assert_int_eq(access("new", F_OK), -1);
    ck_assert_int_eq(rp_output_probe(in_base("file"), &err), 0);
    ck_assert_str_eq(read_back("file"), "x");
    ck_assert_int_eq(rp_output_probe(in_base("no/such"), &err), -1);
    ck_assert_ptr_nonnull(strstr(err.what, "/no/such: No such file or directory"));
    ck_assert_int_eq(rp_output_probe(in_base("file/x"), &err), -1);
    ck_assert_ptr_nonnull(strstr(err.what, "Not a directory"));
    ck_assert_int_eq(rp_output_probe(base, &err), -1);
    ck_assert_int_eq(rp_output_probe("/dev/full", &err), 0);
    ck_assert_int_eq(rp_output_probe("/proc/p.pb.gz", &err), -1); /* lets root in and takes no file */
    ck_assert_ptr_nonnull(strstr(err.what, "cannot write /proc/p.pb.gz"));
    ck_assert_int_eq(symlink("dangling", "link"), 0);
    ck_assert_int_eq(rp_output_probe(in_base("link"), &err), 0);
    ck_assert_int_eq(access("dangling", F_OK), -1);
    ck_assert_int_eq(symlink("nowhere/dangling", "link2"), 0);
    ck_assert_int_eq(rp_output_probe(in_base("link2"), &err), -1);
}
END_TEST

static void small_profile(struct rp_profile *p)
{
    int64_t values[] = {1, 5};

    rp_profile_init(p);
    rp_profile_add_type(p, "samples", "count");
    p->default_type = rp_profile_add_type(p, "cpu", "nanoseconds");
    uint32_t function = rp_profile_function(p, rp_profile_cstring(p, "f"), 0, 0);
    rp_profile_add(p, rp_profile_node(p, 0, rp_profile_frame(p, function, 0)), 0, values);
}

START_TEST(an_output_is_there_whole_or_not_at_all)
{
    const struct rp_format *collapsed = rp_format_by_name("collapsed");
    struct rp_profile p;
    struct stat st;

    small_profile(&p);
    ck_assert_int_eq(rp_output_write(in_base("new.collapsed"), NULL, 1, &p, &err), 0);
    ck_assert_str_eq(read_back("new.collapsed"), "f 5\n");
    ck_assert_int_eq(access("new.collapsed.old", F_OK), -1);
    write_file("old", "before");
    chmod("old", 0640);
    ck_assert_int_eq(rp_output_write(in_base("old"), collapsed, 1, &p, &err), 0);
    ck_assert_str_eq(read_back("old"), "f 5\n");
    ck_assert_str_eq(read_back("old.old"), "before");
    ck_assert_int_eq(stat("old", &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0640);
    ck_assert_int_eq(symlink("target", "link"), 0);
    ck_assert_int_eq(rp_output_write(in_base("link"), collapsed, 0, &p, &err), 0);
    ck_assert_str_eq(read_back("target"), "f 5\n");
    ck_assert_int_eq(lstat("link", &st), 0);
    ck_assert(S_ISLNK(st.st_mode));
    ck_assert_int_eq(rp_output_write("/dev/full", collapsed, 0, &p, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.what, "/dev/full: No space left on device"));
    ck_assert_int_eq(mkfifo("fifo", 0600), 0);
    ck_assert_int_eq(rp_output_write(in_base("fifo"), collapsed, 0, &p, &err), -1);
    ck_assert_int_eq(system("[ $(ls -A | grep -c tmp) = 0 ]"), 0);
    rp_profile_free(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("session");
    TCase *tc = tcase_create("session");

    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, a_session_is_private);
    tcase_add_test(tc, folders_that_others_may_change_are_passed_over);
    tcase_add_test(tc, stores_are_counted_and_claimed_once);
    tcase_add_test(tc, a_session_goes_when_nobody_needs_it);
    tcase_add_test(tc, closed_descriptors_0_to_2_are_not_taken);
    tcase_add_test(tc, the_dead_and_the_living_are_told_apart);
    tcase_add_test(tc, names_are_expanded);
    tcase_add_test(tc, siblings_keep_the_suffix);
    tcase_add_test(tc, the_probe_writes_nothing);
    tcase_add_test(tc, an_output_is_there_whole_or_not_at_all);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
