// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/network_options.h"

#include <algorithm>
#include <set>
#include <utility>

#include "headway/congestion/overflow.h"

namespace headway {
namespace {

Tick ticks_per_byte(const Link& link, const NetworkOptions& options) {
  return link_ticks(Duration{Rational(1) / link.rate.bytes_per_ns}, options.tick).value_or(1);
}

bool is_within(std::uint32_t value, std::uint32_t least, std::uint32_t most) {
  return value >= least && value <= most;
}

class RuleCheck {
 public:
  RuleCheck(const Graph& graph, const QueueMap& map, const NetworkOptions& options)
      : graph_(graph), map_(map), options_(options) {}

  std::vector<IllegalNetwork> judge() {
    using enum IllegalNetwork;
    const NetworkOptions& o = options_;
    judge_sizes();
    if (!o.weights.empty()) {
      refuse_if(weights, o.weights.size() != std::size_t{map_.queues} * o.lanes ||
                             *std::ranges::min_element(o.weights) == 0);
      refuse_if(weighted_queues, map_.queues * o.lanes > kMostWeightedQueues);
      refuse_if(weights_of_pool, o.is_pooled());
    }
    if (o.turns) {
      refuse_if(turns_of_lanes, o.turns->class_of.size() != o.lanes || !o.turns->is_complete());
      refuse_if(turns_and_weights, !o.weights.empty());
      refuse_if(turns_at_random, traits_of(o.arbiter).draws);
      refuse_if(turns_of_late_choice, o.selection && o.selection->free == FreeOutput::now);
    }
    judge_feedback(o.credit_bytes, credit_size, credit_without_link);
    judge_pauses();
    judge_lanes();
    judge_pools();
    refuse_if(marks_of_isolation, o.marking && o.marking->needs_isolation() && !o.isolation);
    refuse_if(marks_of_late_output, o.marking && o.marking->at == MarkAt::arrival && o.selection);
    refuse_if(reaction_without_marks, o.reaction && o.reaction->needs_marks() && !o.marking);
    refuse_if(reaction_of_fifo, o.reaction && o.admittance == Admittance::fifo);
    if (o.selection) {
      refuse_if(choice_on_detours, o.has_detours);
      refuse_if(kept_choice_of_escapes, o.has_choices && o.selection->none_free == NoneFree::preferred);
      refuse_if(followers_of_escapes, o.has_choices && o.follow_rule);
      refuse_if(queues_by_late_output, map_.uses_output());
      refuse_if(pool_of_late_output, o.is_pooled());
    }
    if (o.arrival_choice) {
      refuse_if(choice_on_detours, o.has_detours);
      refuse_if(queues_of_arrivals, map_.uses_output() && !o.has_lane_memory());
      refuse_if(arrivals_with_output_unit, o.has_output_units());
      refuse_if(arrivals_of_pool, o.is_pooled());
    }
    refuse_if(late_output_of_detours, o.decides_detours && map_.uses_output());
    judge_links();
    if (o.changes_routes()) {
      refuse_if(changed_routes_of_late_choice, o.selection.has_value());
      refuse_if(changed_routes_of_detours, o.has_detours);
      refuse_if(changed_routes_of_isolation, o.isolation.has_value());
    }
    refuse_if(losses_of_late_choice, o.down_links_lose && !o.changes.empty() && o.selection);
    return std::move(broken_);
  }

 private:
  void refuse_if(IllegalNetwork rule, bool broken) {
    if (broken) broken_.push_back(rule);
  }

