/*
 *
 *
 *
 *
 */
CFUZZ_DICT("header");
CFUZZ_DICT("of a header");
