/*
 * types_test.c - the table of types, and type lists.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/types.h"

static void test_table(void **state)
{
    static const struct {
        enum cfz_kind kind;
        const char *name, *go, *c_name;
        size_t width, c_size; /* bits in files; bytes of the C parameter */
        enum cfz_family family;
    } want[] = {
        {CFZ_KIND_BYTES, "[]byte", "[]uint8", "const uint8_t *", 0, sizeof(const uint8_t *),
         CFZ_FAMILY_BYTES},
        {CFZ_KIND_STRING, "string", "string", "const char *", 0, sizeof(const char *),
         CFZ_FAMILY_STRING},
        {CFZ_KIND_BOOL, "bool", "bool", "bool", 1, sizeof(bool), CFZ_FAMILY_BOOL},
        {CFZ_KIND_INT8, "int8", "int8", "int8_t", 8, sizeof(int8_t), CFZ_FAMILY_SIGNED},
        {CFZ_KIND_INT16, "int16", "int16", "int16_t", 16, sizeof(int16_t), CFZ_FAMILY_SIGNED},
        {CFZ_KIND_INT32, "int32", "int32", "int32_t", 32, sizeof(int32_t), CFZ_FAMILY_SIGNED},
        {CFZ_KIND_INT64, "int64", "int64", "int64_t", 64, sizeof(int64_t), CFZ_FAMILY_SIGNED},
        {CFZ_KIND_INT, "int", "int", "int", 64, sizeof(int), CFZ_FAMILY_SIGNED},
        {CFZ_KIND_UINT8, "uint8", "uint8", "uint8_t", 8, sizeof(uint8_t), CFZ_FAMILY_UNSIGNED},
        {CFZ_KIND_UINT16, "uint16", "uint16", "uint16_t", 16, sizeof(uint16_t),
         CFZ_FAMILY_UNSIGNED},
        {CFZ_KIND_UINT32, "uint32", "uint32", "uint32_t", 32, sizeof(uint32_t),
         CFZ_FAMILY_UNSIGNED},
        {CFZ_KIND_UINT64, "uint64", "uint64", "uint64_t", 64, sizeof(uint64_t),
         CFZ_FAMILY_UNSIGNED},
        {CFZ_KIND_UINT, "uint", "uint", "unsigned", 64, sizeof(unsigned), CFZ_FAMILY_UNSIGNED},
        {CFZ_KIND_FLOAT32, "float32", "float32", "float", 32, sizeof(float), CFZ_FAMILY_FLOAT},
        {CFZ_KIND_FLOAT64, "float64", "float64", "double", 64, sizeof(double), CFZ_FAMILY_FLOAT},
    };

    (void)state;
    assert_int_equal(sizeof want / sizeof *want, CFZ_KIND_COUNT - 1);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        enum cfz_kind k = want[i].kind;

        assert_int_equal(k, i + 1);
        assert_string_equal(cfz_kind_name(k), want[i].name);
        assert_string_equal(cfz_kind_go_name(k), want[i].go);
        assert_string_equal(cfz_kind_row(k)->c_name, want[i].c_name);
        assert_int_equal(cfz_kind_family(k), want[i].family);
        assert_int_equal(cfz_kind_width(k), want[i].width);
        assert_int_equal(cfz_kind_c_width(k), 8 * want[i].c_size);
        assert_int_equal(cfz_kind_of_word(want[i].name, strlen(want[i].name)), k);
    }
    assert_string_equal(cfz_kind_row(CFZ_KIND_INT32)->char_name, "rune");
    assert_string_equal(cfz_kind_row(CFZ_KIND_UINT8)->char_name, "byte");
}

