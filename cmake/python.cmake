# The Python package headway: a module over the library (python/src), and the package around it (python/headway).
#
# It is built in two ways. `pip install .` builds it with scikit-build-core (pyproject.toml), for the interpreter that
# pip belongs to; SKBUILD is then set, and the package contains the program, too. The presets build it with Debian's interpreter, pybind11 and NumPy: the package
# is ${python_dir} in the build tree, where Python files are links and ctest runs the tests.

set(debian_python /usr/bin/python3)
if(NOT SKBUILD AND NOT DEFINED Python_EXECUTABLE AND EXISTS ${debian_python})
  set(Python_EXECUTABLE ${debian_python})
endif()
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 2.10 CONFIG REQUIRED)

file(GLOB python_sources CONFIGURE_DEPENDS python/src/*.cpp)
function(bind_library module)
  set_target_properties(${module} PROPERTIES OUTPUT_NAME _headway)
  join_files(${module} ${python_sources})
  target_compile_options(${module} PRIVATE ${light_optimisation})
  target_link_libraries(${module} PRIVATE headway ${fmt})
  make_portable_module(${module})
endfunction()
# NO_EXTRAS because pybind11's link-time optimisation would compile the library a second time.
pybind11_add_module(headway_python MODULE NO_EXTRAS ${python_sources})
bind_library(headway_python)

# A release has the module for other versions of Python, too. The headers of a version are enough: Debian's layout in a folder
# python3.N, with python3.N and the folder of the processor in it.
set(HEADWAY_PYTHON_HEADERS "" CACHE STRING "folders of headers of other versions of Python, for the target headway_modules")
add_custom_target(headway_modules)
foreach(headers IN LISTS HEADWAY_PYTHON_HEADERS)
  cmake_path(GET headers FILENAME name)
  string(REGEX REPLACE "^python3\\.([0-9]+)$" "cpython-3\\1" tag ${name})
  set(module headway_${tag})
  add_library(${module} MODULE ${python_sources})
  bind_library(${module})
  target_include_directories(${module} SYSTEM PRIVATE ${headers}/${name} ${headers} ${pybind11_INCLUDE_DIRS})
  set_target_properties(${module} PROPERTIES PREFIX "" SUFFIX .${tag}-${CMAKE_LIBRARY_ARCHITECTURE}.so CXX_VISIBILITY_PRESET hidden
                                             LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/modules)
  add_dependencies(headway_modules ${module})
endforeach()

# The module names its keys and metrics; their Python types and properties are written from it.
set(preload "")
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
  set(preload "LD_PRELOAD=${libasan} ${libstdcxx}" ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc)
endif()
set(python_dir ${CMAKE_CURRENT_BINARY_DIR}/python)
set(python_names ${CMAKE_CURRENT_SOURCE_DIR}/tools/python_names.py)
set(generated_names ${python_dir}/headway/_generated.py)
set_target_properties(headway_python PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${python_dir}/headway LINK_DEPENDS ${python_names})
add_custom_command(TARGET headway_python POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E env ${preload} ${Python_EXECUTABLE} ${python_names} ${python_dir}/headway ${generated_names}
  COMMENT "Writing the keys and metrics of the Python package" VERBATIM)

if(SKBUILD)
  # Paths are relative to the package (wheel.install-dir). The program is in it, beside its papers and the libraries that come
  # with the wheel; the command `headway` is a script that runs it.
  install(TARGETS headway_python DESTINATION . COMPONENT python)
  install(FILES ${generated_names} DESTINATION . COMPONENT python)
  install(PROGRAMS python/command.py DESTINATION ${SKBUILD_SCRIPTS_DIR} RENAME headway COMPONENT python)
  return()
endif()

file(GLOB package_files CONFIGURE_DEPENDS python/headway/*.py python/headway/*.pyi python/headway/py.typed)
file(REMOVE_RECURSE ${python_dir}/headway/__pycache__)
file(GLOB linked ${python_dir}/headway/*.py)
foreach(file IN LISTS linked)
  if(IS_SYMLINK ${file})
    file(REMOVE ${file})
  endif()
endforeach()
file(MAKE_DIRECTORY ${python_dir}/headway)
foreach(file IN LISTS package_files)
  cmake_path(GET file FILENAME name)
  file(CREATE_LINK ${file} ${python_dir}/headway/${name} SYMBOLIC)
endforeach()

if(HEADWAY_TESTS)
  include(cmake/python_tests.cmake)
endif()
