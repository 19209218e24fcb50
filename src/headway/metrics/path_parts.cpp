// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/path_parts.h"

#include <algorithm>

#include "headway/base/wide.h"

namespace headway {

TransferParts& TransferParts::operator+=(const TransferParts& other) {
  for (Tick TransferParts::* const part :
       {&TransferParts::serialisation, &TransferParts::narrow, &TransferParts::slow,
        &TransferParts::propagation, &TransferParts::switching, &TransferParts::rest})
    this->*part += other.*part;
  return *this;
}

std::uint64_t message_bytes(const Job& job, const PathStep& step) {
  if (step.kind == StepKind::request || step.kind == StepKind::clearance) return job.control_bytes;
  return std::max<std::uint64_t>(job.program->ops[step.op].amount, 1);
}

TransferParts TransferSplit::parts_of(const Job& job, const WatchedStep& step) const {
  Tick left = step.length() - step.waited();
  const auto take = [&left](Tick ticks) {
    const Tick taken = std::clamp<Tick>(ticks, 0, left);
    left -= taken;
    return taken;
  };
  TransferParts parts;
  if (step.links.empty()) {  // the message stays on its node
    parts.rest = left;
    return parts;
  }
  const auto bytes = static_cast<Tick>(message_bytes(job, step.step));
  Tick own = 0, usual = 0, actual = 0, delays = 0;
  for (const PortId link : step.links) {
    const Tick expected = usual_ticks_per_byte(link);
    const bool of_node =
        network_.is_adapter_port(link) || network_.is_adapter_port(network_.graph.peer_of(link));
    if (of_node) own = std::max(own, expected);
    usual = std::max(usual, expected);
    actual = std::max<Tick>(actual, ticks_per_byte(link));
    delays += network_.ports[network_.link_port(link)].delay;
  }
  parts.serialisation = take(bytes * own);
  parts.narrow = take(bytes * (usual - own));
  parts.slow = take(bytes * (actual - usual));
  if (step.step.kind != StepKind::departure) {
    parts.propagation = take(delays);
    parts.switching = take(static_cast<Tick>(step.links.size() - 1) * network_.routing_delay);
  }
  parts.rest = left;
  return parts;
}

PortId TransferSplit::slow_link_of(const WatchedStep& step) const {
  if (step.links.empty()) return kNone;
  const PortId slowest =
      *std::ranges::max_element(step.links, {}, [this](PortId link) { return ticks_per_byte(link); });
  return ticks_per_byte(slowest) > usual_ticks_per_byte(slowest) ? slowest : kNone;
}

Tick TransferSplit::too_long(PortId link, Tick ticks) const {
  const Tick actual = ticks_per_byte(link), usual = usual_ticks_per_byte(link);
  return actual <= usual ? 0 : static_cast<Tick>(SignedWide{ticks} * (actual - usual) / actual);
}

}  // namespace headway
