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
#include "headway/base/together.h"
#include "headway/engine/backlog.h"
#include "headway/engine/gather.h"
#include "headway/engine/jobs_of_parts.h"
#include "headway/engine/mail.h"
#include "headway/engine/processes.h"
#include "headway/engine/stall.h"
#include "headway/engine/state.h"
#include "headway/engine/state_memory.h"
#include "headway/engine/wait.h"

namespace headway {
namespace {

// What a part tells the others after an epoch. Each part reads it before any part ends the epoch after the
// next one, so two of each suffice.
constexpr std::size_t kSlots = 2;
struct Slot {
  Tick next = 0;               // no event of this part, nor any that it has mailed, is earlier
  std::uint64_t backlog = 0;   // bytes
  std::uint64_t messages = 0;  // in memory
  JobsProgress jobs;
  std::vector<Mail> outbox;  // [part]
};

// The time that all parts simulate next.
struct Epoch {
  Tick begin = 0;  // the first tick that may have events
  Tick end = 0;
  bool jobs_are_done = false;
};

struct alignas(128) Part {
  std::unique_ptr<PartSimulation> simulation;  // null: another process simulates it
  std::vector<TimedEvent> abroad;              // events of other parts, of this epoch
  std::vector<Delivery> told;                  // that the listener has not been told
  std::vector<JobMessage> job_messages;        // likewise
  std::vector<Isolation::LineChange> lines;    // of the last piece of the run
  std::array<Slot, kSlots> slots;
  alignas(128) std::atomic<std::uint64_t> epochs =
      0;  // that it has ended; the others look at it all the time
  std::exception_ptr failure;
  double cpu_s = 0;  // of its thread, unless that is the caller's
};

// Numbers of parts.
struct PartRange {
  std::uint32_t first = 0, end = 0;
};

// What the leading process asks the others to do.
struct ProcessOrder {
  ProcessWord word = ProcessWord::end;
  Tick end = 0;
  JobsQuestion jobs = {};

  template <class Io>
  void serialize(Io& io) {
    io.value(word);
    io.value(end);
    io.value(jobs);
  }
};

// Between pieces of a run, what the parts have to tell is put in order.
constexpr Tick kEpochsOfPiece = 128;
// Choice: with fewer events in an epoch, threads that wait for each other save no time: about as many take as
// long as an exchange of mail.
constexpr std::uint64_t kEventsWorthAPart = 64;

class PartsOfRun final : public RunInParts {
 public:
  PartsOfRun(const EngineInstance& instance, const Network& network, const Workload& workload,
             const SimulationOptions& options, NetworkCut cut)
      : network_(network),
        workload_(workload),
        cut_(std::move(cut)),
        processes_(options.processes),
        mine_(parts_of(process())),
        backlog_limit_(std::min(options.backlog_limit, kMostBacklogBytes)),
        listener_(options.deliveries),
        job_listener_(options.job_messages),
        stops_(options.stop_when_done &&
               std::ranges::any_of(workload.jobs, [](const Job& job) { return !job.background; })),
        always_threads_(options.always_cut),
        parts_(cut_.parts) {
    StateTables tables(network, instance.shape.ports, instance.shape.may_have_cells(), options.seed);
    tables.share(cut_, process(), process_count());
    if (options.keep_sent) tables.keep_sent();
    tables.memory->jobs = std::make_shared<JobTables>(workload, network, options.kept_of_jobs);
    tables.memory->jobs->share();
    for (Part& part : parts_)
      for (Slot& slot : part.slots) slot.outbox.resize(cut_.parts);
    together(mine_.end - mine_.first, [&](std::uint32_t i) {
      Part& part = parts_[mine_.first + i];
      SimulationOptions of_part = options;
      of_part.stop_when_done = false;
      if (listener_) of_part.deliveries = append_to(part.told);
      if (job_listener_)
        of_part.job_messages = [&part](const JobMessage& message) { part.job_messages.push_back(message); };
      part.simulation = instance.make(tables, {.cut = &cut_, .number = mine_.first + i}, workload, of_part);
      if (const auto& isolation = part.simulation->state().isolation) isolation->record_changes(part.lines);
      part.simulation->state().wheel.send_abroad(part.abroad);
    });
    std::vector<Jobs*> jobs;
    for (Part& part : parts_)
      jobs.push_back(part.simulation == nullptr ? nullptr : &part.simulation->own_jobs());
    JobsOfParts::Ask ask_others;
    if (processes_ != nullptr && processes_->leads())
      ask_others = [this](const JobsQuestion& question) {
        ask({.word = ProcessWord::jobs, .jobs = question});
        return processes_->gather({});
      };
    fastest_message_ = tables.memory->jobs->fastest_message;
    jobs_.emplace(network, workload, cut_, *tables.memory->jobs, std::move(jobs), mine_.end - mine_.first,
                  std::move(ask_others));
    start_threads();
  }
  PartsOfRun(const PartsOfRun&) = delete;
  PartsOfRun& operator=(const PartsOfRun&) = delete;

