# Writes a source file for every engine instance of instances.def: ${instance_sources}. Separate files compile in
# parallel, and the compiler's choices in one do not depend on the others.
set(instance_list ${CMAKE_CURRENT_SOURCE_DIR}/src/headway/engine/instances.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${instance_list})
file(STRINGS ${instance_list} instances REGEX "^HEADWAY_INSTANCE")
foreach(instance IN LISTS instances)
  if(NOT instance MATCHES "^HEADWAY_INSTANCE\\(([A-Za-z]+)\\)$")
    message(FATAL_ERROR "${instance_list}: cannot read '${instance}'; write HEADWAY_INSTANCE(kShape)")
  endif()
  set(instance_source ${CMAKE_CURRENT_BINARY_DIR}/generated/instances/${CMAKE_MATCH_1}.cpp)
  file(CONFIGURE OUTPUT ${instance_source} CONTENT "#include \"headway/engine/make_engine.h\"
template std::unique_ptr<headway::PartSimulation> headway::make_engine<headway::${CMAKE_MATCH_1}>(
    const headway::StateTables&, const headway::PartOfRun&, const headway::Workload&,
    const headway::SimulationOptions&);
")
  list(APPEND instance_sources ${instance_source})
endforeach()
# Compiling an instance takes 3 % longer, and wide switches, adaptive routing and lanes take 2 to 4 % fewer instructions.
set_source_files_properties(${instance_sources} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
