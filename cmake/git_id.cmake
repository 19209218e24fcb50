# Writes HEADER with the git id of SOURCE, and touches it only when its content changes. A source archive has no
# repository; `git archive` writes the commit into commit.txt beside this file (.gitattributes).
# usage: cmake -D SOURCE=dir -D HEADER=file -P git_id.cmake

cmake_minimum_required(VERSION 3.25)

set(git_id unknown)
find_program(git git)
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} describe --always --dirty --abbrev=12 --exclude=*
                  WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE described RESULT_VARIABLE failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(git_id ${described})
  endif()
else()
  file(READ ${CMAKE_CURRENT_LIST_DIR}/commit.txt archived)
  if(archived MATCHES "^[0-9a-f]+")
    string(SUBSTRING ${CMAKE_MATCH_0} 0 12 git_id)
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "inline constexpr char kGitId[] = \"${git_id}\";\n")
