// SPDX-License-Identifier: Apache-2.0
// The event-driven kernel: virtual cut-through or store-and-forward switches with queues at their inputs, a
// multiplexed crossbar, and credits per queue. This is the fast implementation of the rules in
// docs/modelling.md, as one class, so that the compiler can inline the functions of a hop.
//
// A tick handles its events phase by phase. Then every device with an event arbitrates. The EngineShape is a
// template parameter, because it changes the code. Schemes and routings are data in Network.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "headway/arbitration/arbiters.h"
#include "headway/base/fetch.h"
#include "headway/engine/adapters.h"
#include "headway/engine/adaptive.h"
#include "headway/engine/any_links.h"
#include "headway/engine/at_arrival.h"
#include "headway/engine/deliveries.h"
#include "headway/engine/departures.h"
#include "headway/engine/detour.h"
#include "headway/engine/draw_watch.h"
#include "headway/engine/forecast.h"
#include "headway/engine/group_turns.h"
#include "headway/engine/in_turn.h"
#include "headway/engine/inspect.h"
#include "headway/engine/instances.h"
#include "headway/engine/link_changes.h"
#include "headway/engine/marking.h"
#include "headway/engine/next_hop.h"
#include "headway/engine/pausing.h"
#include "headway/engine/pooled_ports.h"
#include "headway/engine/requests.h"
#include "headway/engine/send_feedback.h"
#include "headway/engine/shape.h"
#include "headway/engine/simulation.h"
#include "headway/engine/skip.h"
#include "headway/engine/slow_nodes.h"
#include "headway/engine/stall.h"
#include "headway/engine/state.h"
#include "headway/engine/turn_arbiter.h"

namespace headway {

template <EngineShape kShape>
class Engine final : public PartSimulation {
 public:
  Engine(const StateTables& tables, const PartOfRun& place, const Workload& workload,
         const SimulationOptions& options)
      : network_(tables.network),
        state_(tables, place),
        forecast_(state_),
        choice_(state_, forecast_, options.forecast_from),
        detour_(state_),
        at_arrival_(state_),
        turns_(state_),
        pool_(state_),
        jobs_(workload, state_, options.kept_of_jobs, options.job_messages),
        adapters_(state_, workload, options, jobs_),
        deliveries_(state_, options, jobs_),
        options_(options),
        lists_from_(options.keep_sent ? 0 : options.forecast_from) {
    if (traits_of(network_.arbiter).draws)
      for (std::uint32_t d = 0; d < network_.devices(); ++d)
        rng_.emplace_back(options.seed, StreamKind::arbiter, d);
    adapters_.start();
    if constexpr (kSkips)
      if (place.cut == nullptr && why_no_skip(network_, workload, options).empty()) {
        if (network_.queue_map.queues > 1 || network_.lanes > 1)
          draw_watch_.emplace(network_.layout.most_ports);
        skip_ = make_skip(state_, jobs_, !workload.sources.empty(), options,
                          {[this](Tick end) { simulate_all(end); },
                           [this](NodeId node, std::uint32_t queue) { adapters_.admit_rest(node, queue); },
                           [this](NodeId source, NodeId destination) {
                             return deliveries_.next_serial(source, destination);
                           }});
      }
  }

  std::uint64_t run_until(Tick end, std::uint64_t most_ticks) override {
    if constexpr (kSkips)
      if (skip_ != nullptr) return run_and_skip(end, most_ticks);
    std::uint64_t ticks = 0;
    const bool stops = options_.stop_when_done && !jobs_.none();
    for (; ticks < most_ticks && !(stops && jobs_.done()) && state_.wheel.advance(end); ++ticks) {
      run_tick();
      state_.wheel.leave_tick();
      if (options_.check) check_invariants(state_);
    }
    deliveries_.tell_all();
    return ticks;
  }

  const Record& record() const override {
    thaw_all();
    return state_.record;
  }
  void begin_measurement() override {
    thaw_all();
    state_.begin_measurement();
  }
  StateView view() const override {
    thaw_all();
    return StateView({&here_, 1});
  }
  Stall find_stall() const override {
    thaw_all();
    return headway::find_stall({&here_, 1});
  }
  bool is_skipping() const override { return skip_ != nullptr && skip_->has_frozen(); }
  SkipCounts skipped() const override { return skip_ == nullptr ? SkipCounts{} : skip_->counts(); }
  const JobsView& jobs() const override { return jobs_; }
  Jobs& own_jobs() override { return jobs_; }
  State& state() override { return state_; }
  const State& state() const override { return state_; }
  OwnBytes own_bytes() const override { return {adapters_.bytes(), deliveries_.bytes(), bytes_taken(rng_)}; }

