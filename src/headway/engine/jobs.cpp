// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/jobs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <utility>

#include "headway/engine/state.h"

namespace headway {
namespace {

// Choice: pages of as many operations as take, with one page per rank in memory, the least memory for them
// and for the table of pages; 32 at least.
std::uint32_t page_bits(const CompiledProgram& program) {
  const std::uint64_t of_rank = program.operations() / std::max(program.ranks(), 1U) + 1;
  const auto least_memory = static_cast<std::uint32_t>(std::bit_width(of_rank / 8)) / 2;
  return std::min(std::max(least_memory, 5U), static_cast<std::uint32_t>(std::bit_width(of_rank)));
}

std::uint32_t pages_of(std::uint32_t operations, std::uint32_t bits) {
  return static_cast<std::uint32_t>((std::uint64_t{operations} + (1U << bits) - 1) >> bits);
}

}  // namespace

void JobRecord::end_iteration(const IterationTimes& times) {
  ++iterations;
  iteration_sum += times.end - times.begin;
  longest_iteration = std::max(longest_iteration, times.end - times.begin);
  if (of_iteration.size() < kMostIterationsKept) of_iteration.push_back(times);
}

void JobRecord::add(const JobRecord& other) {
  completed += other.completed;
  messages += other.messages;
  bytes += other.bytes;
  spans.add(other.spans);
  span_sum += other.span_sum;
  finish = finish < 0 || other.finish < 0 ? -1 : std::max(finish, other.finish);
}

JobTables::JobTables(const Workload& workload, const Network& network, KeptOfJobs kept)
    : jobs(workload.jobs.size()) {
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    OfJob& job = jobs[j];
    const CompiledProgram& program = *workload.jobs[j].program;
    if (program.has_spans()) job.started.resize(program.operations());
    job.ranks.resize(program.ranks());
    job.times.resize(program.ranks());
    if (kept.ops) job.ops.resize(program.operations());
    if (workload.jobs[j].pool != nullptr) job.nodes.resize(program.ranks());
    std::uint64_t first_op = 0;
    std::uint32_t pages = 0, cpus = 0;
    for (std::uint32_t r = 0; r < program.ranks(); ++r) {
      Jobs::Rank& rank = job.ranks[r];
      rank.first_cpu = cpus;
      rank.first_op = first_op;
      rank.first_page = pages;
      cpus += program.cpus(r);
      first_op += program.operations(r);
      pages += pages_of(program.operations(r), page_bits(program));
    }
    job.cpus.resize(cpus);
    job.page_of.resize(pages);
  }
  if (jobs.empty()) return;
  // over the links of two nodes and through a switch
  Tick up = std::numeric_limits<Tick>::max(), down = up;
  for (NodeId node = 0; node < network.nodes(); ++node) {
    const Port& adapter = network.ports[network.adapter_port(node)];
    up = std::min<Tick>(up, adapter.delay);
    down = std::min<Tick>(down, network.ports[network.link_port(adapter.peer)].delay);
  }
  fastest_message = up + network.routing_delay + down;
}

void JobTables::share() {
  for (OfJob& job : jobs) job.last_sends.assign(job.ranks.size(), kNone);
}

Jobs::Jobs(const Workload& workload, State& state, KeptOfJobs kept, JobMessageListener listener)
    : framing_(state.network.framing()),
      state_(state),
      wheel_(state.wheel),
      tables_(state.memory->jobs),
      is_part_(state.part.cut != nullptr),
      number_(static_cast<std::uint8_t>(state.part.number)),
      first_generator_(workload.first_job_generator()),
      kept_(kept),
      listener_(std::move(listener)),
      jobs_(workload.jobs.size()) {
  if (workload.allocates_nodes()) allocation_.emplace(workload, state.network.nodes());
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    Running& job = jobs_[j];
    JobTables::OfJob& tables = tables_->jobs[j];
    job.job = &workload.jobs[j];
    job.program = job.job->program.get();
    job.nodes = job.job->pool == nullptr ? job.job->nodes : tables.nodes;
    job.page_bits = page_bits(*job.program);
    job.page_of = tables.page_of;
    job.ranks = tables.ranks;
    job.cpus = tables.cpus;
    job.started = tables.started;
    job.times = tables.times;
    job.op_times = tables.ops;
    job.last_sends = tables.last_sends;
    job.record.nodes = job.nodes;
    job.record.ranks = tables.times;
    job.record.ops = tables.ops;
    for (std::uint32_t r = 0; r < job.program->ranks(); ++r) {
      if (!has_rank(job, r)) continue;
      job.members += job.program->operations(r) > 0;
      ++job.unfinished;
    }
    if (job.job->background) continue;
    job.keeps_causes = kept_.causes;
    unfinished_ += job.unfinished;
    has_end_ = true;
    if (!job.last_sends.empty())
      for (std::uint32_t r = 0; r < job.program->ranks(); ++r)
        if (has_rank(job, r)) choose_last_send(job, r);
  }
}

