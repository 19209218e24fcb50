# `cpack -G DEB`: the program with its papers, man page and completions as a Debian package, and with HEADWAY_MPI a second
# package with headway-mpi. They do not contain the library; users of the library install it under a prefix (install.cmake).
#
# dpkg-shlibdeps finds the required packages, so the package fits the Debian release on which it is built. With HEADWAY_PORTABLE,
# the program needs none, and headway-mpi only an MPI, so the packages fit Debian 12, Ubuntu 22.04 and all newer ones.

set(CPACK_PACKAGE_NAME headway)
set(CPACK_PACKAGE_VENDOR "The Headway authors")
set(CPACK_PACKAGE_CONTACT ${CPACK_PACKAGE_VENDOR})  # `cpack -D CPACK_PACKAGE_CONTACT=...` sets the packager
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of lossless interconnection networks")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
"Headway simulates the networks inside clusters, supercomputers and storage
systems. It shows where head-of-line blocking comes from, which switch
organisation removes it, and what that costs. An experiment is one TOML file;
the results are a table, JSON, CSV or a picture. The package contains the
experiments of several papers.")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/package)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_COMPONENTS_GROUPING IGNORE)  # a package for each component

set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_layout.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(HEADWAY_PORTABLE)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
endif()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME headway)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS gnuplot-nox)  # draws the pictures
if(TARGET headway_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME headway-mpi)
  set(CPACK_DEBIAN_MPI_DESCRIPTION
"Processes on several machines simulate one network together: mpirun starts
headway-mpi, which has the commands of headway. The results have the same
bytes as those of one process.")
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "headway (= ${PROJECT_VERSION}), openmpi-bin")
  if(HEADWAY_PORTABLE)
    # The library of Open MPI has the same name and interface in all of these packages.
    string(APPEND CPACK_DEBIAN_MPI_PACKAGE_DEPENDS ", libopenmpi3 (>= 4.1) | libopenmpi3t64 | libopenmpi40, libgcc-s1, libc6 (>= 2.34)")
  endif()
endif()
include(CPack)