/* What has to hold for every kind, those to come included. */
static void test_rows(void **state)
{
    (void)state;
    for (size_t i = CFZ_KIND_NONE + 1; i < CFZ_KIND_COUNT; i++) {
        enum cfz_kind k = (enum cfz_kind)i;
        const struct cfz_kind_row *row = cfz_kind_row(k);
        size_t words = 0;

        assert_ptr_equal(row, &cfz_kinds[i]);
        assert_true(row->family > CFZ_FAMILY_NONE && row->family < CFZ_FAMILY_COUNT);
        assert_int_equal(row->width == 0, cfz_kind_is_slot(k));
        assert_true(row->width <= 64); /* as struct cfz_value holds it */
        assert_true(row->c_width >= 8 && row->c_width % 8 == 0 && row->c_width <= 64);
        assert_int_equal(cfz_kind_of_word(row->name, strlen(row->name)), k);
        assert_int_equal(cfz_kind_of_word(row->c_name, strlen(row->c_name)),
                         row->family == CFZ_FAMILY_BYTES ? CFZ_KIND_NONE : k);
        if (row->char_name)
            assert_int_equal(cfz_kind_of_word(row->char_name, strlen(row->char_name)), k);
        for (size_t j = 0; cfz_kind_word(j); j++) {
            const char *word = cfz_kind_word(j);

            words += strcmp(word, row->name) == 0;
            words += row->char_name && strcmp(word, row->char_name) == 0;
        }
        assert_int_equal(words, 1 + (row->char_name != NULL));

        for (int f = CFZ_FAMILY_NONE + 1; f < CFZ_FAMILY_COUNT; f++) {
            enum cfz_family family = (enum cfz_family)f;

            assert_int_equal(cfz_kind_is(k, family, 0), family == row->family);
            assert_int_equal(cfz_kind_is(k, family, 32), family == row->family && row->width == 32);
        }
        assert_int_equal(cfz_kind_is_slot(k),
                         row->family == CFZ_FAMILY_BYTES || row->family == CFZ_FAMILY_STRING);
        assert_int_equal(cfz_kind_is_signed(k), row->family == CFZ_FAMILY_SIGNED);
        assert_int_equal(cfz_kind_is_unsigned(k), row->family == CFZ_FAMILY_UNSIGNED);
        assert_int_equal(cfz_kind_is_float(k), row->family == CFZ_FAMILY_FLOAT);
    }
}

static void test_no_kind(void **state)
{
    static const enum cfz_kind none[] = {CFZ_KIND_NONE, CFZ_KIND_COUNT, (enum cfz_kind)99};

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_string_equal(cfz_kind_name(none[i]), "invalid");
        assert_int_equal(cfz_kind_family(none[i]), CFZ_FAMILY_NONE);
        assert_int_equal(cfz_kind_c_width(none[i]), 0);
        assert_false(cfz_kind_is_slot(none[i]));
        assert_false(cfz_kind_is_signed(none[i]));
    }
}

