// SPDX-License-Identifier: Apache-2.0
// gnuplot searches for backticks, @macros and ends of quotes before it parses quotes (5.4, scanner.c and
// string_expand_macros in command.c): a doubled quote in single quotes can end the literal, and a quote of
// one kind inside the other kind enables macros again. So a literal contains none of these characters: every
// character that is not known to be harmless is written as an octal escape, which gnuplot reads last.
#include "headway/io/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "headway/base/visible.h"

namespace headway {
namespace {

// A literal whose value is exactly this text.
std::string literal_of(std::string_view text) {
  constexpr std::string_view kHarmless =
      " .,:;()+-=/_%0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string literal = "\"";
  bool after_number = false;  // a digit would continue the number
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_harmless = (c & 0x80) != 0 || kHarmless.find(c) != std::string_view::npos;
    after_number = !is_harmless || (is_digit && after_number);
    if (after_number)
      literal += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      literal += c;
  }
  return literal + '"';
}

}  // namespace

std::string gnuplot_text(std::string_view text) {
  std::string shown = visible(text);
  // gnuplot's SVG escapes everything in XML except the end of a CDATA section, which text must not contain
  for (std::size_t end = shown.find("]]>"); end != std::string::npos; end = shown.find("]]>"))
    shown.insert(end + 2, " ");
  return literal_of(shown);
}

std::string run_gnuplot(const std::filesystem::path& directory, const std::string& script) {
  const std::filesystem::path log = directory / "gnuplot.log";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  // gnuplot changes the directory itself, because older C libraries cannot do it for a new process. The path
  // is absolute, so that it does not begin with a tilde.
  const std::string there = "cd " + literal_of(std::filesystem::absolute(directory).native());
  std::array<std::string, 5> words = {"gnuplot", "-d", "-e", there, script};
  std::array<char*, 6> arguments = {};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);

  std::string problem;
  if (error != 0) {
    problem = error == ENOENT ? "gnuplot is not installed" : std::generic_category().message(error);
  } else {
    int status = 0;
    while (waitpid(child, &status, 0) == -1 && errno == EINTR) {
    }
    if (status != 0) {
      std::ostringstream said;
      said << std::ifstream(log).rdbuf();
      problem = fmt::format("gnuplot failed: {}", said.str());
    }
  }
  std::error_code ignored;
  std::filesystem::remove(log, ignored);
  return problem;
}

}  // namespace headway
