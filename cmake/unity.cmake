# Unity builds: the files of several folders are compiled together, because headers, and the templates that they make, take most of
# a file's compile time. HEADWAY_UNITY is on in the presets release, bench, asan and tsan. It is off in dev, which compiles each file
# separately, so that missing includes are found.
#
# A unit takes at most some 40 s, less than the slower file of the engine's instances (instances.cmake), so that many cores have
# enough of them. A folder that is not listed has a unit of its own. The loops of the slotted kernel stay apart, because the
# compiler's choices in them must not depend on other code.

option(HEADWAY_UNITY "compile the files of several folders together" OFF)
set(joined_folders
  "analysis catalogue cli commands config spec topology"
  "arbitration congestion engine kernel selection"
  "base io metrics observe"
  "cluster exports imports program_files traces"
  "compile compile/plan run"
  "metrics/tables papers view"
  "pictures remedies why"
  "programs queueing routing trace traffic"
  "tests/bench tests/cli tests/fuzz tests/golden tests/support"
  "tests/property tests/remedies tests/verdicts"
  "slotted tests/reference tests/relations")
set(files_per_unit 100)

# group_of(FILE GROUP): a folder's name, or the names of those that are joined with it
function(group_of file group)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  if(file MATCHES "/command_[a-z_]+\\.cpp$")
    set(folder src/headway/commands)
  endif()
  string(REGEX REPLACE "^src/headway/" "" folder ${folder})
  foreach(folders IN LISTS joined_folders)
    if(" ${folders} " MATCHES " ${folder} ")
      set(folder ${folders})
    endif()
  endforeach()
  string(MAKE_C_IDENTIFIER ${folder} folder)
  set(${group} ${folder} PARENT_SCOPE)
endfunction()

# join_files(TARGET FILE...)
function(join_files target)
  if(NOT HEADWAY_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(file IN LISTS ARGN)
    if(NOT file MATCHES "/headway/slotted/(run|stages)\\.cpp$")
      group_of(${file} group)
      list(APPEND groups ${group})
      list(APPEND files_${group} ${file})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    list(LENGTH files_${group} count)
    math(EXPR units "(${count} + ${files_per_unit} - 1) / ${files_per_unit}")
    set(index 0)
    foreach(file IN LISTS files_${group})
      math(EXPR unit "${index} * ${units} / ${count}")
      math(EXPR index "${index} + 1")
      set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${group}_${unit})
    endforeach()
  endforeach()
endfunction()