bool Jobs::has_node(NodeId node) const { return state_.has_node(node); }

std::uint64_t Jobs::completed() const {
  std::uint64_t sum = 0;
  for (const Running& job : jobs_)
    if (!job.job->background) sum += job.record.completed;
  return sum;
}

void Jobs::choose_last_send(Running& job, std::uint32_t rank) {
  constexpr std::uint32_t kBlock = 64, kMostBlocks = 8;  // Choice: among so many operations
  std::array<RankOp, kBlock> made;
  std::uint32_t& last = job.last_sends[rank];
  const NodeId node = job.nodes[rank];
  bool is_abroad = false;
  std::uint32_t end = job.program->operations(rank);
  for (std::uint32_t blocks = 0; end > 0 && blocks < kMostBlocks && !is_abroad; ++blocks) {
    const std::uint32_t count = std::min(kBlock, end);
    end -= count;
    job.program->make(rank, end, std::span(made).first(count));
    for (std::uint32_t i = count; i-- > 0 && !is_abroad;) {
      if (made[i].kind != ProgramOpKind::send) continue;
      const NodeId destination = job.nodes[made[i].peer];
      is_abroad = !has_node(destination);
      if (is_abroad || (last == kNone && destination != node)) last = end + i;
    }
  }
  if (last != kNone) ++(is_abroad ? last_sends_abroad_ : last_sends_);
}

JobsProgress Jobs::progress() const {
  Tick busy_until = 0;
  for (const Running& job : jobs_)
    if (!job.job->background) busy_until = std::max(busy_until, job.busy_until);
  return {.completed = completed(),
          .unfinished = unfinished_,
          .not_before = busy_until,
          .sends = last_sends_ > 0,
          .sends_abroad = last_sends_abroad_ > 0 || packets_to_others_ > 0};
}

std::uint64_t Jobs::most_bytes(const CompiledProgram& program, bool announces, bool keeps_causes) {
  constexpr std::uint64_t kCpu = sizeof(Cpu) + 16;
  const std::uint32_t bits = page_bits(program);
  const std::uint64_t page = std::uint64_t{1} << bits;
  const std::uint64_t of_op = sizeof(RankOp) + sizeof(OpState) + (announces ? sizeof(Tick) : 0) +
                              (keeps_causes ? sizeof(OpCauses) : 0);
  std::uint64_t sum = program.has_spans() ? program.operations() * sizeof(Tick) : 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const std::uint64_t pages = pages_of(program.operations(rank), bits);
    // a chain of a rule has two open operations, in a page of its own; messages come to two more pages early
    const std::uint64_t open = program.most_open(rank) / 2 + 3;
    sum += sizeof(Rank) + sizeof(RankTimes) + program.cpus(rank) * kCpu + pages * sizeof(std::uint32_t) +
           std::min(pages, open) * page * of_op;
  }
  return sum;
}

