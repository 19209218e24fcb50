# The version, the kind of build and the git id, compiled into base/version.cpp only.
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

set(build_text "${CMAKE_BUILD_TYPE} build for ${CMAKE_SYSTEM_NAME} on ${CMAKE_SYSTEM_PROCESSOR}")
if(HEADWAY_PORTABLE)
  string(APPEND build_text ", portable")
endif()
if(HEADWAY_SANITIZE)
  string(APPEND build_text ", under sanitizers")
endif()
list(LENGTH instances instance_count)
string(APPEND build_text ", ${instance_count} instances of the engine")

set_source_files_properties(src/headway/base/version.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${generated_dir}
  COMPILE_DEFINITIONS "HEADWAY_VERSION=\"${PROJECT_VERSION}\";HEADWAY_BUILD=\"${build_text}\"")
