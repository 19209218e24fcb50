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

# The public headers are a list. A header of it that includes one that is not on it widens what users can depend on, so it is
# refused; so is a header on the list that headway.h does not need.
set(public_list ${CMAKE_CURRENT_LIST_DIR}/public_headers.txt)
file(STRINGS ${public_list} public_headers REGEX "^headway/")
set(needed headway/headway.h)
set(mistakes "")
foreach(header IN LISTS public_headers)
  file(STRINGS src/${header} includes REGEX "^#include \"headway/")
  list(TRANSFORM includes REPLACE "^#include \"(.*)\".*" "\\1")
  list(APPEND needed ${includes})
  list(REMOVE_ITEM includes ${public_headers})
  foreach(include IN LISTS includes)
    string(APPEND mistakes "\n  ${header} includes ${include}, which is not on the list")
  endforeach()
endforeach()
set(unneeded ${public_headers})
list(REMOVE_ITEM unneeded ${needed})
foreach(header IN LISTS unneeded)
  string(APPEND mistakes "\n  no header on the list includes ${header}")
endforeach()
if(mistakes)
  message(FATAL_ERROR "public headers (cmake/public_headers.txt):${mistakes}")
endif()
list(TRANSFORM public_headers PREPEND src/ OUTPUT_VARIABLE public_files)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${public_list} ${public_files})
foreach(header IN LISTS public_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

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
