# One test program: the unit tests beside the code and everything in tests/ that crosses files.

find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

file(GLOB_RECURSE cross_test_sources CONFIGURE_DEPENDS tests/*.cpp)
list(FILTER cross_test_sources EXCLUDE REGEX "/tests/install/|_fuzzer\\.cpp$")

set(HEADWAY_TEST_FILES "" CACHE STRING "paths of the test files to build, as a regular expression; empty: all")
if(HEADWAY_TEST_FILES)
  set(left_out ${test_sources} ${cross_test_sources})
  list(FILTER left_out INCLUDE REGEX "\\.test\\.cpp$")
  list(FILTER left_out EXCLUDE REGEX "${HEADWAY_TEST_FILES}")
  list(REMOVE_ITEM test_sources ${left_out})
  list(REMOVE_ITEM cross_test_sources ${left_out})
endif()

# The code that several tests share, such as the naive simulators.
set(support_sources ${cross_test_sources})
list(FILTER support_sources EXCLUDE REGEX "\\.test\\.cpp$")
list(FILTER cross_test_sources INCLUDE REGEX "\\.test\\.cpp$")
add_library(headway_test_support STATIC ${support_sources})
join_files(headway_test_support ${support_sources})
target_compile_options(headway_test_support PRIVATE ${light_optimisation} -Wno-dangling-else)
target_include_directories(headway_test_support PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/generated)
target_link_libraries(headway_test_support PUBLIC headway ${fmt} ZLIB::ZLIB ${zstd} rapidcheck GTest::gmock GTest::gtest)

add_executable(headway_tests ${test_sources} ${cross_test_sources})
join_files(headway_tests ${test_sources} ${cross_test_sources})
target_compile_options(headway_tests PRIVATE ${light_optimisation} -Wno-dangling-else)  # `if (...) EXPECT_...` is intended
if(HEADWAY_SANITIZE)
  # Without optimisation, clang compiles the tests in 40 % of the time. The library and the shared code stay optimised.
  # The linker keeps the first copy of an inline function, so the library comes before the tests.
  target_compile_options(headway_tests PRIVATE -O0)
  target_link_options(headway_tests PRIVATE LINKER:--whole-archive $<TARGET_FILE:headway> LINKER:--no-whole-archive)
endif()
target_link_libraries(headway_tests PRIVATE headway_test_support GTest::gtest_main)
if(TARGET headway_commands)
  target_link_libraries(headway_tests PRIVATE headway_commands)
  add_dependencies(headway_tests headway_cli headway_speed)
  set(program $<TARGET_FILE:headway_cli>)
endif()

# Tests that read the repository's files or run the program include this header for the paths.
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/test_paths.h CONTENT
"#pragma once
inline constexpr char kSourceDir[] = \"${CMAKE_CURRENT_SOURCE_DIR}\";
inline constexpr char kProgram[] = \"${program}\";
")

gtest_discover_tests(headway_tests DISCOVERY_TIMEOUT 60)

# Type check and browser test of the page of `headway view`. The page is the same in every build.
if(TARGET headway_cli AND NOT HEADWAY_SANITIZE)
  find_program(tsc tsc)
  if(NOT tsc)
    set(tsc tsc-of-the-Debian-package-node-typescript)
  endif()
  add_test(NAME Viewer.KeepsToItsTypes COMMAND ${tsc} --project ${CMAKE_CURRENT_SOURCE_DIR}/src/headway/view/viewer)
  add_test(NAME Viewer.WorksInABrowser
    COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/tests/browser/view_page.py $<TARGET_FILE:headway_cli>)
  add_test(NAME Bench.PeersAreConfiguredAndRead
    COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/tests/bench/peers.py $<TARGET_FILE:headway_cli>)
  add_test(NAME Schema.FitsSpecsAndRefusesMistakes
    COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/tests/schema/spec_schema.py $<TARGET_FILE:headway_cli>)
endif()

# The README and the pages of docs/ show what their commands print.
if(TARGET headway_cli)
  add_test(NAME Documents.Pages
    COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/tests/documents/pages.py $<TARGET_FILE:headway_cli>)
  file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} docs/*.md)
  foreach(page IN LISTS pages ITEMS README.md)
    file(STRINGS ${page} blocks REGEX "^```console")
    if(blocks)
      string(MAKE_C_IDENTIFIER ${page} name)
      add_test(NAME Documents.${name}
        COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/tools/recording.py --check $<TARGET_FILE_DIR:headway_cli>
                ${CMAKE_CURRENT_SOURCE_DIR}/${page})
    endif()
  endforeach()
endif()

# libFuzzer targets, with clang only; the library is compiled with their coverage instrumentation.
if(HEADWAY_FUZZ)
  target_compile_options(headway PRIVATE -fsanitize=fuzzer-no-link)
  target_compile_options(headway_light PRIVATE -fsanitize=fuzzer-no-link)
  foreach(fuzzer spec_fuzzer trace_fuzzer program_fuzzer)
    add_executable(${fuzzer} tests/fuzz/${fuzzer}.cpp tests/fuzz/spec_fuzz.cpp)
    target_include_directories(${fuzzer} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_compile_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
    target_link_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(${fuzzer} PRIVATE headway ${fmt})
  endforeach()
endif()

# What a release says of itself: the same version everywhere, and a complete list of licences.
add_test(NAME Release.VersionsAgree
  COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/tests/release/versions.py ${PROJECT_VERSION})
if(TARGET headway_cli AND TARGET headway_python AND NOT HEADWAY_SANITIZE)
  add_test(NAME Release.LicencesCoverWhatIsInside
    COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/tests/release/licences.py $<TARGET_FILE:headway_cli>
            $<TARGET_FILE:headway_python>)
endif()

# Test of the installed package. Not with sanitizers, which would have to be linked into the user's program.
if(NOT HEADWAY_SANITIZE)
  add_test(NAME Install.ProgramOutsideTheTreeBuildsAndRuns
    COMMAND ${CMAKE_COMMAND} -D BUILD=${CMAKE_CURRENT_BINARY_DIR} -D COMPILER=${CMAKE_CXX_COMPILER}
            -D SOURCE=${CMAKE_CURRENT_SOURCE_DIR}/tests/install
            -P ${CMAKE_CURRENT_SOURCE_DIR}/tests/install/install.test.cmake)

  # Test of the Debian package, if its tools are installed.
  find_program(dpkg_shlibdeps dpkg-shlibdeps)
  if(TARGET headway_cli AND PROJECT_IS_TOP_LEVEL AND dpkg_shlibdeps)
    add_test(NAME Install.DebianPackageRunsWhereItIsExtracted
      COMMAND ${CMAKE_COMMAND} -D BUILD=${CMAKE_CURRENT_BINARY_DIR} -D CPACK=${CMAKE_CPACK_COMMAND}
              -D VERSION=${PROJECT_VERSION} -D MPI=$<TARGET_EXISTS:headway_mpi>
              -P ${CMAKE_CURRENT_SOURCE_DIR}/tests/install/package.test.cmake)
  endif()
endif()