  ~PartsOfRun() override { end_threads(); }

  std::uint64_t run_until(Tick end, std::uint64_t most_ticks) override {
    if (most_ticks != UINT64_MAX) throw std::logic_error("only a simulation on one thread counts ticks");
    const std::uint64_t before = ended_before_;
    forget();
    while (end_ < end && !(stops_ && jobs_->done())) {
      const Tick end_of_piece = std::min(end, end_ + kEpochsOfPiece * cut_.look_ahead);
      ask({.word = ProcessWord::piece, .end = end_of_piece});
      simulate_piece(end_of_piece);
    }
    return ended_before_ - before;
  }

  const Record& record() const override {
    if (!record_) record_ = sum_of_records();
    return *record_;
  }
  void begin_measurement() override {
    ask({.word = ProcessWord::measure});
    begin_measurement_of_parts();
    forget();
  }
  StateView view() const override { return StateView(states()); }
  Stall find_stall() const override { return headway::find_stall(states()); }
  MemoryParts memory() const override {
    std::vector<const State*> of_own;
    for (const Part& part : own()) of_own.push_back(&part.simulation->state());
    MemoryParts all = memory_of(of_own);
    for (const Part& part : own()) all.add(part.simulation->own_memory());
    return all;
  }
  const JobsView& jobs() const override { return *jobs_; }
  std::uint32_t threads() const override { return cut_.parts; }
  double cpu_of_other_threads() const override {
    double seconds = cpu_of_others_;
    for (const Part& part : parts_) seconds += part.cpu_s;
    return seconds;
  }

  Parcel serve() override {
    for (;;) {
      Parcel bytes = processes_->broadcast({});
      ProcessOrder order;
      ParcelReader(bytes).value(order.word);
      switch (order.word) {
        case ProcessWord::piece: {
          ParcelReader reader(bytes);
          order.serialize(reader);
          try {
            simulate_piece(order.end);
          } catch (const BacklogTooLarge&) {
            continue;  // all processes have found that out, and the leading one tells the user
          }
          break;
        }
        case ProcessWord::measure:
          begin_measurement_of_parts();
          break;
        case ProcessWord::record:
          sum_of_records();
          break;
        case ProcessWord::state:
          gather_states();
          break;
        case ProcessWord::jobs: {
          ParcelReader reader(bytes);
          order.serialize(reader);
          processes_->gather(jobs_->answer(order.jobs));
          break;
        }
        case ProcessWord::run:
        case ProcessWord::end:
          return bytes;
      }
    }
  }

 private:
  std::uint32_t process() const { return processes_ == nullptr ? 0 : processes_->number(); }
  std::uint32_t process_count() const { return processes_ == nullptr ? 1 : processes_->count(); }
  PartRange parts_of(std::uint32_t process) const {
    const std::uint32_t each = cut_.parts / process_count();
    return {process * each, (process + 1) * each};
  }
  std::span<Part> own() { return std::span(parts_).subspan(mine_.first, mine_.end - mine_.first); }
  std::span<const Part> own() const {
    return std::span(parts_).subspan(mine_.first, mine_.end - mine_.first);
  }

  void ask(ProcessOrder order) const {
    if (processes_ == nullptr || !processes_->leads()) return;
    ParcelWriter writer;
    order.serialize(writer);
    processes_->broadcast(writer.take());
  }

  // The sum and the states of an earlier tick are out of date.
  void forget() {
    record_.reset();
    states_.clear();
  }

