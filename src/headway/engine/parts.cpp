// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/parts.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "headway/base/cpu_time.h"
#include "headway/base/error.h"
#include "headway/engine/backlog.h"
#include "headway/engine/gates.h"
#include "headway/engine/stall.h"
#include "headway/engine/state.h"

namespace headway {
namespace {

// A thread that waits looks again this often before it lets others run: some microseconds, in which a part
// usually arrives if it has a core.
constexpr int kSpins = 100;
// It lets others run this often before it sleeps.
constexpr int kYields = 200;

// Makes the processor wait for a moment.
void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

using Clock = std::chrono::steady_clock;

// Returns when the condition holds, or after this many looks that let others run. Returns the time for which
// it let others run.
template <class Condition>
Clock::duration wait_until(Condition&& holds, int most_yields = std::numeric_limits<int>::max()) {
  for (int spins = 0; spins < kSpins; ++spins) {
    if (holds()) return {};
    relax();
  }
  const Clock::time_point start = Clock::now();
  for (int yields = 0; yields < most_yields && !holds(); ++yields) std::this_thread::yield();
  return Clock::now() - start;
}

// From one part to another.
struct Mail {
  std::vector<TimedEvent> events;
  std::vector<Isolation::Notification> notifications;  // of the control events, in this order
  std::vector<Notice> notices;                         // of the packets that carry some, likewise
  std::vector<Limiter::Told> told;                     // notifications that do not travel as packets

  void clear() {
    events.clear();
    notifications.clear();
    notices.clear();
    told.clear();
  }
};

// What a part tells the others after a window. Each part reads it before any part ends the window after the
// next one, so two of each suffice.
constexpr std::size_t kSlots = 2;
struct Slot {
  Tick next = 0;               // no event of this part, nor any that it has mailed, is earlier
  std::uint64_t backlog = 0;   // bytes
  std::uint64_t messages = 0;  // in memory
  std::vector<Mail> outbox;    // [part]
};

struct alignas(128) Part {
  std::unique_ptr<PartSimulation> simulation;
  std::vector<TimedEvent> abroad;            // events of other parts, of this window
  std::vector<Delivery> told;                // that the listener has not been told
  std::vector<Isolation::LineChange> lines;  // of the last piece of the run
  std::array<Slot, kSlots> slots;
  alignas(128) std::atomic<std::uint64_t> windows =
      0;  // that it has ended; the others look at it all the time
  std::exception_ptr failure;
  double cpu_s = 0;  // of its thread, unless that is the caller's
};

class PartsOfRun final : public Simulation {
 public:
  PartsOfRun(const EngineInstance& instance, const Network& network, const Workload& workload,
             const SimulationOptions& options, NetworkCut cut)
      : cut_(std::move(cut)),
        backlog_limit_(std::min(options.backlog_limit, kMostBacklogBytes)),
        listener_(options.deliveries),
        always_cut_(options.always_cut),
        parts_(cut_.parts) {
    StateTables tables(network, instance.shape.ports, instance.shape.may_have_cells(), options.seed);
    if (!share(tables)) throw std::bad_alloc();
    SimulationOptions of_part = options;
    for (std::uint32_t p = 0; p < cut_.parts; ++p) {
      Part& part = parts_[p];
      if (listener_) of_part.deliveries = append_to(part.told);
      part.simulation = instance.make(tables, {.cut = &cut_, .number = p}, workload, of_part);
      for (Slot& slot : part.slots) slot.outbox.resize(cut_.parts);
      if (Isolation* isolation = part.simulation->state().isolation) isolation->record_changes(part.lines);
      states_.push_back(&part.simulation->state());
      part.simulation->state().wheel.send_abroad(part.abroad);
    }
    start_threads();
  }
  PartsOfRun(const PartsOfRun&) = delete;
  PartsOfRun& operator=(const PartsOfRun&) = delete;

  ~PartsOfRun() override { end_threads(); }

  std::uint64_t run_until(Tick end, std::uint64_t most_ticks) override {
    if (most_ticks != UINT64_MAX) throw std::logic_error("only a simulation on one thread counts ticks");
    const std::uint64_t before = ended_before_;
    record_.reset();
    while (end_ < end) {
      begin_piece(std::min(end, end_ + kWindowsOfPiece * cut_.look_ahead));
      if (alone_ > 0)
        simulate_all();
      else
        simulate_together();
      if (listener_) tell_deliveries();
      find_most_lines();
    }
    return ended_before_ - before;
  }

