// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/infiniband_marking.h"

#include "headway/congestion/marking.h"
#include "headway/congestion/markings.h"

namespace headway {

constexpr auto names_in_specs(VictimMask) { return name_list("none", "nodes", "all"); }

namespace {

constexpr std::int64_t kThresholds = 16;

class InfiniBandMarkingKeys final : public Marking {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "threshold",
         .help = "weight w from 1 to 15: a port is congested while more than (16 - w) / 16 of the "
                 "memory of a lane at an input port waits for it; 0: never",
         .bounds = Bounds::from(0, kThresholds - 1)},
        threshold_);
    describe_marking_rate(marking_rate_, parameters);
    parameters.field(
        {.name = "packet_size", .help = "shorter packets are not marked", .bounds = Bounds::from(0, 65535)},
        packet_size_);
    parameters.field({.name = "victim_mask",
                      .help = "ports that also mark packets when they have no credits: none, those to nodes "
                              "(a slow receiver is behind them), or all"},
                     victims_);
  }

  bool marks() const override { return true; }
  std::optional<MarkingRules> build(const MarkingContext& context) const override {
    const std::int64_t bytes = context.lane_bytes * (kThresholds - threshold_) / kThresholds;
    const std::uint64_t threshold = threshold_ == 0 ? UINT64_MAX : static_cast<std::uint64_t>(bytes);
    return MarkingRules{.own = InfiniBandMarking{.threshold = threshold},
                        .roots_only = true,
                        .victims = victims_,
                        .every = static_cast<std::uint32_t>(marking_rate_) + 1,
                        .least_bytes = static_cast<std::uint32_t>(packet_size_.count)};
  }

 private:
  std::int64_t threshold_ = 15, marking_rate_ = 0;
  Bytes packet_size_{0};
  VictimMask victims_ = VictimMask::none;
};

}  // namespace

Entry<Marking> InfiniBandMarking::entry() {
  return {"infiniband", "by a threshold for the bytes that wait for an output, at roots of congestion only",
          "InfiniBand Architecture Specification 1.3, annex A10", make_entry<Marking, InfiniBandMarkingKeys>};
}

}  // namespace headway
