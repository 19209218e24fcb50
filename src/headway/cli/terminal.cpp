// SPDX-License-Identifier: Apache-2.0
// Styled text contains marks until it is written. The marks are bytes that never occur in UTF-8, so text that
// was made visible contains none.
#include "headway/cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "headway/base/visible.h"
#include "headway/base/wrapped.h"

namespace headway::cli {

enum class Terminal::Style : unsigned char { plain = 0xf8, bold, red, yellow, bold_red, bold_yellow };

namespace {

constexpr std::string_view kCodes[] = {"\x1b[0m",  "\x1b[1m",    "\x1b[31m",
                                       "\x1b[33m", "\x1b[1;31m", "\x1b[1;33m"};

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

std::size_t columns_of(std::FILE* file, std::size_t otherwise) {
  winsize size{};
  return ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

constexpr std::size_t kUnlimited = std::string::npos;

// Lines that begin with a blank are commands to copy, and stay whole.
std::string folded_message(std::string_view message, std::size_t width) {
  constexpr std::size_t kHang = 2;
  std::string result;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size() - 1) + 1;
    const std::string_view line = message.substr(0, end);
    result += line.starts_with(' ') ? std::string(line) : folded(line, width, kHang);
    message.remove_prefix(end);
  }
  return result;
}

}  // namespace

Terminal::Terminal(std::FILE* out, std::FILE* err)
    : out_(out),
      err_(err),
      talks_(isatty(fileno(err)) != 0),
      colour_out_(colours(out)),
      colour_err_(colours(err)) {}

std::size_t Terminal::width() const { return columns_of(out_, kPlainWidth); }

std::size_t Terminal::text_width(std::size_t most) const { return std::min(most, columns_of(out_, most)); }

std::string Terminal::folded(std::string_view text) const {
  return headway::folded(text, columns_of(out_, kUnlimited));
}

// Text whose only terminal control sequences are our own styles.
std::string Terminal::safe(std::string_view text, bool colour) {
  std::string marks;
  if (colour)
    for (std::size_t code = 0; code < std::size(kCodes); ++code)
      marks += static_cast<char>(static_cast<unsigned char>(Style::plain) + code);
  std::string shown;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(marks), text.size());
    shown += visible_lines(text.substr(0, end));
    if (end < text.size())
      shown += kCodes[static_cast<unsigned char>(text[end]) - static_cast<unsigned char>(Style::plain)];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shown;
}

void Terminal::print(std::string_view text) {
  progress("");
  const std::string shown = safe(text, colour_out_);
  if (std::fwrite(shown.data(), 1, shown.size(), out_) != shown.size()) throw_failure();
}

void Terminal::flush() {
  if (std::fflush(out_) != 0) throw_failure();
}

void Terminal::error(std::string_view message) { complain("error:", Style::bold_red, message); }

void Terminal::warn(std::string_view message) { complain("warning:", Style::bold_yellow, message); }

void Terminal::complain(std::string_view label, Style style, std::string_view message) {
  progress("");
  const std::string mark(1, static_cast<char>(style)), plain(1, static_cast<char>(Style::plain));
  const std::string text =
      folded_message(fmt::format("{} {}\n", label, visible_lines(message)), columns_of(err_, kUnlimited));
  tell((colour_err_ ? safe(mark + std::string(label) + plain, true) : std::string(label)) +
       text.substr(label.size()));
}

void Terminal::say(std::string_view message) {
  if (!talks_) return;
  progress("");
  tell(folded_message(visible_lines(message) + '\n', columns_of(err_, kUnlimited)));
}

void Terminal::progress(std::string_view line) {
  if (!talks_ || (line.empty() && !line_shown_)) return;
  tell(fmt::format("\r\x1b[K{}", visible(line).substr(0, columns_of(err_, 80) - 1)));
  line_shown_ = !line.empty();
}

// Ignores failures: an unwritable standard error cannot be reported, and it must not cost results.
void Terminal::tell(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), err_);
  std::fflush(err_);
}

std::string Terminal::bold(std::string_view text) const { return styled(text, Style::bold); }
std::string Terminal::red(std::string_view text) const { return styled(text, Style::red); }
std::string Terminal::yellow(std::string_view text) const { return styled(text, Style::yellow); }

std::string Terminal::styled(std::string_view text, Style style) const {
  if (!colour_out_) return std::string(text);
  return static_cast<char>(style) + visible_lines(text) + static_cast<char>(Style::plain);
}

}  // namespace headway::cli
