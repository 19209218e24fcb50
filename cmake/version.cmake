# The version and the git id, compiled into base/version.cpp only.
#
# Every build queries the git id, but rewrites its header only if the id changed, so a build after a commit recompiles
# one file. In a source archive, the id is the archive's commit. Without either, the id is "unknown".

set(generated_dir ${CMAKE_CURRENT_BINARY_DIR}/generated)
set(git_id_header ${generated_dir}/git_id.h)

add_custom_target(headway_git_id
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${CMAKE_CURRENT_SOURCE_DIR} -D HEADER=${git_id_header}
          -P ${CMAKE_CURRENT_LIST_DIR}/git_id.cmake
  BYPRODUCTS ${git_id_header}
  COMMENT "Asking for the git id")
add_dependencies(headway headway_git_id)

set_source_files_properties(src/headway/base/version.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${generated_dir}
  COMPILE_DEFINITIONS "HEADWAY_VERSION=\"${PROJECT_VERSION}\"")
