# find_package(cfuzz CONFIG): fuzz tests in a CMake project. The package is used from where it lies,
# so that a prefix may be moved.
#
#     find_package(cfuzz CONFIG REQUIRED)
#     enable_testing()
#     cfuzz_add_test(parse_fuzz SOURCES parse.c LIBRARIES m)
#     cfuzz_discover_tests(parse_fuzz)
#
# Targets:
#
#     cfuzz::header      the directory of cfuzz.h, for the project's ordinary targets
#     cfuzz::cfuzz       the runtime, for what has a main of its own
#     cfuzz::main        the runtime and its main
#     cfuzz::cfuzz-test  the driver
#     cfuzz::cfuzz-cc    the compiler wrapper
cmake_policy(PUSH)
cmake_policy(VERSION 3.16...3.25)

get_filename_component(_cfuzz_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_cfuzz_lib "${_cfuzz_prefix}/lib/cfuzz")
set(_cfuzz_package "${CMAKE_CURRENT_LIST_DIR}")

foreach(_cfuzz_file IN ITEMS "${_cfuzz_prefix}/bin/cfuzz-test" "${_cfuzz_prefix}/bin/cfuzz-cc"
    "${_cfuzz_prefix}/include/cfuzz.h" "${_cfuzz_lib}/libcfuzz.a" "${_cfuzz_lib}/libcfuzz_main.a")
  if(NOT EXISTS "${_cfuzz_file}")
    set(cfuzz_FOUND FALSE)
    set(cfuzz_NOT_FOUND_MESSAGE "${_cfuzz_file}: there is no such file: install cfuzz again")
  endif()
endforeach()
unset(_cfuzz_file)
find_library(CFUZZ_FFI_LIBRARY ffi)
mark_as_advanced(CFUZZ_FFI_LIBRARY)
if(NOT CFUZZ_FFI_LIBRARY)
  set(cfuzz_FOUND FALSE)
  set(cfuzz_NOT_FOUND_MESSAGE "libffi was not found, which test executables are linked with (libffi-dev)")
endif()
find_package(Threads QUIET)
if(NOT Threads_FOUND)
  set(cfuzz_FOUND FALSE)
  set(cfuzz_NOT_FOUND_MESSAGE "no threads library was found")
endif()

if(NOT DEFINED cfuzz_FOUND OR cfuzz_FOUND)
  if(NOT TARGET cfuzz::cfuzz)
    add_library(cfuzz::header INTERFACE IMPORTED)
    set_target_properties(cfuzz::header PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${_cfuzz_prefix}/include")

    # Instrumented libraries that the program opens itself find the runtime by its exported symbols.
    add_library(cfuzz::cfuzz STATIC IMPORTED)
    set_target_properties(cfuzz::cfuzz PROPERTIES
      IMPORTED_LOCATION "${_cfuzz_lib}/libcfuzz.a"
      IMPORTED_LINK_INTERFACE_LANGUAGES C
      INTERFACE_LINK_LIBRARIES "cfuzz::header;${CFUZZ_FFI_LIBRARY};Threads::Threads;${CMAKE_DL_LIBS}"
      INTERFACE_LINK_OPTIONS
        "-Wl,--export-dynamic-symbol=cfuzz_*;-Wl,--export-dynamic-symbol=__sanitizer_cov_*")

    add_library(cfuzz::main STATIC IMPORTED)
    set_target_properties(cfuzz::main PROPERTIES
      IMPORTED_LOCATION "${_cfuzz_lib}/libcfuzz_main.a"
      IMPORTED_LINK_INTERFACE_LANGUAGES C
      INTERFACE_LINK_LIBRARIES cfuzz::cfuzz)

    foreach(_cfuzz_program IN ITEMS cfuzz-test cfuzz-cc)
      add_executable(cfuzz::${_cfuzz_program} IMPORTED)
      set_target_properties(cfuzz::${_cfuzz_program} PROPERTIES
        IMPORTED_LOCATION "${_cfuzz_prefix}/bin/${_cfuzz_program}")
    endforeach()
    unset(_cfuzz_program)
  endif()
  include("${CMAKE_CURRENT_LIST_DIR}/CfuzzTargets.cmake")
endif()
cmake_policy(POP)
