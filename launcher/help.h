/*
 * help.h - usage and options as text, from the option table.
 */
#ifndef RP_HELP_H
#define RP_HELP_H

#include <stdio.h>

/* What rperf-run is, three examples, its commands and where to read on. */
void rp_help_usage(FILE *out);
/* The options that the command (a letter of options.def) takes. */
void rp_help_options(FILE *out, char command);
/* The man page rperf-run(1), as roff. */
void rp_help_man(FILE *out);

#endif
