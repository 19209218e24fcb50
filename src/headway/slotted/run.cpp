// SPDX-License-Identifier: Apache-2.0
#include "headway/slotted/run.h"

#include "headway/slotted/stages.h"

namespace headway::slotted {
namespace {

std::vector<ReplicationCounts> counts_of(const std::vector<ReplicationCounter>& counters) {
  std::vector<ReplicationCounts> result;
  for (const auto& counter : counters) result.push_back(counter.counts());
  return result;
}

std::vector<ReplicationCounts> difference(std::vector<ReplicationCounts> a,
                                          const std::vector<ReplicationCounts>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::uint32_t replication = 0; replication < kReplications; ++replication)
      a[i][replication] -= b[i][replication];
  return a;
}

// Adds entered - left of every replication to a sum.
void add_population(ReplicationCounter& sum, const ReplicationCounter& entered,
                    const ReplicationCounter& left) {
  const ReplicationCounter::Planes in = entered.planes(), out = left.planes();
  Replications borrow = 0;
  for (std::uint32_t k = 0; k < entered.used(); ++k) {
    const Replications difference = in[k] ^ out[k] ^ borrow;
    borrow = (~in[k] & (out[k] | borrow)) | (out[k] & borrow);
    if (difference != 0) sum.add(difference, k);
  }
}

}  // namespace

Outcome run(const Plan& plan, const Schedule& schedule, const std::function<void(double)>& on_progress) {
  constexpr std::uint64_t kSlotsPerReport = 256;
  const std::uint64_t slots = (schedule.slots + kReplications - 1) / kReplications,
                      all = schedule.warmup + slots;
  Stages stages(plan, schedule.seed, all);
  const auto& counters = stages.counters();

  Stages::Counters before, halfway;
  std::vector<ReplicationCounter> present(counters.entered.size());
  for (std::uint64_t slot = 0; slot < all; ++slot) {
    if (slot == schedule.warmup) before = counters;
    if (slot == schedule.warmup + slots / 2) halfway = counters;
    stages.step();
    if (schedule.check) stages.verify();
    if (on_progress && slot % kSlotsPerReport == 0)
      on_progress(static_cast<double>(slot) / static_cast<double>(all));
    if (slot >= schedule.warmup)
      for (std::size_t i = 0; i < present.size(); ++i)
        add_population(present[i], counters.entered[i], counters.left[i]);
  }

  const auto measured = [](const std::vector<ReplicationCounter>& now,
                           const std::vector<ReplicationCounter>& then) {
    return difference(counts_of(now), counts_of(then));
  };
  Outcome outcome;
  outcome.zones = plan.zones();
  outcome.classes = plan.classes;
  outcome.slots = slots;
  outcome.delivered = difference(measured(counters.left, before.left), measured(counters.lost, before.lost));
  outcome.delivered_early =
      difference(measured(halfway.left, before.left), measured(halfway.lost, before.lost));
  outcome.delays =
      plan.rules.loses_destinations() ? measured(counters.delay, before.delay) : counts_of(present);
  outcome.offered = measured(counters.offered, before.offered);
  outcome.blocked = measured(counters.blocked, before.blocked);
  outcome.switch_updates = plan.switching_elements * all * kReplications;
  return outcome;
}

std::uint64_t hash_of(const Outcome& outcome) {
  std::uint64_t hash = 0;
  for (const auto* table : {&outcome.delivered, &outcome.delays, &outcome.offered, &outcome.blocked})
    for (const auto& replications : *table)
      for (const std::uint64_t count : replications) hash = mix64(hash ^ count);
  return hash;
}

}  // namespace headway::slotted
