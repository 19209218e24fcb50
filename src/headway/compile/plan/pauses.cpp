// SPDX-License-Identifier: Apache-2.0
// Pauses of a spec (docs/modelling.md, "Pauses").
#include "headway/compile/plan/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headway/compile/tick.h"

namespace headway {
namespace {

// Choice: a sender resumes two full packets below XOFF.
constexpr std::uint32_t kPacketsBelowXoff = 2;

bool has_windows(const EventSpec& spec) {
  const auto reaction = spec.node.reaction->traits();
  return reaction && !reaction->has_rates;
}

}  // namespace

PacketLengths packet_lengths(const EventSpec& spec, std::span<const JobPlan> jobs) {
  const Framing framing = spec.traffic.framing();
  std::uint64_t shortest = framing.full_frame(), unit = shortest;
  const auto add = [&](std::uint64_t least, std::uint64_t its_unit) {
    shortest = std::min(shortest, least);
    unit = std::gcd(unit, its_unit);
  };
  const auto add_message = [&](std::uint64_t bytes) {
    if (bytes == 0) return;
    const std::uint32_t last = framing.frame(framing.cut(bytes).last);
    add(last, last);
  };
  if (!spec.traffic.traces.empty()) add(framing.frame(1), 1);
  for (const FlowSpec& flow : spec.traffic.flows) {
    Mistakes of_sizes;
    flow.sizes->check(of_sizes);
    if (!of_sizes.empty()) continue;
    const SizeDistribution sizes = flow.sizes->build(spec.traffic.packet.count);
    const std::uint64_t least =
        framing.frame(static_cast<std::uint32_t>(sizes.shortest_packet(framing.payload)));
    add(least, framing.is_bare() ? sizes.unit_of_packets(framing.payload) : sizes.fixed() ? least : 1);
  }
  for (const JobPlan& job : jobs) {
    if (!job.program) continue;
    job.program->for_each_size([&](std::uint64_t bytes, std::uint64_t) { add_message(bytes); });
  }
  for (const JobSpec& job : spec.traffic.jobs)
    if (job.rendezvous) add_message(static_cast<std::uint64_t>(job.control.count));
  if (spec.node.notification_packet.count > 0) {
    const auto frame = std::max(spec.node.notification_packet, spec.traffic.minimum_frame);
    add(static_cast<std::uint64_t>(frame.count), static_cast<std::uint64_t>(frame.count));
  }
  return {static_cast<std::uint32_t>(shortest), static_cast<std::uint32_t>(unit)};
}

std::optional<PauseRules> pause_rules(const EventSpec& spec, const Graph& graph, const PacketLengths& lengths,
                                      NetworkOptions options) {
  const auto plan = spec.switches.flow_control->pauses();
  if (!plan) return std::nullopt;
  PauseRules& rules = options.pause.emplace();
  rules.unit_bytes = options.has_cells() ? options.cell_bytes : lengths.unit;
  rules.alpha = static_cast<std::uint32_t>(std::llround(plan->alpha * PauseRules::kAlphaUnit));
  if (plan->delay) rules.delay = ticks(*plan->delay, options.tick);
  rules.loses = plan->loses;
  rules.least_bytes = lengths.shortest;
  rules.headroom = plan->headroom ? credits_per_queue(*plan->headroom, 1, Bytes{rules.unit_bytes})
                                  : lossless_headroom(graph, options);
  return options.pause;
}

void set_thresholds(const EventSpec& spec, NetworkOptions& options) {
  const auto plan = spec.switches.flow_control->pauses();
  PauseRules& rules = *options.pause;
  const Bytes unit{rules.unit_bytes};
  rules.xoff = options.capacity > rules.headroom ? options.capacity - rules.headroom : 0;
  if (plan->xoff) rules.xoff = credits_per_queue(*plan->xoff, 1, unit);
  rules.gap = kPacketsBelowXoff * options.lane_credits_of(options.packet_bytes);
  if (plan->xon) rules.gap = rules.xoff - std::min(rules.xoff, credits_per_queue(*plan->xon, 1, unit));
}

bool may_lose_packets(const EventSpec& spec) { return spec.traffic.jobs.empty() && !has_windows(spec); }

void check_pauses(const EventSpec& spec, const NetworkOptions& options, Mistakes& mistakes) {
  const auto plan = spec.switches.flow_control->pauses();
  if (!plan) return;
  if (plan->xon && options.pause->gap == 0)
    mistakes.add(
        "switch.xon",
        fmt::format("{} is not below the threshold of a pause, {}", to_string(*plan->xon),
                    to_string(Bytes{std::int64_t{options.pause->xoff} * options.pause->unit_bytes})));
  if (plan->delay && options.credit_bytes > 0)
    mistakes.add("switch.pause_delay", "pauses that share the links take the time of the links",
                 "omit it, or omit switch.credit_packet");
  if (plan->loses && has_windows(spec))
    mistakes.add("switch.losses",
                 "a window would wait for ever for the acknowledgement of a packet that is lost",
                 "omit it, or use another node.reaction");
  if (plan->loses && !spec.traffic.jobs.empty())
    mistakes.add("switch.losses", "a job would wait for ever for a packet that is lost", "omit it");
}

}  // namespace headway
