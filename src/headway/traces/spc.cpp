// SPDX-License-Identifier: Apache-2.0
// The Storage Performance Council's format: a request per line, fields separated by commas: application
// storage unit (the device), logical block, bytes, R or W, time in seconds; more fields may follow. It has
// neither processes nor response times. Source: "SPC trace file format specification", revision 1.0.1, 2002.

#include "headway/trace/format.h"
#include "headway/trace/text.h"

namespace headway {
namespace {

constexpr std::string_view kSpcLayout = "unit, block, bytes, R or W, seconds";

class SpcReader final : public TextReader {
 public:
  using TextReader::TextReader;

 private:
  bool read(TraceRecord& record, Instant& at) override {
    const auto text = line();
    if (!text) return false;
    const auto& fields = split(*text, ',');
    expect_fields(5, kSpcLayout);
    record.to = whole(fields[0], "storage unit");
    whole(fields[1], "block");
    record.bytes = whole(fields[2], "number of bytes");
    const bool reads = fields[3] == "R" || fields[3] == "r";
    if (!reads && fields[3] != "W" && fields[3] != "w") throw BadRecord{"the operation is neither R nor W"};
    record.operation = reads ? Operation::read : Operation::write;
    at = time(fields[4], kSecond, "time");
    return true;
  }
};

class Spc final : public FileFormatOf<SpcReader> {
 public:
  bool recognises(std::string_view beginning) const override {
    const std::string_view first = beginning.substr(0, beginning.find('\n'));
    std::size_t at = 0;
    for (int comma = 0; comma < 3; ++comma) {
      at = first.find(',', at);
      if (at++ == std::string_view::npos) return false;
    }
    return at + 1 < first.size() && std::string_view("RrWw").find(first[at]) != std::string_view::npos &&
           first[at + 1] == ',';
  }
};

}  // namespace

Entry<TraceFormat> spc() {
  return {"spc", "I/O requests in the Storage Performance Council's format",
          "SPC trace file format specification 1.0.1", make_entry<TraceFormat, Spc>};
}

}  // namespace headway
