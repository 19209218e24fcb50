# The page of `headway view`: esbuild makes one script of viewer/src. A generated source file contains the script, the
# style and the HTML as text (view/bundle.h).
find_program(esbuild esbuild)
if(NOT esbuild)
  message(FATAL_ERROR "esbuild is missing; it is the Debian package esbuild (apt-packages.txt)")
endif()
file(GLOB viewer_sources CONFIGURE_DEPENDS viewer/src/*.ts)
set(viewer_dir ${CMAKE_CURRENT_BINARY_DIR}/generated/viewer)
set(viewer_bundle ${viewer_dir}/bundle.cpp)
add_custom_command(OUTPUT ${viewer_bundle}
  COMMAND ${esbuild} ${CMAKE_CURRENT_SOURCE_DIR}/viewer/src/main.ts --bundle --minify --format=iife --target=es2020
          --charset=ascii --log-level=warning --outfile=${viewer_dir}/viewer.js
  COMMAND ${CMAKE_COMMAND} -D VIEWER=${CMAKE_CURRENT_SOURCE_DIR}/viewer -D SCRIPT=${viewer_dir}/viewer.js
          -D OUTPUT=${viewer_bundle} -P ${CMAKE_CURRENT_LIST_DIR}/viewer_bundle.cmake
  DEPENDS ${viewer_sources} viewer/page.html viewer/page.css viewer/tsconfig.json
          ${CMAKE_CURRENT_LIST_DIR}/viewer_bundle.cmake
  COMMENT "Bundling the page of headway view" VERBATIM)
target_sources(headway PRIVATE ${viewer_bundle})
