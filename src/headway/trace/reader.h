// SPDX-License-Identifier: Apache-2.0
// A trace read record by record in the order of its file, and what is done with records that cannot be read:
// an error that names file and record, or, if so wanted, a count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "headway/base/wide.h"
#include "headway/trace/record.h"

namespace headway {

class TraceReader {
 public:
  // `name` is the file's, for errors; `skip_bad` passes over records that cannot be read and counts them.
  TraceReader(std::string name, bool skip_bad) : name_(std::move(name)), skip_bad_(skip_bad) {}
  virtual ~TraceReader() = default;

  // The next record; none at the end. Throws TraceError.
  std::optional<TraceRecord> next();

  // Treats the record that `next` gave last as one that cannot be read.
  void refuse(const std::string& why);

  std::uint64_t records() const { return records_; }          // read so far, with the skipped ones
  std::uint64_t skipped() const { return skipped_; }          // could not be read
  std::uint64_t passed_over() const { return passed_over_; }  // are no requests by the format's own words

 protected:
  // Why a record cannot be read; and whether another can follow.
  struct BadRecord {
    enum class Then { next_record, nothing, lost };
    std::string why;
    Then then = Then::next_record;
  };
  // Any zero of time will do: the first record sets it.
  using Instant = SignedWide;  // picoseconds

  // Reads one record and moves past it, also when throwing a BadRecord. False at the end.
  virtual bool read(TraceRecord& record, Instant& time) = 0;
  virtual std::string place() const { return {}; }  // of the record, beyond its number: "line 7"

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
