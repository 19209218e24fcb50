// SPDX-License-Identifier: Apache-2.0
// A flow whose source may have to wait, and its events: what all reactions share (docs/modelling.md,
// "Congestion control"). Each reaction has its rules, its state and what it does in a file of its own;
// reactions.h lists them; LimitedFlows keeps the flows and their gates.
//
// A reaction is a struct whose fields are its rules. It has:
//   State                       of a flow, at first
//   kTimers                     number of timers of a flow; they are numbered from 0 in the order in which
//   those
//                               of a tick are handled
//   kNeedsMarks                 false: sources are notified of every packet, marked or not
//   kHasRates                   true: a flow is limited from a notification until it may send at full rate;
//                               gap(state, transfer) and rate(state, transfer) give its rate.
//                               false: it has a window, and a state while packets of it are in flight;
//                               has_room(state, bytes) says whether another packet may go
//   entry()                     name and parameters in specs
//   begins_at(notification)     whether a flow without a state gets one
//   on_notification(state, notification, is_new, clock), on_timer(state, timer, clock) if it has timers, and
//   on_admission(state, bytes, clock) return what they do to the gate of the flow
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "headway/base/ids.h"
#include "headway/base/wide.h"
#include "headway/traffic/instant.h"

namespace headway {

class Reaction;
template <class T>
struct Entry;

// node << 32 | destination and service level (admittance_key), or the service level alone
using FlowKey = std::uint64_t;

inline constexpr Tick kNoTick = INT64_MAX;

// Rates and gains are fractions times 2^32.
inline constexpr std::uint64_t kFullRate = std::uint64_t{1} << 32;  // the rate of a node's link

// Part of a number; the part is a fraction times 2^32.
inline std::uint64_t part_of(std::uint64_t whole, std::uint64_t part) {
  return static_cast<std::uint64_t>(Wide{whole} * part >> 32);
}

// The time from the start of a packet to that of the next one, at a rate.
inline Instant gap_at(std::uint64_t rate, Tick transfer) {
  return static_cast<Instant>((Wide{static_cast<std::uint64_t>(instant_of(transfer))} << 32) / rate);
}
inline double share_of_link(std::uint64_t rate) {
  return static_cast<double>(rate) / static_cast<double>(kFullRate);
}

// In the order in which the events of a tick are handled: the timers of the reaction, from 0 on, then these.
using FlowEvent = std::uint8_t;
inline constexpr FlowEvent kMostFlowTimers = 3, kNotificationEvent = kMostFlowTimers,
                           kGateEvent = kMostFlowTimers + 1;

struct LimitedFlow {
  FlowKey key = 0;
  bool used = false;
  bool waits = false;               // a packet waits for the gate
  std::uint32_t waiting_bytes = 0;  // of that packet
  std::uint64_t notifications = 0;  // since it has been limited
  Instant base = 0;                 // nominal start of its last packet
  Tick transfer = 0;                // of that packet
  // The next event of each kind but notifications. Events for other ticks have been cancelled.
  std::array<Tick, kGateEvent + 1> at = {kNoTick, kNoTick, kNoTick, kNoTick, kNoTick};
};

// What the destination of a packet tells its source.
struct Notification {
  std::uint32_t bytes = 0;  // of the packet
  Tick round_trip = 0;      // from when it left its node until its source is told
};

// The events of all flows.
class FlowEvents {
 public:
  struct Event {
    Tick tick;
    FlowEvent kind;
    FlowKey flow;
    Notification told = {};  // of a notification

    auto order() const { return std::tuple(tick, kind, flow, told.round_trip, told.bytes); }
    // The top of the heap is the first.
    friend bool operator<(const Event& a, const Event& b) { return b.order() < a.order(); }
  };

  // Replaces the event of this kind that the flow has.
  void set(LimitedFlow& flow, FlowEvent kind, Tick tick) {
    flow.at[kind] = tick;
    due_.push({tick, kind, flow.key});
  }
  void notify(FlowKey flow, const Notification& told, Tick tick) {
    due_.push({tick, kNotificationEvent, flow, told});
  }
  Tick next() const { return due_.empty() ? kNoTick : due_.top().tick; }
  Event take() {
    const Event event = due_.top();
    due_.pop();
    return event;
  }

 private:
  std::priority_queue<Event> due_;
};

// The timers of a flow, for its reaction.
struct FlowClock {
  LimitedFlow& flow;
  FlowEvents& events;
  Tick now;

  void set(FlowEvent timer, Tick delay) const { events.set(flow, timer, now + delay); }
  bool is_set(FlowEvent timer) const { return flow.at[timer] != kNoTick; }
};

// What a reaction has done to the gate of a flow.
enum class GateChange : std::uint8_t {
  none,
  moved,
  removed,  // the flow is not limited any more
};

}  // namespace headway
