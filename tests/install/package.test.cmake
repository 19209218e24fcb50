# Builds the Debian packages, checks their metadata, extracts them without root and runs the extracted programs. usage: cmake
# -D BUILD=build-dir -D CPACK=cpack -D VERSION=x.y.z -D MPI=headway-mpi-is-built -P package.test.cmake
cmake_minimum_required(VERSION 3.25)

set(scratch ${BUILD}/package-test)
file(REMOVE_RECURSE ${scratch})

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${BUILD} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output
                  ECHO_OUTPUT_VARIABLE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect pattern)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "no match of ${pattern} in: ${output}")
  endif()
endfunction()

run(${CPACK} -G DEB --config ${BUILD}/CPackConfig.cmake -B ${scratch})
file(GLOB packages ${scratch}/headway_${VERSION}_*.deb)
list(LENGTH packages count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "one package is expected, not: ${packages}")
endif()

run(dpkg-deb --field ${packages} Package Version Section Depends Maintainer Description)
expect("Package: headway\n")
expect("Version: ${VERSION}\n")
expect("Section: science\n")
expect("Depends: [^\n]*libc6 [^\n]*libfmt")
expect("Maintainer: The Headway authors\n")  # the project has no address
expect("Description: simulator of lossless interconnection networks\n")

set(prefix ${scratch}/root/usr)
run(dpkg-deb -x ${packages} ${scratch}/root)
foreach(file bin/headway share/doc/headway/changelog.gz share/doc/headway/copyright share/headway/papers/obqa/claims.toml share/man/man1/headway.1.gz
        share/bash-completion/completions/headway share/zsh/vendor-completions/_headway
        share/fish/vendor_completions.d/headway.fish)
  file(SIZE ${prefix}/${file} size)  # fails if it is missing
  if(size EQUAL 0)
    message(FATAL_ERROR "${file} is empty")
  endif()
endforeach()
foreach(folder include lib)
  if(EXISTS ${prefix}/${folder})
    message(FATAL_ERROR "the library is not a part of the package, but ${folder} is")
  endif()
endforeach()

set(headway ${prefix}/bin/headway)
run(${headway} --version)
expect("^headway ${VERSION} ")
set(spec ${scratch}/spec.toml)
file(WRITE ${spec} "[network]\nk = 2\nn = 2\n[traffic.flow]\nload = 0.2\n[measure]\nwarmup = \"5 us\"\nduration = \"200 us\"\n")
run(${headway} check ${spec})
run(${headway} run ${spec})
expect("\nok +0\\.[12]")

# The program uses the papers of the package, not those of the source: a removed paper is not found.
run(${headway} paper)
expect("(^|\n)dbbm ")
expect("(^|\n)obqa ")
file(REMOVE_RECURSE ${prefix}/share/headway/papers/dbbm)
run(${headway} paper)
if(output MATCHES "(^|\n)dbbm ")
  message(FATAL_ERROR "the papers are not those of the package")
endif()
expect("(^|\n)obqa ")

if(MPI)
  file(GLOB package ${scratch}/headway-mpi_${VERSION}_*.deb)
  run(dpkg-deb --field ${package} Package Version Depends Description)
  expect("Package: headway-mpi\n")
  expect("Depends: [^\n]*libopenmpi3")
  expect("headway \\(= ${VERSION}\\), openmpi-bin")
  expect("headway-mpi, which has the commands of headway")
  run(dpkg-deb -x ${package} ${scratch}/root)
  foreach(file share/doc/headway-mpi/changelog.gz share/doc/headway-mpi/copyright share/man/man1/headway-mpi.1.gz)
    file(SIZE ${prefix}/${file} size)
  endforeach()
  run(${prefix}/bin/headway-mpi --version)
  expect("^headway ${VERSION} ")
endif()
