// SPDX-License-Identifier: Apache-2.0
// For formats with one record per line: reads lines, fields and numbers. Decimal numbers are exact; no
// floating point is used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/trace/byte_stream.h"
#include "headway/trace/reader.h"

namespace headway {

class TextReader : public TraceReader {
 public:
  TextReader(std::unique_ptr<ByteSource> source, std::string name, bool skip_bad)
      : TraceReader(std::move(name), skip_bad), bytes_(std::move(source)) {}

 protected:
  // The next line that is neither empty nor a comment (#), without its line end; valid until the next call.
  // Throws BadRecord if the line is too long or not text.
  std::optional<std::string_view> line();
  std::string place() const override { return "line " + std::to_string(line_number_); }

  // The fields of a line, without surrounding blanks; valid until the next call.
  const std::vector<std::string_view>& split(std::string_view line, char separator);
  const std::vector<std::string_view>& split_at_blanks(std::string_view line);

  // Parses the field as a number. Throws a BadRecord that names the field.
  static std::uint64_t whole(std::string_view field, std::string_view what, int base = 10);
  // A number of `unit` in picoseconds, truncated; not negative.
  static Instant time(std::string_view field, Instant unit, std::string_view what);
  static TraceTime duration(std::string_view field, Instant unit, std::string_view what);
  void expect_fields(std::size_t at_least, std::string_view layout) const;

 private:
  static constexpr std::size_t kLongestLine = 4096;

  ByteReader bytes_;
  std::uint64_t line_number_ = 0;
  std::size_t to_take_ = 0;  // length of the last returned line
  std::vector<std::string_view> fields_;
};

// The time in nanoseconds with as many decimals as needed, so that it is exact: "1500" or "0.25".
std::string decimal_ns(TraceTime time);

// A decimal number that is not negative (digits [. digits] [e [sign] digits]) times `unit`, rounded down;
// nullopt if the text is no such number or the value does not fit.
std::optional<SignedWide> decimal_number(std::string_view text, SignedWide unit);

}  // namespace headway
