# `cmake --install`: the library with its CMake package (find_package(headway), target headway::headway), the program,
# the papers' experiments, the man page and the shell completions. The component "program" is in the Debian package
# headway, "mpi" in headway-mpi (package.cmake). "program" is also in the Python wheel (python.cmake), whose man page and completions go
# where the environment has them.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/headway)
install(TARGETS headway EXPORT headwayTargets)
install(EXPORT headwayTargets NAMESPACE headway:: DESTINATION ${package_dir})
configure_package_config_file(cmake/headwayConfig.cmake.in headwayConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(headwayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/headwayConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/headwayConfigVersion.cmake
        DESTINATION ${package_dir})

# The public headers: headway.h and all headers that it includes, directly or indirectly.
function(install_with_includes header)
  set(waiting ${header})
  set(found "")
  while(waiting)
    list(POP_FRONT waiting next)
    if(next IN_LIST found)
      continue()
    endif()
    list(APPEND found ${next})
    file(STRINGS src/${next} includes REGEX "^#include \"headway/")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE ".*\"(.*)\".*" "\\1" include "${include}")
      list(APPEND waiting ${include})
    endforeach()
  endwhile()
  list(TRANSFORM found PREPEND src/)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${found})
  foreach(file IN LISTS found)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY src)
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
  endforeach()
endfunction()
install_with_includes(headway/headway.h)

if(TARGET headway_cli)
  install(TARGETS headway_cli COMPONENT program)
  set(share \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR})
  if(SKBUILD)
    set(share ${SKBUILD_DATA_DIR}/share)
  endif()
  # The program itself writes the man page and the completions, so they are never stale.
  function(install_printed directory file arguments)
    install(CODE "
      set(to \$ENV{DESTDIR}${share}/${directory})
      file(MAKE_DIRECTORY \${to})
      execute_process(COMMAND $<TARGET_FILE:headway_cli> ${arguments} OUTPUT_FILE \${to}/${file}
                      COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
  endfunction()
  install_printed(man/man1 headway.1 "help --man")
  install_printed(bash-completion/completions headway "completion bash")
  install_printed(zsh/site-functions _headway "completion zsh")
  install_printed(fish/vendor_completions.d headway.fish "completion fish")
  if(NOT SKBUILD)  # a wheel has it among its licence files
    install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
  endif()
  if(TARGET headway_mpi)
    install(TARGETS headway_mpi COMPONENT mpi)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/generated/headway-mpi.1 ".so man1/headway.1\n")  # it has the same commands
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/generated/headway-mpi.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT mpi)
    install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/headway-mpi COMPONENT mpi)
  endif()
  if(PROJECT_IS_TOP_LEVEL)
    include(cmake/package.cmake)
  endif()
endif()
install(DIRECTORY papers DESTINATION ${CMAKE_INSTALL_DATADIR}/headway COMPONENT program OPTIONAL)
