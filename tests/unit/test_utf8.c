/*
 * test_utf8.c - bytes become valid UTF-8.
 */
#include <check.h>
#include <string.h>

#include "../../encoders/utf8.h"

#define R RP_UTF8_REPLACEMENT

static const struct {
    const char *in, *out;
} cases[] = {
    {"", ""},
    {"plain", "plain"},
    {"na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x98\x80", "na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x98\x80"},
    {"\xFF", R},
    {"a\x80z", "a" R "z"},
    {"\xC3", R},                              /* cut */
    {"\xE2\x82", R},                          /* cut: one piece */
    {"\xE2\x82z", R "z"},                     /* cut in the middle */
    {"\xF0\x9F\x98", R},                      /* cut */
    {"\xC0\xAF", R R},                        /* overlong */
    {"\xE0\x80\xAF", R R R},                  /* overlong */
    {"\xF0\x80\x80\xAF", R R R R},            /* overlong */
    {"\xED\xA0\x80", R R R},                  /* surrogate */
    {"\xED\x9F\xBF", "\xED\x9F\xBF"},         /* the last one before them */
    {"\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"}, /* U+10FFFF */
    {"\xF4\x90\x80\x80", R R R R},            /* beyond */
    {"\xF5\x80\x80\x80", R R R R},
    {"\x82\xB1\xF1\x02", R R R "\x02"},
};

START_TEST(known_cases)
{
    const char *in = cases[_i].in, *want = cases[_i].out;
    char out[64];
    size_t n = rp_utf8_repair(out, sizeof(out), in, strlen(in));
    ck_assert_uint_eq(n, strlen(want));
    ck_assert_int_eq(memcmp(out, want, n), 0);
    ck_assert_int_eq(rp_utf8_is_valid(in, strlen(in)), strcmp(in, want) == 0);
}
END_TEST

START_TEST(nul_is_a_character)
{
    char out[8];
    ck_assert_uint_eq(rp_utf8_repair(out, sizeof(out), "a\0b", 3), 3);
    ck_assert_int_eq(memcmp(out, "a\0b", 3), 0);
}
END_TEST

START_TEST(cut_between_characters)
{
    const char *in = "ab\xE2\x82\xAC\xE2\x82\xAC";
    char out[8];
    for (size_t size = 0; size < sizeof(out); size++) {
        size_t n = rp_utf8_repair(out, size, in, strlen(in));
        ck_assert_uint_le(n, size);
        ck_assert_uint_eq(n, size < 2 ? size : size < 5 ? 2 : size < 8 ? 5 : 8);
        ck_assert_int_eq(rp_utf8_is_valid(out, n), 1);
    }
}
END_TEST

/* Every value of two bytes, after and before ASCII: the result is valid and at most 3 times as
 * long. */
START_TEST(all_pairs)
{
    char in[4] = "x..y", out[12];
    for (int a = 0; a < 256; a++) {
        for (int b = 0; b < 256; b++) {
            in[1] = (char)a;
            in[2] = (char)b;
            size_t n = rp_utf8_repair(out, sizeof(out), in, sizeof(in));
            ck_assert_int_eq(rp_utf8_is_valid(out, n), 1);
            ck_assert_int_eq(out[0], 'x');
            ck_assert_int_eq(out[n - 1], 'y');
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("utf8");
    TCase *t = tcase_create("utf8");
    tcase_add_loop_test(t, known_cases, 0, sizeof(cases) / sizeof(*cases));
    tcase_add_test(t, nul_is_a_character);
    tcase_add_test(t, cut_between_characters);
    tcase_add_test(t, all_pairs);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
