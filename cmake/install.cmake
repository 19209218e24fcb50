# `cmake --install`: the library with its CMake package (find_package(headway), target headway::headway), the program,
# the papers' experiments, the man page and the shell completions.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/headway)
install(TARGETS headway EXPORT headwayTargets)
install(EXPORT headwayTargets NAMESPACE headway:: DESTINATION ${package_dir})
configure_package_config_file(cmake/headwayConfig.cmake.in headwayConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(headwayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/headwayConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/headwayConfigVersion.cmake
        DESTINATION ${package_dir})
install(DIRECTORY src/headway DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN cli EXCLUDE)

if(TARGET headway_cli)
  install(TARGETS headway_cli)
endif()
install(DIRECTORY papers DESTINATION ${CMAKE_INSTALL_DATADIR}/headway OPTIONAL)
