# Unity builds: up to 25 files of a folder, or 25 commands, are compiled together, because headers take most of a file's compile time.
# HEADWAY_UNITY is on in the presets release, bench, asan and tsan. It is off in dev, which compiles each file separately,
# so that missing includes are found.
#
# Groups follow folders, so that a new file does not change the groups of other folders. The groups of a folder are equally
# large. The slotted kernel stays apart, because the compiler's choices in it must not depend on other code; the instances of
# the engine have files of their own (instances.cmake).

option(HEADWAY_UNITY "compile the files of a folder together" OFF)
set(files_per_unit 25)

# join_files(TARGET FILE...)
function(join_files target)
  if(NOT HEADWAY_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file PARENT_PATH folder)
    if(folder MATCHES "/headway/slotted$")
      continue()
    endif()
    if(file MATCHES "/command_[a-z_]+\\.cpp$")  # most features have one or two
      set(folder ${CMAKE_CURRENT_SOURCE_DIR}/src/headway/commands)
    endif()
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    list(APPEND folders ${folder})
    list(APPEND files_${folder} ${file})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH files_${folder} count)
    math(EXPR units "(${count} + ${files_per_unit} - 1) / ${files_per_unit}")
    set(index 0)
    foreach(file IN LISTS files_${folder})
      math(EXPR unit "${index} * ${units} / ${count}")
      math(EXPR index "${index} + 1")
      set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${folder}_${unit})
    endforeach()
  endforeach()
endfunction()