  void judge_sizes() {
    using enum IllegalNetwork;
    const NetworkOptions& o = options_;
    const std::uint32_t least = least_room(graph_, o);
    refuse_if(packet_size, !is_within(o.packet_bytes, 1, kMostPacketBytes));
    refuse_if(cell_size, o.cell_bytes > o.packet_bytes);
    refuse_if(cells_in_rings, o.cell_bytes > 0 && o.needs_bubbles(graph_));
    // with pauses, queues need no room of their own; credits of cells are counted in queues, too
    const std::uint32_t most_of_lane =
        o.pause && !o.has_cells() ? PauseRules::kMostOfLane : kMostCreditsPerQueue;
    refuse_if(input_room, !is_within(o.capacity, o.pause ? 1 : least, most_of_lane));
    refuse_if(injection_room, !is_within(o.injection_capacity, o.credits_of_packet(), kMostCreditsPerQueue));
    refuse_if(output_room,
              o.has_output_units() && !is_within(o.output_capacity, least, kMostCreditsPerQueue));
    refuse_if(queues_per_port, has_too_many_queues(o, map_.queues));
    if (!o.has_slow_nodes()) return;
    refuse_if(receive_rates, o.receive_rate.size() != graph_.nodes() ||
                                 std::ranges::any_of(o.receive_rate, [](const Rational& rate) {
                                   return rate < Rational(0) || rate > Rational(1);
                                 }));
    const std::uint32_t received = o.pause ? o.lane_credits_of(o.packet_bytes) : o.credits_of_packet();
    refuse_if(receive_room, !is_within(o.receive_capacity, received, most_of_lane));
    refuse_if(receive_credits, o.credit_bytes > 0);
  }

  void judge_feedback(std::uint32_t bytes, IllegalNetwork size, IllegalNetwork without_link) {
    refuse_if(size, bytes > options_.packet_bytes);
    refuse_if(without_link, bytes > 0 && !graph_.links_go_both_ways());
  }

  void judge_pauses() {
    using enum IllegalNetwork;
    const NetworkOptions& o = options_;
    if (!o.pause) return;
    const PauseRules& rules = *o.pause;
    const std::uint32_t full = o.lane_credits_of(o.packet_bytes);
    refuse_if(pauses_in_rings, o.needs_bubbles(graph_));
    refuse_if(pauses_of_channels, map_.channels > 1);
    refuse_if(pauses_of_choices, o.selection && o.has_choices);
    refuse_if(pauses_of_detours, o.decides_detours);
    refuse_if(pauses_of_most_credits, o.selection && o.selection->uses_credits());
    refuse_if(pauses_without_delay,
              o.credit_bytes == 0 && (rules.delay ? *rules.delay < 1 : some_link_takes_no_time()));
    const auto has_thresholds = [&](std::uint32_t memory, std::uint32_t xoff) {
      return xoff > 0 && std::uint64_t{xoff} + rules.headroom <= memory;
    };
    const bool of_nodes = !o.has_slow_nodes() || (o.receive_capacity > rules.headroom);
    refuse_if(pause_thresholds,
              !has_thresholds(o.capacity, rules.alpha > 0 ? 2 * full : rules.xoff) || !of_nodes);
    const std::uint32_t least = rules.loses ? (rules.alpha > 0 ? full : 0) : lossless_headroom(graph_, o);
    refuse_if(pause_headroom, rules.headroom < least);
  }

  void judge_lanes() {
    using enum IllegalNetwork;
    const NetworkOptions& o = options_;
    if (o.output_queued) {
      refuse_if(queues_of_outputs,
                map_.key != QueueKey::output || !map_.separates_all() || map_.channels > 1);
      refuse_if(outputs_with_output_unit, o.has_output_units());
    }
    if (!o.shares_lanes) return;
    refuse_if(lanes_of_pauses, o.pause.has_value());
    refuse_if(lanes_of_pool, o.is_pooled());
    refuse_if(lanes_of_channels, map_.channels > 1);
    refuse_if(lanes_with_output_unit, o.has_output_units() && !o.one_output_queue);
    refuse_if(lanes_in_rings, o.needs_bubbles(graph_));
  }

  void judge_pools() {
    using enum IllegalNetwork;
    const NetworkOptions& o = options_;
    if (!o.is_pooled()) return;
    refuse_if(two_pools, o.isolation && o.overflow);
    refuse_if(pool_of_queues, map_.queues != 1);
    refuse_if(pool_with_output_unit, o.has_output_units());
    refuse_if(pool_of_lanes, o.lanes > 1);
    if (o.overflow) refuse_if(overflow_sets, o.overflow->set_of.size() != graph_.nodes());
    if (!o.isolation) return;
    refuse_if(isolation_lines, o.isolation->lines > IsolationRules::kMostLines);
    refuse_if(isolation_routes, !o.by_destination);
    refuse_if(isolation_in_rings, graph_.has_rings());
    judge_feedback(o.isolation->signal_bytes, signal_size, signal_without_link);
    refuse_if(signal_without_delay,
              o.isolation->signal_delay ? *o.isolation->signal_delay < 1 : some_link_takes_no_time());
  }

