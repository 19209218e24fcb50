// SPDX-License-Identifier: Apache-2.0
// Where a command writes: data to standard output, everything said about it to standard error, and
// what merely entertains only when that is a terminal. All that is written goes through here, and names from
// files and from the command line are among it: control characters are made visible (base/visible.h), so none
// of it can steer the terminal. Whoever writes a name into a line makes its line ends visible, too.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headway::cli {

// Nobody reads standard output any more (`headway list | head -1`): a success.
struct ClosedPipe {};

// Output could not be written; what() says where and why.
class OutputError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Terminal {
 public:
  Terminal(std::FILE* out, std::FILE* err);

  void print(std::string_view text);     // data; throws ClosedPipe or OutputError
  void flush();                          // of the data; throws as print
  void error(std::string_view message);  // always shown
  void warn(std::string_view message);   // always shown
  void say(std::string_view message);    // narration: to a terminal, unless quiet
  void progress(std::string_view line);  // as say, but the next line replaces it; empty removes it

  void be_quiet() { talks_ = false; }
  bool talks() const { return talks_; }

  // Text that a terminal shows in bold or colour, and is itself elsewhere. It is to be printed by this
  // terminal, which knows its marks.
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
  bool talks_;       // err is a terminal, and not quiet
  bool colour_out_;  // out is a terminal and NO_COLOR is not set
  bool colour_err_;
  bool line_shown_ = false;  // a progress line is on the screen
};

}  // namespace headway::cli
