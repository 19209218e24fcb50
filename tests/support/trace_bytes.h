// SPDX-License-Identifier: Apache-2.0
// Traces as bytes in memory, for tests that write, damage and read them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headway/trace/byte_stream.h"
#include "headway/trace/format.h"

namespace headway::test {

// The file format with that name.
inline std::shared_ptr<const FileFormat> file_format(std::string_view name) {
  return std::dynamic_pointer_cast<const FileFormat>(choose(trace_formats(), name).value.shared());
}

// The formats that hold I/O requests.
inline std::vector<std::string_view> io_formats() {
  std::vector<std::string_view> names = file_formats();
  std::erase(names, "npy");
  return names;
}

// A record that the format can hold. Record `number` has the time of `number` microseconds.
inline TraceRecord sample(std::string_view format, int number) {
  const TraceTime time = number * kMicrosecond;
  if (format == "npy") return {time, Operation::message, 1, 3, 1024, {}, 0};
  return {time, number % 2 == 0 ? Operation::read : Operation::write, {}, 3, 1024, kMicrosecond, 0};
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

inline std::string written(std::string_view format, const std::vector<TraceRecord>& records) {
  std::string content;
  const auto writer = file_format(format)->write(std::make_unique<StringSink>(content), "test");
  for (const TraceRecord& record : records) writer->write(record);
  writer->close();
  return content;
}

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
  void describe(Parameters&) override {}
  void check(Mistakes&) const override {}
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

}  // namespace headway::test