  // Afterwards, what the parts have to tell is put in order.
  void simulate_piece(Tick end) {
    end_ = end;
    ended_before_ = parts_[mine_.first].epochs.load(std::memory_order_relaxed);
    finished_.store(0, std::memory_order_relaxed);
    const std::uint64_t events_before = events();
    if (in_turn_) {
      simulate_in_turn();
    } else {
      call();
      simulate(mine_.first);
      wait_until(finished_, [&](std::uint64_t finished) { return finished == threads_.size(); });
    }
    choose_turns(events() - events_before);
    for (const Part& part : own())
      if (part.failure) rethrow(part.failure);
    if (processes_ != nullptr && (listener_ || job_listener_ || network_.isolation)) gather_told();
    if (listener_) tell_deliveries();
    if (job_listener_) tell_job_messages();
    end_piece_of_jobs();
    find_most_lines();
  }

  std::uint64_t events() const {
    std::uint64_t sum = 0;
    for (const Part& part : own()) sum += part.simulation->record().counters.events;
    return sum;
  }

  // If parts had little to do in the epochs of a piece, this thread simulates the next piece of all parts in
  // turn, because they would wait for each other for longer. Jobs and traces can be idle for a long time.
  void choose_turns(std::uint64_t events) {
    const std::uint64_t epochs = parts_[mine_.first].epochs.load(std::memory_order_relaxed) - ended_before_;
    in_turn_ = !always_threads_ && events < kEventsWorthAPart * epochs * own().size();
  }

  // If a process fails alone, no other can go on.
  void rethrow(const std::exception_ptr& failure) const {
    if (processes_ == nullptr) std::rethrow_exception(failure);
    try {
      std::rethrow_exception(failure);
    } catch (const BacklogTooLarge&) {  // all processes have found that out
      throw;
    } catch (const std::exception& error) {
      processes_->abort(error.what());
    }
  }

  void begin_measurement_of_parts() {
    for (Part& part : own()) part.simulation->begin_measurement();
  }