  const Record& record() const override {
    if (!record_) record_ = sum_of_records();
    return *record_;
  }
  void begin_measurement() override {
    for (Part& part : parts_) part.simulation->begin_measurement();
    record_.reset();
  }
  StateView view() const override { return StateView(states_); }
  Stall find_stall() const override { return headway::find_stall(states_); }
  const Jobs& jobs() const override { return parts_.front().simulation->jobs(); }
  std::uint32_t threads() const override { return cut_.parts; }
  double cpu_of_other_threads() const override {
    double seconds = 0;
    for (const Part& part : parts_) seconds += part.cpu_s;
    return seconds;
  }

 private:
  // Between pieces, what must be put in order is put in order, and the caller's thread decides whether it
  // goes on alone.
  static constexpr Tick kWindowsOfPiece = 128;
  static constexpr std::uint32_t kLongestAlone = 1024;  // pieces

  void start_threads() try {
    for (std::uint32_t p = 1; p < cut_.parts; ++p) threads_.emplace_back([this, p] { serve(p); });
  } catch (const std::system_error&) {
    end_threads();
    throw;
  }

  void end_threads() {
    end_ = -1;
    call();
    for (std::thread& thread : threads_) thread.join();
  }

  // Lets the threads look at end_.
  void call() {
    calls_.fetch_add(1, std::memory_order_release);
    calls_.notify_all();
  }

  void begin_piece(Tick end) {
    end_ = end;
    ended_before_ = parts_.front().windows.load(std::memory_order_relaxed);
  }

  void simulate_together() {
    const Clock::time_point start = Clock::now();
    finished_.store(0, std::memory_order_relaxed);
    waited_ = {};
    call();
    simulate(0);
    waited_ += wait_until([&] { return finished_.load(std::memory_order_acquire) == threads_.size(); });
    for (const Part& part : parts_)
      if (part.failure) std::rethrow_exception(part.failure);
    if (always_cut_) {  // tests see both ways
      alone_ = 1;
      return;
    }
    // On a crowded machine, the others are not there when their parts are due. Then this thread simulates all
    // parts for some time.
    if (waited_ < (Clock::now() - start) / 2)
      next_alone_ = 1;
    else
      alone_ = next_alone_ = std::min(2 * next_alone_, kLongestAlone);
  }

  // All parts in this thread.
  void simulate_all() {
    --alone_;
    for (Part& part : parts_) publish(part, 0);
    for (std::uint64_t window = 1;; ++window) {
      const Tick begin = *begin_of(window);
      for (std::uint32_t p = 0; p < cut_.parts; ++p) read_mail(p, window);
      if (begin >= end_) break;
      for (Part& part : parts_) {
        part.simulation->run_until(std::min(begin + cut_.look_ahead, end_));
        publish(part, window);
      }
    }
    for (Part& part : parts_) part.simulation->run_until(end_);
  }

  // Tells the deliveries of all parts, each of which has its own in the order of ticks.
  void tell_deliveries() {
    std::vector<Delivery> all;
    for (Part& part : parts_) {
      const auto middle = static_cast<std::ptrdiff_t>(all.size());
      all.insert(all.end(), part.told.begin(), part.told.end());
      part.told.clear();
      std::ranges::inplace_merge(all, all.begin() + middle, {}, &Delivery::tick);
    }
    if (!all.empty()) listener_(all);
  }

  // The most lines that are active in all parts at the end of a tick. Writes it to the counts of the first
  // part, whose own maximum is not larger.
  void find_most_lines() {
    Isolation* const isolation = parts_.front().simulation->state().isolation;
    if (isolation == nullptr) return;
    std::vector<Isolation::LineChange> changes;
    for (Part& part : parts_) {
      changes.insert(changes.end(), part.lines.begin(), part.lines.end());
      part.lines.clear();
    }
    std::ranges::sort(changes, {}, &Isolation::LineChange::tick);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      active_lines_ += changes[i].after - changes[i].before;
      if (i + 1 == changes.size() || changes[i + 1].tick != changes[i].tick)
        most_active_lines_ = std::max(most_active_lines_, active_lines_);
    }
    isolation->counts().most_active_lines = most_active_lines_;
  }

