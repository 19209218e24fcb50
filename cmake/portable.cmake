# HEADWAY_PORTABLE: what runs on every Linux of this processor since 2018, without packages of it. Debian 12's packages make it.
#
# The program contains all its libraries, also the C library, so it needs only the kernel. The Python module has to use the C library
# of its interpreter: it contains all others, and old_glibc.cpp takes what it needs from glibc 2.28 or older. headway-mpi has to use
# an MPI of the system; it is made like the module. A release checks the versions (tools/release/build.sh).

option(HEADWAY_PORTABLE "make a program and a module that run on every Linux of this processor" OFF)
if(HEADWAY_PORTABLE)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    message(FATAL_ERROR "HEADWAY_PORTABLE is for Linux, with gcc")
  endif()
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set(ZLIB_USE_STATIC_LIBS ON)
endif()

# make_portable_program(TARGET)
function(make_portable_program target)
  if(HEADWAY_PORTABLE)
    target_link_options(${target} PRIVATE -static-pie)
  endif()
endfunction()

# make_portable_part(TARGET): what uses the C library and some other library of the system
function(make_portable_part target)
  if(HEADWAY_PORTABLE)
    if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
      message(FATAL_ERROR "old_glibc.cpp is for x86-64; with HEADWAY_PORTABLE, other processors have the program alone")
    endif()
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/old_glibc.cpp)
    target_link_options(${target} PRIVATE -static-libstdc++ LINKER:--as-needed)
  endif()
endfunction()

# make_portable_module(TARGET): of the copies of libraries in a module, other modules of the interpreter must see nothing.
function(make_portable_module target)
  if(HEADWAY_PORTABLE)
    make_portable_part(${target})
    set(exported ${CMAKE_CURRENT_BINARY_DIR}/generated/module.map)
    file(CONFIGURE OUTPUT ${exported} CONTENT "{ global: PyInit__headway; local: *; };\n")
    target_link_options(${target} PRIVATE LINKER:--version-script=${exported})
  endif()
endfunction()