 private:
  static constexpr PortCount kPorts = kShape.ports;
  static constexpr bool kRare = kShape.may_have_rare();
  static constexpr bool kEnds = kShape.may_have_ends();
  static constexpr bool kCells = kShape.may_have_cells();  // credits are numbers
  static constexpr bool kSkips = kShape.may_skip();
  using Freed = FreedRoom<kCells>;
  enum class DeviceKind { switch_, adapter, output_unit };

  // Constants, unless the instance serves networks with and without the feature.
  bool is_cioq() const { return kShape.has_cioq(network_); }
  bool has_cells() const { return kShape.has_cells(network_); }
  bool is_adaptive() const { return kShape.has_adaptive(network_); }
  bool decides_detours() const { return has_lanes() && network_.decides_detours; }
  bool chooses_at_arrival() const { return kEnds && network_.arrival_choice; }
  bool counts_ahead() const { return decides_detours() || chooses_at_arrival(); }
  bool has_lanes() const { return kShape.has_lanes(network_); }
  bool is_pooled() const { return kShape.has_pools(network_); }
  bool isolates() const { return kShape.has_isolation(network_); }
  bool pauses() const { return kEnds && network_.pause; }
  bool compares_ages() const { return traits_of(kShape.policy_of(network_)).age != Age::none; }

  // What is frozen (skip.h) is not in the state that others read.
  void thaw_all() const {
    if (skip_ != nullptr) skip_->thaw_all();
  }

  [[gnu::noinline]] std::uint64_t run_and_skip(Tick end, std::uint64_t most_ticks) {
    std::uint64_t ticks = 0;
    const bool stops = options_.stop_when_done;
    while (ticks < most_ticks && !(stops && jobs_.done())) {
      const Tick stop = std::min(end, skip_->next_stop());
      if (!state_.wheel.advance(stop)) {
        if (stop == end) break;
        skip_->stop();
        continue;
      }
      if (skip_->has_frozen()) begin_messages();
      simulate_tick();
      if (options_.check) check_invariants(state_);
      ++ticks;
    }
    deliveries_.tell_all();
    return ticks;
  }
  // All events before `end`.
  void simulate_all(Tick end) {
    while (state_.wheel.advance(end)) simulate_tick();
  }
  [[gnu::noinline]] void simulate_tick() {
    run_tick();
    state_.wheel.leave_tick();
  }

  // The messages of this tick begin before its other events, because what they meet may be frozen.
  // Deliveries, which decide what the jobs do, do not depend on other events.
  [[gnu::noinline]] void begin_messages() {
    TickEvents& due = state_.wheel.events();
    due.take(EventKind::deliver, [&](const Bucket& deliveries) {
      state_.record.counters.events += deliveries.size();
      for (const Event event : deliveries) on_deliver(event);
    });
    Bucket& generations = due.bucket(EventKind::generate);
    if (!generations.empty())
      adapters_.plan(generations,
                     [&](NodeId node, NodeId destination) { skip_->make_way(node, destination); });
  }

