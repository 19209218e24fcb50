# Installs Headway under a new prefix, checks for its parts, builds first_network against it, runs it and checks its
# output. usage: cmake -D BUILD=build-dir -D SOURCE=dir-of-this-file -D COMPILER=c++ -P install.test.cmake
cmake_minimum_required(VERSION 3.25)

set(scratch ${BUILD}/install-test)
file(REMOVE_RECURSE ${scratch})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output ECHO_OUTPUT_VARIABLE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${scratch}/prefix)
foreach(file bin/headway share/headway/papers/obqa/claims.toml share/man/man1/headway.1
        share/bash-completion/completions/headway share/zsh/site-functions/_headway
        share/fish/vendor_completions.d/headway.fish)
  file(SIZE ${scratch}/prefix/${file} size)  # fails if it is missing
  if(size EQUAL 0)
    message(FATAL_ERROR "${file} is empty")
  endif()
endforeach()

foreach(internal engine observe view cli congestion/isolation.h run/journal.h trace/byte_stream.h)
  if(EXISTS ${scratch}/prefix/include/headway/${internal})
    message(FATAL_ERROR "${internal} is internal, but it is installed")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${scratch}/build -G Ninja -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${scratch}/prefix)
run(${CMAKE_COMMAND} --build ${scratch}/build)
run(${scratch}/build/first_network)
if(NOT output MATCHES "^accepted load 0\\.(49|50)[0-9]\n$")
  message(FATAL_ERROR "a load of 0.5 should be accepted, but: ${output}")
endif()
