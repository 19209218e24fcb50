# The libraries that Headway uses. Targets link ${fmt} and ${zstd}; what consists of headers alone has no name here.
#
# The archives of a release have the headers of such libraries in libraries/ (tools/release/build.sh), also those of fmt, so a build
# from them needs only a compiler, zlib and zstd. A clone uses the packages of the system.

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_library(zstd_library zstd REQUIRED)
set(zstd zstd)
set(fmt fmt::fmt)
set(find_fmt "find_dependency(fmt)")  # of users of the library (headwayConfig.cmake.in)
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/libraries)
  include_directories(SYSTEM libraries)
  add_library(fmt_headers INTERFACE)
  target_compile_definitions(fmt_headers INTERFACE FMT_HEADER_ONLY=1)
  set(fmt $<BUILD_INTERFACE:fmt_headers>)
  set(find_fmt "")
else()
  find_package(fmt REQUIRED)
  find_path(protozero_headers protozero/pbf_reader.hpp REQUIRED)
endif()

if(HEADWAY_PORTABLE)
  set(zstd -l:libzstd.a)
  if(fmt STREQUAL fmt::fmt)
    set(fmt fmt::fmt-header-only)  # Debian has no static one
  endif()
endif()