  [[gnu::always_inline]] void run_tick() {
    if (kEnds && next_change(state_) == state_.wheel.now()) change_network_now();
    TickEvents& due = state_.wheel.events();
    const auto on = [&](EventKind kind, const auto& handle) __attribute__((always_inline)) {
      due.take(kind, [&](Bucket& events) __attribute__((always_inline)) {
        state_.record.counters.events += events.size();
        handle(events);
      });
    };
    on(EventKind::arrive, [&](const Bucket& arrivals) __attribute__((always_inline)) {
      if (decides_detours()) decide_detours(arrivals);
      if (chooses_at_arrival()) at_arrival_.choose_all(arrivals);
      arrivals.for_each([&](Event event) __attribute__((always_inline)) { on_arrive(event.b); },
                        [&](Event event) { state_.fetch_queue(event.a, event.b); },
                        [&](Event event) { state_.fetch_next_output(event.b); },
                        [&](Event event) { state_.fetch_next_device(event.b); });
    });
    on(EventKind::deliver, [&](const Bucket& deliveries) __attribute__((always_inline)) {
      if (pauses() && network_.has_slow_nodes()) receive_all(state_, deliveries);
      deliveries.for_each([&](Event event) __attribute__((always_inline)) { on_deliver(event); },
                          [&](Event event) {
                            state_.packets.fetch(event.a);
                            state_.packets.fetch_origin(event.a);
                          },
                          [&](Event event) { deliveries_.fetch(event.a); });
    });
    on(EventKind::release, [&](const Bucket& releases) __attribute__((always_inline)) {
      if (kRare && network_.links_differ)
        return release_over_any_links<kPorts>(state_, releases, [&](auto& crossbar, SwitchId id) {
          wake_switch(crossbar, state_.devices[id], id);
        });
      releases.for_each([&](Event event) { on_release(event.a, event.b >> 16, event.b & 0xffff); },
                        [&](Event event) { fetch(&state_.devices[event.a]); });
    });
    if (isolates())
      on(EventKind::control, [&](const Bucket& messages) {
        pool_.on_control(messages, [&](NodeId node) { adapters_.on_signals(node); });
      });
    if (is_adaptive() && is_cioq())
      on(EventKind::control, [&](const Bucket& shorter) {
        for (const Event event : shorter) choice_.ask_again(event.a);
      });
    on(EventKind::sent, [&](const Bucket& sent) {
      for (const Event event : sent)
        if (kRare && network_.links_differ && network_.is_switch(event.a))
          on_link_free(event.a, event.b & 0xffff);
        else
          on_sent(event.a, event.b);
    });
    on(EventKind::credit, [&](const Bucket& credits) __attribute__((always_inline)) {
      if (pauses()) return obey_all(state_, credits, [&](PortId sender) { on_resume(sender); });
      credits.for_each([&](Event event) { on_credit(returned(event), event.b); },
                       [&](Event event) { fetch_credits(event); });
    });
    if (kRare || kEnds)
      on(EventKind::vacate, [&](const Bucket& vacated) {
        for (const Event event : vacated) vacate<kShape>(state_, event.a, event.b);
      });
    if (kEnds) adapters_.open_gates();
    on(EventKind::generate, [&](Bucket& generations) { adapters_.generate(generations); });
    if constexpr (kSkips)
      if (skip_ != nullptr) prepare_rounds();
    if (kEnds && state_.limiter) adapters_.send_notices();
    if (is_pooled()) pool_.settle_all();
    if (is_adaptive()) choice_.choose_all();
    arbitrate_all<DeviceKind::switch_>(state_.touched_switches);
    if (is_adaptive()) choice_.choose_all();
    arbitrate_all<DeviceKind::adapter>(state_.touched_adapters);
    if (is_cioq()) arbitrate_all<DeviceKind::output_unit>(state_.touched_output_units);
    if (isolates()) state_.isolation->end_tick(state_.wheel.now());
  }

  void change_network_now() {
    const auto come_up = [&](PortId link) {
      if (is_adaptive()) choice_.on_room(state_.ports[link], false);
    };
    change_network<kShape>(state_, come_up, [&] { adapters_.follow_routes(); });
    adapters_.wait_for_change();
  }

  // Decides by the queues as they were before this tick's arrivals, so that the order of arrivals does not
  // matter.
  [[gnu::noinline]] void decide_detours(const Bucket& arrivals) {
    arrivals.for_each([&](Event event) { detour_.decide(state_.packets[event.b]); },
                      [&](Event event) { state_.packets.fetch(event.b); });
  }

  [[gnu::always_inline]] void on_arrive(PacketId id) {
    Packet& packet = state_.packets[id];
    packet.ready = state_.wheel.now();
    if (pauses() && !join_lane_of_switch(state_, packet)) {
      if (chooses_at_arrival()) state_.ahead[packet.next_output] -= load_of(state_, packet);
      return lose(state_, id);
    }
    if (kEnds && network_.sorts_arrivals) packet.queue = queue_on_arrival(state_, packet);
    if (is_adaptive()) {
      choice_.find_output(packet);
      if (kEnds && state_.control && packet.output != kNone) join_output(state_, id);
      enqueue<kShape>(state_, id, state_.touched_switches);
      return;
    }
    packet.output = packet.next_output;
    if (decides_detours()) state_.ahead[packet.output] += credits_of(packet);
    const NextHop next = next_hop(id, packet);
    if (is_cioq()) {
      packet.target = state_.output_queue(packet.output, next.target, packet.course.lane);
      packet.later.target_after = next.target;
    } else {
      packet.target = next.target;
    }
    packet.next_output = next.output;
    if (kEnds && state_.control) join_output(state_, id);
    enqueue<kShape>(state_, id, state_.touched_switches);
    if (is_pooled()) pool_.on_packet(state_.devices[state_.ports[packet.output].owner], packet.input);
  }

