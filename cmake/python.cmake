# The Python package headway: a module over the library (python/src), and the package around it (python/headway).
#
# It is built in two ways. `pip install .` builds it with scikit-build-core (pyproject.toml), for the interpreter that
# pip belongs to; SKBUILD is then set, and the package contains the program, too. The presets build it with Debian's interpreter, pybind11 and NumPy: the package
# is ${python_dir} in the build tree, where Python files are links and ctest runs the tests.

set(debian_python /usr/bin/python3)
if(NOT SKBUILD AND NOT DEFINED Python_EXECUTABLE AND EXISTS ${debian_python})
  set(Python_EXECUTABLE ${debian_python})
endif()
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 2.10 CONFIG REQUIRED)

file(GLOB python_sources CONFIGURE_DEPENDS python/src/*.cpp)
# NO_EXTRAS because pybind11's link-time optimisation would compile the library a second time.
pybind11_add_module(headway_python MODULE NO_EXTRAS ${python_sources})
set_target_properties(headway_python PROPERTIES OUTPUT_NAME _headway)
join_files(headway_python ${python_sources})
target_compile_options(headway_python PRIVATE ${light_optimisation})
target_link_libraries(headway_python PRIVATE headway fmt::fmt)

if(SKBUILD)
  # Paths are relative to the package (wheel.install-dir). The program is in it, beside its papers and the libraries that come
  # with the wheel; the command `headway` is a script that runs it.
  install(TARGETS headway_python DESTINATION . COMPONENT python)
  install(PROGRAMS python/command.py DESTINATION ${SKBUILD_SCRIPTS_DIR} RENAME headway COMPONENT python)
  return()
endif()

set(python_dir ${CMAKE_CURRENT_BINARY_DIR}/python)
set_target_properties(headway_python PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${python_dir}/headway)
file(GLOB package_files CONFIGURE_DEPENDS python/headway/*.py python/headway/*.pyi python/headway/py.typed)
file(REMOVE_RECURSE ${python_dir}/headway/__pycache__)
file(GLOB linked ${python_dir}/headway/*.py)
if(linked)
  file(REMOVE ${linked})
endif()
file(MAKE_DIRECTORY ${python_dir}/headway)
foreach(file IN LISTS package_files)
  cmake_path(GET file FILENAME name)
  file(CREATE_LINK ${file} ${python_dir}/headway/${name} SYMBOLIC)
endforeach()

if(HEADWAY_TESTS)
  include(cmake/python_tests.cmake)
endif()
