# Lists the seeds of a test executable as tests of CTest. Run after a build (cmake -P), and by CTest,
# which includes it; cfuzz_settings names the file that cfuzz_discover_tests wrote.
cmake_policy(PUSH)
cmake_policy(VERSION 3.16...3.25)

# Runs cfuzz-test -list=pattern. Status 1 is that of a setup part that failed: its test is still one.
function(_cfuzz_list pattern out)
  set(args)
  _cfuzz_words(args "${cfuzz_DISCOVERY_EXTRA_ARGS}")
  execute_process(COMMAND "${cfuzz_driver}" "-list=${pattern}" ${args} "${cfuzz_executable}"
    WORKING_DIRECTORY "${cfuzz_WORKING_DIRECTORY}"
    TIMEOUT ${cfuzz_DISCOVERY_TIMEOUT}
    OUTPUT_VARIABLE output ERROR_VARIABLE said RESULT_VARIABLE result)
  if(NOT result MATCHES "^[01]$")
    if(said STREQUAL "")
      set(said "${output}")
    endif()
    string(REPLACE "\n" "\n  " said "${said}")
    message(FATAL_ERROR "cfuzz_discover_tests(${cfuzz_target}): the fuzz tests of ${cfuzz_executable} "
      "cannot be listed (${result}):\n  ${said}")
  endif()
  set(${out} "${output}" PARENT_SCOPE)
endfunction()

# The words of "[==[a]==] [==[b;c]==]", as cfuzz_discover_tests writes them.
function(_cfuzz_words out words)
  set(list)
  while(words MATCHES "^ \\[==\\[(.*)$")
    set(rest "${CMAKE_MATCH_1}")
    string(FIND "${rest}" "]==]" end)
    string(SUBSTRING "${rest}" 0 ${end} word)
    math(EXPR end "${end} + 4")
    string(SUBSTRING "${rest}" ${end} -1 words)
    string(REPLACE ";" "\\;" word "${word}")
    list(APPEND list "${word}")
  endwhile()
  set(${out} "${list}" PARENT_SCOPE)
endfunction()