  [[gnu::always_inline]] NextHop next_hop(PacketId id, Packet& packet) {
    const std::uint32_t serial =
        kEnds && network_.draws_by_message ? state_.packets.origin(id).message : packet.serial;
    if (has_lanes())
      return look_ahead<kEnds>(state_, packet.output, packet.source, packet.destination, serial,
                               packet.course);
    return look_ahead<kEnds>(state_, packet.output, packet.source, packet.destination, serial);
  }

  // Inlined by attribute, because a run that skips has a call of its own (begin_messages).
  [[gnu::always_inline]] void on_deliver(Event event) {
    const PacketId id = event.a;
    if (kEnds && network_.has_slow_nodes() && state_.is_for_slow_node(state_.packets[id])) {
      if (event.b == 0) return pauses() ? void() : receive(state_, id);
      free_receive_memory<kCells>(state_, state_.packets[id]);
    }
    if (kEnds) adapters_.note_delivery(id);
    if (kEnds && state_.is_notice(id)) return deliveries_.deliver_notice(id);
    deliveries_.deliver(id);
  }

  [[gnu::always_inline]] void on_release(SwitchId id, std::uint32_t input, std::uint32_t output) {
    Device& device = state_.devices[id];
    auto crossbar = crossbar_of(device);
    free_output(crossbar, device, output);
    crossbar.free_input(input);
    wake_switch(crossbar, device, id);
  }
  // Of a transfer that has ended.
  [[gnu::always_inline]] void free_output(Crossbar<kPorts>& crossbar, const Device& device,
                                          std::uint32_t output) {
    if (kEnds && state_.keeps_output(device.first_port + output)) return;
    crossbar.free_output(output);
  }
  [[gnu::always_inline]] void wake_switch(Crossbar<kPorts>& crossbar, Device& device, SwitchId id) {
    bool wakes = crossbar.has_work() | has_feedback(id);
    if (is_adaptive()) wakes |= state_.chooses_now && choice_.has_unbound(device);
    state_.touched_switches.add_if(wakes, device, id);
  }

  // A link of a switch has sent a packet that its input had passed on.
  void on_link_free(SwitchId id, std::uint32_t output) {
    Device& device = state_.devices[id];
    auto crossbar = crossbar_of(device);
    free_output(crossbar, device, output);
    wake_switch(crossbar, device, id);
  }

  void on_sent(std::uint32_t id, std::uint32_t freed) {
    Device& device = state_.devices[id];
    const Freed room = Freed::of(freed, device.first_queue);
    auto crossbar = crossbar_of(device);
    free_output(crossbar, device, 0);
    crossbar.free_input(0);
    if (!is_cioq() || network_.is_adapter(id)) {
      adapters_.on_room(id - network_.switches(), room);
      state_.touched_adapters.add_if(crossbar.has_work(), device, id);
    } else {
      on_credit(room, state_.ports[device.first_port].source);  // the crossbar can use the room in this tick
      state_.touched_output_units.add_if(crossbar.has_work() | has_feedback(id), device, id);
    }
  }

  Freed returned(Event credit) const {
    return Freed::of(credit.a, kCells ? state_.ports[credit.b].next_first_queue : 0);
  }
  void fetch_credits(Event event) const {
    if (kCells)
      fetch(&state_.ports[event.b]);
    else
      state_.flow.fetch(event.a);
  }

  // A sender learns that memory behind its output port is free.
  [[gnu::always_inline]] void on_credit(Freed room, PortId sender) {
    const PortState& output = state_.ports[sender];
    if (counts_ahead()) note_back(state_, sender, room.credits, is_cioq());
    const bool had_room =
        state_.flow.give_back(room.queue, room.credits) >= (kRare || kCells ? state_.most_needed : 1);
    if (is_adaptive()) choice_.on_room(output, had_room);
    if (!had_room) wake(output);  // otherwise, no head waited for these credits
  }
  // With pauses: the lane of a link lets its sender go on.
  void on_resume(PortId sender) {
    if (is_adaptive()) choice_.on_room(state_.ports[sender], false);
    wake(state_.ports[sender]);
  }
  [[gnu::always_inline]] void wake(const PortState& output) {
    Device& device = state_.devices[output.owner];
    state_.touched_of(output.owner)
        .add_if(crossbar_of(device).has_work_at(output.local), device, output.owner);
  }

