// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace headway::cli {
namespace {

// https://no-color.org: set and not empty.
bool colours(std::FILE* file) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(fileno(file)) != 0 && (no_color == nullptr || *no_color == '\0') &&
         (term == nullptr || std::string_view(term) != "dumb");
}

[[noreturn]] void throw_failure() {
  if (errno == EPIPE) throw ClosedPipe{};
  throw OutputError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

std::size_t columns_of(std::FILE* file) {
  winsize size{};
  return ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Terminal::Terminal(std::FILE* out, std::FILE* err)
    : out_(out),
      err_(err),
      talks_(isatty(fileno(err)) != 0),
      colour_out_(colours(out)),
      colour_err_(colours(err)) {}

void Terminal::print(std::string_view text) {
  progress("");
  if (std::fwrite(text.data(), 1, text.size(), out_) != text.size()) throw_failure();
}

void Terminal::flush() {
  if (std::fflush(out_) != 0) throw_failure();
}

void Terminal::error(std::string_view message) { complain("error:", "1;31", message); }

void Terminal::warn(std::string_view message) { complain("warning:", "1;33", message); }

void Terminal::complain(std::string_view label, std::string_view code, std::string_view message) {
  progress("");
  if (colour_err_)
    fmt::print(err_, "\x1b[{}m{}\x1b[0m {}\n", code, label, message);
  else
    fmt::print(err_, "{} {}\n", label, message);
}

void Terminal::say(std::string_view message) {
  if (!talks_) return;
  progress("");
  fmt::print(err_, "{}\n", message);
}

void Terminal::progress(std::string_view line) {
  if (!talks_ || (line.empty() && !line_shown_)) return;
  fmt::print(err_, "\r\x1b[K{}", line.substr(0, columns_of(err_) - 1));
  std::fflush(err_);
  line_shown_ = !line.empty();
}

std::string Terminal::styled(std::string_view text, std::string_view code) const {
  return colour_out_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

}  // namespace headway::cli
