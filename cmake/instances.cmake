# Writes source files with the engine instances of instances.def: ${instance_sources}. Seven instances share a file, which takes
# less than half of the time of seven files. The compiler's choices in one instance must not depend on the others, so no file reaches the
# size from which gcc inlines less.
set(instance_list ${CMAKE_CURRENT_SOURCE_DIR}/src/headway/engine/instances.def)
set(instances_per_unit 7)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${instance_list})
file(STRINGS ${instance_list} instances REGEX "^HEADWAY_INSTANCE")
list(LENGTH instances count)
math(EXPR units "(${count} + ${instances_per_unit} - 1) / ${instances_per_unit}")
set(index 0)
foreach(instance IN LISTS instances)
  if(NOT instance MATCHES "^HEADWAY_INSTANCE\\(([A-Za-z]+)\\)$")
    message(FATAL_ERROR "${instance_list}: cannot read '${instance}'; write HEADWAY_INSTANCE(kShape)")
  endif()
  math(EXPR unit "${index} * ${units} / ${count}")
  math(EXPR index "${index} + 1")
  string(APPEND unit_${unit} "template std::unique_ptr<headway::PartSimulation> headway::make_engine<headway::${CMAKE_MATCH_1}>(
    const headway::StateTables&, const headway::PartOfRun&, const headway::Workload&,
    const headway::SimulationOptions&);
")
endforeach()
math(EXPR last "${units} - 1")
foreach(unit RANGE ${last})
  set(instance_source ${CMAKE_CURRENT_BINARY_DIR}/generated/instances/${unit}.cpp)
  file(CONFIGURE OUTPUT ${instance_source} CONTENT "#include \"headway/engine/make_engine.h\"\n${unit_${unit}}")
  list(APPEND instance_sources ${instance_source})
endforeach()
# -O3 takes 3 % longer, and wide switches, adaptive routing and lanes take 2 to 4 % fewer instructions.
set_source_files_properties(${instance_sources} PROPERTIES COMPILE_OPTIONS
  "$<$<CONFIG:Release>:-O3>;$<$<CXX_COMPILER_ID:GNU>:--param=large-unit-insns=1000000>")