  bool has_feedback(std::uint32_t device) const { return kRare && state_.feedback.waits(device); }

  auto credits_of(const Packet& packet) const { return state_.template credits_of<kCells>(packet); }
  Crossbar<kPorts> crossbar_of(Device& device) { return state_.template crossbar<kPorts>(device); }

  template <DeviceKind kKind>
  [[gnu::always_inline]] void arbitrate_all(Touched& touched) {
    if (touched.count > 0) play_rounds<kKind>(touched);
  }

  template <DeviceKind kKind>
  [[gnu::noinline]] void play_rounds(Touched& touched) {
    lists_picks_ = touched.count >= lists_from_ && (lists_from_ == 0 || !grants_at_once());
    const auto id = [&](std::uint32_t round) { return touched.devices[round]; };
    const auto play = [&](std::uint32_t round)
                          __attribute__((always_inline)) { arbitrate<kKind>(id(round)); };
    const auto fetch_device = [&](std::uint32_t round) { forecast_.fetch_device(id(round)); };
    if constexpr (kPorts != PortCount::many)
      in_turn<Forecast<kPorts>::kAhead>(
          touched.count, options_.forecast_from, play, fetch_device,
          [&](std::uint32_t round) { forecast_.fetch_outputs(round, id(round)); },
          [&](std::uint32_t round) { forecast_.fetch_lists(round, id(round)); },
          [&](std::uint32_t round) { forecast_.fetch_queues(round, id(round)); },
          [&](std::uint32_t round) { forecast_.fetch_credits(round); });
    else
      in_turn<2 * Forecast<kPorts>::kAhead>(touched.count, options_.forecast_from, play, fetch_device);
    while (granted_ != picked_) grant_next<kKind>();
    touched.count = 0;
  }

  // Of a run that may skip.
  [[gnu::noinline]] void prepare_rounds() {
    if (adapters_.has_planned()) adapters_.make_planned();
    if (draw_watch_ && skip_->watches_draws()) watch_draws(state_.touched_switches);
  }

  // Before a round is played: rounds of different devices do not depend on each other.
  void watch_draws(const Touched& touched) {
    for (std::uint32_t round = 0; round < touched.count; ++round) {
      Device& device = state_.devices[touched.devices[round]];
      const auto ask = [&](std::uint32_t input, std::uint32_t output) {
        return bool(eligible_request<DeviceKind::switch_>(device, input, output));
      };
      draw_watch_->look(crossbar_of(device), ask,
                        [&](std::uint32_t output) { skip_->draw_matters(device.first_port + output); });
    }
  }

  // One round of a device.
  template <DeviceKind kKind>
  [[gnu::always_inline]] void arbitrate(std::uint32_t id) {
    Device& device = state_.devices[id];
    device.touched = false;
    if (kKind != DeviceKind::adapter && has_feedback(id)) send_feedback<kShape>(state_, id);
    if constexpr (kKind == DeviceKind::switch_)
      if (is_adaptive() && state_.chooses_now && choice_.has_unbound(device))
        choice_.choose_outputs(id, device, [&](std::uint32_t output, const Request& won) {
          output_of(device, output).next_input = static_cast<std::uint16_t>(won.input + 1);
          take<DeviceKind::switch_>(id, output, won);
        });
    play_round<kKind>(id, device);
    // grants can have caused signals
    if (isolates() && kKind == DeviceKind::switch_ && has_feedback(id)) send_feedback<kShape>(state_, id);
  }

  template <DeviceKind kKind>
  [[gnu::always_inline]] void play_round(std::uint32_t id, Device& device) {
    if constexpr (kShape.may_give_turns())
      if (network_.turns) {
        const auto grant_won = [&](std::uint32_t output, const Request& won) {
          take<kKind>(id, output, won);
        };
        return turns_.play(device, grant_won);
      }
    if constexpr (kKind == DeviceKind::switch_)
      arbitrate_among_ports(id, device);
    else if (crossbar_of(device).has_work())
      if (const Request won = eligible_request<kKind>(device, 0, 0)) take<kKind>(id, 0, won);
  }

