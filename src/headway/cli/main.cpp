// SPDX-License-Identifier: Apache-2.0
// The program. A closed pipe must be an error of a write, not a signal, so that it can count as success.
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "headway/cli/command.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  headway::cli::Terminal terminal(stdout, stderr);
  return headway::cli::run_program(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc),
                                   terminal);
}