// A page is made when something first happens to one of its operations.
std::uint32_t Jobs::make_page(Running& job, std::uint32_t r, std::uint32_t number) {
  std::uint32_t page = job.pages;
  if (job.free_pages.empty()) {
    const std::size_t places = std::size_t{++job.pages} << job.page_bits;
    job.page_left.push_back(0);
    job.ops.resize(places);
    job.states.resize(places);
    if (job.job->rendezvous < UINT64_MAX) job.announced.resize(places);
    if (job.keeps_causes) job.causes.resize(places);
  } else {
    page = job.free_pages.back();
    job.free_pages.pop_back();
  }
  Rank& rank = job.ranks[r];
  job.page_of[rank.first_page + number] = page + 1;
  const std::uint32_t first = number << job.page_bits, place = page << job.page_bits;
  const std::uint32_t count = std::min(1U << job.page_bits, job.program->operations(r) - first);
  job.page_left[page] = count;
  job.program->make(r, first, std::span(job.ops).subspan(place, count));
  for (std::uint32_t i = 0; i < count; ++i) {
    OpState& state = job.states[place + i];
    state = {.requirements = job.ops[place + i].requirements};
    if (job.keeps_causes) job.causes[place + i] = {{rank.begin_cause, kNone}, kNone};
    if (rank.early == 0 || job.ops[place + i].kind != ProgramOpKind::receive) continue;
    const std::uint64_t key = early_key(rank, first + i, rank.iteration);
    const std::uint32_t bits = job.early.value(key, 0);
    if (bits == 0) continue;
    state.delivered = (bits & kDeliveredEarly) != 0;
    state.requested = (bits & kRequestedEarly) != 0;
    job.early.erase(key);
    --rank.early;
    if (!job.keeps_causes) continue;
    job.causes[place + i].message = job.early_message.value(key);
    job.early_message.erase(key);
  }
  return page;
}

void Jobs::start() {
  for (Running& job : jobs_) {
    if (job.job->pool == nullptr) {
      start(job, job.job->start);
      continue;
    }
    job.scheduled = job.job->start;
    wheel_.schedule_timer(job.scheduled, generator_of(job));
  }
}

void Jobs::start(Running& job, Tick now) {
  job.record.start = now;
  for (std::uint32_t rank = 0; rank < job.program->ranks(); ++rank) {
    if (!has_rank(job, rank)) continue;
    const Tick tick = now + job.job->stagger_of(rank);
    note(job, {tick, rank, 0, 0, What::begin});
    job.busy_until = std::max(job.busy_until, tick);
  }
}

std::uint64_t Jobs::act(std::uint32_t number, Make make) {
  Running& job = jobs_[number];
  std::uint64_t events = 0;
  const Tick now = wheel_.now();
  if (allocation_ && allocation_->is_due(now)) allocate_nodes();
  if (causes_.is_full() && !is_part_) [[unlikely]]
    forget_own_causes();
  // The messages of a step, in the order in which they were begun.
  const auto make_all = [&] {
    for (NewMessage& message : generated_) {
      const std::uint32_t serial = make(message.node, message.destination, message.bytes);
      flies(message, serial, number);
    }
    generated_.clear();
  };
  job.acts = true;
  const auto is_due = [&] { return !job.heap.empty() && job.heap.front().tick <= now; };
  while (is_due() || !soon_.empty()) {
    if (!soon_.empty() && is_due() && job.heap.front().rank < acting_) {  // a lower rank acts first
      for (const Entry& entry : soon_) {
        job.heap.push_back(entry);
        std::push_heap(job.heap.begin(), job.heap.end());
      }
      soon_.clear();
    }
    if (soon_.empty()) acting_ = job.heap.front().rank;
    happened_.clear();
    happened_.swap(soon_);
    while (is_due() && job.heap.front().rank == acting_) {
      std::pop_heap(job.heap.begin(), job.heap.end());
      happened_.push_back(job.heap.back());
      job.heap.pop_back();
    }
    if (happened_.size() > 1)
      std::sort(happened_.begin(), happened_.end(), [](const Entry& a, const Entry& b) { return b < a; });
    for (const Entry& entry : happened_) apply(job, entry);
    events += happened_.size();
    make_all();
    dispatch(job, acting_);
    make_all();
  }
  job.acts = false;
  return events;
}

// The first job that acts in a tick does so for all. Those that can get nodes have timers in this tick.
void Jobs::allocate_nodes() {
  acting_ = kNone;
  allocation_->allocate(wheel_.now(), [&](std::uint32_t number, std::span<const NodeId> nodes) {
    Running& job = jobs_[number];
    std::vector<NodeId>& given = tables_->jobs[number].nodes;
    for (std::size_t rank = 0; rank < given.size(); ++rank)
      given[rank] = nodes[rank / job.job->ranks_per_node];
    job.acts = true;  // it has a timer in this tick, whose bucket must not grow now
    start(job, wheel_.now());
    job.acts = false;
  });
}

