// SPDX-License-Identifier: Apache-2.0
// The standard cases that measure the speed of the kernels. Event-driven: fat-trees of 64 to 65,536 nodes at
// two loads with five queueing schemes, and a hot spot with and without isolation. The unit is a packet-hop,
// one packet crossing one switch, which includes the cost of generation, injection and delivery. Slotted:
// omega networks of 64 and 4096 nodes with four layers and a hot spot. The unit is a switch-update: one
// switching element of one replication advanced by one slot. Jobs: an all-to-all of messages of one packet
// among 256 nodes. The unit is an operation, with the hops of its packet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/spec/spec.h"

namespace headway {

struct Benchmark {
  std::string name;  // "4-ary-4-tree obqa-4 0.5"
  Spec spec;         // warmup and duration are long enough for a stable value
};

struct BenchmarkResult {
  std::uint32_t nodes = 0;
  std::uint32_t ports = 0;  // of switches
  double ns_per_hop =
      0;  // of a packet-hop, a switch-update or an operation: median over parts of the duration
  std::uint64_t bytes = 0;  // peak memory; 0 if the system does not report it
  std::uint64_t trace_hash = 0;
};

// In ascending order of size, with the slotted cases last. `quick` omits 65,536 nodes and measures for a
// quarter of the time; the names show this.
std::vector<Benchmark> benchmarks(bool quick);

BenchmarkResult run(const Benchmark& benchmark);

}  // namespace headway
