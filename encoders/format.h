/*
 * format.h - the formats we write and read, one row a format; which one a file name means.
 */
#ifndef RP_FORMAT_H
#define RP_FORMAT_H

#include "error.h"
#include "profile.h"
#include "sink.h"

struct rp_format {
    const char *name;              /* as in --format */
    const char *const *extensions; /* with the dot, NULL-terminated; a further ".gz" is allowed
                                      where gzip is 1 or the name ends so */
    int gzip;                      /* written gzipped whatever the name */
    void (*encode)(const struct rp_profile *p, struct rp_sink *s);
};

extern const struct rp_format rp_formats[]; /* ends with name NULL */

const struct rp_format *rp_format_by_name(const char *name);
/* By the extension of path; what is unknown is pprof. */
const struct rp_format *rp_format_by_path(const char *path);
/* 1 if a file of this format under this name is to be gzipped. */
int rp_format_gzip(const struct rp_format *f, const char *path);
/* Where the known suffix of path (or what follows its last dot) begins; strlen(path) when there is
 * none. For NAME.<pid>.<n>.EXT. */
size_t rp_format_suffix(const char *path);
/* "pprof, collapsed, text" */
const char *rp_format_names(void);

#endif