// The job acts in the tick of the entry. `act` finds the entries of its own tick.
void Jobs::note(Running& job, const Entry& entry) {
  if (job.acts && entry.tick == wheel_.now() && entry.rank == acting_) return soon_.push_back(entry);
  job.heap.push_back(entry);
  std::push_heap(job.heap.begin(), job.heap.end());
  if (entry.tick == job.scheduled || (job.acts && entry.tick == wheel_.now())) return;
  job.scheduled = entry.tick;
  wheel_.schedule_timer(entry.tick, generator_of(job));
}

// What a rank does ------------------------------------------------------------------------------------------

void Jobs::apply(Running& job, const Entry& entry) {
  const auto& [tick, r, op, iteration, what, cause, place] = entry;
  Rank& rank = job.ranks[r];
  switch (what) {
    case What::begin:
      rank.idle_since = tick;
      rank.last.cause = new_cause(job, {.tick = tick});
      if (job.program->operations(r) == 0) return finish(job, r);
      return begin_iteration(job, r);
    case What::turn_ended: {
      const At at{r, op, place};
      Cpu& cpu = job.cpus[rank.first_cpu + job.ops[at.place].cpu];
      cpu.busy = false;
      cpu.cause = new_cause(
          job, {tick, ready_cause(job, at.place), at.of_rank(), iteration, kNone, 0, StepKind::turn});
      if (--rank.busy_cpus == 0) rank.idle_since = tick;
      if (job.ops[at.place].kind != ProgramOpKind::send) return complete(job, at, cpu.cause);
      if (is_announced(job, at.place)) {
        job.announced[at.place] = tick;
        return begin_message(job, at, StepKind::request, cpu.cause);
      }
      begin_message(job, at, StepKind::data, cpu.cause);
      if (job.job->buffered) complete(job, at, cpu.cause);
      return;
    }
    case What::left:
      return complete(job, {r, op, place}, cause);
    case What::delivered: {
      if (rank.finished || rank.iteration != iteration) return arrive(job, entry, kDeliveredEarly);
      const At at = this->at(job, r, op);
      job.states[at.place].delivered = true;
      if (keeps_causes(job)) job.causes[at.place].message = cause;
      if (job.states[at.place].phase == Phase::ready) wait_for_cpu(job, at);
      return;
    }
    case What::requested: {
      if (rank.finished || rank.iteration != iteration) return arrive(job, entry, kRequestedEarly);
      const At at = this->at(job, r, op);
      if (keeps_causes(job)) job.causes[at.place].message = cause;
      if (job.states[at.place].phase == Phase::ready)
        begin_message(job, at, StepKind::clearance, cause);
      else
        job.states[at.place].requested = true;
      return;
    }
    case What::cleared: {
      const At at = this->at(job, r, op);
      job.states[at.place].cleared = true;
      return begin_message(job, at, StepKind::data, cause);
    }
  }
}

// A message for an iteration that its rank has not begun.
void Jobs::arrive(Running& job, const Entry& entry, std::uint32_t bit) {
  Rank& rank = job.ranks[entry.rank];
  const std::uint64_t key = early_key(rank, entry.op, entry.iteration);
  std::uint32_t& bits = job.early.at(key, 0);
  if (bits == 0) ++rank.early;
  bits |= bit;
  // of an announced message only the request can be early
  if (keeps_causes(job)) job.early_message.at(key, kNone) = entry.cause;
}

void Jobs::begin_iteration(Running& job, std::uint32_t r) {
  Rank& rank = job.ranks[r];
  rank.left = job.program->operations(r);
  if (rank.iteration == job.first_open + job.open.size()) job.open.push_back({wheel_.now(), 0});
  if (kept_.ops)
    std::fill_n(job.op_times.begin() + static_cast<std::ptrdiff_t>(rank.first_op), rank.left,
                ProgramOpTimes());
  rank.begin_cause = rank.last.cause;
  rank.last.op = kNone;  // a completion of this iteration is later, even in the same tick
  job.program->for_each_first(r, [&](std::uint32_t op) { make_ready(job, at(job, r, op)); });
}