  // Every free output, in a drawn order, picks one of the free inputs that request it.
  [[gnu::always_inline]] void arbitrate_among_ports(std::uint32_t id, Device& device) {
    const auto drawn = [&] { return state_.draw_of_tick(device.shuffle); };
    const auto serve = [&](std::uint32_t output, const auto& inputs) __attribute__((always_inline)) {
      const auto ask = [&](std::uint32_t input) {
        return eligible_request<DeviceKind::switch_>(device, input, output);
      };
      std::uint16_t& pointer = output_of(device, output).next_input;
      Request won = pick(inputs, pointer, ask, id);
      if (!won) return;
      pointer = static_cast<std::uint16_t>(won.input + 1);
      if (serves_groups()) won = next_into_group<kShape>(state_, device, output, inputs, won);
      take<DeviceKind::switch_>(id, output, won);
    };
    crossbar_of(device).visit(drawn, serve);
  }

  PortState& output_of(const Device& device, std::uint32_t output) {
    return state_.ports[device.first_port + output];
  }
  // Returns true if the groups of queues behind outputs have pointers.
  bool serves_groups() const {
    return (kShape.any_arbiter || traits_of(kShape.arbiter).serves_groups) &&
           network_.layout.has_group_pointers;
  }

  // Returns true if a round can depend on the grants before it.
  bool grants_at_once() const { return is_pooled() || (is_adaptive() && state_.chooses_now); }

  // The request that the arbiter of a device chooses.
  template <class Inputs, class Ask>
  [[gnu::always_inline]] Request pick(const Inputs& inputs, std::uint32_t pointer, const Ask& ask,
                                      std::uint32_t device) {
    return pick_by<kShape.any_arbiter, kShape.arbiter>(Arbiters(), kShape.policy_of(network_), inputs,
                                                       pointer, ask, [&]() -> Rng& { return rng_[device]; });
  }

  // The request of an input for an output with room downstream: the first in the list, or the oldest.
  template <DeviceKind kKind>
  Request eligible_request(const Device& device, std::uint32_t input, std::uint32_t output) {
    if (is_pooled()) return pool_.eligible_request(device, input, output);
    Request found;
    if (device.first_list == kNone) {
      const std::uint32_t id = first_request(state_, device, input, output);
      const Queue& queue = state_.queues[id];
      if (!state_.template head_has_room<kShape>(queue, device.channels)) return found;
      return {input, id, compares_ages() ? state_.age_of(queue.head) : 0};
    }
    for (std::uint32_t id = first_request(state_, device, input, output); id != kNone;) {
      const Queue& queue = state_.queues[id];
      if (state_.template head_has_room<kShape>(queue, device.channels)) {
        if (!compares_ages() || takes_turns<kKind>()) return {input, id, 0};
        const Tick since = state_.age_of(queue.head);
        if (!found || since < found.since) found = {input, id, since};
      }
      id = queue.next_request;
    }
    return found;
  }

  // A request has won an output. With many rounds per tick its packets are probably not in the cache. If
  // nothing in the round depends on the grant, the grant is delayed until they are fetched, while other
  // rounds pick. What the grant is about is noted there, too, if somebody asks, so that others pay nothing.
  template <DeviceKind kKind>
  [[gnu::always_inline]] void take(std::uint32_t id, std::uint32_t output, const Request& won) {
    Device& device = state_.devices[id];
    auto crossbar = crossbar_of(device);
    if (!(kEnds && kKind == DeviceKind::switch_ && network_.output_queued)) crossbar.take_input(won.input);
    crossbar.take_output(output);
    if (lists_picks_)
      list_pick<kKind>(id, output, won);
    else
      grant<kKind>(id, output, won);
  }

  template <DeviceKind kKind>
  void list_pick(std::uint32_t id, std::uint32_t output, const Request& won) {
    const Device& device = state_.devices[id];
    if (picked_ - granted_ == kPicks) {
      // half of them are granted before this one; a pick that is granted can name a packet of another part
      const DelayedGrant& later = picks_[(granted_ + kPicks / 2) % kPicks];
      state_.packets.fetch(state_.packets[later.head].next);
      grant_next<kKind>();
    }
    const PacketId head = state_.queues[won.queue].head;
    if (!state_.sent.empty())
      state_.note_sent(device.first_port, won.input, output, head, state_.packets.origin(head).generator);
    fetch(&state_.ports[device.first_port + won.input]);
    state_.packets.fetch(head);
    picks_[picked_++ % kPicks] = {id, output, won.input, won.queue, head};
    if (grants_at_once()) grant_next<kKind>();
  }

  template <DeviceKind kKind>
  [[gnu::noinline]] void grant_next() {
    const DelayedGrant& pick = picks_[granted_++ % kPicks];
    grant<kKind>(pick.device, pick.output, {pick.input, pick.queue});
  }

