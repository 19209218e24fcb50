// SPDX-License-Identifier: Apache-2.0
// DiskSim's default ASCII format: a request per line, five fields separated by blanks: arrival in
// milliseconds, device, first block, number of blocks of 512 bytes, flags in hexadecimal (bit 0: read). It
// has neither processes nor response times. Source: Bucy, Schindler, Schlosser, Ganger, "The DiskSim
// simulation environment version 4.0 reference manual", CMU-PDL-08-101, 2008, section on input traces.
#include "headway/trace/format.h"
#include "headway/trace/text.h"

namespace headway {
namespace {

constexpr std::uint64_t kBlock = 512;
constexpr std::string_view kDiskSimLayout = "arrival in ms, device, block, blocks, flags";

class DiskSimReader final : public TextReader {
 public:
  using TextReader::TextReader;

 private:
  bool read(TraceRecord& record, Instant& at) override {
    const auto text = line();
    if (!text) return false;
    const auto& fields = split_at_blanks(*text);
    expect_fields(5, kDiskSimLayout);
    at = time(fields[0], kMillisecond, "arrival");
    record.to = whole(fields[1], "device");
    whole(fields[2], "block");
    const std::uint64_t blocks = whole(fields[3], "number of blocks");
    record.bytes = blocks > kMostBytes ? kMostBytes + 1 : blocks * kBlock;
    record.operation = (whole(fields[4], "flags", 16) & 1) != 0 ? Operation::read : Operation::write;
    return true;
  }
};

class DiskSim final : public FileFormatOf<DiskSimReader> {
 public:
  bool recognises(std::string_view beginning) const override {
    const std::string_view first = beginning.substr(0, beginning.find('\n'));
    int fields = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const bool blank = first[i] == ' ' || first[i] == '\t' || first[i] == '\r';
      if (!blank && first[i] != '.' && std::isxdigit(static_cast<unsigned char>(first[i])) == 0) return false;
      if (!blank && (i == 0 || first[i - 1] == ' ' || first[i - 1] == '\t')) ++fields;
    }
    return fields == 5;
  }
};

}  // namespace

Entry<TraceFormat> disksim() {
  return {"disksim", "I/O requests in DiskSim's ASCII format", "DiskSim 4.0 reference manual, CMU-PDL-08-101",
          make_entry<TraceFormat, DiskSim>};
}

}  // namespace headway
