// SPDX-License-Identifier: Apache-2.0
// Reads the file of a program line by line, or as bytes, in one pass and with a bounded buffer, and collects
// its mistakes: the first of each line, with line and column, or the first one with its byte.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "headway/base/error.h"
#include "headway/trace/byte_stream.h"

namespace headway {

// Ends the reading of a line. `at` is the part of the line that is wrong; empty: the whole line.
struct WrongLine {
  std::string_view at;
  std::string message;
  std::string hint = "";
};

// Ends the reading of bytes.
struct WrongByte {
  std::uint64_t at;  // number of the byte, from 0
  std::string message;
  std::string hint = "";
  std::string within = "";  // the part of the file from whose beginning bytes count; empty: the file
};

class ProgramText {
 public:
  static constexpr std::size_t kMostShown = 10;
  static constexpr std::size_t kMostCounted = 10'000;  // a file with more mistakes is not read further
  static constexpr std::size_t kLongestLine = std::size_t{1} << 24;

  // `name` is the name of the file, and `key` the key of the mistakes.
  ProgramText(std::unique_ptr<ByteSource> source, std::string name, std::string key)
      : bytes_(std::move(source)), name_(std::move(name)), key_(std::move(key)) {}

  // Moves on to the next line. False at the end, or after too many mistakes.
  bool next();
  std::string_view line() const { return line_; }  // without its end
  std::uint32_t number() const { return number_; }
  // The first bytes of what follows, at most `count`, without reading past them.
  std::string_view ahead(std::size_t count) { return bytes_.ahead(count); }
  // Returns these bytes and moves on behind them.
  std::string_view take(std::size_t count);
  std::uint64_t offset() const { return offset_; }  // number of the next byte

  // Calls `read`. Returns false if it throws a WrongLine, which is reported.
  template <class Read>
  bool attempt(const Read& read) {
    try {
      read();
      return true;
    } catch (const WrongLine& wrong) {
      report(wrong);
      return false;
    }
  }
  void report(const WrongLine& wrong) { report_at(number_, wrong); }
  void report_at(std::uint32_t line, const WrongLine& wrong);  // line 0: the whole file
  void report(const WrongByte& wrong);
  bool shows_more() const { return wrong_ < kMostShown; }
  bool any_wrong() const { return wrong_ > 0; }
  // Adds the mistakes that were collected, and the number of those that are not shown.
  void finish(Mistakes& mistakes);

 private:
  ByteReader bytes_;
  std::string name_, key_;
  std::uint64_t offset_ = 0;
  std::string_view line_;
  std::uint32_t number_ = 0;
  std::uint32_t last_wrong_ = 0;  // the last line with a mistake
  std::size_t wrong_ = 0;
  Mistakes shown_;
};

// A part of a line that is read from its beginning. All functions skip blanks first, and take what they
// return.
class Words {
 public:
  explicit Words(std::string_view text = {}) : rest_(text) {}

  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }
  char next() { return at_end() ? '\0' : rest_.front(); }  // not taken
  bool take(std::string_view text) {
    skip_blanks();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  // Letters, digits and '_'; empty if something else follows.
  std::string_view word();
  // Characters up to the next blank.
  std::string_view piece();
  std::string_view rest() {
    skip_blanks();
    return rest_;
  }
  void skip(std::size_t count) { rest_.remove_prefix(count); }
  // The next word, which is one of these. Otherwise throws a WrongLine that begins so and says what is there.
  std::string_view one_of(std::span<const std::string_view> valid, std::string_view otherwise);
  // Throws a WrongLine if there is more.
  void expect_end(std::string_view of = "line", std::string hint = "");
  // A whole number up to `most`; `what` names it in the mistake ("a tag").
  std::uint64_t number(std::string_view what, std::uint64_t most = UINT64_MAX);

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

// "but the line ends", or what stands there instead, for a message.
std::string found_text(std::string_view at);
// "did you mean "send"?", or the valid names.
std::string hint_of(std::string_view word, std::span<const std::string_view> valid);

}  // namespace headway
