/*
 * formats.c - the registry of formats: one row each, and which of them a file name means.
 */
#include "format.h"

#include <string.h>

#include "encode.h"

#define GZIP_SUFFIX ".gz"

static const char *const pprof_extensions[] = {".pb", ".pprof", ".data", NULL};
static const char *const collapsed_extensions[] = {".collapsed", NULL};
static const char *const text_extensions[] = {".txt", NULL};
static const char *const json_extensions[] = {".json", NULL};
static const char *const speedscope_extensions[] = {".speedscope.json", NULL};

/* The first row is what an unknown name means. */
const struct rp_format rp_formats[] = {
    {"pprof", pprof_extensions, 1, rp_encode_pprof},
    {"collapsed", collapsed_extensions, 0, rp_encode_collapsed},
    {"text", text_extensions, 0, rp_encode_text},
    {"json", json_extensions, 0, rp_encode_json},
    {"speedscope", speedscope_extensions, 0, rp_encode_speedscope},
    {NULL, NULL, 0, NULL},
};

/* The names of all formats, for messages. */
const char *rp_format_names(void)
{
    return "pprof, collapsed, text, json, speedscope";
}

/* The row of that name; NULL: there is none. */
const struct rp_format *rp_format_by_name(const char *name)
{
    for (const struct rp_format *f = rp_formats; f->name; f++) {
        if (strcmp(f->name, name) == 0) {
            return f;
        }
    }
    return NULL;
}

static int ends_with(const char *s, size_t len, const char *end)
{
    size_t end_len = strlen(end);

    return len > end_len && memcmp(s + len - end_len, end, end_len) == 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The format whose extension ends name (of len bytes), the longest one; NULL: none. */
static const struct rp_format *find_extension(const char *name, size_t len, size_t *ext_len)
{
    const struct rp_format *found = NULL;

    *ext_len = 0;
    for (const struct rp_format *f = rp_formats; f->name; f++) {
        for (const char *const *e = f->extensions; *e; e++) {
            if (strlen(*e) > *ext_len && ends_with(name, len, *e)) {
                found = f;
                *ext_len = strlen(*e);
            }
        }
    }
    return found;
}

static size_t length_without_gzip(const char *name)
{
    size_t len = strlen(name);

    return ends_with(name, len, GZIP_SUFFIX) ? len - strlen(GZIP_SUFFIX) : len;
}

/* The format that path's extension (also before .gz) means; never NULL. */
const struct rp_format *rp_format_by_path(const char *path)
{
    const char *name = base_name(path);
    size_t ext_len;
    const struct rp_format *f = find_extension(name, length_without_gzip(name), &ext_len);

    return f ? f : &rp_formats[0];
}

/* 1 if a file of this format under this name is to be gzipped. */
int rp_format_gzip(const struct rp_format *f, const char *path)
{
    return f->gzip || ends_with(path, strlen(path), GZIP_SUFFIX);
}

/* Where the extension begins in path: a known one with its .gz, else from the last dot of the file
 * name (one that it begins with does not count), else strlen(path). */
size_t rp_format_suffix(const char *path)
{
    const char *name = base_name(path);
    size_t before = (size_t)(name - path), len = length_without_gzip(name), ext_len;

    if (find_extension(name, len, &ext_len)) {
        return before + len - ext_len;
    }
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - path) : strlen(path);
}
