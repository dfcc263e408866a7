# Warnings for our own code. Flags that only one of gcc and clang has are left out.
set(CFUZZ_C_WARNINGS
  -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
  -Wpointer-arith -Wshadow -Wundef -Wvla -Wwrite-strings -Wformat=2 -Wno-format-nonliteral
  -Wimplicit-fallthrough -Wnull-dereference)
set(CFUZZ_CXX_WARNINGS -Wall -Wextra)
if(CFUZZ_WERROR)
  list(APPEND CFUZZ_C_WARNINGS -Werror)
  list(APPEND CFUZZ_CXX_WARNINGS -Werror)
endif()
add_compile_options(
  "$<$<COMPILE_LANGUAGE:C>:${CFUZZ_C_WARNINGS}>"
  "$<$<COMPILE_LANGUAGE:CXX>:${CFUZZ_CXX_WARNINGS}>")
