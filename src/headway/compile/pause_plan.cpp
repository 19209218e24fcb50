// SPDX-License-Identifier: Apache-2.0
// Pauses of a spec (docs/modelling.md, "Pauses").
#include "headway/compile/network_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "headway/compile/tick.h"

namespace headway {
namespace {

// Choice: a sender resumes two full packets below XOFF.
constexpr std::uint32_t kPacketsBelowXoff = 2;

}  // namespace

std::uint32_t shortest_packet(const EventSpec& spec, std::span<const JobPlan> jobs) {
  const auto full = static_cast<std::uint64_t>(spec.traffic.packet.count);
  std::uint64_t shortest = spec.traffic.traces.empty() ? full : 1;
  for (const FlowSpec& flow : spec.traffic.flows) {
    Mistakes of_sizes;
    flow.sizes->check(of_sizes);
    if (of_sizes.empty())
      shortest = std::min(shortest, flow.sizes->build(spec.traffic.packet.count).shortest_packet(full));
  }
  const auto add_message = [&](std::uint64_t bytes) {
    shortest = std::min(shortest, bytes % full == 0 ? full : bytes % full);
  };
  for (const JobPlan& job : jobs) {
    if (!job.program) continue;
    for (const ProgramOp& op : job.program->ops)
      if (op.kind == ProgramOpKind::send) add_message(op.amount);
  }
  for (const JobSpec& job : spec.traffic.jobs)
    if (job.rendezvous) add_message(static_cast<std::uint64_t>(job.control.count));
  if (const Bytes& notification = spec.node.notification_packet; notification.count > 0)
    shortest = std::min(shortest, static_cast<std::uint64_t>(notification.count));
  return static_cast<std::uint32_t>(shortest);
}

void plan_pauses(const EventSpec& spec, const Graph& graph, std::uint32_t shortest, NetworkOptions& options) {
  const auto plan = spec.switches.flow_control->pauses();
  if (!plan) return;
  const Bytes slot = slot_of(spec);
  PauseRules& rules = options.pause.emplace();
  rules.alpha = static_cast<std::uint32_t>(std::llround(plan->alpha * PauseRules::kAlphaUnit));
  if (plan->delay) rules.delay = ticks(*plan->delay, options.tick);
  rules.loses = plan->loses;
  rules.least_bytes = shortest;
  rules.headroom =
      plan->headroom ? credits_per_queue(*plan->headroom, 1, slot) : lossless_headroom(graph, options);
  rules.xoff = options.capacity > rules.headroom ? options.capacity - rules.headroom : 0;
  if (plan->xoff) rules.xoff = credits_per_queue(*plan->xoff, 1, slot);
  rules.gap = kPacketsBelowXoff * options.credits_of_packet();
  if (plan->xon) rules.gap = rules.xoff - std::min(rules.xoff, credits_per_queue(*plan->xon, 1, slot));
}

void check_pauses(const EventSpec& spec, const NetworkOptions& options, Mistakes& mistakes) {
  const auto plan = spec.switches.flow_control->pauses();
  if (!plan) return;
  if (plan->xon && options.pause->gap == 0)
    mistakes.add("switch.xon",
                 fmt::format("{} is not below the threshold of a pause, {}", to_string(*plan->xon),
                             to_string(Bytes{options.pause->xoff * slot_of(spec).count})));
  if (plan->delay && options.credit_bytes > 0)
    mistakes.add("switch.pause_delay", "pauses that share the links take the time of the links",
                 "omit it, or omit switch.credit_packet");
  if (plan->loses && spec.node.reaction.name == "window")
    mistakes.add("switch.losses",
                 "a window would wait for ever for the acknowledgement of a packet that is lost",
                 "omit it, or use another node.reaction");
  if (plan->loses && !spec.traffic.jobs.empty())
    mistakes.add("switch.losses", "a job would wait for ever for a packet that is lost", "omit it");
}

}  // namespace headway
