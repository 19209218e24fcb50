// SPDX-License-Identifier: Apache-2.0
// What a line or record of a trace says, whatever the format: a message between two nodes, or an I/O request
// of a process to a device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "headway/base/error.h"

namespace headway {

// Picoseconds since the first record of the trace: 106 days at most.
using TraceTime = std::int64_t;
inline constexpr TraceTime kPicosecond = 1, kNanosecond = 1000, kMicrosecond = 1'000'000,
                           kMillisecond = 1'000'000'000, kSecond = 1'000'000'000'000;

enum class Operation : std::uint8_t { message, read, write };

struct TraceRecord {
  TraceTime time = 0;
  Operation operation = Operation::message;
  std::optional<std::uint64_t>
      from;              // message: its source; I/O: the process that asks, where the format says
  std::uint64_t to = 0;  // message: its destination; I/O: the device
  std::uint64_t bytes = 0;
  std::optional<TraceTime> response;  // I/O: from the request to its completion, where the format says
  std::uint64_t number = 0;           // 1 for the first of the file
  friend bool operator==(const TraceRecord&, const TraceRecord&) = default;
};

inline constexpr std::uint64_t kMostBytes = 1ULL << 30;  // of one message

// A trace that cannot be read: which file, which record, and why. A mistake of the user's, found while
// running.
class TraceError : public SpecError {
 public:
  TraceError(const std::string& place, const std::string& message, const std::string& hint = "")
      : SpecError({{.key = "", .message = message, .hint = hint, .where = place}}) {}
};

}  // namespace headway