# The lines of text as a list. '[', ']', ';' and '\', which lists trip over, are held by other
# characters, of which cfuzz-test prints none.
function(_cfuzz_lines text out)
  foreach(code IN ITEMS 1 2 3 4)
    string(ASCII ${code} held_${code})
  endforeach()
  string(REPLACE "[" "${held_1}" text "${text}")
  string(REPLACE "]" "${held_2}" text "${text}")
  string(REPLACE ";" "${held_3}" text "${text}")
  string(REPLACE "\\" "${held_4}" text "${text}")
  string(REGEX REPLACE "\n$" "" text "${text}")
  string(REPLACE "\n" ";" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# A name as it was, with each of its brackets, semicolons and backslashes behind the text given.
function(_cfuzz_release name before backslash out)
  foreach(code IN ITEMS 1 2 3 4)
    string(ASCII ${code} held_${code})
  endforeach()
  string(REPLACE "${held_1}" "${before}[" name "${name}")
  string(REPLACE "${held_2}" "${before}]" name "${name}")
  string(REPLACE "${held_3}" ";" name "${name}")
  string(REPLACE "${held_4}" "${backslash}" name "${name}")
  set(${out} "${name}" PARENT_SCOPE)
endfunction()

# What testdata/corpus holds: when that changes, the seeds are listed again.
function(_cfuzz_corpus out)
  file(GLOB files RELATIVE "${cfuzz_WORKING_DIRECTORY}" "${cfuzz_WORKING_DIRECTORY}/testdata/corpus/*/*")
  string(SHA256 hash "${files}")
  set(${out} ${hash} PARENT_SCOPE)
endfunction()

# Writes the file of tests.
function(_cfuzz_discover)
  _cfuzz_corpus(corpus)
  _cfuzz_list("${cfuzz_TEST_FILTER}" output)
  _cfuzz_lines("${output}" found)
  set(seeds)
  if(NOT "${found}" STREQUAL "")
    _cfuzz_list("./." output)
    _cfuzz_lines("${output}" seeds)
  endif()
  set(names)
  foreach(name IN LISTS found)
    if(name MATCHES "/") # the filter asks for seeds
      list(APPEND names "${name}")
      continue()
    endif()
    set(own ${seeds})
    string(REPLACE "$" "\\$" quoted "${name}")
    list(FILTER own INCLUDE REGEX "^${quoted}/")
    if(own)
      list(APPEND names ${own})
    else()
      list(APPEND names "${name}")
    endif()
  endforeach()

  # Where the runs of names overlap, "X|X/seed", each is one test.
  list(REMOVE_DUPLICATES names)
  set(script "set(cfuzz_corpus_then ${corpus})\n")
  set(tests "")
  foreach(name IN LISTS names)
    # cfuzz-test shows a byte that cannot be printed as \x1b, which in a pattern stands for it.
    string(REGEX REPLACE "([.{}()*+?^$|])" "\\\\\\1" pattern "${name}")
    string(ASCII 4 backslash)
    string(REGEX REPLACE "${backslash}(x[0-9a-f][0-9a-f])" "\\\\\\1" pattern "${pattern}")
    _cfuzz_release("${pattern}" "\\" "\\\\" pattern)
    string(REGEX REPLACE "^([^/]*)/(.*)$" "^\\1$/^\\2$" pattern "${pattern}")
    if(NOT pattern MATCHES "/")
      set(pattern "^${pattern}$")
    endif()
    string(REGEX REPLACE "([.()*+?^$|])" "\\\\\\1" shown "${name}")
    _cfuzz_release("${shown}" "\\" "\\\\" shown)
    _cfuzz_release("${name}" "" "\\" plain)
    set(test "${cfuzz_TEST_PREFIX}${plain}${cfuzz_TEST_SUFFIX}")
    set(xml "")
    if(cfuzz_XML_OUTPUT_DIR)
      file(MAKE_DIRECTORY "${cfuzz_XML_OUTPUT_DIR}")
      string(REPLACE "/" "." file "${test}")
      set(xml " [====[-junit=${cfuzz_XML_OUTPUT_DIR}/${file}.xml]====]")
    endif()
    string(APPEND script "add_test([====[${test}]====] [====[${cfuzz_driver}]====] -v "
      "[====[-run=${pattern}]====]${xml}${cfuzz_EXTRA_ARGS} [====[${cfuzz_executable}]====])\n"
      "set_tests_properties([====[${test}]====] PROPERTIES "
      "WORKING_DIRECTORY [====[${cfuzz_WORKING_DIRECTORY}]====] "
      "SKIP_REGULAR_EXPRESSION [====[(^|\n) *--- SKIP: ${shown} \\(]====]${cfuzz_PROPERTIES})\n")
    string(APPEND tests " [====[${test}]====]")
  endforeach()
  string(APPEND script "set(${cfuzz_TEST_LIST}${tests})\n")
  # Renamed when it is whole.
  file(WRITE "${cfuzz_tests_file}.new" "${script}")
  file(RENAME "${cfuzz_tests_file}.new" "${cfuzz_tests_file}")
endfunction()

# (What follows depends on no policy. It may fail, with the policies as they were.)
cmake_policy(POP)

include("${cfuzz_settings}" OPTIONAL RESULT_VARIABLE cfuzz_configured)
if(CMAKE_SCRIPT_MODE_FILE)
  _cfuzz_discover()
elseif(NOT cfuzz_configured) # another configuration's
elseif(NOT EXISTS "${cfuzz_executable}")
  add_test(${cfuzz_target}_NOT_BUILT ${cfuzz_target}_NOT_BUILT)
else()
  set(cfuzz_corpus_then "")
  if(EXISTS "${cfuzz_tests_file}")
    file(STRINGS "${cfuzz_tests_file}" cfuzz_first LIMIT_COUNT 1)
    string(REGEX REPLACE "^set\\(cfuzz_corpus_then ([0-9a-f]*)\\)$" "\\1" cfuzz_corpus_then "${cfuzz_first}")
  endif()
  _cfuzz_corpus(cfuzz_corpus_now)
  if(NOT cfuzz_corpus_then STREQUAL cfuzz_corpus_now OR
      "${cfuzz_executable}" IS_NEWER_THAN "${cfuzz_tests_file}")
    _cfuzz_discover()
  endif()
  include("${cfuzz_tests_file}")
endif()