  // Prepares the tables for several threads. Returns false if there are not enough addresses for packets.
  bool share(StateTables& tables) {
    const Network& network = tables.network;
    const std::uint64_t spare = std::uint64_t{cut_.parts} * 8 * PacketMemory::kRange;
    if (!tables.memory->packets.reserve(2 * most_packets(network, tables.flow) + packets_to_nodes(network) +
                                        spare))
      return false;
    tables.memory->packets.share();
    for (PortId id = 0; id < tables.ports.size(); ++id) {
      PortState& port = tables.ports[id];
      const auto is_elsewhere = [&](PortId other) {
        return other != kNone && cut_.part_of[tables.ports[other].owner] != cut_.part_of[port.owner];
      };
      if (is_elsewhere(port.peer)) port.delay |= Wheel::kAbroad;
      if (is_elsewhere(port.source)) port.credit_delay |= Wheel::kAbroad;
    }
    return true;
  }

  // Full packets on all links to nodes, which need no room there.
  static std::uint64_t packets_to_nodes(const Network& network) {
    std::uint64_t packets = 0;
    for (NodeId node = 0; node < network.nodes(); ++node) {
      const Port& link = network.ports[network.link_port(network.graph.peer_of(network.adapter_port(node)))];
      packets += link.delay / (std::uint64_t{network.packet_bytes} * std::max(link.ticks_per_byte, 1U)) + 1;
    }
    return packets;
  }

  void serve(std::uint32_t p) {
    for (std::uint64_t calls = 0;;) {
      // the next call mostly follows at once
      wait_until([&] { return calls_.load(std::memory_order_acquire) != calls; }, kYields);
      calls_.wait(calls, std::memory_order_acquire);
      calls = calls_.load(std::memory_order_acquire);
      if (end_ < 0) return;
      simulate(p);
      parts_[p].cpu_s = cpu_seconds();
      finished_.fetch_add(1, std::memory_order_release);
    }
  }

  // One part's share of a piece. A part that fails stops the others, which wait for it.
  void simulate(std::uint32_t p) {
    Part& part = parts_[p];
    try {
      publish(part, 0);
      for (std::uint64_t window = 1;; ++window) {
        const std::optional<Tick> begin = begin_of(window, p == 0);
        if (!begin) return;
        read_mail(p, window);
        if (*begin >= end_) break;
        part.simulation->run_until(std::min(*begin + cut_.look_ahead, end_));
        publish(part, window);
      }
      part.simulation->run_until(end_);  // has no event; only time passes
    } catch (...) {
      part.failure = std::current_exception();
      has_failed_.store(true, std::memory_order_release);
    }
  }

  void publish(Part& part, std::uint64_t window) {
    State& state = part.simulation->state();
    Slot& slot = part.slots[window % kSlots];
    slot.next = state.wheel.next();
    for (Mail& mail : slot.outbox) mail.clear();
    for (const TimedEvent& event : part.abroad) {
      slot.next = std::min(slot.next, event.tick);
      post(state, event, slot.outbox[cut_.part_of[device_of(state, event)]]);
    }
    if (state.limiter != nullptr) {
      for (const Limiter::Told& told : state.limiter->abroad) {
        slot.next = std::min(slot.next, told.tick);
        const NodeId source = LimitedFlows::node_of(told.flow);
        slot.outbox[cut_.part_of[state.network.switches() + source]].told.push_back(told);
      }
      state.limiter->abroad.clear();
    }
    part.abroad.clear();
    slot.backlog = state.admittance.bytes();
    slot.messages = state.admittance.messages.size();
    state.packets.share_spare();
    part.windows.fetch_add(1, std::memory_order_release);
  }

  // The device of an event: that of a packet's next switch, or the sender that it tells of free memory.
  static std::uint32_t device_of(const State& state, const TimedEvent& event) {
    const PortId port =
        event.kind == EventKind::arrive ? state.packets[event.event.b].next_output : event.event.b;
    return state.ports[port].owner;
  }

  static void post(State& state, const TimedEvent& event, Mail& mail) {
    mail.events.push_back(event);
    if (event.kind == EventKind::control) {
      mail.notifications.push_back(state.isolation->take_notification(event.event.a));
    } else if (event.kind == EventKind::arrive && state.limiter != nullptr &&
               state.is_notice(event.event.b)) {
      const Packet& packet = state.packets[event.event.b];
      mail.notices.push_back(state.limiter->notices.take(packet.source, packet.serial));
    }
  }

