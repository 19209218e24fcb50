// SPDX-License-Identifier: Apache-2.0
// Specs of the slotted kernel: `kernel = "slotted"` reads [network] as usual, while [switch], [traffic] and
// [measure] have the parameters below, in slots instead of times.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headway/kernel/kernel.h"
#include "headway/slotted/design.h"

namespace headway {

// The network is a multistage network; its links carry a packet per slot.
class SlottedSpec final : public Kernel {
 public:
  void describe_switch(Parameters& parameters) override;
  void describe_traffic(Parameters& parameters) override;
  void describe_measure(Parameters& parameters) override;
  void check(Mistakes& mistakes) const override;
  Result run(const RunOptions& options, const RunProgress& progress) const override;
  void set_load(double wanted) override { load = wanted; }
  void lengthen(std::int64_t factor) override;
  std::string_view latency() const override;
  double hops() const override;
  double most_numbers() const override;
  double seconds(double budget) const override;
  std::span<const Metric> own_metrics() const override;
  std::span<const std::string_view> shown_metrics() const override;

  // The typed forms. The topology must be a multistage network.
  slotted::Design design() const;
  slotted::Traffic traffic() const;

  // [switch]
  std::int64_t classes = 2;
  std::int64_t buffer = 2;
  std::int64_t layered_buffer = 1;
  std::vector<std::int64_t> stage_buffers;
  slotted::Rules rules;  // with traffic.when_full
  // [traffic]
  double load = 1.0;
  double hotspot_fraction = 0.0;
  std::int64_t hotspot = 0;
  std::optional<std::int64_t> hotspot_class;
  double high_share = 0.2;
  std::vector<std::int64_t> class_percent;
  // [measure]
  std::int64_t slots = 100'000;
  std::int64_t warmup_slots = 1'000;
  double delay_weight = 1.0;
  double throughput_weight = 1.0;
};

}  // namespace headway