  void start_threads() try {
    for (std::uint32_t p = mine_.first + 1; p < mine_.end; ++p) threads_.emplace_back([this, p] { work(p); });
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

  void tell_job_messages() {
    std::vector<JobMessage> all;
    for (Part& part : parts_) {
      all.insert(all.end(), part.job_messages.begin(), part.job_messages.end());
      part.job_messages.clear();
    }
    std::ranges::stable_sort(all, {}, &JobMessage::delivered);
    for (const JobMessage& message : all) job_listener_(message);
  }

  void end_piece_of_jobs() {
    if (workload_.jobs.empty()) return;
    jobs_->end_piece(jobs_now_);
    std::vector<Jobs*> of_parts;
    for (Part& part : own()) of_parts.push_back(&part.simulation->own_jobs());
    if (processes_ == nullptr) Jobs::forget_causes(of_parts);
  }

  // The most lines that are active in all parts at the end of a tick. Writes it to the counts of the first
  // part, whose own maximum is not larger.
  void find_most_lines() {
    Isolation* const isolation = parts_[mine_.first].simulation->state().isolation.get();
    if (isolation == nullptr || (processes_ != nullptr && !processes_->leads())) return;
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

  void work(std::uint32_t p) {
    for (std::uint64_t calls = 0;;) {
      wait_until(calls_, [&](std::uint64_t now) { return now != calls; });
      calls = calls_.load(std::memory_order_acquire);
      if (end_ < 0) return;
      simulate(p);
      parts_[p].cpu_s = cpu_seconds();
      finished_.fetch_add(1, std::memory_order_release);
      finished_.notify_all();
    }
  }

  // A piece of this part. A part that fails stops the others, which wait for it.
  void simulate(std::uint32_t p) {
    Part& part = parts_[p];
    const bool of_caller = p == mine_.first;
    try {
      publish(part, 0);
      for (std::uint64_t epoch = 1;; ++epoch) {
        if (of_caller && processes_ != nullptr && !exchange_mail(epoch)) return;
        const std::optional<Epoch> next = after_epoch(epoch - 1, of_caller);
        if (!next) return;
        read_mail(p, epoch);
        if (next->jobs_are_done) return;
        if (next->begin >= end_) break;
        part.simulation->run_until(next->end);
        publish(part, epoch);
      }
      part.simulation->run_until(end_);  // has no event; only time passes
    } catch (...) {
      part.failure = std::current_exception();
      for (Part& each : parts_) {
        each.epochs.store(kFailed, std::memory_order_release);
        each.epochs.notify_all();
      }
    }
  }

  // A piece of all parts of this process.
  void simulate_in_turn() {
    Part& first = parts_[mine_.first];
    try {
      for (Part& part : own()) publish(part, 0);
      for (std::uint64_t epoch = 1;; ++epoch) {
        if (processes_ != nullptr && !exchange_mail(epoch)) return;
        const std::optional<Epoch> next = after_epoch(epoch - 1, /*of_caller=*/true);
        if (!next) return;
        for (std::uint32_t p = mine_.first; p < mine_.end; ++p) read_mail(p, epoch);
        if (next->jobs_are_done) return;
        if (next->begin >= end_) break;
        for (Part& part : own()) part.simulation->run_until(next->end);
        for (Part& part : own()) publish(part, epoch);
      }
      for (Part& part : own()) part.simulation->run_until(end_);
    } catch (...) {
      first.failure = std::current_exception();
    }
  }

  // Sends the other processes what the parts of this one have published, and publishes theirs here. Returns
  // false if one of these parts has failed.
  bool exchange_mail(std::uint64_t epoch) {
    for (const Part& part : own()) {
      wait_for(part, epoch);
      if (has_failed(part)) return false;
    }
    const std::size_t before = (epoch - 1) % kSlots;
    std::vector<Parcel> to(processes_->count());
    for (std::uint32_t process = 0; process < to.size(); ++process) {
      if (process == processes_->number()) continue;
      ParcelWriter writer;
      for (Part& part : own()) serialize(writer, part.slots[before], parts_of(process));
      to[process] = writer.take();
    }
    const std::vector<Parcel> from = processes_->exchange(std::move(to));
    for (std::uint32_t process = 0; process < from.size(); ++process) {
      if (process == processes_->number()) continue;
      ParcelReader reader(from[process]);
      for (std::uint32_t p = parts_of(process).first; p < parts_of(process).end; ++p) {
        serialize(reader, parts_[p].slots[before], mine_);
        end_epoch(parts_[p]);
      }
    }
    return true;
  }

  // What a part publishes for these parts.
  template <class Io>
  static void serialize(Io& io, Slot& slot, PartRange receivers) {
    io.value(slot.next);
    io.value(slot.backlog);
    io.value(slot.messages);
    io.value(slot.jobs);
    for (std::uint32_t p = receivers.first; p < receivers.end; ++p) slot.outbox[p].serialize(io);
  }

  void publish(Part& part, std::uint64_t epoch) {
    State& state = part.simulation->state();
    Slot& slot = part.slots[epoch % kSlots];
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
    if (!workload_.jobs.empty()) publish_jobs(part, slot);
    slot.backlog = state.admittance.bytes();
    slot.messages = state.admittance.messages.size();
    end_epoch(part);
  }

  void publish_jobs(Part& part, Slot& slot) const {
    Jobs& jobs = part.simulation->own_jobs();
    for (const MessageFlight& flight : jobs.take_abroad())
      slot.outbox[part_of(flight.destination)].flights.push_back(flight);
    bool passes = false;  // packets that another part will pass on
    for (std::uint32_t p = 0; p < cut_.parts; ++p)
      for (const MovedPacket& moved : slot.outbox[p].packets) {
        const std::uint32_t there = part_of(moved.packet.destination);
        passes |= there != p && jobs.is_awaited(moved.origin.generator);
        if (!part.simulation->state().has_node(moved.packet.destination))
          jobs.move_packets(moved.origin.generator, -1);
      }
    slot.jobs = jobs.progress();
    slot.jobs.sends_abroad |= passes;
  }
  std::uint32_t part_of(NodeId node) const { return cut_.part_of[network_.switches() + node]; }

  static void end_epoch(Part& part) {
    part.epochs.fetch_add(1, std::memory_order_release);
    part.epochs.notify_all();
  }
  // If any part fails, all count as failed, so that none is waited for.
  static constexpr std::uint64_t kFailed = std::uint64_t{1} << 63;
  static bool has_failed(const Part& part) { return part.epochs.load(std::memory_order_acquire) >= kFailed; }

  // Waits until a part has ended the epoch before.
  void wait_for(const Part& part, std::uint64_t epoch) const {
    wait_until(part.epochs,
               [expected = ended_before_ + epoch](std::uint64_t ended) { return ended >= expected; });
  }

  // Waits until all parts have ended an epoch, and returns the next one; none if a part has failed.
  std::optional<Epoch> after_epoch(std::uint64_t epoch, bool of_caller) {
    Epoch next{.begin = std::numeric_limits<Tick>::max()};
    std::uint64_t backlog = 0, messages = 0;
    JobsProgress jobs;
    for (const Part& part : parts_) {
      wait_for(part, epoch + 1);
      if (has_failed(part)) return std::nullopt;
      const Slot& slot = part.slots[epoch % kSlots];
      next.begin = std::min(next.begin, slot.next);
      backlog += slot.backlog;
      messages += slot.messages;
      jobs.add(slot.jobs);
    }
    if (backlog > backlog_limit_) throw BacklogTooLarge(next.begin, messages);
    if (of_caller) jobs_now_ = jobs;
    next.jobs_are_done = stops_ && jobs.unfinished == 0;
    if (next.jobs_are_done || next.begin >= end_) return next;
    next.end = std::min(next.begin + cut_.look_ahead, end_);
    if (stops_) next.end = std::min(next.end, first_end(next.begin, jobs) + 1);
    return next;
  }

  // A run ends after the tick in which its jobs are done. They are not done before this tick if the next
  // event is at `begin`.
  Tick first_end(Tick begin, const JobsProgress& jobs) const {
    Tick first = std::max(begin, jobs.not_before);
    if (jobs.sends) first = std::max(first, begin + fastest_message_);
    if (jobs.sends_abroad) first = std::max(first, begin + cut_.look_ahead);
    return first;
  }

  void read_mail(std::uint32_t p, std::uint64_t epoch) {
    State& state = parts_[p].simulation->state();
    for (Part& from : parts_) {
      Mail& mail = from.slots[(epoch - 1) % kSlots].outbox[p];
      take(state, mail);
      if (workload_.jobs.empty()) continue;
      Jobs& jobs = parts_[p].simulation->own_jobs();
      for (const MessageFlight& flight : mail.flights) jobs.await(flight);
      for (const MovedPacket& moved : mail.packets)
        if (!state.has_node(moved.packet.destination)) jobs.move_packets(moved.origin.generator, 1);
    }
  }

  // The records of the parts of all processes; in a process that does not lead, of its own parts only.
  Record sum_of_records() const {
    Record sum;
    for (const Part& part : own()) sum.add(part.simulation->record());
    if (processes_ == nullptr) return sum;
    ask({.word = ProcessWord::record});
    ParcelWriter writer;
    if (!processes_->leads()) {
      double seconds = cpu_seconds() - cpu_before_ + cpu_of_other_threads();
      sum.serialize(writer);
      writer.value(seconds);
    }
    cpu_of_others_ = 0;
    for (const Parcel& bytes : processes_->gather(writer.take())) {
      if (bytes.empty()) continue;
      ParcelReader reader(bytes);
      Record other;
      double seconds = 0;
      other.serialize(reader);
      reader.value(seconds);
      sum.add(other);
      cpu_of_others_ += seconds;
    }
    return sum;
  }

  // The states of all parts, for observers.
  const std::vector<const State*>& states() const {
    if (states_.empty()) gather_states();
    return states_;
  }

  // In the leading process, makes states of the parts that others simulate. These send them.
  void gather_states() const {
    std::vector<Parcel> from;
    if (processes_ != nullptr) {
      ask({.word = ProcessWord::state});
      ParcelWriter writer;
      if (!processes_->leads()) {
        parts_[mine_.first].simulation->state().memory->packets.serialize(writer);
        for (const Part& part : own()) write_state(part.simulation->state(), workload_, writer);
      }
      from = processes_->gather(writer.take());
      if (!processes_->leads()) return;
    }
    copies_.clear();
    for (const Part& part : own()) states_.push_back(&part.simulation->state());
    for (std::uint32_t process = 1; process < from.size(); ++process) {
      ParcelReader reader(from[process]);
      State& first = parts_[mine_.first].simulation->state();
      first.memory->packets.serialize(reader);
      for (std::uint32_t p = parts_of(process).first; p < parts_of(process).end; ++p) {
        copies_.push_back(std::make_unique<State>(first, PartOfRun{.cut = &cut_, .number = p}));
        read_state(reader, workload_, *copies_.back());
        states_.push_back(copies_.back().get());
      }
    }
  }

  // What the parts of other processes have to tell after a piece.
  void gather_told() {
    ParcelWriter writer;
    if (!processes_->leads())
      for (Part& part : own()) {
        writer.list(part.told);
        writer.list(part.lines);
        writer.list(part.job_messages);
        part.job_messages.clear();
        part.told.clear();
        part.lines.clear();
      }
    const std::vector<Parcel> from = processes_->gather(writer.take());
    for (std::uint32_t process = 1; process < from.size(); ++process) {
      ParcelReader reader(from[process]);
      for (std::uint32_t p = parts_of(process).first; p < parts_of(process).end; ++p) {
        reader.list(parts_[p].told);
        reader.list(parts_[p].lines);
        reader.list(parts_[p].job_messages);
      }
    }
  }

  const Network& network_;
  const Workload& workload_;
  NetworkCut cut_;
  Processes* processes_;  // null: this process has all parts
  PartRange mine_;        // of this process
  std::uint64_t backlog_limit_;
  DeliveryListener listener_;        // or none
  JobMessageListener job_listener_;  // or none
  bool stops_;                       // when its jobs are done
  bool always_threads_;
  bool in_turn_ = false;  // this thread simulates the next piece of all parts of this process
  std::vector<Part> parts_;
  std::optional<JobsOfParts> jobs_;
  JobsProgress jobs_now_;                               // after the last epoch
  Tick fastest_message_ = 0;                            // JobTables
  mutable std::vector<const State*> states_;            // [part]; empty: to be gathered
  mutable std::vector<std::unique_ptr<State>> copies_;  // of the parts of other processes
  std::vector<std::thread> threads_;
  Tick end_ = 0;  // of the present piece; negative: the threads are to end
  std::uint64_t active_lines_ = 0, most_active_lines_ = 0;  // of isolation, in all parts
  std::uint64_t ended_before_ = 0;                          // epochs of all earlier pieces
  std::atomic<std::uint64_t> calls_ = 0;
  std::atomic<std::uint64_t> finished_ = 0;  // threads that have done the present piece
  mutable std::optional<Record> record_;     // none: to be summed
  double cpu_before_ = cpu_seconds();        // of the caller's thread
  mutable double cpu_of_others_ = 0;         // seconds, of the other processes
};

}  // namespace

std::string why_one_thread(const Network& network, const Workload& workload,
                           const SimulationOptions& options) {
  const auto& detours = network.routes.detours;
  if (options.check) return "the invariants of the whole network are checked in every tick";
  if (network.reaction && network.reaction->by_service_level)
    return "all destinations of a service level limit one flow";
  if (network.signal_bytes() > 0) return "signals of isolation wait for links in one list";
  if (detours && detours->kind == Detour::global) return "switches know distant queues at once";
  if (options.count_pairs) return "pairs of nodes are counted in one table";
  // Choice: a rank and its links would have to be in one part, but the links are at switches of many.
  if (network.has_hosts()) return "nodes have several links, or switches reduce";
  // Choice: a switch knows the rates of links that are a hop away.
  if (network.changes_rates) return "links change their rates";
  // Choice: which part has a rank is known when its job has nodes.
  if (workload.allocates_nodes()) return "jobs wait for nodes";
  return "";
}

// Choice: all processes take part, because the user has started them; threads only if they pay.
std::unique_ptr<RunInParts> make_parts(const EngineInstance& instance, const Network& network,
                                       const Workload& workload, const SimulationOptions& options) try {
  const std::uint32_t processes = options.processes == nullptr ? 1 : options.processes->count();
  std::uint32_t each = std::min({options.threads * processes, most_parts(network), kMostParts}) / processes;
  if (each * processes < 2) return nullptr;
  NetworkCut cut = cut_of(network, workload, each * processes);
  if (const double worth = cut.packets_in_epoch / kPacketsWorthAPart;
      worth < cut.parts && !options.always_cut) {
    each = std::max(static_cast<std::uint32_t>(worth) / processes, processes > 1 ? 1U : 0U);
    if (each * processes < 2) return nullptr;
    cut = cut_of(network, workload, each * processes);
  }
  if (cut.look_ahead < 1) return nullptr;
  return std::make_unique<PartsOfRun>(instance, network, workload, options, std::move(cut));
} catch (const std::bad_alloc&) {
  if (options.processes != nullptr) options.processes->abort("out of memory");
  return nullptr;
} catch (const std::system_error&) {  // no more threads
  if (options.processes != nullptr) options.processes->abort("the system gives no more threads");
  return nullptr;
}

}  // namespace headway
