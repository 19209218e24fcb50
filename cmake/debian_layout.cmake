# CPack runs this on the staged files. It compresses the man page, moves the zsh completion to where Debian's zsh looks, and
# writes the changelog that Debian asks for. SOURCE_DATE_EPOCH sets its date.
file(GLOB share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share)
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${share}/doc/headway/changelog "headway (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Headway ${CPACK_PACKAGE_VERSION}. CHANGELOG.md of the sources says what changed.

 -- ${CPACK_PACKAGE_CONTACT} <>  ${date}
")
execute_process(COMMAND gzip -9n ${share}/man/man1/headway.1 ${share}/doc/headway/changelog COMMAND_ERROR_IS_FATAL ANY)
