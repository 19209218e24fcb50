# CPack runs this on the staged files of all packages. It compresses the man pages, moves the zsh completion to where Debian's zsh
# looks, and writes the changelogs that Debian asks for. SOURCE_DATE_EPOCH sets their date.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(GLOB folders ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/doc/*)
foreach(doc IN LISTS folders)
  cmake_path(GET doc FILENAME package)
  set(share ${doc}/../..)
  if(EXISTS ${share}/zsh)
    file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
  endif()
  file(WRITE ${doc}/changelog "headway (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Headway ${CPACK_PACKAGE_VERSION}. CHANGELOG.md of the sources says what changed.

 -- ${CPACK_PACKAGE_CONTACT} <>  ${date}
")
  execute_process(COMMAND gzip -9n ${share}/man/man1/${package}.1 ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
endforeach()
