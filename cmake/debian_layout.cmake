# CPack runs this on the staged files: the man page is compressed, and the completion for zsh is where Debian's zsh looks.
file(GLOB share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share)
execute_process(COMMAND gzip -9n ${share}/man/man1/headway.1 COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
