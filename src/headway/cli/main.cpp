// SPDX-License-Identifier: Apache-2.0
// The program. A closed pipe must be an error of a write, not a signal, so that it can count as success. Of
// the standard streams those that the caller closed lead nowhere: the next file that is opened would get
// their number, and what is printed would be written into it.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "headway/cli/command.h"

namespace {

void open_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDWR);  // takes the lowest number that is free
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  headway::cli::Terminal terminal(stdout, stderr);
  return headway::cli::run_program(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc),
                                   terminal);
}