  // Starts the transfer of a packet.
  template <DeviceKind kKind>
  [[gnu::always_inline]] void grant(std::uint32_t id, std::uint32_t output, const Request& won) {
    Device& device = state_.devices[id];
    PortState& out = state_.ports[device.first_port + output];
    const PortState& in = state_.ports[device.first_port + won.input];
    // a head that was bound to its output already took room there
    const bool has_room =
        is_adaptive() && kKind == DeviceKind::switch_ && state_.queues[won.queue].target == state_.sink();
    const PacketId packet_id = leave_queue<kKind>(device, in, won);
    Packet& packet = state_.packets[packet_id];
    Wheel& wheel = state_.wheel;
    const Tick now = wheel.now();

    out.bytes_sent += packet.length;
    if (kEnds && state_.control && kKind == DeviceKind::switch_)
      leave_input(state_, packet_id, device.first_port + won.input, won.queue);
    if (is_pooled()) pool_.on_taken(device, won.input, output, won.queue - in.first_queue);
    const auto [reading, transfer] = transfer_times<kKind>(packet_id, id, output, won, in, out);
    const auto credits = credits_of(packet);
    free_at_end<kKind>(id, output, won, packet, now + reading);
    if constexpr (kKind == DeviceKind::adapter) {
      ++state_.record.counters.packets_injected;
      state_.packets.origin(packet_id).injected = now;
      if (!jobs_.none()) jobs_.leaves(packet, state_.packets.origin(packet_id), now + transfer);
    }

    if (kEnds && state_.is_down(device.first_port + output)) return lose_on_link<kKind>(packet_id, out);
    // nothing comes back from a node, or with pauses
    if (kKind != DeviceKind::adapter && counts_ahead() && (packet.target == state_.sink() || pauses()))
      state_.ahead[network_.graph_port(packet.output)] -= load_of(state_, packet);
    if (packet.target == state_.sink()) {
      if (kEnds && state_.control) leave_switch<kKind>(packet_id);
      wheel.schedule(EventKind::deliver, now + transfer + out.delay, packet_id);
      return;
    }
    if (!has_room) {
      if (device.channels > 1 && !(kEnds && state_.is_for_slow_node(packet)))
        packet.target = state_.flow.choose_channel(
            packet.target, out.next_queue,
            has_cells() ? credits : network_.slots_needed(won.input, device.first_port + output));
      if (counts_credits<kKind>()) state_.flow.take(packet.target, credits);
    }
    packet.queue = packet.target;
    if (kEnds && state_.control) leave_switch<kKind>(packet_id);
    if (kEnds && state_.is_for_slow_node(packet))
      wheel.schedule(EventKind::deliver, now + transfer + out.delay, packet_id);
    else if (kKind == DeviceKind::switch_ && is_cioq())
      enter_output_queue<kShape>(state_, packet_id);
    else
      send<kShape>(state_, packet_id, out, transfer);
  }

  // A link that is down takes a packet, which is lost.
  template <DeviceKind kKind>
  [[gnu::noinline]] void lose_on_link(PacketId id, PortState& out) {
    const Packet& packet = state_.packets[id];
    out.bytes_sent -= packet.length;
    if (kKind != DeviceKind::adapter && counts_ahead())
      state_.ahead[network_.graph_port(packet.output)] -= load_of(state_, packet);
    if (state_.control) leave_switch<kKind>(id);
    lose(state_, id);
  }

  // Returns true if packets take credits behind the outputs of these devices.
  template <DeviceKind kKind>
  bool counts_credits() const {
    return !pauses() || (kKind == DeviceKind::switch_ && is_cioq());
  }

  // The packet leaves its switch, so that it no longer waits for its output. It has taken its credits.
  template <DeviceKind kKind>
  void leave_switch(PacketId id) {
    if (kKind == DeviceKind::switch_ ? !is_cioq() : kKind == DeviceKind::output_unit)
      leave_output(state_, id);
  }

  template <DeviceKind kKind>
  [[gnu::always_inline]] PacketId leave_queue(Device& device, const PortState& in, const Request& won) {
    if (takes_turns<kKind>())
      return pop_in_turn<kShape>(state_, device, won.input, won.queue,
                                 network_.weights[(won.queue - in.first_queue) * queues_per_weight<kKind>()]);
    return pop<kShape>(state_, device, won.input, won.queue);
  }

