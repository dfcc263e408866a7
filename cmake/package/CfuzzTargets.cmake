# cfuzz_add_test, cfuzz_instrument and cfuzz_discover_tests. Included by cfuzzConfig.cmake, which has
# set _cfuzz_lib and _cfuzz_package.
set_property(GLOBAL PROPERTY CFUZZ_LIB "${_cfuzz_lib}")
set_property(GLOBAL PROPERTY CFUZZ_PACKAGE "${_cfuzz_package}")

# The flags for one language of this project, as generator expressions: those of every test build, and
# of the compiler that compiles it.
function(_cfuzz_flags language kind out)
  get_property(lib GLOBAL PROPERTY CFUZZ_LIB)
  set(id "${CMAKE_${language}_COMPILER_ID}")
  string(REGEX REPLACE "\\..*" "" major "${CMAKE_${language}_COMPILER_VERSION}")
  set(plugin "${lib}/cfuzz-plugin-${major}.so")
  set(flags -DCFUZZ -g -fno-omit-frame-pointer)
  if(kind STREQUAL "test")
    # assert() is to check, and what has no build type is optimised as cfuzz-test does it.
    list(APPEND flags -UNDEBUG $<$<CONFIG:>:-O2>)
  endif()
  if(id STREQUAL "Clang" AND EXISTS "${plugin}")
    if(kind STREQUAL "test")
      set(main on)
    else()
      set(main off)
    endif()
    list(APPEND flags "-fplugin=${plugin}" "-fpass-plugin=${plugin}"
      -fplugin-arg-cfuzz-coverage=on -fplugin-arg-cfuzz-rename-main=${main})
  elseif(id STREQUAL "Clang" OR id STREQUAL "GNU")
    list(APPEND flags -DCFUZZ_TEST)
    if(kind STREQUAL "test")
      list(APPEND flags -Dmain=cfuzz_user_main)
    endif()
    if(id STREQUAL "GNU")
      list(APPEND flags -fno-lto -fsanitize-coverage=trace-pc,trace-cmp)
    else()
      list(APPEND flags -fsanitize-coverage=inline-8bit-counters,pc-table)
    endif()
    get_property(said GLOBAL PROPERTY CFUZZ_SAID_${language})
    if(NOT said)
      message(STATUS "cfuzz: no plugin for ${CMAKE_${language}_COMPILER} (${id} ${major}) in ${lib}: "
        "types of fuzz tests are not checked, and fuzzing is slower")
      set_property(GLOBAL PROPERTY CFUZZ_SAID_${language} TRUE)
    endif()
  else()
    message(FATAL_ERROR "cfuzz: ${CMAKE_${language}_COMPILER}: neither clang nor gcc (${id})")
  endif()
  set(wrapped)
  foreach(flag IN LISTS flags)
    list(APPEND wrapped "$<$<COMPILE_LANGUAGE:${language}>:${flag}>")
  endforeach()
  set(${out} "${wrapped}" PARENT_SCOPE)
endfunction()

function(_cfuzz_compile target kind)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(any FALSE)
  foreach(language IN ITEMS C CXX)
    if(language IN_LIST languages)
      _cfuzz_flags(${language} ${kind} flags)
      target_compile_options(${target} PRIVATE ${flags})
      set(any TRUE)
    endif()
  endforeach()
  if(NOT any)
    message(FATAL_ERROR "cfuzz: ${target}: the project has neither C nor C++ enabled")
  endif()
endfunction()