static void test_words(void **state)
{
    static const struct {
        const char *word;
        enum cfz_kind kind;
    } cases[] = {
        {"byte", CFZ_KIND_UINT8},
        {"rune", CFZ_KIND_INT32},
        {"[] byte", CFZ_KIND_BYTES},
        {" [ ]\tbyte ", CFZ_KIND_BYTES},
        {"int8_t", CFZ_KIND_INT8},
        {"uint16_t", CFZ_KIND_UINT16},
        {"int32_t", CFZ_KIND_INT32},
        {"uint64_t", CFZ_KIND_UINT64},
        {"size_t", CFZ_KIND_UINT64},
        {"ssize_t", CFZ_KIND_INT64},
        {"ptrdiff_t", CFZ_KIND_INT64},
        {"uintptr_t", CFZ_KIND_UINT64},
        {"float", CFZ_KIND_FLOAT32},
        {"double", CFZ_KIND_FLOAT64},
        {"_Bool", CFZ_KIND_BOOL},
        {"char", CHAR_MIN < 0 ? CFZ_KIND_INT8 : CFZ_KIND_UINT8},
        {"signed char", CFZ_KIND_INT8},
        {"char unsigned", CFZ_KIND_UINT8},
        {"short", CFZ_KIND_INT16},
        {"unsigned short int", CFZ_KIND_UINT16},
        {"int unsigned short", CFZ_KIND_UINT16},
        {"signed", CFZ_KIND_INT},
        {"unsigned", CFZ_KIND_UINT},
        {"unsigned  int", CFZ_KIND_UINT},
        {"const int", CFZ_KIND_INT},
        {"long", CFZ_KIND_INT64},
        {"long unsigned int", CFZ_KIND_UINT64},
        {"long long", CFZ_KIND_INT64},
        {"long int long unsigned", CFZ_KIND_UINT64},
        {"const char *", CFZ_KIND_STRING},
        {"char const*", CFZ_KIND_STRING},
        {"char*", CFZ_KIND_STRING},
        {"const char *const", CFZ_KIND_STRING},
        {"", CFZ_KIND_NONE},
        {" ", CFZ_KIND_NONE},
        {"const", CFZ_KIND_NONE},
        {"uint7", CFZ_KIND_NONE},
        {"Int", CFZ_KIND_NONE},
        {"int 8", CFZ_KIND_NONE},
        {"long double", CFZ_KIND_NONE},
        {"long long long", CFZ_KIND_NONE},
        {"short long", CFZ_KIND_NONE},
        {"signed unsigned", CFZ_KIND_NONE},
        {"unsigned unsigned", CFZ_KIND_NONE},
        {"int int", CFZ_KIND_NONE},
        {"char int", CFZ_KIND_NONE},
        {"unsigned size_t", CFZ_KIND_NONE},
        {"unsigned float", CFZ_KIND_NONE},
        {"int *", CFZ_KIND_NONE},
        {"char **", CFZ_KIND_NONE},
        {"* char", CFZ_KIND_NONE},
        {"unsigned char *", CFZ_KIND_NONE},
        {"void *", CFZ_KIND_NONE},
        {"[]int", CFZ_KIND_NONE},
        {"[3]byte", CFZ_KIND_NONE},
        {"byte[]", CFZ_KIND_NONE},
        {"[]", CFZ_KIND_NONE},
        {"struct x", CFZ_KIND_NONE},
        {"int\xff", CFZ_KIND_NONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (cfz_kind_of_word(cases[i].word, strlen(cases[i].word)) != cases[i].kind)
            fail_msg("%s: got %s", cases[i].word,
                     cfz_kind_name(cfz_kind_of_word(cases[i].word, strlen(cases[i].word))));
    assert_int_equal(cfz_kind_of_word("int8x", 4), CFZ_KIND_INT8); /* len counts */
}

static void test_lists(void **state)
{
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    size_t n;

    (void)state;
    assert_int_equal(cfz_types_parse("[]byte, int", kinds, &n, NULL), 0);
    assert_int_equal(n, 2);
    assert_int_equal(kinds[0], CFZ_KIND_BYTES);
    assert_int_equal(kinds[1], CFZ_KIND_INT);
    assert_int_equal(cfz_types_parse(" rune ,const char *,\n[]byte ", kinds, &n, NULL), 0);
    assert_int_equal(n, 3);
    assert_int_equal(kinds[0], CFZ_KIND_INT32);
    assert_int_equal(kinds[1], CFZ_KIND_STRING);
    assert_int_equal(kinds[2], CFZ_KIND_BYTES);
}

static void test_bad_lists(void **state)
{
    static const struct {
        const char *list, *error;
    } cases[] = {
        {"", "the list of types is empty"},
        {"  ", "the list of types is empty"},
        {"int, uint7", "type 2: uint7 is not a type of values"},
        {"int,", "type 2: nothing between the commas"},
        {",int", "type 1: nothing between the commas"},
        {"long  double , int", "type 1: long  double is not a type of values"},
    };
    enum cfz_kind kinds[CFZ_VALUES_MAX] = {CFZ_KIND_BOOL};
    char many[5 * (CFZ_VALUES_MAX + 1)] = "";
    size_t n = 77;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cfz_error err = CFZ_ERROR_INIT;

        assert_int_equal(cfz_types_parse(cases[i].list, kinds, &n, &err), -1);
        assert_int_equal(err.code, CFZ_EFORMAT);
        assert_string_equal(err.text, cases[i].error);
        assert_int_equal(n, 77);
        assert_int_equal(kinds[0], CFZ_KIND_BOOL);
    }
    for (int i = 0; i < CFZ_VALUES_MAX; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "%sint", i ? "," : "");
    assert_int_equal(cfz_types_parse(many, kinds, &n, NULL), 0);
    assert_int_equal(n, CFZ_VALUES_MAX);
    strcat(many, ",int");
    assert_int_equal(cfz_types_parse(many, kinds, &n, NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),   cmocka_unit_test(test_rows),
        cmocka_unit_test(test_no_kind), cmocka_unit_test(test_words),
        cmocka_unit_test(test_lists),   cmocka_unit_test(test_bad_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