void Jobs::end_iteration(Running& job, std::uint32_t r) {
  Rank& rank = job.ranks[r];
  const Tick now = wheel_.now();
  OpenIteration& open = job.open[rank.iteration - job.first_open];
  if (++open.ended == job.members) {
    // Iterations end in their order, because every rank ends them in their order.
    const IterationTimes times{open.begin, now};
    if (is_part_)
      job.ended.push_back(times);
    else
      job.record.end_iteration(times);
    job.open.pop_front();
    ++job.first_open;
  }
  ++rank.iteration;
  if (job.job->background || rank.iteration < job.job->iterations)
    begin_iteration(job, r);
  else
    finish(job, r);
}

void Jobs::finish(Running& job, std::uint32_t r) {
  const Tick now = wheel_.now();
  RankTimes& times = job.times[r];
  job.ranks[r].finished = true;
  times.finish = now;
  times.idle += now - job.ranks[r].idle_since;
  if (keeps_causes(job)) take_later(job.finish, {job.ranks[r].last.cause, r});
  if (!job.job->background) --unfinished_;
  if (--job.unfinished > 0) return;
  job.record.finish = now;
  if (job.job->pool != nullptr)
    allocation_->give_back(now, job.nodes, [&](std::uint32_t waiting) {
      wheel_.schedule_timer(now + 1, first_generator_ + waiting);
    });
}

void Jobs::dispatch(Running& job, std::uint32_t r) {
  Rank& rank = job.ranks[r];
  const std::uint32_t end =
      r + 1 < job.ranks.size() ? job.ranks[r + 1].first_cpu : static_cast<std::uint32_t>(job.cpus.size());
  while (!rank.finished) {
    std::uint32_t cpu = rank.first_cpu;
    while (cpu < end && (job.cpus[cpu].busy || job.cpus[cpu].waiting.empty())) ++cpu;
    if (cpu < end)
      take_turn(job, r, cpu);
    else if (rank.left == 0)
      end_iteration(job, r);
    else
      return;
  }
}

void Jobs::take_turn(Running& job, std::uint32_t r, std::uint32_t number) {
  Cpu& cpu = job.cpus[number];
  std::pop_heap(cpu.waiting.begin(), cpu.waiting.end(), std::greater<>());
  const std::uint32_t op = cpu.waiting.back();
  cpu.waiting.pop_back();
  cpu.busy = true;
  const Tick now = wheel_.now();
  Rank& rank = job.ranks[r];
  RankTimes& times = job.times[r];
  if (rank.busy_cpus++ == 0) times.idle += now - rank.idle_since;
  const At at = this->at(job, r, op);
  const ProgramOpKind kind = job.ops[at.place].kind;
  const Tick turn = job.job->turn(at.rank, kind, job.ops[at.place].amount);
  (kind == ProgramOpKind::compute ? times.computing : times.overhead) += turn;
  job.states[at.place].phase = Phase::running;
  if (keeps_causes(job))
    job.causes[at.place].ready.cause = causes_.later(begin_cause(job, at.place), cpu.cause);
  note(job, {now + turn, r, op, rank.iteration, What::turn_ended, kNone, at.place});
  job.busy_until = std::max(job.busy_until, now + turn);
  if (kind == ProgramOpKind::receive) return;  // it has started when it was posted
  begin(job, at);
}

// Operations ------------------------------------------------------------------------------------------------

void Jobs::make_ready(Running& job, const At& at) {
  OpState& state = job.states[at.place];
  state.phase = Phase::ready;
  if (job.ops[at.place].kind != ProgramOpKind::receive) return wait_for_cpu(job, at);
  if (state.delivered) wait_for_cpu(job, at);
  if (state.requested) begin_message(job, at, StepKind::clearance, begin_cause(job, at.place));
  state.requested = false;
  begin(job, at);
}

void Jobs::begin(Running& job, const At& at) {
  if (kept_.ops) job.op_times[job.ranks[at.rank].first_op + at.op].start = wheel_.now();
  if (!job.started.empty()) job.started[job.ranks[at.rank].first_op + at.op] = wheel_.now();
  release(job, at, /*on_start=*/true, ready_cause(job, at.place));
}

void Jobs::wait_for_cpu(Running& job, const At& at) {
  std::vector<std::uint32_t>& waiting =
      job.cpus[job.ranks[at.rank].first_cpu + job.ops[at.place].cpu].waiting;
  waiting.push_back(at.op);
  std::push_heap(waiting.begin(), waiting.end(), std::greater<>());
}