# cfuzz_add_test(name SOURCES source... [LIBRARIES library...] [SANITIZE asan|ubsan|msan|tsan...])
#
# Adds the test executable name of sources that hold fuzz tests and of what they test, all of which is
# instrumented. A main in them is set aside. LIBRARIES are linked as they are: cfuzz_instrument gives
# one of this project coverage. Further properties are set as for any target.
function(cfuzz_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;SANITIZE")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cfuzz_add_test(${name}): unknown argument: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "cfuzz_add_test(${name}): no SOURCES")
  endif()
  add_executable(${name} ${arg_SOURCES})
  _cfuzz_compile(${name} test)

  set(value_asan address)
  set(value_ubsan undefined)
  set(value_msan memory)
  set(value_tsan thread)
  set(sanitizers "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}")
  foreach(sanitizer IN LISTS arg_SANITIZE)
    if(NOT DEFINED value_${sanitizer})
      message(FATAL_ERROR
        "cfuzz_add_test(${name}): SANITIZE ${sanitizer}: it takes asan, ubsan, msan and tsan")
    endif()
    set(flag -fsanitize=${value_${sanitizer}})
    string(APPEND sanitizers " ${flag}")
    target_compile_options(${name} PRIVATE ${flag})
    target_link_options(${name} PRIVATE ${flag})
    if(sanitizer STREQUAL "ubsan") # by itself it reports and goes on: nothing would fail
      target_compile_options(${name} PRIVATE -fno-sanitize-recover=undefined)
    endif()
  endforeach()
  # A sanitizer's allocator tells of large allocations itself.
  if(NOT sanitizers MATCHES "-fsanitize=[^ ]*(address|memory|thread|leak)")
    target_link_options(${name} PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc)
  endif()
  # Calls of functions that compare text tell of it where the plugin does not see to that.
  if("${CMAKE_C_COMPILER_ID} ${CMAKE_CXX_COMPILER_ID}" MATCHES "GNU")
    set(string _ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE)
    foreach(function IN ITEMS memcmp bcmp strcmp strncmp strcasecmp strncasecmp strstr strcasestr memmem
        ${string}7compareEPKc ${string}7compareERKS4_ ${string}4findEPKcmm)
      target_link_options(${name} PRIVATE -Wl,--wrap=${function})
      if(NOT function MATCHES "^_Z") # taken out of libc.a, with -static
        target_link_options(${name} PRIVATE -Wl,-u,${function})
      endif()
    endforeach()
    if(sanitizers MATCHES "-fsanitize=") # which has empty callbacks for numbers
      target_link_options(${name} PRIVATE -Wl,-u,cfz_trace_cmp_linked)
    endif()
  endif()
  # Signals to processes of cfuzz are a failure of the test.
  target_link_options(${name} PRIVATE
    -Wl,--wrap=kill,--wrap=killpg,--wrap=sigqueue,--wrap=tgkill,-u,kill,-u,killpg,-u,sigqueue,-u,tgkill)
  # Our handlers take the place of SIG_DFL.
  target_link_options(${name} PRIVATE
    -Wl,--wrap=signal,--wrap=__sysv_signal,--wrap=sigaction,-u,signal,-u,__sysv_signal,-u,sigaction)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} cfuzz::main)
endfunction()

# cfuzz_instrument(target...)
#
# Compiles libraries of this project with coverage. What is linked with them gets cfuzz's runtime.
function(cfuzz_instrument)
  if(ARGC EQUAL 0)
    message(FATAL_ERROR "cfuzz_instrument(): no targets")
  endif()
  foreach(target IN LISTS ARGV)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "cfuzz_instrument(${target}): there is no such target")
    endif()
    _cfuzz_compile(${target} library)
    target_link_libraries(${target} PRIVATE cfuzz::header)
    target_link_libraries(${target} INTERFACE cfuzz::cfuzz)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(SHARED|MODULE)_LIBRARY$") # the runtime is the program's
      target_link_options(${target} PRIVATE -Wl,-z,undefs)
    endif()
  endforeach()
endfunction()

