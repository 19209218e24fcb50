// SPDX-License-Identifier: Apache-2.0
// A flow whose source may have to wait, its timers, and the reactions: what a reaction does to the state of a
// flow when a notification comes, when a timer runs out and when a packet is admitted (docs/modelling.md,
// "Congestion control"). Each reaction has its functions in a file of its own; LimitedFlows keeps the flows
// and their gates.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "headway/base/ids.h"
#include "headway/base/wide.h"
#include "headway/congestion/control_rules.h"
#include "headway/traffic/instant.h"

namespace headway {

// node << 32 | destination and service level (admittance_key), or the service level alone
using FlowKey = std::uint64_t;

inline constexpr Tick kNoTick = INT64_MAX;

// Part of a number; the part is a fraction times 2^32.
inline std::uint64_t part_of(std::uint64_t whole, std::uint64_t part) {
  return static_cast<std::uint64_t>(Wide{whole} * part >> 32);
}

// In the order in which the events of a tick are handled.
enum class FlowEvent : std::uint8_t { alpha, rate, cut, recovery, notification, gate };

struct LimitedFlow {
  static constexpr std::size_t kEvents = 6;

  FlowKey key = 0;
  bool used = false;
  std::uint64_t notifications = 0;  // since it has been limited
  bool waits = false;               // a packet waits for the gate
  std::uint32_t waiting_bytes = 0;  // of that packet
  Instant base = 0;                 // nominal start of its last packet
  Tick transfer = 0;                // of that packet
  // The next event of each kind but notifications. Events for other ticks have been cancelled.
  std::array<Tick, kEvents> at = {kNoTick, kNoTick, kNoTick, kNoTick, kNoTick, kNoTick};
  std::uint64_t rate = kFullRate;
  struct {
    std::uint64_t target = kFullRate, alpha = kFullRate;
    std::uint64_t bytes = 0;                    // since the last stage by bytes
    std::uint32_t by_time = 0, by_bytes = 0;    // stages of recovery
    bool told_alpha = false, told_cut = false;  // dcqcn_nic: a notification since the last event
  } dcqcn;
  std::uint32_t index = 0;  // infiniband: into the table of delays
  struct {
    Tick updated = 0;         // the last change of the rate,
    Tick round_trip = 0;      // the round trip of the packet that caused it,
    Instant change = 0;       // the mean change of round trips,
    std::uint64_t bytes = 0;  // and bytes delivered since
  } timely;
  std::uint64_t in_flight = 0;  // window: bytes admitted and not acknowledged

  Tick next(FlowEvent kind) const { return at[static_cast<std::size_t>(kind)]; }
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
    flow.at[static_cast<std::size_t>(kind)] = tick;
    due_.push({tick, kind, flow.key});
  }
  void notify(FlowKey flow, const Notification& told, Tick tick) {
    due_.push({tick, FlowEvent::notification, flow, told});
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

// What a reaction has done to the gate of a flow.
enum class GateChange : std::uint8_t {
  none,
  moved,
  removed,  // the flow is not limited any more
};

// What a reaction needs besides the flow.
struct ReactionAt {
  const ReactionRules& rules;
  FlowEvents& events;
  Tick now;
};

GateChange dcqcn_notification(LimitedFlow& flow, bool is_new, const ReactionAt& at);
GateChange dcqcn_timer(LimitedFlow& flow, FlowEvent timer, const ReactionAt& at);
GateChange dcqcn_admission(LimitedFlow& flow, std::uint32_t bytes, const ReactionAt& at);

GateChange infiniband_notification(LimitedFlow& flow, const ReactionAt& at);
GateChange infiniband_timer(LimitedFlow& flow, const ReactionAt& at);

GateChange timely_notification(LimitedFlow& flow, bool is_new, const Notification& told,
                               const ReactionAt& at);

}  // namespace headway
