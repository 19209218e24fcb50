// SPDX-License-Identifier: Apache-2.0
// The output of a command: data goes to standard output, messages about it go to standard error, and progress
// goes to standard error only if that is a terminal. All output passes through here, including names from
// files and from the command line. Control characters are made visible (base/visible.h), so that no text can
// control the terminal. A caller that writes a name into a line must also make line ends in it visible.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headway::cli {

// The reader closed standard output (`headway list | head -1`); this counts as success.
struct ClosedPipe {};

// Output could not be written; what() gives the place and the reason.
class OutputError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Terminal {
 public:
  Terminal(std::FILE* out, std::FILE* err);

  void print(std::string_view text);     // data; throws ClosedPipe or OutputError
  void flush();                          // flushes the data; throws like print
  void error(std::string_view message);  // always shown
  void warn(std::string_view message);   // always shown
  void say(std::string_view message);    // message; only shown on a terminal, and not if quiet
  void progress(std::string_view line);  // like say, but the next line replaces it; an empty line removes it

  // Columns of standard output for a table; kPlainWidth if it is not a terminal.
  static constexpr std::size_t kPlainWidth = 140;
  std::size_t width() const;
  // Columns for paragraphs: `most`, or fewer on a narrow terminal.
  std::size_t text_width(std::size_t most) const;
  // On a terminal, lines of data that do not fit are broken between words. Other outputs keep one line for
  // each record.
  std::string folded(std::string_view text) const;

  void be_quiet() { talks_ = false, quiet_ = true; }
  bool talks() const { return talks_; }
  bool quiet() const { return quiet_; }

  // Text that a terminal shows in bold or colour; other outputs get plain text. Only this Terminal can print
  // it, because the text contains its marks.
  std::string bold(std::string_view text) const;
  std::string red(std::string_view text) const;
  std::string yellow(std::string_view text) const;

 private:
  enum class Style : unsigned char;
  std::string styled(std::string_view text, Style style) const;
  void tell(std::string_view text);
  void complain(std::string_view label, Style style, std::string_view message);
  static std::string safe(std::string_view text, bool colour);

  std::FILE* out_;
  std::FILE* err_;
  bool talks_;  // err is a terminal, and not quiet
  bool quiet_ = false;
  bool colour_out_;  // out is a terminal and NO_COLOR is not set
  bool colour_err_;
  bool line_shown_ = false;  // a progress line is on the screen
};

}  // namespace headway::cli
