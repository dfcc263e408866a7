# Installs what the build tree's bin, lib and include hold; the layout is the same, so that driver,
# CMake package and pkg-config file find the rest from where they are, under any prefix.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_SOURCE_DIR}/cmake/package)
set(package_files)
foreach(file cfuzzConfig CfuzzTargets CfuzzDiscover)
  configure_file(${package}/${file}.cmake ${CMAKE_BINARY_DIR}/lib/cmake/cfuzz/${file}.cmake COPYONLY)
  list(APPEND package_files ${package}/${file}.cmake)
endforeach()
# As long as the version begins with 0, its second number is for what does not fit any more.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/lib/cmake/cfuzz/cfuzzConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(${package}/cfuzz.pc.in ${CMAKE_BINARY_DIR}/lib/pkgconfig/cfuzz.pc @ONLY)

install(FILES include/cfuzz.h include/cfuzz_stub.h DESTINATION include)
install(FILES ${package_files} ${CMAKE_BINARY_DIR}/lib/cmake/cfuzz/cfuzzConfigVersion.cmake
  DESTINATION lib/cmake/cfuzz)
install(FILES ${CMAKE_BINARY_DIR}/lib/pkgconfig/cfuzz.pc DESTINATION lib/pkgconfig)
foreach(archive cfuzz cfuzz_main cfuzz_libfuzzer_main)
  if(TARGET ${archive})
    install(TARGETS ${archive} ARCHIVE DESTINATION lib/cfuzz)
  endif()
endforeach()
foreach(version IN LISTS CFUZZ_LLVM_VERSIONS)
  if(TARGET cfuzz-plugin-${version})
    install(TARGETS cfuzz-plugin-${version} LIBRARY DESTINATION lib/cfuzz)
  endif()
endforeach()
if(TARGET cfuzz-test)
  install(TARGETS cfuzz-test cfuzz-cc RUNTIME DESTINATION bin)
  install(FILES ${CMAKE_BINARY_DIR}/bin/cfuzz-c++ DESTINATION bin)
endif()
if(TARGET cfuzz-driver)
  install(TARGETS cfuzz-driver RUNTIME DESTINATION lib/cfuzz)
endif()

# Manual pages, completion, documents.
set(CFUZZ_ZSH_DIR share/zsh/site-functions CACHE STRING "where completion for zsh is installed")
file(CREATE_LINK cfuzz-cc.1 ${CMAKE_BINARY_DIR}/cfuzz-c++.1 SYMBOLIC)
install(FILES docs/cfuzz-test.1 docs/cfuzz-cc.1 ${CMAKE_BINARY_DIR}/cfuzz-c++.1
  DESTINATION share/man/man1)
install(FILES docs/cfuzz.3 DESTINATION share/man/man3)
install(FILES docs/cfuzz-corpus.5 DESTINATION share/man/man5)
install(FILES cmake/package/completion.bash DESTINATION share/bash-completion/completions
  RENAME cfuzz-test)
install(FILES cmake/package/completion.zsh DESTINATION ${CFUZZ_ZSH_DIR} RENAME _cfuzz-test)
configure_file(cmake/package/cppcheck.cfg ${CMAKE_BINARY_DIR}/share/cfuzz/cppcheck.cfg COPYONLY)
install(FILES cmake/package/cppcheck.cfg DESTINATION share/cfuzz)
