/*
 * blocks_test.c - blocks and loops of functions as llvm-objdump writes them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stack/blocks.h"

/* Two loops, one behind the other; the first has a loop in it. */
static const char two_loops[] = "\n/p/x.test:\tfile format elf64-x86-64\n"
                                "\nDisassembly of section .text:\n"
                                "\n0000000000001000 <scan>:\n"
                                "    1000:      \tpushq\t%rbp\n"
                                "    1001:      \ttestb\t%al, %al\n"
                                "    1003:      \tje\t0x1020 <scan+0x20>\n"
                                "    1005:      \tcallq\t0x900 <skip@plt>\n"
                                "    100a:      \tincq\t%rcx\n"
                                "    100d:      \tjne\t0x100a <scan+0xa>\n"
                                "    100f:      \tjmp\t0x1001 <scan+0x1>\n"
                                "    1020:      \tcmpb\t$0x20, (%r15)\n"
                                "    1024:      \tje\t0x1020 <scan+0x20>\n"
                                "    1026:      \tretq\n";

/* As clang writes a switch in a loop: the jump through the table may lead to either case. */
static const char table[] = "    2000:      \txorl\t%eax, %eax\n"
                            "    2002:      \tmovslq\t(%rdx,%rcx,4), %rcx\n"
                            "    2006:      \tnotrack\t\t\tjmpq\t*%rcx\n"
                            "    2009:      \tincl\t%eax\n"
                            "    200b:      \tjmp\t0x2002 <f+0x2>\n"
                            "    200d:      \tdecl\t%eax\n"
                            "    200f:      \tjmp\t0x2002 <f+0x2>\n"
                            "    2011:      \tretq\n";

static const char arm[] = "    3000:      \tmov\tw8, #0x0\n"
                          "    3004:      \ttbz\tw0, #0x3, 0x3010 <f+0x10>\n"
                          "    3008:      \tadd\tw8, w8, #0x1\n"
                          "    300c:      \tb\t0x3004 <f+0x4>\n"
                          "    3010:      \tbl\t0x2000 <g>\n"
                          "    3014:      \tcbnz\tw0, 0x3010 <f+0x10>\n"
                          "    3018:      \tret\n";

static void check(const char *text, uint64_t at, uint64_t start, uint64_t loop)
{
    struct block b;

    assert_true(blocks_read(text, at, &b));
    assert_int_equal(b.start, start);
    assert_int_equal(b.loop, loop);
}

static void test_loops(void **state)
{
    (void)state;
    check(two_loops, 0x1000, 0x1000, 0);
    check(two_loops, 0x1001, 0x1001, 0x1001);
    check(two_loops, 0x1009, 0x1005, 0x1001); /* within an instruction */
    check(two_loops, 0x100d, 0x100a, 0x1001); /* of the outer loop, though there is one inside */
    check(two_loops, 0x1024, 0x1020, 0x1020);
    check(two_loops, 0x1026, 0x1026, 0);
}

static void test_table(void **state)
{
    (void)state;
    check(table, 0x2000, 0x2000, 0);
    check(table, 0x2009, 0x2009, 0x2002);
    check(table, 0x200d, 0x200d, 0x2002);
}

static void test_arm(void **state)
{
    (void)state;
    check(arm, 0x3008, 0x3008, 0x3004);
    check(arm, 0x3014, 0x3010, 0x3010);
    check(arm, 0x3018, 0x3018, 0);
}

static void test_nothing(void **state)
{
    struct block b;

    (void)state;
    assert_false(blocks_read("", 0x1000, &b));
    assert_false(blocks_read("no code\n  :\n", 0x1000, &b));
    assert_false(blocks_read(two_loops, 0xfff, &b));
    assert_false(blocks_find(NULL, "/p/x.test", 0x1000, 0x1027, 0x1000, &b));
    assert_false(
        blocks_find("/nowhere/llvm-symbolizer-19", "/p/x.test", 0x1000, 0x1027, 0x1001, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_arm),
        cmocka_unit_test(test_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
