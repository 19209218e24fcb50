// SPDX-License-Identifier: Apache-2.0
// Reads a trace record by record in the order of its file. A record that cannot be read is an error with file
// and record number, or is skipped and counted if requested.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "headway/base/wide.h"
#include "headway/trace/record.h"

namespace headway {

class TraceReader {
 public:
  // `name` is the file name for error messages; `skip_bad` skips and counts records that cannot be read.
  TraceReader(std::string name, bool skip_bad) : name_(std::move(name)), skip_bad_(skip_bad) {}
  virtual ~TraceReader() = default;

  // The next record; none at the end. Throws TraceError.
  std::optional<TraceRecord> next();

  // Treats the last record that `next` returned as one that cannot be read.
  void refuse(const std::string& why);

  std::uint64_t records() const { return records_; }  // records read so far, including skipped ones
  std::uint64_t skipped() const { return skipped_; }  // could not be read
  // Number of records that are not requests according to the format.
  std::uint64_t passed_over() const { return passed_over_; }

 protected:
  // The reason why a record cannot be read, and whether another record can follow.
  struct BadRecord {
    enum class Then { next_record, nothing, lost };
    std::string why;
    Then then = Then::next_record;
  };
  // Times can have any origin; the first record defines time 0.
  using Instant = SignedWide;  // picoseconds

  // Reads one record and moves past it, even if it throws a BadRecord. Returns false at the end.
  virtual bool read(TraceRecord& record, Instant& time) = 0;
  virtual std::string place() const { return {}; }  // place of the record in addition to its number: "line 7"

  const std::string& name() const { return name_; }
  void pass_over() { ++passed_over_; }

 private:
  std::string name_;
  bool skip_bad_;
  std::uint64_t records_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t passed_over_ = 0;
  std::optional<Instant> first_;
  bool ended_ = false;
};

}  // namespace headway
