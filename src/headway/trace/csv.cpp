// SPDX-License-Identifier: Apache-2.0
// Plain CSV with units in the header. This format can represent all records:
//
//     time_us,source,destination,bytes                                messages between nodes
//     time_us,process,device,operation,bytes,response_us              I/O requests; operation: read or write
//
// in any order of columns; times in ps, ns, us, ms or s; process and response can be omitted or empty.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "headway/trace/format.h"
#include "headway/trace/text.h"

namespace headway {
namespace {

constexpr std::string_view kLayouts =
    "the header must name the columns: time_UNIT,source,destination,bytes or "
    "time_UNIT,process,device,operation,bytes,response_UNIT, where UNIT is ps, ns, us, ms or s";

enum Column { kTime, kSource, kDestination, kProcess, kDevice, kOperation, kBytes, kResponse, kColumns };
constexpr std::array<std::string_view, kColumns> kNames = {"time",   "source",    "destination", "process",
                                                           "device", "operation", "bytes",       "response"};

class CsvReader final : public TextReader {
 public:
  CsvReader(std::unique_ptr<ByteSource> source, std::string name, bool skip_bad)
      : TextReader(std::move(source), std::move(name), skip_bad) {
    at_.fill(kAbsent);
    try {
      const auto header = line();
      if (!header) throw BadRecord{"the file is empty"};
      read_header(split(*header, ','));
    } catch (const BadRecord& bad) {
      throw TraceError(this->name(), bad.why, std::string(kLayouts));
    }
  }

 private:
  static constexpr std::size_t kAbsent = SIZE_MAX;

  void read_header(const std::vector<std::string_view>& names) {
    columns_ = names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::size_t underscore = std::min(names[i].find('_'), names[i].size());
      const auto found = std::ranges::find(kNames, names[i].substr(0, underscore));
      const auto column = static_cast<std::size_t>(found - kNames.begin());
      const std::string_view unit = names[i].substr(std::min(underscore + 1, names[i].size()));
      if (found == kNames.end() || at_[column] != kAbsent)
        throw BadRecord{fmt::format("column {} of the header, '{}', is {}", i + 1, names[i].substr(0, 40),
                                    found == kNames.end() ? "unknown" : "given twice")};
      at_[column] = i;
      if (column != kTime && column != kResponse) {
        if (underscore != names[i].size()) throw BadRecord{fmt::format("{} has no unit", *found)};
        continue;
      }
      const auto known = value_of<TimeUnit>(unit);
      if (!known) throw BadRecord{fmt::format("{} needs a unit, as in {}_us", *found, *found)};
      (column == kTime ? unit_ : response_unit_) = picoseconds_in(*known);
    }
    is_io_ = has(kDevice);
    const bool complete =
        has(kTime) && has(kBytes) &&
        (is_io_ ? has(kOperation) && !has(kSource) && !has(kDestination)
                : has(kSource) && has(kDestination) && !has(kOperation) && !has(kProcess) && !has(kResponse));
    if (!complete)
      throw BadRecord{"the columns in the header are neither those of messages nor those of I/O requests"};
  }

  bool read(TraceRecord& record, Instant& at) override {
    const auto text = line();
    if (!text) return false;
    const auto& fields = split(*text, ',');
    if (fields.size() != columns_)
      throw BadRecord{fmt::format("it has {} fields, but the header has {}", fields.size(), columns_)};
    const auto field = [&](Column column) { return fields[at_[column]]; };
    at = time(field(kTime), unit_, "time");
    record.bytes = whole(field(kBytes), "number of bytes");
    if (!is_io_) {
      record.from = whole(field(kSource), "source");
      record.to = whole(field(kDestination), "destination");
      return true;
    }
    record.to = whole(field(kDevice), "device");
    if (field(kOperation) != "read" && field(kOperation) != "write")
      throw BadRecord{"the operation is neither read nor write"};
    record.operation = field(kOperation) == "read" ? Operation::read : Operation::write;
    if (has(kProcess) && !field(kProcess).empty()) record.from = whole(field(kProcess), "process");
    if (has(kResponse) && !field(kResponse).empty())
      record.response = duration(field(kResponse), response_unit_, "response time");
    return true;
  }

  bool has(Column column) const { return at_[column] != kAbsent; }

  std::array<std::size_t, kColumns> at_{};  // position of each column
  std::size_t columns_ = 0;
  TraceTime unit_ = 0;
  TraceTime response_unit_ = 0;
  bool is_io_ = false;
};

// The rest of a line behind its time.
std::string text_of(const TraceRecord& record) {
  const std::string from = record.from ? std::to_string(*record.from) : "";
  if (record.operation == Operation::message) return fmt::format("{},{},{}", from, record.to, record.bytes);
  return fmt::format("{},{},{},{},{}", from, record.to,
                     record.operation == Operation::read ? "read" : "write", record.bytes,
                     record.response ? decimal_ns(*record.response) : "");
}

class Csv final : public FileFormatOf<CsvReader> {
 public:
  bool recognises(std::string_view beginning) const override {
    while (beginning.starts_with('#'))
      beginning.remove_prefix(std::min(beginning.find('\n'), beginning.size() - 1) + 1);
    const std::string_view header = beginning.substr(0, beginning.find('\n'));
    return header.find("time_") != std::string_view::npos && header.find("bytes") != std::string_view::npos;
  }
};

}  // namespace

WrittenTrace write_csv(TraceReader& reader, ByteSink& sink) {
  constexpr std::size_t kEnough = 1 << 16;
  WrittenTrace written;
  std::string text;
  while (const auto record = reader.next()) {
    if (written.bytes == 0)
      text = record->operation == Operation::message ? "time_ns,source,destination,bytes\n"
                                                     : "time_ns,process,device,operation,bytes,response_ns\n";
    text += fmt::format("{},{}\n", decimal_ns(record->time), text_of(*record));
    if (text.size() >= kEnough) sink.write(std::exchange(text, {}));
    written.bytes += record->bytes;
    written.length = record->time;
  }
  sink.write(text);
  sink.close();
  written.records = reader.records();
  return written;
}

Entry<TraceFormat> csv() {
  return {"csv", "messages or I/O requests in CSV format, with units in the header", "Headway",
          make_entry<TraceFormat, Csv>};
}

}  // namespace headway
