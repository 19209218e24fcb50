// SPDX-License-Identifier: Apache-2.0
// A record of a trace, independent of the format: a message between two nodes, or an I/O request of a process
// to a device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "headway/base/error.h"
#include "headway/config/limits.h"
#include "headway/config/names.h"

namespace headway {

// Picoseconds since the first record of the trace: at most kMostTraceTime, so that sums of two fit.
using TraceTime = std::int64_t;
inline constexpr TraceTime kPicosecond = 1, kNanosecond = 1000, kMicrosecond = 1'000'000,
                           kMillisecond = 1'000'000'000, kSecond = 1'000'000'000'000;
// A unit of the times in a file.
enum class TimeUnit : std::uint8_t { ps, ns, us, ms, s };
constexpr auto names_in_specs(TimeUnit) { return name_list("ps", "ns", "us", "ms", "s"); }
constexpr TraceTime picoseconds_in(TimeUnit unit) {
  constexpr TraceTime kIn[] = {kPicosecond, kNanosecond, kMicrosecond, kMillisecond, kSecond};
  return kIn[static_cast<std::size_t>(unit)];
}

inline constexpr TraceTime kMostTraceTime = static_cast<TraceTime>(limits::kTime) * kNanosecond;  // 46 days
static_assert(kMostTraceTime < TraceTime{1} << 62);

enum class Operation : std::uint8_t { message, read, write };

struct TraceRecord {
  TraceTime time = 0;
  Operation operation = Operation::message;
  // Message: its source; I/O: the requesting process, if the format has it.
  std::optional<std::uint64_t> from;
  std::uint64_t to = 0;  // message: its destination; I/O: the device
  std::uint64_t bytes = 0;
  std::optional<TraceTime> response;  // I/O: time from the request to its completion, if the format has it
  std::uint64_t number = 0;           // 1 for the first of the file
  friend bool operator==(const TraceRecord&, const TraceRecord&) = default;
};

inline constexpr std::uint64_t kMostBytes = 1ULL << 30;  // of one message

// A trace that cannot be read, with file, record and reason. It is a mistake of the user that is found during
// a run.
class TraceError : public SpecError {
 public:
  TraceError(const std::string& place, const std::string& message, const std::string& hint = "")
      : SpecError({{.key = "", .message = message, .hint = hint, .where = place}}) {}
};

}  // namespace headway
