/*
 * options.h - the settings of a run as values; what launcher and agent both read from options.def.
 *
 * No Ruby here, no files, no output. Used by the launcher (which parses the command line into it
 * and writes it into the environment) and by the agent (which parses the environment, early, in the
 * library's constructor: nothing here allocates).
 */
#ifndef RP_OPTIONS_H
#define RP_OPTIONS_H

#include <limits.h>
#include <stddef.h>

#include "../encoders/error.h"

enum rp_option_type { RP_BOOL, RP_INT, RP_CHOICE, RP_SIGNAL_NUMBER, RP_SIGNAL_NAME, RP_PATH };

/* Values of CHOICE are indexes into the choices of the row; -1 for "" (format: by extension). */
enum rp_mode { RP_MODE_CPU, RP_MODE_WALL };

struct rp_options {
    /* one member a row of options.def: int for all types but PATH; signals are numbers, 0 =
     * false/none */
#define RP_FIELD_BOOL(f)          int f;
#define RP_FIELD_INT(f)           int f;
#define RP_FIELD_CHOICE(f)        int f;
#define RP_FIELD_SIGNAL_NUMBER(f) int f;
#define RP_FIELD_SIGNAL_NAME(f)   int f;
#define RP_FIELD_PATH(f)          char f[PATH_MAX];
#define OPTION(field, type, ...)  RP_FIELD_##type(field)
#include "options.def"
#undef OPTION
};

struct rp_option {
    const char *field;
    enum rp_option_type type;
    const char *long_name;
    char short_name;
    const char *argument;
    const char *env;
    const char *default_text;
    int min, max;
    const char *choices; /* separated by '|' */
    const char *commands;
    const char *help;
    size_t offset; /* of the member in struct rp_options */
};

extern const struct rp_option rp_option_table[]; /* ends with field NULL */

/* All members at their defaults. */
void rp_options_default(struct rp_options *o);
/* Sets one member from text. -1: err says what is wrong and what is allowed, in the gem's words
 * where it has them. */
int rp_option_parse(struct rp_options *o, const struct rp_option *row, const char *text,
                    struct rp_error *err);
/* The member as text that rp_option_parse reads back (into out, size bytes). Returns out. */
const char *rp_option_text(const struct rp_options *o, const struct rp_option *row, char *out,
                           size_t size);
/*
 * Reads every row with an environment name from getenv_like (getenv in the agent). -1 at the first
 * wrong value: err names variable, value and what is allowed. An empty variable counts as unset.
 */
int rp_options_from_env(struct rp_options *o, char *(*getenv_like)(const char *),
                        struct rp_error *err);
/* Text of a CHOICE value ("cpu"), "" for -1. */
const char *rp_option_choice(const struct rp_option *row, int value, char *out, size_t size);
const struct rp_option *rp_option_by_field(const char *field);

#endif
