// SPDX-License-Identifier: Apache-2.0
#include "headway/slotted/zones.h"

#include <cmath>

#include "headway/base/statistics.h"

namespace headway {
namespace {

using slotted::kReplications;
using slotted::ReplicationCounts;

ReplicationCounts sum_of(const std::vector<ReplicationCounts>& counts, const slotted::Outcome& outcome,
                         const ZonePart& part) {
  ReplicationCounts sum{};
  for (std::uint32_t zone = 0; zone < outcome.zones; ++zone)
    for (std::uint32_t c = 0; c < outcome.classes; ++c)
      if (part.zone.value_or(zone) == zone && part.priority.value_or(c) == c)
        for (std::uint32_t replication = 0; replication < kReplications; ++replication)
          sum[replication] += counts[zone * outcome.classes + c][replication];
  return sum;
}

// Totals over a number of replications.
struct Totals {
  double delivered = 0;  // for the throughput
  double left = 0;       // for the delay
  double delays = 0;
  double slots = 0;  // of all replications
};

// A function of the totals over all replications, with the half width of its jackknife confidence interval.
template <class Function>
ZoneEstimate jackknife(const std::array<Totals, kReplications>& of, Function function) {
  Totals all;
  for (const Totals& replication : of) {
    all.delivered += replication.delivered;
    all.left += replication.left;
    all.delays += replication.delays;
    all.slots += replication.slots;
  }
  std::array<double, kReplications> without{};
  double mean = 0;
  for (std::uint32_t l = 0; l < kReplications; ++l) {
    without[l] = function(Totals{all.delivered - of[l].delivered, all.left - of[l].left,
                                 all.delays - of[l].delays, all.slots - of[l].slots});
    mean += without[l] / kReplications;
  }
  double squares = 0;
  for (const double value : without) squares += (value - mean) * (value - mean);
  return {function(all),
          student_t(kReplications - 1) * std::sqrt(squares * (kReplications - 1) / kReplications)};
}

double share_of(const slotted::Design& design, const slotted::Traffic& traffic, const ZonePart& part) {
  const double inputs = design.nodes, outputs = design.outputs();
  double share = 0;
  for (std::uint32_t c = 0; c < design.classes; ++c) {
    if (part.priority.value_or(c) != c) continue;
    share += (1 - traffic.hotspot_fraction) * traffic.shares[c] * inputs / outputs;
    if (c == traffic.hotspot_class && part.zone.value_or(0) == 0)
      share += traffic.hotspot_fraction * inputs / (part.zone ? 1 : outputs);
  }
  return share;
}

}  // namespace

ZoneCurve class_curve(const slotted::Design& design, const slotted::Traffic& traffic, ZonePart part) {
  return {part, part, share_of(design, traffic, part)};
}

ZoneCurve zone_curve(const slotted::Design& design, const slotted::Traffic& traffic, std::uint32_t zone) {
  const ZonePart own{zone, traffic.hotspot_class};
  return {own, ZonePart{zone, {}}, share_of(design, traffic, own)};
}

ZoneMetrics evaluate(const slotted::Outcome& outcome, const slotted::Plan& plan, const ZoneCurve& curve,
                     const ZoneWeights& weights) {
  const ReplicationCounts delivered = sum_of(outcome.delivered, outcome, curve.throughput);
  const ReplicationCounts left = sum_of(outcome.delivered, outcome, curve.delay);
  const ReplicationCounts delays = sum_of(outcome.delays, outcome, curve.delay);
  std::array<Totals, kReplications> totals;
  for (std::uint32_t replication = 0; replication < kReplications; ++replication)
    totals[replication] = {static_cast<double>(delivered[replication]),
                           static_cast<double>(left[replication]), static_cast<double>(delays[replication]),
                           static_cast<double>(outcome.slots)};

  const double outputs = curve.throughput.zone ? plan.outputs_in[*curve.throughput.zone]
                                               : static_cast<double>(plan.zone_of.size());
  const auto throughput = [](const Totals& t) { return t.delivered / t.slots; };
  const auto normalised = [&](const Totals& t) { return throughput(t) / outputs; };
  const auto relative = [&](const Totals& t) { return normalised(t) / curve.share; };
  const auto delay = [&](const Totals& t) { return t.delays / t.left / plan.stages; };
  const auto universal = [&](const Totals& t) {
    const double late = delay(t) - 1, missing = (1 - relative(t)) / relative(t);
    return std::sqrt(weights.delay * late * late + weights.throughput * missing * missing);
  };
  return {jackknife(totals, throughput), jackknife(totals, normalised), jackknife(totals, delay),
          jackknife(totals, relative), jackknife(totals, universal)};
}

ZoneEstimate blocked_fraction(const slotted::Outcome& outcome, std::uint32_t priority) {
  std::array<Totals, kReplications> totals;
  for (std::uint32_t replication = 0; replication < kReplications; ++replication) {
    totals[replication].delivered = static_cast<double>(outcome.blocked[priority][replication]);
    totals[replication].left = static_cast<double>(outcome.offered[priority][replication]);
  }
  return jackknife(totals, [](const Totals& t) { return t.delivered / t.left; });
}

}  // namespace headway
