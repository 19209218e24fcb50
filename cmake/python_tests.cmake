# Tests of the Python package: one ctest for each file of python/tests. They run in the build tree, with Debian's packages.

set(python_environment PYTHONPATH=${python_dir} PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
    HEADWAY_SOURCE=${CMAKE_CURRENT_SOURCE_DIR})
if(TARGET headway_cli)
  list(APPEND python_environment HEADWAY_PROGRAM=$<TARGET_FILE:headway_cli>)
endif()
if(HEADWAY_SANITIZE MATCHES address)
  # The interpreter is built without the sanitizer and keeps some memory until it exits.
  set(libasan libasan.so)
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    set(libasan libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so)
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${libasan} OUTPUT_VARIABLE libasan
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.so OUTPUT_VARIABLE libstdcxx
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND python_environment "LD_PRELOAD=${libasan} ${libstdcxx}" ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc)
endif()

file(GLOB python_test_files CONFIGURE_DEPENDS python/tests/test_*.py)
if(HEADWAY_SANITIZE)
  list(FILTER python_test_files EXCLUDE REGEX "/test_types\\.py$")  # runs mypy, which no sanitizer checks
endif()
foreach(file IN LISTS python_test_files)
  cmake_path(GET file STEM name)
  string(REPLACE test_ "" name ${name})
  add_test(NAME Python.${name}
    COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${file}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/python/tests)
  set_tests_properties(Python.${name} PROPERTIES ENVIRONMENT "${python_environment}")
endforeach()
