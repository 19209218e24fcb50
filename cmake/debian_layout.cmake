# CPack runs this on the staged files. It compresses the man page and moves the zsh completion to where Debian's zsh
# looks.
file(GLOB share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share)
execute_process(COMMAND gzip -9n ${share}/man/man1/headway.1 COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
