# Lists that code includes: one line HEADWAY_ENTRY(NAME) for every definition of a function of a kind, so that a new file needs
# no other change.

# list_definitions(LIST DEFINITION PATTERN...): in the files, DEFINITION matches the line of a definition, and \\1 is its NAME.
function(list_definitions list definition)
  file(GLOB files CONFIGURE_DEPENDS ${ARGN})
  list(FILTER files EXCLUDE REGEX "\\.(test|bench)\\.cpp$")
  set(lines "")
  foreach(file IN LISTS files)
    file(STRINGS ${file} found REGEX "^${definition}")
    foreach(line IN LISTS found)
      string(REGEX REPLACE "^${definition}.*" "\\1" name "${line}")
      string(APPEND lines "HEADWAY_ENTRY(${name})\n")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/lists/${list} CONTENT "${lines}")
endfunction()

list_definitions(tables.inc "TableKind ([a-z_]+)_table\\(\\)" src/headway/metrics/tables/*.cpp)
list_definitions(commands.inc "Command command_([a-z_]+)\\(\\)" src/headway/*/command_*.cpp)
list_definitions(program_files.inc "Entry<ProgramKind> ([a-z_]+)\\(\\)" src/headway/program_files/*.cpp)
list_definitions(foreign_traces.inc "Entry<TraceFormat> ([a-z_]+)\\(\\)" src/headway/traces/*.cpp)
list_definitions(kernels.inc "Entry<Kernel> ([a-z_]+)_kernel\\(\\)" src/headway/*/spec.cpp)
