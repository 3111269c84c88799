/*
 * help.c - usage, options and man page; all that it says of options comes from options.def.
 */
#include "help.h"

#include <string.h>

#include "../agent/options.h"

static const char *const examples[][2] = {
    {"rperf-run ruby app.rb", "CPU time, into rperf.data (pprof)"},
    {"rperf-run -m wall -o out.pb.gz bundle exec rake test", "real time: waits are in it as well"},
    {"rperf-run -p ruby app.rb", "print the table instead of writing a file"},
    {NULL, NULL},
};

/* "-f, --frequency HZ" */
static void option_name(const struct rp_option *row, char *out, size_t size)
{
    int n = row->short_name ? snprintf(out, size, "-%c, ", row->short_name) : 0;

    snprintf(out + n, size - (size_t)n, "--%s%s%s", row->long_name, row->argument ? " " : "",
             row->argument ? row->argument : "");
}

static int is_shown(const struct rp_option *row, char command)
{
    return row->long_name && strchr(row->commands, command);
}

/* The default where it says something: not of switches, not of "by extension". */
static const char *shown_default(const struct rp_option *row)
{
    return row->type == RP_BOOL || !*row->default_text ? NULL : row->default_text;
}

/* What rperf-run is, three examples, its commands and where to read on. */
void rp_help_usage(FILE *out)
{
    fputs("usage: rperf-run [record] [options] [--] command [args]\n"
          "\n"
          "Runs a Ruby program and writes a profile of it: which methods took the time.\n"
          "\n",
          out);
    for (int i = 0; examples[i][0]; i++)
        fprintf(out, "  %-54s  %s\n", examples[i][0], examples[i][1]);
    fputs("\n"
          "  rperf-run record -h   the options\n"
          "  rperf-run --version   the version\n",
          out);
}

/* The options that the command (a letter of options.def) takes. */
void rp_help_options(FILE *out, char command)
{
    char name[80];

    for (const struct rp_option *row = rp_option_table; row->field; row++) {
        const char *value = shown_default(row);
        if (!is_shown(row, command))
            continue;
        option_name(row, name, sizeof name);
        fprintf(out, "  %-*s  %s", 28, name, row->help);
        if (value)
            fprintf(out, " (default %s)", value);
        fputc('\n', out);
    }
    fprintf(out, "  %-*s  %s\n", 28, "-h, --help", "this text");
}

/* Text with the characters that roff takes for itself made plain. */
static void roff(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '-' || *text == '\\')
            fprintf(out, *text == '-' ? "\\-" : "\\e");
        else
            fputc(*text, out);
}

static void man_options(FILE *out)
{
    char name[80];

    for (const struct rp_option *row = rp_option_table; row->field; row++) {
        if (!is_shown(row, 'R'))
            continue;
        option_name(row, name, sizeof name);
        fputs(".TP\n.B ", out);
        roff(out, name);
        fputc('\n', out);
        roff(out, row->help);
        if (shown_default(row)) {
            fputs(" (default ", out);
            roff(out, shown_default(row));
            fputc(')', out);
        }
        fputc('\n', out);
    }
}

static void man_environment(FILE *out)
{
    fputs(".SH ENVIRONMENT\nWithout rperf\\-run, with the library in\n.BR LD_PRELOAD ,\n"
          "these say the same as the options above. rperf\\-run itself heeds\n.B RPERF_TMPDIR\n"
          "only.\n",
          out);
    for (const struct rp_option *row = rp_option_table; row->field; row++) {
        if (!row->env)
            continue;
        fprintf(out, ".TP\n.B %s\n", row->env);
        roff(out, row->help);
        if (row->type == RP_BOOL && row->long_name)
            fprintf(out, " (%s)", row->default_text[0] == '1' ? "0" : "1");
        fputc('\n', out);
    }
}

/* The man page rperf-run(1), as roff. */
void rp_help_man(FILE *out)
{
    fputs(".TH RPERF\\-RUN 1 \"\" \"rperf " RP_VERSION "\"\n.SH NAME\n"
          "rperf\\-run \\- profile a Ruby program\n.SH SYNOPSIS\n.B rperf\\-run\n"
          "[record] [options] [\\-\\-] command [args]\n.SH DESCRIPTION\n"
          "Starts the command with librperf.so preloaded, waits for it, and writes one profile of "
          "all\nits Ruby processes.\n.SH OPTIONS\n",
          out);
    man_options(out);
    man_environment(out);
    fputs(".SH EXIT STATUS\nThat of the command; if a signal ended it, rperf\\-run ends by the "
          "same signal.\n2: wrong options or an output that cannot be written, nothing was run.\n"
          "126, 127: the command could not be executed, was not found.\n.SH EXAMPLES\n",
          out);
    for (int i = 0; examples[i][0]; i++) {
        fputs(".TP\n.B ", out);
        roff(out, examples[i][0]);
        fprintf(out, "\n%s\n", examples[i][1]);
    }
}
