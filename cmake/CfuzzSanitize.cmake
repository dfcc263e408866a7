# cfuzz_sanitize(target) builds a target of ours, and links what uses it, with
# AddressSanitizer and UndefinedBehaviorSanitizer; every report is fatal.
set(CFUZZ_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all
  -fno-omit-frame-pointer)

function(cfuzz_sanitize target)
  target_compile_options(${target} PRIVATE ${CFUZZ_SANITIZE_FLAGS})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    target_link_options(${target} INTERFACE ${CFUZZ_SANITIZE_FLAGS})
  else()
    target_link_options(${target} PRIVATE ${CFUZZ_SANITIZE_FLAGS})
  endif()
endfunction()
