// SPDX-License-Identifier: Apache-2.0
// The fixed cases by which the speed of the kernels is known. Event-driven: fat-trees of 64 to 65,536 nodes,
// two loads, five queueing schemes; the unit is a packet-hop: one packet crossing one switch; generation,
// injection and delivery are charged to the hops; and a hot spot, with isolation and without. Slotted: omega
// networks of 64 and 4096 nodes with four layers under a hot spot; the unit is a switch-update: one switching
// element of one replication advanced by one slot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/spec/spec.h"

namespace headway {

struct Benchmark {
  std::string name;  // "4-ary-4-tree obqa-4 0.5"
  Spec spec;         // warmup and duration are long enough for a steady number
};

struct BenchmarkResult {
  std::uint32_t nodes = 0;
  std::uint32_t ports = 0;  // of switches
  std::uint64_t hops = 0;   // packet-hops, or switch-updates
  double cpu_s = 0;         // of the measured duration
  double ns_per_hop = 0;    // median over parts of it
  std::uint64_t bytes = 0;  // of memory, at the most; 0 where the system does not tell
  std::uint64_t trace_hash = 0;
};

// In ascending order of size, the slotted cases last. `quick` leaves out 65,536 nodes and measures a quarter
// of the time; names say so.
std::vector<Benchmark> benchmarks(bool quick);

BenchmarkResult run(const Benchmark& benchmark);

}  // namespace headway
