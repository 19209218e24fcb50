// SPDX-License-Identifier: Apache-2.0
#include "headway/trace/reader.h"

#include <fmt/format.h>

namespace headway {

std::optional<TraceRecord> TraceReader::next() {
  while (!ended_) {
    TraceRecord record;
    Instant time = 0;
    ++records_;
    try {
      if (!read(record, time)) {
        --records_;
        ended_ = true;
        break;
      }
      if (!first_) first_ = time;
      const Instant since = time - *first_;
      if (since > kMostTraceTime || since < -kMostTraceTime)
        throw BadRecord{"it is more than 46 days from the first record"};
      if (record.bytes == 0) throw BadRecord{"it transfers no bytes"};
      if (record.bytes > kMostBytes)
        throw BadRecord{fmt::format("it transfers {} bytes; the maximum is {}", record.bytes, kMostBytes)};
      if (record.response && *record.response < 0) throw BadRecord{"its response time is negative"};
      if (record.response && *record.response > kMostTraceTime)
        throw BadRecord{"its response time is more than 46 days"};
      record.time = static_cast<TraceTime>(since);
      record.number = records_;
      return record;
    } catch (const BadRecord& bad) {
      ended_ = bad.then != BadRecord::Then::next_record;
      if (bad.then == BadRecord::Then::lost) skip_bad_ = false;
      refuse(bad.why);
    } catch (const TraceError& error) {  // an error in the bytes: the rest of the file is not valid
      ended_ = true;
      skip_bad_ = false;
      refuse(error.mistakes().front().message);
    }
  }
  return std::nullopt;
}

void TraceReader::refuse(const std::string& why) {
  if (skip_bad_) {
    ++skipped_;
    return;
  }
  const std::string where = place();
  throw TraceError(fmt::format("{}: record {}{}", name_, records_, where.empty() ? "" : " (" + where + ")"),
                   why, ended_ ? "" : "use skip_bad (--skip-bad) to skip and count such records");
}

}  // namespace headway
