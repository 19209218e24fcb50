// SPDX-License-Identifier: Apache-2.0
// Traces as bytes in memory, for tests that damage and read them.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headway/trace/byte_stream.h"
#include "headway/trace/format.h"
#include "tests/support/npy_bytes.h"

namespace headway::test {

// The file format with that name.
inline std::shared_ptr<const FileFormat> file_format(std::string_view name) {
  return std::dynamic_pointer_cast<const FileFormat>(choose(trace_formats(), name).shared());
}

// Collects what is written.
class StringSink : public ByteSink {
 public:
  explicit StringSink(std::string& content) : content_(content) {}
  void write(std::string_view bytes) override { content_ += bytes; }
  void close() override {}

 private:
  std::string& content_;
};

inline std::unique_ptr<TraceReader> reader_of(std::string_view format, std::string content,
                                              bool skip_bad = false) {
  return file_format(format)->read(bytes_of(std::move(content), "test"), "test", skip_bad);
}

inline std::vector<TraceRecord> all_of(TraceReader& reader) {
  std::vector<TraceRecord> records;
  while (const auto record = reader.next()) records.push_back(*record);
  return records;
}

// A trace format that gives records from memory.
class ListedRecords : public TraceFormat {
 public:
  explicit ListedRecords(std::vector<TraceRecord> records) : records_(std::move(records)) {}
  std::unique_ptr<TraceReader> open(const TraceOpening& how) const override {
    class Reader : public TraceReader {
     public:
      Reader(const std::vector<TraceRecord>& records, bool skip)
          : TraceReader("list", skip), records_(records) {}
      bool read(TraceRecord& record, Instant& at) override {
        if (next_ == records_.size()) return false;
        record = records_[next_++];
        at = record.time;
        return true;
      }

     private:
      const std::vector<TraceRecord>& records_;
      std::size_t next_ = 0;
    };
    return std::make_unique<Reader>(records_, how.skip_bad);
  }

 private:
  std::vector<TraceRecord> records_;
};

// The records as a file of the format csv.
inline std::string as_csv(const std::vector<TraceRecord>& records) {
  std::string content;
  StringSink sink(content);
  write_csv(*ListedRecords(records).open({}), sink);
  return content;
}

// A record of SRT without queue length: it begins at `us` microseconds, lasts `response` microseconds and
// reads (flags = 1) or writes (0).
inline std::string srt_record(std::uint32_t us, std::uint32_t response, std::uint32_t bytes,
                              std::uint32_t device, std::uint32_t flags, bool big_endian = true,
                              std::uint32_t version = 1) {
  std::vector<std::uint32_t> words = {
      52, version << 16 | 1, us / 1'000'000, us % 1'000'000, 0, response, bytes, 0, device << 8, 0, 0, flags,
      0};
  if (version == 4) words.push_back(0);
  words[0] = static_cast<std::uint32_t>(4 * words.size());
  std::string record;
  for (const std::uint32_t word : words)
    for (int byte = 0; byte < 4; ++byte)
      record += static_cast<char>(word >> 8 * (big_endian ? 3 - byte : byte));
  return record;
}

// A file of the format with twelve records, one every microsecond.
inline std::string sample_trace(std::string_view format) {
  std::string file = format == "csv" ? "time_ns,process,device,operation,bytes,response_ns\n" : "";
  for (std::uint32_t us = 0; us < 12; ++us) {
    if (format == "csv") file += fmt::format("{},,3,read,1024,1000\n", 1000 * us);
    if (format == "disksim") file += fmt::format("0.{:06} 3 0 2 1\n", 1000 * us);
    if (format == "msr") file += fmt::format("{},server,3,Read,0,1024,10\n", 10 * us);
    if (format == "spc") file += fmt::format("3,0,1024,R,0.{:06}\n", us);
    if (format == "srt") file += srt_record(us, 1, 1024, 3, 1);
    if (format == "npy")
      for (const std::uint32_t value : {1000 * us, 1U, 3U, 1024U}) file += little_endian(value, 8);
  }
  if (format != "npy") return file;
  return npy("[('time', '<i8'), ('source', '<i8'), ('destination', '<i8'), ('bytes', '<i8')]", "(12,)", file);
}

}  // namespace headway::test