void Jobs::complete(Running& job, const At& at, std::uint32_t cause) {
  Rank& rank = job.ranks[at.rank];
  job.states[at.place].phase = Phase::complete;
  if (keeps_causes(job)) {
    take_later(rank.last, {cause, at.op});
    job.causes[at.place] = {};
  }
  if (kept_.ops) job.op_times[rank.first_op + at.op].finish = wheel_.now();
  ++job.record.completed;
  --rank.left;
  if (job.ops[at.place].ends_span) end_spans(job, at.of_rank());
  release(job, at, /*on_start=*/false, cause);
  const std::uint32_t page = at.place >> job.page_bits;
  if (--job.page_left[page] > 0) return;
  job.page_of[rank.first_page + (at.op >> job.page_bits)] = 0;
  job.free_pages.push_back(page);
}

void Jobs::end_spans(Running& job, const OpOfRank& last) {
  const std::uint64_t first_op = job.ranks[last.rank].first_op;
  job.program->for_each_span(last, [&](std::uint32_t first) {
    const Tick length = wheel_.now() - job.started[first_op + first];
    job.record.spans.add(static_cast<std::uint64_t>(length));
    job.record.span_sum += length;
  });
}

// Makes operations ready in ascending order, each with what its own start releases. A stack of lists, because
// chains of receives can be as long as a program.
void Jobs::release(Running& job, const At& at, bool on_start, std::uint32_t cause) {
  const RankOp& it = job.ops[at.place];
  if (it.dependents == 0 || (it.consecutive && on_start)) return;  // consecutive ones wait for the end
  const bool is_inner = !releases_.empty();
  releases_.push_back(
      {at.rank, at.op, it.first_dependent, it.dependents, it.consecutive, on_start, cause, 0});
  if (is_inner) return;  // the loop of the outer call goes on with it
  At next{kNone, kNone, kNone};
  while (!releases_.empty()) {
    Release& top = releases_.back();
    if (top.next == top.dependents) {
      releases_.pop_back();
      continue;
    }
    const Dependent dependent = top.consecutive ? Dependent{top.first_dependent + top.next}
                                                : job.program->dependent(top.first_dependent + top.next);
    ++top.next;
    if (dependent.on_start() != top.on_start) continue;
    // mostly in the page of the one before
    const std::uint32_t mask = (1U << job.page_bits) - 1;
    next = next.op + 1 == dependent.op() && (dependent.op() & mask) != 0 && next.rank == top.rank
               ? At{top.rank, dependent.op(), next.place + 1}
               : this->at(job, top.rank, dependent.op());
    if (keeps_causes(job)) take_later(job.causes[next.place].ready, {top.cause, top.number});
    if (--job.states[next.place].requirements == 0) make_ready(job, next);
  }
}

std::vector<WaitingOp> Jobs::waiting(std::size_t number, std::size_t most) const {
  const Running& job = jobs_[number];
  std::vector<WaitingOp> list;
  for (std::uint32_t r = 0; r < job.ranks.size(); ++r) {
    if (job.ranks[r].finished || !has_rank(job, r)) continue;
    const std::uint32_t operations = job.program->operations(r);
    for (std::uint32_t op = 0; op < operations; ++op) {
      const std::uint32_t page = job.page_of[job.ranks[r].first_page + (op >> job.page_bits)];
      const std::uint32_t mask = (1U << job.page_bits) - 1;
      if (page == 0) {
        op |= mask;  // the next page
        continue;
      }
      const std::uint32_t place = (page - 1) << job.page_bits | (op & mask);
      const OpState& state = job.states[place];
      if (state.phase == Phase::open || state.phase == Phase::complete) continue;
      if (list.size() == most) return list;
      const ProgramOpKind kind = job.ops[place].kind;
      WaitingOp::For what = WaitingOp::For::cpu;
      if (kind == ProgramOpKind::receive && !state.delivered)
        what = WaitingOp::For::message;
      else if (kind == ProgramOpKind::send && state.phase == Phase::running)
        what =
            is_announced(job, place) && !state.cleared ? WaitingOp::For::answer : WaitingOp::For::departure;
      list.push_back({{r, op}, job.ranks[r].iteration, what});
    }
  }
  return list;
}

}  // namespace headway
