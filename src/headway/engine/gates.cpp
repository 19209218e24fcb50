// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/gates.h"

namespace headway {

void Gates::deliver_marked(const Packet& packet) {
  const Network& network = state_.network;
  const std::uint8_t service =
      network.has_lanes() ? network.routes.lanes.service_of_level(packet.course.level) : 0;
  flows().deliver_marked(flow_key(network, packet.source, packet.destination, service), state_.wheel.now());
  set_timer();
}

void Gates::admit(std::uint32_t source, const Packet& packet) {
  const PortState& adapter = state_.ports[state_.network.adapter_port(packet.source)];
  const Tick transfer = static_cast<Tick>(packet.length) * adapter.ticks_per_byte;
  flows().admit(flow_of(source, packet.source, packet.destination), packet.length, transfer,
                state_.wheel.now());
  set_timer();
}

void Gates::wait(std::uint32_t source, NodeId node, NodeId destination, std::uint32_t queue) {
  Control& control = *state_.control;
  const FlowKey flow = flow_of(source, node, destination);
  std::uint32_t& place = control.parked_of.at(flow, kNone);
  if (place == kNone) {
    place = static_cast<std::uint32_t>(control.parked.size());
    control.parked.push_back({.node = node, .list = {}});
  }
  state_.admittance.join(control.parked[place].list, queue);
  flows().wait(flow);
  set_timer();
}

// The wheel has one timer, that of the next event.
void Gates::set_timer() {
  Control& control = *state_.control;
  state_.record.limited_flows = flows().limited();
  const Tick next = flows().next();
  if (next >= control.timer) return;
  control.timer = next;
  state_.wheel.schedule_timer(next, timer_);
}

}  // namespace headway