  void judge_links() {
    using enum IllegalNetwork;
    refuse_if(link_in_ticks, std::ranges::any_of(graph_.link_classes(), [&](const Link& link) {
                const Rational byte_time = Rational(1) / link.rate.bytes_per_ns;
                return !link_ticks(link.delay, options_.tick) ||
                       !link_ticks(Duration{byte_time}, options_.tick) ||
                       !link_ticks(Duration{byte_time / options_.crossbar_speedup}, options_.tick);
              }));
    refuse_if(hop_without_delay, options_.routing_delay < 1 && some_link_takes_no_time());
  }

  bool some_link_takes_no_time() const {
    return std::ranges::any_of(graph_.link_classes(),
                               [](const Link& link) { return link.delay == Duration{0}; });
  }

  const Graph& graph_;
  const QueueMap& map_;
  const NetworkOptions& options_;
  std::vector<IllegalNetwork> broken_;
};

}  // namespace

// A pause is sent when a packet joins its lane, and its sender may go on granting for the delay D of header,
// routing and pause. The length that takes most credits per time bounds what they take; the packet that
// causes the pause and the last one count in full. A switch that stores packets counts one when its tail has
// arrived, so that another one is on its way.
std::uint32_t lossless_headroom(const Graph& graph, const NetworkOptions& options) {
  const PauseRules& rules = *options.pause;
  const std::uint32_t full = options.lane_credits_of(options.packet_bytes);
  Tick slowest = 0;
  for (const Link& link : graph.link_classes()) slowest = std::max(slowest, ticks_per_byte(link, options));
  const std::uint32_t feedback = options.credit_bytes + options.signal_bytes();
  std::uint64_t most = 0;
  for (const Link& link : graph.link_classes()) {
    const Tick byte = ticks_per_byte(link, options);
    const Tick delay = *link_ticks(link.delay, options.tick);
    Tick pause = rules.delay.value_or(delay);
    if (options.credit_bytes > 0)
      pause = slowest * std::max<Tick>(options.packet_bytes, feedback) - 1 + slowest * feedback + delay;
    const auto credits_within = [&](Tick time) {
      std::uint64_t credits = 0;
      const std::uint32_t cell = rules.unit_bytes;
      const std::uint32_t above = (rules.least_bytes + cell - 2) / cell * cell + 1;  // starts a new cell
      for (const std::uint32_t bytes : {rules.least_bytes, std::min(above, options.packet_bytes)})
        credits =
            std::max(credits, static_cast<std::uint64_t>(time) * options.lane_credits_of(bytes) /
                                  (static_cast<std::uint64_t>(bytes) * static_cast<std::uint64_t>(byte)));
      return credits;
    };
    const auto needed = [&](Tick time, bool stored) {
      return credits_within(time - 1) + (stored ? 2 * full : full) - 1;
    };
    const bool stores = options.store_and_forward || graph.link_classes().size() > 1;
    most = std::max(most, needed(delay + options.routing_delay + pause, stores));
    if (options.has_slow_nodes()) most = std::max(most, needed(delay + pause, true));
  }
  if (rules.alpha > 0) ++most;  // with shared memory, the packet that causes the pause is in the headroom
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, UINT32_MAX));
}

std::uint64_t NetworkOptions::bytes_of_changes() const {
  std::set<const Routes*> routes;
  std::uint64_t bytes = 0;
  for (const TimedChange& change : changes)
    if (change.routes && routes.insert(change.routes.get()).second) bytes += change.routes->bytes();
  return bytes;
}

std::uint64_t queues_of_port(const NetworkOptions& options, std::uint64_t of_map) {
  if (options.isolation) return 1 + options.isolation->lines;
  if (options.overflow) return Overflow::queues(*options.overflow);
  return options.lanes * of_map;
}

std::vector<IllegalNetwork> illegal(const Graph& graph, const QueueMap& map, const NetworkOptions& options) {
  return RuleCheck(graph, map, options).judge();
}

std::optional<std::uint32_t> link_ticks(const Duration& duration, const Duration& tick) {
  const Rational ticks = duration.ns / tick.ns;
  if (!ticks.is_integer() || ticks < Rational(0) || ticks > Rational(limits::kTicksOfHop))
    return std::nullopt;
  return static_cast<std::uint32_t>(ticks.numerator());
}

}  // namespace headway
