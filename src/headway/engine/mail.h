// SPDX-License-Identifier: Apache-2.0
// What a part of a run sends to another one between two epochs (parts.h): packets on links, the news of free
// memory, signals of isolation, and notifications.
#pragma once

#include <algorithm>
#include <vector>

#include "headway/congestion/isolation.h"
#include "headway/engine/control.h"
#include "headway/engine/jobs.h"
#include "headway/engine/notices.h"
#include "headway/engine/packet.h"
#include "headway/engine/state.h"
#include "headway/engine/wheel.h"

namespace headway {

// A packet that leaves its part.
struct MovedPacket {
  Packet packet;
  PacketOrigin origin;
};

struct Mail {
  std::vector<TimedEvent> events;
  std::vector<MovedPacket> packets;        // of the arrivals, in this order
  std::vector<Isolation::Signal> signals;  // of the control events, in their order
  std::vector<Notice> notices;             // of the packets that carry some, in their order
  std::vector<Limiter::Told> told;         // notifications that do not travel as packets
  std::vector<MessageFlight> flights;      // messages of jobs to nodes of the other part

  void clear() {
    events.clear();
    packets.clear();
    signals.clear();
    notices.clear();
    told.clear();
    flights.clear();
  }

  template <class Io>
  void serialize(Io& io) {
    io.list(events);
    io.list(packets);
    io.each(signals);
    io.list(notices);
    io.list(told);
    io.list(flights);
  }
};

// Takes an event, with what belongs to it, out of the part.
void post(State& from, const TimedEvent& event, Mail& mail);
// The device at which an event of another part happens: that of a packet's next switch, or the sender that it
// tells of free memory.
std::uint32_t device_of(const State& state, const TimedEvent& event);
// Schedules what has come.
void take(State& to, Mail& mail);

}  // namespace headway
