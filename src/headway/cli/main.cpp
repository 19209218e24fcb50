// SPDX-License-Identifier: Apache-2.0
// The program. SIGPIPE is ignored, so that a closed pipe is a write error, which counts as success. Standard
// streams that the caller closed are opened on /dev/null: otherwise the next opened file would get their
// descriptor, and printed text would be written into it.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "headway/cli/command.h"

#ifdef HEADWAY_MPI
#include <memory>

#include "headway/cli/mpi_processes.h"
#endif

namespace {

void open_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDWR);  // gets the lowest free descriptor
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
#ifdef HEADWAY_MPI
  const std::unique_ptr<headway::Processes> processes = headway::cli::start_mpi();
  if (processes != nullptr && !processes->leads()) {
    headway::cli::Terminal nobody(std::fopen("/dev/null", "w"), std::fopen("/dev/null", "w"));
    return headway::cli::run_program(words, nobody, processes.get(), headway::cli::mpi_library());
  }
  headway::cli::Terminal terminal(stdout, stderr);
  return headway::cli::run_program(words, terminal, processes.get(), headway::cli::mpi_library());
#else
  headway::cli::Terminal terminal(stdout, stderr);
  return headway::cli::run_program(words, terminal);
#endif
}
