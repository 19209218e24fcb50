// SPDX-License-Identifier: Apache-2.0
// Specs of the slotted kernel: `kernel = "slotted"` reads [network] as any spec does and gives [switch],
// [traffic] and [measure] the parameters below, in time slots instead of times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/parameters.h"
#include "headway/slotted/design.h"
#include "headway/slotted/run.h"
#include "headway/topology/topology.h"

namespace headway {

struct Result;
struct RunOptions;

struct SlottedSpec {
  // [switch]
  std::int64_t classes = 2;
  std::int64_t buffer = 2;
  std::int64_t layered_buffer = 1;
  std::vector<std::int64_t> stage_buffers;
  // Choice: the paper's text lets low priority leave only while no high-priority packet waits, but the
  // plateau of its Figure 3 is reached only if low priority may pass a blocked head
  // (papers/multilayer/README.md).
  bool pass = true;
  std::string queueing = "input-link";
  std::string spread = "by-sender";
  std::string blocked = "wait";
  bool reuse = true;
  // [traffic]
  double load = 1.0;
  double hotspot_fraction = 0.0;
  std::int64_t hotspot = 0;
  std::optional<std::int64_t> hotspot_class;
  double high_share = 0.2;
  std::vector<std::int64_t> class_percent;
  std::string when_full = "drop";
  // [measure]
  std::int64_t slots = 100'000;
  std::int64_t warmup_slots = 1'000;
  double delay_weight = 1.0;
  double throughput_weight = 1.0;

  void describe_switch(Parameters& parameters);
  void describe_traffic(Parameters& parameters);
  void describe_measure(Parameters& parameters);
};

// The typed forms. The topology must be a multistage network.
slotted::Design design_of(const SlottedSpec& spec, const Topology& topology);
slotted::Traffic traffic_of(const SlottedSpec& spec);

// Every mistake that the ranges of the fields alone do not show.
void check(const SlottedSpec& spec, const Topology& topology, Mistakes& mistakes);

Result run(const SlottedSpec& spec, const Topology& topology, std::uint64_t seed, const RunOptions& options);

}  // namespace headway