# cfuzz_discover_tests(target
#                      [EXTRA_ARGS arg...] [WORKING_DIRECTORY dir]
#                      [TEST_PREFIX prefix] [TEST_SUFFIX suffix] [TEST_FILTER pattern]
#                      [PROPERTIES name value...] [TEST_LIST var] [XML_OUTPUT_DIR dir]
#                      [DISCOVERY_TIMEOUT seconds] [DISCOVERY_EXTRA_ARGS arg...]
#                      [DISCOVERY_MODE POST_BUILD|PRE_TEST])
#
# Adds one test of CTest for each seed of each fuzz test in the executable target: "FuzzParse/seed#0",
# "FuzzParse/1f0c6c5b2a3d4e5f"; and for a fuzz test without seeds one called "FuzzParse". The keywords
# are those of gtest_discover_tests:
#
#   EXTRA_ARGS            flags of cfuzz-test for each test: -hangtimeout=1s
#   WORKING_DIRECTORY     the package directory, where the tests run and testdata/ is; by default that of
#                         the sources that the call is in
#   TEST_FILTER           which tests and seeds, a pattern as for -run
#   PROPERTIES            of each test
#   TEST_LIST             the variable with the names of the tests, in CTest; by default <target>_TESTS
#   XML_OUTPUT_DIR        each test writes its result there, as JUnit XML: FuzzParse.seed#0.xml
#   DISCOVERY_TIMEOUT     seconds to list the seeds, for which setup parts run; by default 30
#   DISCOVERY_EXTRA_ARGS  flags of cfuzz-test for that
#   DISCOVERY_MODE        POST_BUILD: when the executable was linked, and again in CTest if files of
#                         testdata/corpus came or went since; PRE_TEST: in CTest alone. By default
#                         CMAKE_CFUZZ_DISCOVER_TESTS_DISCOVERY_MODE, else POST_BUILD
#
# NO_PRETTY_TYPES and NO_PRETTY_VALUES are taken and change nothing.
function(cfuzz_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_PRETTY_TYPES;NO_PRETTY_VALUES"
    "WORKING_DIRECTORY;TEST_PREFIX;TEST_SUFFIX;TEST_FILTER;TEST_LIST;XML_OUTPUT_DIR;DISCOVERY_TIMEOUT;DISCOVERY_MODE"
    "EXTRA_ARGS;PROPERTIES;DISCOVERY_EXTRA_ARGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cfuzz_discover_tests(${target}): unknown argument: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "cfuzz_discover_tests(${target}): there is no such target")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "cfuzz_discover_tests(${target}): not an executable, but a ${type}")
  endif()
  if(NOT arg_WORKING_DIRECTORY)
    set(arg_WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  get_filename_component(arg_WORKING_DIRECTORY "${arg_WORKING_DIRECTORY}" ABSOLUTE
    BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  if(arg_XML_OUTPUT_DIR)
    get_filename_component(arg_XML_OUTPUT_DIR "${arg_XML_OUTPUT_DIR}" ABSOLUTE
      BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  if(NOT arg_TEST_LIST)
    set(arg_TEST_LIST ${target}_TESTS)
  endif()
  if(NOT arg_TEST_FILTER)
    set(arg_TEST_FILTER .)
  endif()
  if(NOT DEFINED arg_DISCOVERY_TIMEOUT)
    set(arg_DISCOVERY_TIMEOUT 30)
  endif()
  if(NOT arg_DISCOVERY_TIMEOUT MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "cfuzz_discover_tests(${target}): DISCOVERY_TIMEOUT "
      "${arg_DISCOVERY_TIMEOUT}: not a number of seconds")
  endif()
  if(NOT arg_DISCOVERY_MODE)
    set(arg_DISCOVERY_MODE "${CMAKE_CFUZZ_DISCOVER_TESTS_DISCOVERY_MODE}")
  endif()
  if(NOT arg_DISCOVERY_MODE)
    set(arg_DISCOVERY_MODE POST_BUILD)
  endif()
  if(NOT arg_DISCOVERY_MODE MATCHES "^(POST_BUILD|PRE_TEST)$")
    message(FATAL_ERROR "cfuzz_discover_tests(${target}): DISCOVERY_MODE ${arg_DISCOVERY_MODE}: "
      "neither POST_BUILD nor PRE_TEST")
  endif()

  # A target may be named several times, with other arguments.
  get_property(times TARGET ${target} PROPERTY CFUZZ_DISCOVERIES)
  math(EXPR times "0${times} + 1")
  set_property(TARGET ${target} PROPERTY CFUZZ_DISCOVERIES ${times})
  set(base "${CMAKE_CURRENT_BINARY_DIR}/${target}-${times}.cfuzz")
  get_property(multi GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  set(config "")
  if(multi)
    set(config "-$<CONFIG>")
  endif()

  # What CfuzzDiscover.cmake has to know, as the arguments of commands: lists stay what they are.
  set(text "set(cfuzz_target [==[${target}]==])\n")
  string(APPEND text "set(cfuzz_executable [==[$<TARGET_FILE:${target}>]==])\n")
  string(APPEND text "set(cfuzz_driver [==[$<TARGET_FILE:cfuzz::cfuzz-test>]==])\n")
  string(APPEND text "set(cfuzz_tests_file [==[${base}${config}-tests.cmake]==])\n")
  foreach(name IN ITEMS WORKING_DIRECTORY TEST_PREFIX TEST_SUFFIX TEST_FILTER TEST_LIST
      XML_OUTPUT_DIR DISCOVERY_TIMEOUT)
    string(APPEND text "set(cfuzz_${name} [==[${arg_${name}}]==])\n")
  endforeach()
  foreach(name IN ITEMS EXTRA_ARGS PROPERTIES DISCOVERY_EXTRA_ARGS)
    set(words "")
    foreach(word IN LISTS arg_${name})
      string(APPEND words " [==[${word}]==]")
    endforeach()
    string(APPEND text "set(cfuzz_${name} [====[${words}]====])\n")
  endforeach()
  file(GENERATE OUTPUT "${base}${config}.cmake" CONTENT "${text}")

  get_property(package GLOBAL PROPERTY CFUZZ_PACKAGE)
  if(arg_DISCOVERY_MODE STREQUAL "POST_BUILD")
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -D "cfuzz_settings=${base}${config}.cmake"
        -P "${package}/CfuzzDiscover.cmake"
      BYPRODUCTS "${base}${config}-tests.cmake"
      VERBATIM)
  endif()
  if(multi)
    set(config "-\${CTEST_CONFIGURATION_TYPE}")
  endif()
  file(WRITE "${base}-include.cmake"
    "set(cfuzz_settings \"${base}${config}.cmake\")\ninclude([==[${package}/CfuzzDiscover.cmake]==])\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${base}-include.cmake")
endfunction()
