// SPDX-License-Identifier: Apache-2.0
// HP's SRT, the binary format of the cello traces: records of 32-bit words in either byte order, sometimes
// after a header of text that ends with a form feed. Words: size in bytes, version << 16 | type, seconds,
// microseconds, start and stop in microseconds after that, bytes, sector, device, driver, cylinder, flags
// (bit 0: read), info; then the queue length (version 4), then flags of suspect records (type 4). Source: the
// layout is published with DiskSim 4.0 (disksim_hptrace.h, disksim_iotrace.c) for versions 1 to 4. The traces
// of 1999 can contain versions 5 to 7, whose layout is not published; they are rejected.
#include <fmt/format.h>

#include "headway/trace/byte_stream.h"
#include "headway/trace/format.h"

namespace headway {
namespace {

constexpr std::uint32_t kWords = 13;
constexpr std::uint32_t kShortIo = 1, kSuspectIo = 4;
constexpr char kEndOfHeader = '\f';
constexpr std::uint32_t kLongestRecord = 1 << 12;

bool is_text(char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\r' || c == '\t'; }

std::uint32_t word_at(std::string_view bytes, std::size_t index, bool big_endian) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[4 * index + (big_endian ? i : 3 - i)]);
    word = word << 8 | byte;
  }
  return word;
}

bool plausible_size(std::uint32_t size) { return size >= 4 * kWords && size <= 4 * (kWords + 8); }

// Returns true if a record in one of the byte orders begins with these bytes. Text does not, because a record
// contains zeros here.
bool begin_record(std::string_view bytes) {
  for (const bool big_endian : {true, false})
    if (bytes.size() >= 8 && plausible_size(word_at(bytes, 0, big_endian)) &&
        word_at(bytes, 1, big_endian) >> 16 <= 7)
      return true;
  return false;
}

class SrtReader final : public TraceReader {
 public:
  SrtReader(std::unique_ptr<ByteSource> source, std::string name, bool skip_bad)
      : TraceReader(std::move(name), skip_bad), bytes_(std::move(source)) {
    pass_header();
    const std::string_view first = bytes_.ahead(4);
    if (first.size() < 4) throw TraceError(this->name(), "the file contains no record");
    big_endian_ = plausible_size(word_at(first, 0, true));
  }

 private:
  void pass_header() {
    const std::string_view beginning = bytes_.ahead(8);
    if (beginning.empty() || !is_text(beginning.front()) || begin_record(beginning)) return;
    for (std::string_view text = bytes_.ahead(1); !text.empty(); text = bytes_.ahead(1)) {
      bytes_.take(1);
      if (text.front() == kEndOfHeader) return;
    }
    throw TraceError(name(), "the header does not end",
                     "a form feed must end the text before the first record");
  }

  bool read(TraceRecord& record, Instant& at) override {
    for (;;) {
      const std::string_view beginning = bytes_.ahead(8);
      if (beginning.empty()) return false;
      if (beginning.size() < 8) throw BadRecord{"the file ends within this record", BadRecord::Then::nothing};
      const std::uint32_t size = word_at(beginning, 0, big_endian_);
      const std::uint32_t id = word_at(beginning, 1, big_endian_);
      if (size < 8 || size > kLongestRecord || size % 4 != 0)
        throw BadRecord{
            fmt::format("its size of {} bytes is not possible, so the start of the next record is unknown",
                        size),
            BadRecord::Then::lost};
      const std::string_view bytes = bytes_.ahead(size);
      if (bytes.size() < size) throw BadRecord{"the file ends within this record", BadRecord::Then::nothing};
      bytes_.take(size);  // `bytes` stays valid until the next call of ahead
      const std::uint32_t version = id >> 16, type = id & 0xffff;
      if (version < 1 || version > 4)
        throw BadRecord{
            fmt::format("SRT version {} is not supported; only the layout of versions 1 to 4 is published{}",
                        version, version <= 7 ? "; HP's srt2ds converts this version" : "")};
      if (type != kShortIo && type != kSuspectIo)
        throw BadRecord{fmt::format("SRT record type {} is not an I/O request", type)};
      const std::uint32_t words = kWords + (version == 4 ? 1 : 0) + (type == kSuspectIo ? 1 : 0);
      if (size != 4 * words)
        throw BadRecord{
            fmt::format("version {} and type {} require {} bytes, not {}", version, type, 4 * words, size)};
      if (type == kSuspectIo) {  // Choice: skipped as in DiskSim, because the tracer marked them as suspect
        pass_over();
        continue;
      }
      const auto word = [&](std::size_t index) { return word_at(bytes, index, big_endian_); };
      at = word(2) * Instant{kSecond} + word(3) * Instant{kMicrosecond};
      record.response = static_cast<std::int32_t>(word(5)) * kMicrosecond;
      record.bytes = word(6);
      record.to = word(8) >> 8 & 0xff;
      record.operation = (word(11) & 1) != 0 ? Operation::read : Operation::write;
      return true;
    }
  }

  ByteReader bytes_;
  bool big_endian_ = true;
};

class Srt final : public FileFormatOf<SrtReader> {
 public:
  bool recognises(std::string_view beginning) const override {
    const std::size_t header = beginning.find(kEndOfHeader);
    return begin_record(beginning) || (header != std::string_view::npos && is_text(beginning.front()) &&
                                       begin_record(beginning.substr(header + 1)));
  }
};

}  // namespace

Entry<TraceFormat> srt() {
  return {"srt", "I/O requests in HP's binary SRT format, versions 1 to 4, either byte order",
          "DiskSim 4.0, disksim_hptrace.h", make_entry<TraceFormat, Srt>};
}

}  // namespace headway
