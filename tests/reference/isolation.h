// SPDX-License-Identifier: Apache-2.0
// Second implementation of docs/modelling.md, "Isolation". A line holds a set of destinations for fbicm. For
// recn-iq it holds the route, and each packet's path is walked and compared with it. Everything is sorted,
// searched and copied anew each time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "headway/congestion/isolation.h"
#include "tests/reference/setup.h"

namespace headway::reference {

class NaiveIsolation {
 public:
  // What settling needs of a port's queues: their lengths, the slots or cells that their packets take, the
  // destinations of their heads, and a way to move the head of one queue to the tail of another.
  struct Queues {
    std::function<std::size_t(std::uint32_t)> length;
    std::function<std::uint64_t(std::uint32_t)> room;
    std::function<NodeId(std::uint32_t)> head;
    std::function<void(std::uint32_t, std::uint32_t)> move;
  };

  // `setup` and `wiring` must outlive it.
  NaiveIsolation(const Setup& setup, const Wiring& wiring);

  // Phase 2: every signal that arrives in this tick. Returns the output ports that got one.
  std::set<PortId> receive(Tick now);
  // The ports whose requested wake-up time is this tick.
  std::set<PortId> woken(Tick now);
  void settle(PortId port, const Queues& queues, Tick now, bool arrived);
  bool refuses(PortId output, NodeId destination) const;
  // Does this line exist, and is it a root for this output?
  bool is_root(PortId port, std::uint32_t number, PortId output) const {
    const auto line = lines_[port].find(number);
    return line != lines_[port].end() && line->second.root && line->second.output == output;
  }
  std::vector<std::uint32_t> refusing(PortId output, NodeId destination) const;
  // Does a signal wait at an input port for the link back to its sender?
  bool has_waiting(PortId input) const { return !waiting_[input].empty(); }
  // Sends the first of them over that link, which carries it until `end`.
  void carry_first(PortId input, Tick end);
  void end_tick() { counts_.most_active_lines = std::max(counts_.most_active_lines, counts_.active_lines); }
  const IsolationCounts& counts() const { return counts_; }

 private:
  struct Flows {  // the destinations that a line or copy covers
    std::set<NodeId> destinations;
    std::vector<PortId> path;  // recn-iq: output ports to the root; the first belongs to this port's device
  };
  struct Line {
    bool root = false;
    bool sent_stop = false;
    bool propagated = false;
    std::optional<std::uint32_t> parent;
    std::uint32_t hops = 0;
    PortId output = 0;
    Tick empty_since = -1;
    Flows flows;
  };
  struct Copy {
    std::uint32_t hops = 0;
    Flows flows;
    bool stopped = false;
  };
  struct Signal {
    Isolation::Kind kind;
    PortId output;
    std::uint32_t number;
    std::uint32_t hops;
    Flows flows;
  };

  bool by_route() const { return rules_.key == IsolationKey::route; }
  bool is_adapter(PortId port) const { return wiring_.ports[port].kind == WiredPort::Kind::adapter; }
  PortId output_of(PortId input, NodeId destination) const;
  // The flows of a line at the input port that is derived from a copy at an output of its device.
  Flows derived(PortId input, PortId output, const Copy& copy) const;
  bool holds(const Flows& flows, PortId input, NodeId destination) const;
  std::vector<std::uint32_t> in_order(PortId port) const;  // numbers of the active lines
  std::pair<std::int64_t, std::uint32_t> place(std::uint32_t hops, std::uint32_t number) const;
  std::optional<std::uint32_t> free_number(PortId port) const;
  bool sweep(PortId port, const Queues& queues);
  bool answer(PortId port, const Queues& queues);
  bool free_some(PortId port, const Queues& queues, Tick now);
  void classify(PortId port, const Queues& queues, Tick now);
  void send(PortId port, Isolation::Kind kind, std::uint32_t number, Tick now);

  const RouteTable& routes_;
  const Wiring& wiring_;
  const IsolationRules rules_;
  // Thresholds are numbers of full packets.
  const std::uint64_t room_of_packet_;
  std::vector<std::map<std::uint32_t, Line>> lines_;   // [port] number -> active line
  std::vector<std::map<std::uint32_t, Copy>> copies_;  // [port]
  std::vector<std::deque<Signal>> waiting_;            // [port]
  std::multimap<Tick, Signal> signals_;                // in transit
  std::multimap<Tick, PortId> wakes_;
  std::uint64_t in_vain_ = 0;
  IsolationCounts counts_;
};

}  // namespace headway::reference
