// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/infiniband_reaction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "headway/congestion/reaction.h"
#include "headway/congestion/reactions.h"

namespace headway {
namespace {

enum class Throttled : std::uint8_t { flow, service_level };
constexpr auto names_in_specs(Throttled) { return name_list("flow", "service-level"); }

constexpr std::int64_t kMostIndex = 1023;

class InfiniBandKeys final : public ReactionOf<InfiniBandReaction> {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "ccti_increase",
                      .help = "steps by which a notification raises the index of the table",
                      .bounds = Bounds::from(1, kMostIndex)},
                     increase_);
    parameters.field({.name = "ccti_limit", .help = "largest index", .bounds = Bounds::from(1, kMostIndex)},
                     limit_);
    parameters.field({.name = "ccti_min", .help = "smallest index", .bounds = Bounds::from(0, kMostIndex)},
                     min_);
    parameters.field(
        {.name = "ccti_timer",
         .help = "time after which the index falls by one; default: 64 times that of a full packet and "
                 "of marking_rate + 1 packets, over ccti_increase, which holds back 64 flows",
         .bounds = Bounds::over(0, 4e15)},
        timer_);
    parameters.field(
        {.name = "cct_shift",
         .help = "the delay after a packet is its time on the link over 2 to this power, times the "
                 "entry of the table",
         .bounds = Bounds::from(0, 40)},
        shift_);
    parameters.field(
        {.name = "cct",
         .help =
             "table of factors by index; default: 0, 1, 2 ...: rates of 1 / (1 + index / 4), the last one "
             "about 1 / 33, which is too much for a hot spot of more flows",
         .bounds = Bounds::from(0, 65535)},
        table_);
    parameters.field(
        {.name = "throttle",
         .help = "what an index applies to: a flow, or all flows of a node with a service level"},
        throttled_);
  }

  void check(Mistakes& mistakes) const override {
    if (min_ > limit_) mistakes.add("node.ccti_min", "is more than ccti_limit");
    if (!table_.empty() && static_cast<std::int64_t>(table_.size()) <= limit_)
      mistakes.add("node.cct", "has no entry for every index up to ccti_limit",
                   "give ccti_limit + 1 entries, from index 0 on");
  }

  std::optional<ReactionRules> build(const ReactionContext& context) const override {
    InfiniBandReaction rules{.increase = static_cast<std::uint32_t>(increase_),
                             .least_index = static_cast<std::uint32_t>(min_),
                             .most_index = static_cast<std::uint32_t>(limit_),
                             .shift = static_cast<std::uint32_t>(shift_)};
    rules.recovery_timer = 64 * context.packet_ticks * context.mark_every / rules.increase;
    if (timer_) rules.recovery_timer = context.ticks(*timer_);
    rules.recovery_timer = std::max<Tick>(rules.recovery_timer, 1);
    // a table that is too short is a mistake, but the checks that look for others build the rules, too
    const bool given = table_.size() > static_cast<std::size_t>(limit_);
    for (std::int64_t index = 0; index <= limit_; ++index)
      rules.multipliers.push_back(
          static_cast<std::uint32_t>(given ? table_[static_cast<std::size_t>(index)] : index));
    return ReactionRules{.own = std::move(rules), .by_service_level = throttled_ == Throttled::service_level};
  }

 private:
  std::int64_t increase_ = 1, limit_ = 127, min_ = 0, shift_ = 2;
  std::optional<Duration> timer_;
  std::vector<std::int64_t> table_;
  Throttled throttled_ = Throttled::flow;
};

}  // namespace

GateChange InfiniBandReaction::on_notification(State& own, const Notification&, bool,
                                               const FlowClock& clock) const {
  own.index = std::min(most_index, own.index + increase);
  if (!clock.is_set(kRecovery)) clock.set(kRecovery, recovery_timer);
  return GateChange::moved;
}

GateChange InfiniBandReaction::on_timer(State& own, FlowEvent, const FlowClock& clock) const {
  if (own.index > least_index) --own.index;
  if (own.index == 0) return GateChange::removed;
  if (own.index > least_index) clock.set(kRecovery, recovery_timer);
  return GateChange::moved;
}

double InfiniBandReaction::least_rate() const {
  return 1 / (1 + std::ldexp(multipliers.back(), -static_cast<int>(shift)));
}

std::string InfiniBandReaction::note_of(const HotSpotOfNetwork& spot) const {
  const double timer_ns = static_cast<double>(recovery_timer) * spot.tick_ns;
  const double held = increase * timer_ns / spot.marked_ns;
  const std::string overload =
      fmt::format("{} nodes send to node {} more than its link carries, and reaction \"infiniband\" can ",
                  spot.sources, spot.destination);
  if (spot.sources > held)
    return overload + fmt::format(
                          "hold back only {:.3g}: the index of each falls by one in a ccti_timer of {:.4g} "
                          "ns, and at most one packet in {:.4g} ns is marked and raises one of them by {}; "
                          "this hot spot needs a node.ccti_timer of at least {:.4g} ns",
                          held, timer_ns, spot.marked_ns, increase, spot.sources * spot.marked_ns / increase);
  if (spot.slowed > HotSpot::kFull && !spot.by_service_level)
    return overload + fmt::format(
                          "slow each of them down to {:.3g} of its link only, at the end of its table: "
                          "together, they still send {:.3g} times what the link carries; set a smaller "
                          "node.cct_shift, a larger node.ccti_limit or a node.cct",
                          least_rate(), spot.slowed);
  return "";
}

Entry<Reaction> InfiniBandReaction::entry() {
  return {"infiniband",
          "a table of delays between packets, whose index notifications raise and a timer lowers",
          "InfiniBand Architecture Specification 1.3, annex A10", make_entry<Reaction, InfiniBandKeys>};
}

}  // namespace headway