  template <DeviceKind kKind>
  [[gnu::always_inline]] TransferTimes transfer_times(PacketId packet_id, std::uint32_t id,
                                                      std::uint32_t output, const Request& won,
                                                      const PortState& in, const PortState& out) {
    Packet& packet = state_.packets[packet_id];
    if (kRare && network_.links_differ) return begin_over_any_links(state_, packet, id, won.input, output);
    Tick transfer = static_cast<Tick>(packet.length) * out.ticks_per_byte;
    if (kKind == DeviceKind::switch_ && is_cioq())
      transfer = std::max(transfer, tail_arrival(state_, packet, in) - state_.wheel.now());
    return {transfer, transfer};
  }

  // At the end of the transfer the input and the packet's memory are free, and so is the output unless its
  // link is slower.
  template <DeviceKind kKind>
  [[gnu::always_inline]] void free_at_end(std::uint32_t id, std::uint32_t output, const Request& won,
                                          const Packet& packet, Tick end) {
    const Device& device = state_.devices[id];
    const PortState& in = state_.ports[device.first_port + won.input];
    const std::uint32_t queue = account_of<kKind>(device.first_port + won.input, won.queue);
    const std::uint32_t freed = Freed{queue, credits_of(packet)}.word(in.first_queue);
    Wheel& wheel = state_.wheel;
    if constexpr (kKind == DeviceKind::switch_) {
      ++state_.record.counters.packet_hops;
      wheel.schedule(EventKind::release, end, id, won.input << 16 | output);
      const PortId link = device.first_port + won.input;
      if (pauses())
        wheel.schedule(EventKind::vacate, end, network_.link_port(link),
                       FreedRoom<true>{queue, state_.lane_credits_of(packet)}.word(in.first_queue));
      else if (!kRare || network_.credit_bytes == 0)
        wheel.schedule(EventKind::credit, end + in.credit_delay, freed, in.source);
      else
        wheel.schedule(EventKind::vacate, end, network_.link_port(link), freed);
    } else {
      wheel.schedule(EventKind::sent, end, id, freed);
    }
    // A shorter output queue can become free for heads, unless all its packets wait for the same credits: a
    // departing packet then takes one of these.
    if constexpr (kKind == DeviceKind::output_unit)
      if (is_adaptive() && state_.shorter_queue_frees)
        wheel.schedule(EventKind::control, wheel.now() + 1, state_.ports[in.source].owner);
  }

  // The account of the room in this queue of an input.
  template <DeviceKind kKind>
  std::uint32_t account_of(PortId input, std::uint32_t queue) const {
    if (is_pooled()) return state_.ports[input].first_queue;
    const bool is_shared = kEnds && kKind == DeviceKind::switch_ && network_.shares_lanes;
    return is_shared ? network_.account_of_queue(input, queue) : queue;
  }

  // Returns true if the queues of a port with one output are served by weighted round robin.
  template <DeviceKind kKind>
  bool takes_turns() const {
    return kRare && kKind != DeviceKind::switch_ && !network_.weights.empty();
  }

  // An output queue of a lane has the weight of the lane's first queue.
  template <DeviceKind kKind>
  std::uint32_t queues_per_weight() const {
    return kKind == DeviceKind::output_unit && network_.one_output_queue ? network_.queue_map.queues : 1;
  }

  static constexpr std::uint32_t kPicks = 8;

  const Network& network_;
  State state_;
  const State* here_ = &state_;
  Forecast<kPorts> forecast_;
  AdaptiveChoice<kShape> choice_;
  DetourChoice detour_;
  AtArrival at_arrival_;
  TurnArbiter<kShape> turns_;
  std::array<DelayedGrant, kPicks> picks_;  // picked but not granted: [picked_ % kPicks]
  std::uint32_t picked_ = 0;
  std::uint32_t granted_ = 0;
  bool lists_picks_ = false;  // grants of this tick begin in list_pick
  PooledPorts<kShape> pool_;
  Jobs jobs_;
  Adapters<kShape> adapters_;
  Deliveries deliveries_;
  std::unique_ptr<Skip> skip_;           // null: nothing is skipped
  std::optional<DrawWatch> draw_watch_;  // if draws can matter to what is skipped
  SimulationOptions options_;
  std::uint32_t lists_from_;  // rounds in a tick from which grants begin in list_pick; 0: it notes them
  std::vector<Rng> rng_;      // [device] for random arbitration
};

}  // namespace headway
