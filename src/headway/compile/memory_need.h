// SPDX-License-Identifier: Apache-2.0
// The memory of a run, as it is estimated before it starts (compile/memory.h).
#pragma once

#include <algorithm>
#include <cstdint>

namespace headway {

// What a spec is checked for: to be simulated on this machine, or to read what is stored about its network,
// which needs less memory.
enum class Purpose : std::uint8_t { simulate, read };

// Memory of a run, in bytes.
struct MemoryNeed {
  std::uint64_t start = 0;     // for the network and its results: an upper bound
  std::uint64_t network = 0;   // of this: parts_at_start, which are nearly exact
  std::uint64_t results = 0;   // besides the network, if results have a usual size
  std::uint64_t thread = 0;    // additional memory for each thread of the run but the first
  std::uint64_t checking = 0;  // additional memory if invariants are checked
  // Additional memory if the network fills and delivers nothing: an upper bound. Does not include traces,
  // whose length is not known before they are read.
  std::uint64_t traffic = 0;
  bool of_jobs = false;   // jobs keep most of the messages that wait
  double overtaking = 0;  // pairs whose packets can overtake each other: at most; in `traffic`

  // The larger value of each member.
  void include(const MemoryNeed& other) {
    start = std::max(start, other.start);
    network = std::max(network, other.network);
    results = std::max(results, other.results);
    thread = std::max(thread, other.thread);
    checking = std::max(checking, other.checking);
    if (other.traffic > traffic) of_jobs = other.of_jobs;
    traffic = std::max(traffic, other.traffic);
    overtaking = std::max(overtaking, other.overtaking);
  }
};

}  // namespace headway
