// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/gates.h"

namespace headway {

void Gates::deliver(PacketId id) {
  if (!state_.packets.origin(id).marked && flows().rules().needs_marks()) return;
  const Network& network = state_.network;
  const Packet& packet = state_.packets[id];
  const std::uint8_t service =
      network.has_lanes() ? network.routes.lanes.service_of_level(packet.course.level) : 0;
  const Tick now = state_.wheel.now(), left = state_.packets.origin(id).injected;
  const FlowKey flow = flow_key(network, packet.source, packet.destination, service);
  if (flows().rules().notification_bytes > 0) {
    if (flows().sends_notification(flow, now))
      state_.limiter->notices.add({packet.destination, packet.source, flow, packet.length, left});
    return;
  }
  if (state_.has_node(packet.source)) {
    flows().deliver(flow, packet.length, now - left, now);
    set_timer(state_);
  } else if (flows().sends_notification(flow, now)) {
    const Tick delay = flows().rules().notification_delay;
    state_.limiter->abroad.push_back({flow, {packet.length, now - left + delay}, now + delay});
  }
}

// It takes effect in phase 3 of this tick.
void Gates::arrive(const Packet& packet) {
  const Notice notice = state_.limiter->notices.take(packet.source, packet.serial);
  const Tick now = state_.wheel.now();
  flows().tell(notice.flow, {notice.bytes, now - notice.left}, now);
}

void Gates::admit(std::uint32_t source, const Packet& packet) {
  const PortState& adapter = state_.ports[state_.network.adapter_port(packet.source)];
  const Tick transfer = static_cast<Tick>(packet.length) * adapter.ticks_per_byte;
  flows().admit(flow_of(source, packet.source, packet.destination), packet.length, transfer,
                state_.wheel.now());
  set_timer(state_);
}

void Gates::wait(std::uint32_t source, NodeId node, NodeId destination, std::uint32_t queue,
                 std::uint32_t bytes) {
  Limiter& limiter = *state_.limiter;
  const FlowKey flow = flow_of(source, node, destination);
  std::uint32_t& place = limiter.parked_of.at(flow, kNone);
  if (place == kNone) {
    place = static_cast<std::uint32_t>(limiter.parked.size());
    limiter.parked.push_back({.node = node, .list = {}});
  }
  state_.admittance.join(limiter.parked[place].list, queue);
  flows().wait(flow, bytes);
  set_timer(state_);
}

void set_timer(State& state) {
  Limiter& limiter = *state.limiter;
  state.record.limited_flows = limiter.flows.limited();
  const Tick next = limiter.flows.next();
  if (next >= limiter.timer) return;
  limiter.timer = next;
  state.wheel.schedule_timer(next, limiter.timer_source);
}

}  // namespace headway
