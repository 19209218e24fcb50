# Tests of the Python package: one ctest for each file of python/tests. They run in the build tree, with Debian's packages.

set(python_environment PYTHONPATH=${python_dir} PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
    HEADWAY_SOURCE=${CMAKE_CURRENT_SOURCE_DIR} ${preload})
if(TARGET headway_cli)
  list(APPEND python_environment HEADWAY_PROGRAM=$<TARGET_FILE:headway_cli>)
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
