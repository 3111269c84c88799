/*
 * statistics.c - what -v says about a finished profile: the lines that the gem's verbose output
 * has.
 *
 * Called by the launcher after it merged, and by the agent where it writes the file itself.
 */
#include "statistics.h"

#include <inttypes.h>

#include "query.h"

#define TOP_ROWS 10

static void write_top(const struct rp_profile *p, const struct rp_function_table *table,
                      enum rp_sort by, struct rp_sink *s)
{
    uint32_t n = table->n < TOP_ROWS ? table->n : TOP_ROWS;

    rp_sink_printf(s, "rperf: top %" PRIu32 " by %s:\n", n, by == RP_SORT_FLAT ? "flat" : "cum");
    for (uint32_t i = 0; i < n; i++) {
        const struct rp_function_row *row = &table->rows[i];
        int64_t value = by == RP_SORT_FLAT ? row->flat : row->cum;
        const char *file = rp_profile_str(p, row->file, NULL);
        rp_sink_printf(s, "rperf:   %8.1fms %5.1f%%  %s%s%s%s\n", (double)value / 1e6,
                       table->total > 0 ? (double)value * 100 / (double)table->total : 0.0,
                       rp_profile_str(p, row->name, NULL), *file ? " (" : "", file,
                       *file ? ")" : "");
    }
}

/* Writes mode, frequency, sampling calls, samples and the top ten functions, flat and cumulative,
 * in the gem's words, each line begun with "rperf: ". Says nothing of what p does not know. */
void rp_statistics_write(const struct rp_profile *p, struct rp_sink *s)
{
    struct rp_query query = {p->default_type, NULL};
    struct rp_function_table table;
    double total_ns = (double)p->sampling_time_ns;

    if (p->frequency_hz)
        rp_sink_printf(s, "rperf: mode=%s frequency=%" PRIu64 "Hz\n",
                       rp_profile_str(p, p->mode, NULL), p->frequency_hz);
    rp_sink_printf(s, "rperf: sampling: %" PRIu64 " calls, %.2fms total, %.1fus/call avg\n",
                   p->sampling_count, total_ns / 1e6,
                   p->sampling_count ? total_ns / 1e3 / (double)p->sampling_count : 0.0);
    if (!rp_query_functions(p, &query, &table, NULL)) {
        rp_sink_printf(s, "rperf: samples=%" PRIu32 " total=%.1fms\n", p->n_samples,
                       (double)table.total / 1e6);
        if (table.n) {
            rp_function_table_sort(p, &table, RP_SORT_FLAT);
            write_top(p, &table, RP_SORT_FLAT, s);
            rp_function_table_sort(p, &table, RP_SORT_CUM);
            write_top(p, &table, RP_SORT_CUM, s);
        }
    }
    rp_function_table_free(&table);
}
