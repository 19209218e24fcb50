// SPDX-License-Identifier: Apache-2.0
// The metrics of multistage networks under a hot spot, by zone of outputs and by class, each with the half
// width of its 95 % confidence interval from the 64 replications (jackknife over replications; Student's t
// with 63 degrees).
//
// Source: the dual-priority multi-layer MIN paper (papers/multilayer), section III.B, equations (1)-(10).
#pragma once

#include <cstdint>
#include <optional>

#include "headway/slotted/design.h"
#include "headway/slotted/run.h"

namespace headway {

struct ZoneEstimate {
  double value = 0;
  double half_width = 0;
};

// Packets for the outputs of a zone (none: all outputs) and of a class (none: all classes).
struct ZonePart {
  std::optional<std::uint32_t> zone;
  std::optional<std::uint32_t> priority;
};

// The parts that one curve of a figure shows: for throughput, relative to a share of the load, and for delay.
struct ZoneCurve {
  ZonePart throughput;
  ZonePart delay;
  double share = 1;  // throughput per output if all of the load 1 were delivered
};

// ZoneWeights of delay and throughput in the universal performance factor; the paper uses 1 and 1.
struct ZoneWeights {
  double delay = 1;
  double throughput = 1;
};

struct ZoneMetrics {
  ZoneEstimate throughput;             // packets per slot of the whole part, equation (1)
  ZoneEstimate normalised_throughput;  // per output, (2)
  ZoneEstimate normalised_delay;       // mean slots in the network per stage, (3) and (4)
  ZoneEstimate relative_throughput;    // normalised throughput divided by its share of load 1, (5)-(7)
  ZoneEstimate universal;              // distance from the optimum, 0 is best, (10)
};

// One class in one zone, (7); or in all zones, (6).
ZoneCurve class_curve(const slotted::Design& design, const slotted::Traffic& traffic, ZonePart part);
// A zone as figures have it: the throughput of the class of the hot spot's packets, (5) and (7), because the
// denominators are the shares of this class; the delay of all packets, because (3) and (4) have no class.
ZoneCurve zone_curve(const slotted::Design& design, const slotted::Traffic& traffic, std::uint32_t zone);

ZoneMetrics evaluate(const slotted::Outcome& outcome, const slotted::Plan& plan, const ZoneCurve& curve,
                     const ZoneWeights& weights = {});

// The fraction of the generated packets of a class that found no place at the network input.
ZoneEstimate blocked_fraction(const slotted::Outcome& outcome, std::uint32_t priority);

}  // namespace headway
