# The page of `headway view`: one script of view/viewer/src. A generated source file contains the script, the style and the HTML
# as text (view/bundle.h). esbuild makes the script; a source archive contains it as view/viewer/viewer.js, so that building from
# an archive needs no esbuild.
set(viewer_dir ${CMAKE_CURRENT_BINARY_DIR}/generated/viewer)
set(viewer_script ${CMAKE_CURRENT_SOURCE_DIR}/src/headway/view/viewer/viewer.js)
if(NOT EXISTS ${viewer_script})
  find_program(esbuild esbuild)
  if(NOT esbuild)
    message(FATAL_ERROR "esbuild is missing; it is the Debian package esbuild (apt-packages.txt)")
  endif()
  file(GLOB viewer_sources CONFIGURE_DEPENDS src/headway/view/viewer/src/*.ts)
  set(viewer_script ${viewer_dir}/viewer.js)
  add_custom_command(OUTPUT ${viewer_script}
    COMMAND ${esbuild} ${CMAKE_CURRENT_SOURCE_DIR}/src/headway/view/viewer/src/main.ts --bundle --minify --format=iife --target=es2020
            --charset=ascii --log-level=warning --outfile=${viewer_script}
    DEPENDS ${viewer_sources} src/headway/view/viewer/tsconfig.json
    COMMENT "Bundling the script of headway view" VERBATIM)
  add_custom_target(headway_viewer_script DEPENDS ${viewer_script})  # without the library, for source archives
endif()
set(viewer_bundle ${viewer_dir}/bundle.cpp)
add_custom_command(OUTPUT ${viewer_bundle}
  COMMAND ${CMAKE_COMMAND} -D VIEWER=${CMAKE_CURRENT_SOURCE_DIR}/src/headway/view/viewer -D SCRIPT=${viewer_script}
          -D OUTPUT=${viewer_bundle} -P ${CMAKE_CURRENT_LIST_DIR}/viewer_bundle.cmake
  DEPENDS ${viewer_script} src/headway/view/viewer/page.html src/headway/view/viewer/page.css ${CMAKE_CURRENT_LIST_DIR}/viewer_bundle.cmake
  COMMENT "Writing the page of headway view as source" VERBATIM)
target_sources(headway PRIVATE ${viewer_bundle})
