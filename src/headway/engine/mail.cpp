// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/mail.h"

#include <utility>

#include "headway/base/error.h"
#include "headway/engine/gates.h"

namespace headway {

std::uint32_t device_of(const State& state, const TimedEvent& event) {
  const PortId port =
      event.kind == EventKind::arrive ? state.packets[event.event.b].next_output : event.event.b;
  return state.ports[port].owner;
}

void post(State& from, const TimedEvent& event, Mail& mail) {
  mail.events.push_back(event);
  if (event.kind == EventKind::control) {
    mail.signals.push_back(from.isolation->take_signal(event.event.a));
  } else if (event.kind == EventKind::arrive) {
    const PacketId id = event.event.b;
    const Packet& packet = from.packets[id];
    if (from.limiter != nullptr && from.is_notice(id))
      mail.notices.push_back(from.limiter->notices.take(packet.source, packet.serial));
    mail.packets.push_back({packet, from.packets.origin(id)});
    from.packets.release(id);
  }
}

void take(State& to, Mail& mail) {
  std::size_t moved = 0, signal = 0, notice = 0;
  for (const TimedEvent& it : mail.events) {
    if (it.tick < to.wheel.now()) throw InvariantError("a part of the network got an event too late");
    Event event = it.event;
    if (it.kind == EventKind::control) {
      event.a = to.isolation->put_signal(std::move(mail.signals[signal++]));
    } else if (it.kind == EventKind::arrive) {
      const auto& [packet, origin] = mail.packets[moved++];
      event.b = to.packets.allocate();
      to.packets[event.b] = packet;
      to.packets.origin(event.b) = origin;
      if (to.limiter != nullptr && to.is_notice(event.b))
        to.limiter->notices.put(packet.source, packet.serial, mail.notices[notice++]);
    }
    to.wheel.schedule(it.kind, it.tick, event.a, event.b);
  }
  if (mail.told.empty()) return;
  for (const Limiter::Told& it : mail.told) to.limiter->flows.tell(it.flow, it.told, it.tick);
  set_timer(to);
}

}  // namespace headway
