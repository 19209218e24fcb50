// SPDX-License-Identifier: Apache-2.0
// The "Congestion control" part of docs/modelling.md: flows whose sources slow down, examined one by one in
// every tick.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "headway/congestion/reactions.h"

namespace headway::reference {

class NaiveControl {
 public:
  // Node, destination, service level; the destination is 0 if a node's flows of a level are one.
  using Flow = std::pair<NodeId, std::pair<NodeId, std::uint32_t>>;

  explicit NaiveControl(const ReactionRules& rules) : rules_(rules) {}
  Flow flow(NodeId node, NodeId destination, std::uint32_t service) const {
    return {node, {rules_.by_service_level ? 0 : destination, service}};
  }
  // `travel`: the time since the packet left its node.
  void deliver(const Flow& flow, bool marked, std::uint64_t bytes, Tick travel, Tick now);
  void act(Tick now);  // timers, then notifications
  // Notifications that travel as packets: those that destinations have decided to send in this tick, with the
  // time when the packet left its node; and one that arrives.
  struct Travelling {
    Flow flow;
    Tick left;
    std::uint64_t bytes;
    friend auto operator<=>(const Travelling&, const Travelling&) = default;
  };
  std::vector<Travelling> take_sent() { return std::exchange(sent_, {}); }
  void arrive(const Travelling& sent, Tick now) {
    notices_.insert({now, {sent.flow, sent.bytes, now - sent.left}});
  }
  bool is_closed(const Flow& flow, std::uint64_t bytes, Tick now) const;
  void admit(const Flow& flow, std::uint64_t bytes, Tick transfer, Tick now);
  std::uint64_t notifications() const { return notifications_; }
  bool has_window() const { return is<CongestionWindow>(); }
  std::size_t states() const { return states_.size(); }

 private:
  template <class Own>
  bool is() const {
    return std::holds_alternative<Own>(rules_.own);
  }
  // The rules of both forms of DCQCN.
  DcqcnNic dcqcn() const {
    if (is<DcqcnNic>()) return std::get<DcqcnNic>(rules_.own);
    const auto& [gain, alpha_timer, rate_timer, cut_interval, byte_counter, fast_recovery, additive, hyper,
                 least_rate] = std::get<Dcqcn>(rules_.own);
    return {gain,          alpha_timer, rate_timer, cut_interval, byte_counter,
            fast_recovery, additive,    hyper,      least_rate};
  }
  const InfiniBandReaction& infiniband() const { return std::get<InfiniBandReaction>(rules_.own); }
  const Timely& timely() const { return std::get<Timely>(rules_.own); }

  struct State {
    std::int64_t base = 0;  // start of the last packet, in 2^-20 ticks
    Tick transfer = 0;
    std::uint64_t rate = 1ULL << 32, target = 1ULL << 32, alpha = 1ULL << 32;
    std::uint64_t bytes = 0;
    std::uint32_t by_time = 0, by_bytes = 0;
    std::optional<Tick> alpha_at, rate_at, cut_at, recovery_at;
    bool told_alpha = false, told_cut = false;
    std::uint32_t index = 0;
    // timely
    Tick updated = 0, last_trip = 0;
    std::int64_t change = 0;  // in 2^-20 ticks
    std::uint64_t delivered = 0;
    bool free = false;
    std::uint64_t in_flight = 0;  // window
  };
  struct Notice {
    Flow flow;
    std::uint64_t bytes;
    Tick trip;
  };
  std::int64_t gap(const State& state) const;
  void run_timers(State& state, Tick now);
  void notify(const Notice& notice, Tick now);
  void measure_trip(State& state, bool is_new, const Notice& notice, Tick now) const;
  std::uint64_t rate_after(const State& state) const;
  void cut(State& state, Tick now);
  void raise(State& state) const;
  bool is_done(const State& state) const;

  const ReactionRules& rules_;
  std::map<Flow, State> states_;
  std::map<Flow, Tick> told_;
  std::vector<Travelling> sent_;
  std::multimap<Tick, Notice> notices_;  // on their way
  std::uint64_t notifications_ = 0;
};

}  // namespace headway::reference
