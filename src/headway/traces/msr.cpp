// SPDX-License-Identifier: Apache-2.0
// The CSV of the MSR Cambridge traces: a request per line, fields separated by commas: time in units of 100
// ns, the server's name, disk number, Read or Write, offset, bytes, response time in units of 100 ns. A
// server's disk is a device; the requesting process is not known. Source: Narayanan, Donnelly, Rowstron,
// "Write off-loading: practical power management for enterprise storage", FAST 2008; README of the traces
// (SNIA IOTTA).
#include "headway/base/rng.h"
#include "headway/trace/format.h"
#include "headway/trace/text.h"

namespace headway {
namespace {

constexpr TraceTime kUnit = 100 * kNanosecond;
constexpr std::string_view kMsrLayout = "time, server, disk, Read or Write, offset, bytes, response time";

// The device number contains a hash of the server's name, which distinguishes the disks of different servers.
std::uint64_t device(std::string_view server, std::uint64_t disk) {
  std::uint64_t hash = 0;
  for (const char c : server) hash = mix64(hash ^ static_cast<unsigned char>(c));
  return mix64(hash ^ disk);
}

class MsrReader final : public TextReader {
 public:
  using TextReader::TextReader;

 private:
  bool read(TraceRecord& record, Instant& at) override {
    const auto text = line();
    if (!text) return false;
    const auto& fields = split(*text, ',');
    expect_fields(7, kMsrLayout);
    at = time(fields[0], kUnit, "time");
    record.to = device(fields[1], whole(fields[2], "disk"));
    if (fields[3] != "Read" && fields[3] != "Write")
      throw BadRecord{"the operation is neither Read nor Write"};
    record.operation = fields[3] == "Read" ? Operation::read : Operation::write;
    whole(fields[4], "offset");
    record.bytes = whole(fields[5], "number of bytes");
    record.response = duration(fields[6], kUnit, "response time");
    return true;
  }
};

class Msr final : public FileFormatOf<MsrReader> {
 public:
  bool recognises(std::string_view beginning) const override {
    const std::string_view first = beginning.substr(0, beginning.find('\n'));
    return first.find(",Read,") != std::string_view::npos || first.find(",Write,") != std::string_view::npos;
  }
};

}  // namespace

Entry<TraceFormat> msr() {
  return {"msr", "I/O requests in the CSV format of the MSR Cambridge traces",
          "Narayanan, Donnelly, Rowstron, FAST 2008", make_entry<TraceFormat, Msr>};
}

}  // namespace headway
