// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/shell.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "test_paths.h"

namespace headway::test {

namespace fs = std::filesystem;

ShellTest::ShellTest() {
  std::string pattern = ::testing::TempDir() + "headway_shell_XXXXXX";
  directory_ = ::mkdtemp(pattern.data());
}

ShellTest::~ShellTest() {
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

Outcome ShellTest::shell(std::string_view script) const {
  const std::string folder = fs::path(kProgram).parent_path().string();
  write("script.sh", "PATH=" + folder + ":$PATH\n" + std::string(script) + "\n");
  const std::string command =
      "cd '" + directory_.string() + "' && bash script.sh >script.out 2>script.err </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("script.out"),
          read("script.err")};
}

void ShellTest::write(std::string_view name, std::string_view content) const {
  std::ofstream(directory_ / name, std::ios::binary) << content;
}

std::string ShellTest::read(std::string_view name) const {
  std::ifstream stream(directory_ / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace headway::test
