# Lists the tables of results for metrics/tables.cpp: one for every file of metrics/tables/, which defines the function
# FILE_table(). A new table needs no other change.
file(GLOB table_files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/src/headway/metrics/tables
     src/headway/metrics/tables/*.cpp)
list(FILTER table_files EXCLUDE REGEX "\\.test\\.cpp$")
set(table_list "")
foreach(file IN LISTS table_files)
  cmake_path(GET file STEM table)
  string(APPEND table_list "HEADWAY_TABLE(${table})\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/tables/table_list.inc CONTENT "${table_list}")