  // Waits until all parts have ended the window before, and returns the first tick that may have events; none
  // if a part has failed. `of_caller`: it is the caller's thread that waits.
  std::optional<Tick> begin_of(std::uint64_t window, bool of_caller = true) {
    const std::size_t before = (window - 1) % kSlots;
    Tick begin = std::numeric_limits<Tick>::max();
    std::uint64_t backlog = 0, messages = 0;
    for (const Part& part : parts_) {
      const std::uint64_t expected = ended_before_ + window;
      const Clock::duration waited = wait_until([&] {
        return part.windows.load(std::memory_order_acquire) >= expected ||
               has_failed_.load(std::memory_order_acquire);
      });
      if (of_caller) waited_ += waited;
      if (has_failed_.load(std::memory_order_acquire)) return std::nullopt;
      begin = std::min(begin, part.slots[before].next);
      backlog += part.slots[before].backlog;
      messages += part.slots[before].messages;
    }
    if (backlog > backlog_limit_) throw BacklogTooLarge(begin, messages);
    return begin;
  }

  void read_mail(std::uint32_t p, std::uint64_t window) {
    State& state = parts_[p].simulation->state();
    for (Part& from : parts_) take(state, from.slots[(window - 1) % kSlots].outbox[p]);
  }

  static void take(State& state, Mail& mail) {
    std::size_t notification = 0, notice = 0;
    for (const TimedEvent& it : mail.events) {
      if (it.tick < state.wheel.now()) throw InvariantError("a part of the network got an event too late");
      Event event = it.event;
      if (it.kind == EventKind::control) {
        event.a = state.isolation->put_notification(std::move(mail.notifications[notification++]));
      } else if (it.kind == EventKind::arrive && state.limiter != nullptr && state.is_notice(event.b)) {
        const Packet& packet = state.packets[event.b];
        state.limiter->notices.put(packet.source, packet.serial, mail.notices[notice++]);
      }
      state.wheel.schedule(it.kind, it.tick, event.a, event.b);
    }
    if (mail.told.empty()) return;
    for (const Limiter::Told& it : mail.told) state.limiter->flows.tell(it.flow, it.told, it.tick);
    set_timer(state);
  }

  Record sum_of_records() const {
    Record sum;
    for (const Part& part : parts_) sum.add(part.simulation->record());
    return sum;
  }

  NetworkCut cut_;
  std::uint64_t backlog_limit_;
  DeliveryListener listener_;  // or none
  bool always_cut_;
  std::vector<Part> parts_;
  std::vector<const State*> states_;
  std::vector<std::thread> threads_;
  Tick end_ = 0;  // of the present piece; negative: the threads are to end
  std::uint64_t active_lines_ = 0, most_active_lines_ = 0;  // of isolation, in all parts
  Clock::duration waited_{};  // by the caller's thread in this piece, while it let others run
  std::uint32_t alone_ = 0;   // pieces that the caller's thread will simulate alone
  std::uint32_t next_alone_ = 1;
  std::uint64_t ended_before_ = 0;  // windows of all earlier pieces
  std::atomic<std::uint64_t> calls_ = 0;
  std::atomic<std::uint64_t> finished_ = 0;  // threads that have done the present piece
  std::atomic<bool> has_failed_ = false;
  mutable std::optional<Record> record_;  // none: to be summed
};

}  // namespace

std::string why_one_thread(const Network& network, const Workload& workload,
                           const SimulationOptions& options) {
  const auto& detours = network.routes.detours;
  if (options.check) return "the invariants of the whole network are checked in every tick";
  if (!workload.jobs.empty()) return "the ranks of jobs are simulated together";
  if (network.reaction && network.reaction->by_service_level)
    return "all destinations of a service level limit one flow";
  if (network.notification_bytes() > 0) return "notifications of isolation wait for links in one list";
  if (detours && detours->kind == Detour::global) return "switches know distant queues at once";
  if (options.count_pairs) return "pairs of nodes are counted in one table";
  return "";
}

std::unique_ptr<Simulation> make_parts(const EngineInstance& instance, const Network& network,
                                       const Workload& workload, const SimulationOptions& options) try {
  std::uint32_t parts = std::min({options.threads, most_parts(network), kMostParts});
  if (parts < 2) return nullptr;
  NetworkCut cut = cut_of(network, workload, parts);
  const double packets = packets_in_window(workload, network, cut.look_ahead);
  if (const double worth = packets / kPacketsWorthAPart; worth < parts && !options.always_cut) {
    if (worth < 2) return nullptr;
    cut = cut_of(network, workload, static_cast<std::uint32_t>(worth));
  }
  if (cut.look_ahead < 1) return nullptr;
  return std::make_unique<PartsOfRun>(instance, network, workload, options, std::move(cut));
} catch (const std::bad_alloc&) {
  return nullptr;
} catch (const std::system_error&) {  // no more threads
  return nullptr;
}

}  // namespace headway
