// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headway::test {

// A script for ShellTest::shell that runs a command on a terminal of its own, of so many columns, and prints
// what the terminal shows in the end: a line of progress disappears. The exit code is that of the command.
inline std::string on_terminal(const std::string& command, std::size_t columns) {
  return "cat >command.sh <<'END_OF_COMMAND'\n" + command +
         "\nEND_OF_COMMAND\nset -o pipefail\nNO_COLOR=1 script -qec 'stty cols " + std::to_string(columns) +
         "; bash command.sh' /dev/null | sed 's/\\r*$//; s/.*\\x1b\\[K//'";
}

}  // namespace headway::test
