// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/jobs.h"

#include <functional>
#include <utility>

namespace headway {

Jobs::Jobs(const Workload& workload, const Network& network, Wheel& wheel, KeptOfJobs kept,
           JobMessageListener listener)
    : packet_bytes_(network.packet_bytes),
      wheel_(wheel),
      first_generator_(workload.first_job_generator()),
      kept_(kept),
      listener_(std::move(listener)),
      jobs_(workload.jobs.size()) {
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    Running& job = jobs_[j];
    job.job = &workload.jobs[j];
    job.program = job.job->program.get();
    const Program& program = *job.program;
    job.ops.resize(program.size());
    if (!program.spans.empty()) job.started.resize(program.size());
    if (job.job->rendezvous < UINT64_MAX) job.announced.resize(program.size());
    job.ranks.resize(program.ranks());
    job.record.ranks.resize(program.ranks());
    if (kept_.ops) job.record.ops.resize(program.size());
    for (std::uint32_t r = 0; r < program.ranks(); ++r) {
      Rank& rank = job.ranks[r];
      rank.first_cpu = static_cast<std::uint32_t>(job.cpus.size());
      std::uint32_t cpus = 0;
      for (std::uint32_t op = program.first_of_rank[r]; op < program.first_of_rank[r + 1]; ++op)
        cpus = std::max(cpus, program.ops[op].cpu + 1U);
      job.cpus.resize(job.cpus.size() + cpus);
      job.members += cpus > 0;
    }
    job.unfinished = program.ranks();
    if (job.job->background) continue;
    if (kept_.causes) job.causes.resize(program.size());
    ++open_jobs_;
    has_end_ = true;
  }
}

void Jobs::start() {
  for (Running& job : jobs_)
    for (std::uint32_t rank = 0; rank < job.program->ranks(); ++rank)
      note(job, {job.job->start_of(rank), rank, 0, 0, What::begin});
}

// The job acts in the tick of the entry. `act` finds the entries of its own tick.
void Jobs::note(Running& job, const Entry& entry) {
  job.heap.push_back(entry);
  std::push_heap(job.heap.begin(), job.heap.end());
  if (entry.tick == job.scheduled || (job.acts && entry.tick == wheel_.now())) return;
  job.scheduled = entry.tick;
  wheel_.schedule_timer(entry.tick, first_generator_ + static_cast<std::uint32_t>(&job - jobs_.data()));
}

// What a rank does ------------------------------------------------------------------------------------------

void Jobs::apply(Running& job, const Entry& entry) {
  const auto& [tick, r, op, iteration, what, cause] = entry;
  Rank& rank = job.ranks[r];
  switch (what) {
    case What::begin:
      rank.idle_since = tick;
      rank.last.cause = new_cause(job, {.tick = tick});
      if (job.program->first_of_rank[r] == job.program->first_of_rank[r + 1]) return finish(job, r);
      return begin_iteration(job, r);
    case What::turn_ended: {
      Cpu& cpu = cpu_of(job, op);
      cpu.busy = false;
      cpu.cause = new_cause(job, {tick, ready_cause(job, op), op, iteration, kNone, 0, StepKind::turn});
      if (--rank.busy_cpus == 0) rank.idle_since = tick;
      if (job.program->ops[op].kind != ProgramOpKind::send) return complete(job, op, cpu.cause);
      if (is_announced(job, op)) {
        job.announced[op] = tick;
        return begin_message(job, op, StepKind::request, cpu.cause);
      }
      begin_message(job, op, StepKind::data, cpu.cause);
      if (job.job->buffered) complete(job, op, cpu.cause);
      return;
    }
    case What::left:
      return complete(job, op, cause);
    case What::delivered:
      if (rank.finished || rank.iteration != iteration) return arrive(job, entry, kDeliveredEarly);
      job.ops[op].delivered = true;
      if (keeps_causes(job)) job.causes[op].message = cause;
      if (job.ops[op].phase == Phase::ready) wait_for_cpu(job, op);
      return;
    case What::requested:
      if (rank.finished || rank.iteration != iteration) return arrive(job, entry, kRequestedEarly);
      if (keeps_causes(job)) job.causes[op].message = cause;
      if (job.ops[op].phase == Phase::ready)
        begin_message(job, job.program->ops[op].partner, StepKind::clearance, cause);
      else
        job.ops[op].requested = true;
      return;
    case What::cleared:
      job.ops[op].cleared = true;
      return begin_message(job, op, StepKind::data, cause);
  }
}

// A message for an iteration that its rank has not begun.
void Jobs::arrive(Running& job, const Entry& entry, std::uint32_t bit) {
  const std::uint64_t key = std::uint64_t{entry.op} << 32 | entry.iteration;
  std::uint32_t& bits = job.early.at(key, 0);
  if (bits == 0) ++job.ranks[entry.rank].early;
  bits |= bit;
  // of an announced message only the request can be early
  if (keeps_causes(job)) job.early_message.at(key, kNone) = entry.cause;
}

void Jobs::begin_iteration(Running& job, std::uint32_t r) {
  const Program& program = *job.program;
  Rank& rank = job.ranks[r];
  const std::uint32_t first = program.first_of_rank[r], end = program.first_of_rank[r + 1];
  rank.left = end - first;
  if (rank.iteration == job.first_open + job.open.size()) job.open.push_back({wheel_.now(), 0});
  for (std::uint32_t op = first; op < end; ++op) {
    job.ops[op] = {.requirements = program.ops[op].requirements};
    if (keeps_causes(job)) job.causes[op] = {{rank.last.cause, kNone}, kNone};
    if (kept_.ops) job.record.ops[op] = {};
    if (rank.early == 0 || program.ops[op].kind != ProgramOpKind::receive) continue;
    const std::uint64_t key = std::uint64_t{op} << 32 | rank.iteration;
    const std::uint32_t bits = job.early.value(key, 0);
    if (bits == 0) continue;
    job.ops[op].delivered = (bits & kDeliveredEarly) != 0;
    job.ops[op].requested = (bits & kRequestedEarly) != 0;
    job.early.erase(key);
    --rank.early;
    if (!keeps_causes(job)) continue;
    job.causes[op].message = job.early_message.value(key);
    job.early_message.erase(key);
  }
  rank.last.op = kNone;  // a completion of this iteration is later, even in the same tick
  for (std::uint32_t op = first; op < end; ++op)
    if (program.ops[op].requirements == 0) make_ready(job, op);
}

void Jobs::end_iteration(Running& job, std::uint32_t r) {
  Rank& rank = job.ranks[r];
  JobRecord& record = job.record;
  const Tick now = wheel_.now();
  OpenIteration& open = job.open[rank.iteration - job.first_open];
  if (++open.ended == job.members) {
    // Iterations end in their order, because every rank ends them in their order.
    const IterationTimes times{open.begin, now};
    ++record.iterations;
    record.iteration_sum += times.end - times.begin;
    record.longest_iteration = std::max(record.longest_iteration, times.end - times.begin);
    if (record.of_iteration.size() < JobRecord::kMostIterationsKept) record.of_iteration.push_back(times);
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
  RankTimes& times = job.record.ranks[r];
  job.ranks[r].finished = true;
  times.finish = now;
  times.idle += now - job.ranks[r].idle_since;
  if (keeps_causes(job)) take_later(job.finish, {job.ranks[r].last.cause, r});
  if (--job.unfinished > 0) return;
  job.record.finish = now;
  if (!job.job->background) --open_jobs_;
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
  RankTimes& times = job.record.ranks[r];
  if (rank.busy_cpus++ == 0) times.idle += now - rank.idle_since;
  const ProgramOp& it = job.program->ops[op];
  const Tick turn = job.job->turn(it);
  (it.kind == ProgramOpKind::compute ? times.computing : times.overhead) += turn;
  job.ops[op].phase = Phase::running;
  if (keeps_causes(job)) job.causes[op].ready.cause = causes_.later(begin_cause(job, op), cpu.cause);
  note(job, {now + turn, r, op, rank.iteration, What::turn_ended});
  if (it.kind == ProgramOpKind::receive) return;  // it has started when it was posted
  begin(job, op);
}

// Operations ------------------------------------------------------------------------------------------------

void Jobs::make_ready(Running& job, std::uint32_t op) {
  OpState& state = job.ops[op];
  state.phase = Phase::ready;
  if (job.program->ops[op].kind != ProgramOpKind::receive) return wait_for_cpu(job, op);
  if (state.delivered) wait_for_cpu(job, op);
  if (state.requested)
    begin_message(job, job.program->ops[op].partner, StepKind::clearance, begin_cause(job, op));
  state.requested = false;
  begin(job, op);
}

void Jobs::begin(Running& job, std::uint32_t op) {
  if (kept_.ops) job.record.ops[op].start = wheel_.now();
  if (!job.started.empty()) job.started[op] = wheel_.now();
  release(job, op, /*on_start=*/true, ready_cause(job, op));
}

void Jobs::wait_for_cpu(Running& job, std::uint32_t op) {
  std::vector<std::uint32_t>& waiting = cpu_of(job, op).waiting;
  waiting.push_back(op);
  std::push_heap(waiting.begin(), waiting.end(), std::greater<>());
}

void Jobs::complete(Running& job, std::uint32_t op, std::uint32_t cause) {
  job.ops[op].phase = Phase::complete;
  if (keeps_causes(job)) {
    take_later(job.ranks[job.program->ops[op].rank].last, {cause, op});
    job.causes[op] = {};
  }
  if (kept_.ops) job.record.ops[op].finish = wheel_.now();
  ++job.record.completed;
  --job.ranks[job.program->ops[op].rank].left;
  if (job.program->ops[op].ends_span) end_spans(job, op);
  release(job, op, /*on_start=*/false, cause);
}

void Jobs::end_spans(Running& job, std::uint32_t last) {
  const std::vector<ProgramSpan>& spans = job.program->spans;
  for (auto span = std::ranges::lower_bound(spans, last, {}, &ProgramSpan::last);
       span != spans.end() && span->last == last; ++span) {
    const Tick length = wheel_.now() - job.started[span->first];
    job.record.spans.add(static_cast<std::uint64_t>(length));
    job.record.span_sum += length;
  }
}

// Makes operations ready in ascending order, each with what its own start releases. A stack of lists, because
// chains of receives can be as long as a program.
void Jobs::release(Running& job, std::uint32_t op, bool on_start, std::uint32_t cause) {
  const bool is_inner = !releases_.empty();
  releases_.push_back({op, on_start, cause, 0});
  if (is_inner) return;  // the loop of the outer call goes on with it
  while (!releases_.empty()) {
    Release& top = releases_.back();
    const auto dependents = job.program->dependents_of(top.op);
    if (top.next == dependents.size()) {
      releases_.pop_back();
      continue;
    }
    const Dependent dependent = dependents[top.next++];
    if (dependent.on_start() != top.on_start) continue;
    if (keeps_causes(job)) take_later(job.causes[dependent.op()].ready, {top.cause, top.op});
    if (--job.ops[dependent.op()].requirements == 0) make_ready(job, dependent.op());
  }
}

// Messages --------------------------------------------------------------------------------------------------

void Jobs::begin_message(Running& job, std::uint32_t send, StepKind kind, std::uint32_t cause) {
  const ProgramOp& it = job.program->ops[send];
  const ProgramOp& receive = job.program->ops[it.partner];
  const bool is_back = kind == StepKind::clearance;
  const std::uint32_t from = is_back ? receive.rank : it.rank, to = is_back ? it.rank : receive.rank;
  const NodeId node = job.job->nodes[from], destination = job.job->nodes[to];
  const std::uint32_t iteration = job.ranks[from].iteration;
  if (kind == StepKind::data) {
    ++job.record.messages;
    job.record.bytes += it.amount;
  }
  if (node != destination) {
    const std::uint64_t bytes =
        kind == StepKind::data ? std::max<std::uint64_t>(it.amount, 1) : job.job->control_bytes;
    const Tick begun = is_announced(job, send) ? job.announced[send] : wheel_.now();
    generated_.push_back({node, destination, bytes, send, iteration, kind, begun, cause});
    return;
  }
  const Tick then = wheel_.now() + job.job->local_delay;
  const auto ends = [&](StepKind step) {
    return new_cause(job, {then, cause, send, iteration, kNone, 0, step});
  };
  if (kind == StepKind::data && (!job.job->buffered || is_announced(job, send)))
    note(job, {then, it.rank, send, iteration, What::left, ends(StepKind::departure)});
  if (is_back)
    note(job, {then, to, send, iteration, What::cleared, ends(kind)});
  else
    note(job, {then, to, it.partner, iteration, kind == StepKind::data ? What::delivered : What::requested,
               ends(kind)});
}

void Jobs::flies(const NewMessage& message, std::uint32_t serial, std::uint32_t job) {
  std::uint32_t id = free_flight_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(flights_.size());
    flights_.emplace_back();
  } else {
    free_flight_ = flights_[id].next_free;
  }
  const auto packets = static_cast<std::uint32_t>((message.bytes + packet_bytes_ - 1) / packet_bytes_);
  flights_[id] = {job,          message.op, message.iteration, packets,      packets,
                  message.kind, kNone,      message.begun,     message.cause};
  flight_of_.at(flight_key(message.node, serial), id) = id;
}

void Jobs::leaves(const Packet& packet, const PacketOrigin& origin, Tick end) {
  if (!generates(origin.generator)) return;
  Flight& flight = flights_[flight_of_.value(flight_key(packet.source, origin.message))];
  if (--flight.to_leave > 0 || flight.kind != StepKind::data) return;
  Running& job = jobs_[flight.job];
  if (job.job->buffered && !is_announced(job, flight.op)) return;
  const std::uint32_t cause = new_cause(job, {end, flight.cause, flight.op, flight.iteration, packet.source,
                                              packet.serial, StepKind::departure});
  note(job, {end, job.program->ops[flight.op].rank, flight.op, flight.iteration, What::left, cause});
}

void Jobs::delivered(const Packet& packet, const PacketOrigin& origin) {
  if (!generates(origin.generator)) return;
  const std::uint64_t key = flight_key(packet.source, origin.message);
  const std::uint32_t id = flight_of_.value(key);
  Flight& flight = flights_[id];
  if (--flight.to_arrive > 0) return;
  Running& job = jobs_[flight.job];
  const ProgramOp& send = job.program->ops[flight.op];
  const std::uint32_t receiver = job.program->ops[send.partner].rank;
  const Tick now = wheel_.now();
  const std::uint32_t cause = new_cause(
      job, {now, flight.cause, flight.op, flight.iteration, packet.source, packet.serial, flight.kind});
  if (flight.kind == StepKind::clearance)
    note(job, {now, send.rank, flight.op, flight.iteration, What::cleared, cause});
  else
    note(job, {now, receiver, send.partner, flight.iteration,
               flight.kind == StepKind::data ? What::delivered : What::requested, cause});
  if (flight.kind == StepKind::data && listener_)
    listener_({flight.job, flight.op, flight.iteration, flight.begun, now});
  flight_of_.erase(key);
  flight.cause = kNone;
  flight.next_free = free_flight_;
  free_flight_ = id;
}

std::vector<WaitingOp> Jobs::waiting(std::size_t number, std::size_t most) const {
  const Running& job = jobs_[number];
  std::vector<WaitingOp> list;
  for (std::uint32_t r = 0; r < job.ranks.size(); ++r) {
    if (job.ranks[r].finished) continue;
    for (std::uint32_t op = job.program->first_of_rank[r]; op < job.program->first_of_rank[r + 1]; ++op) {
      const OpState& state = job.ops[op];
      if (state.phase == Phase::open || state.phase == Phase::complete) continue;
      if (list.size() == most) return list;
      const ProgramOp& it = job.program->ops[op];
      WaitingOp::For what = WaitingOp::For::cpu;
      if (it.kind == ProgramOpKind::receive && !state.delivered)
        what = WaitingOp::For::message;
      else if (it.kind == ProgramOpKind::send && state.phase == Phase::running)
        what = is_announced(job, op) && !state.cleared ? WaitingOp::For::answer : WaitingOp::For::departure;
      list.push_back({op, job.ranks[r].iteration, what});
    }
  }
  return list;
}

// Causes ----------------------------------------------------------------------------------------------------

void Jobs::take_later(CauseBy& kept, const CauseBy& other) const {
  const auto tick = [&](const CauseBy& of) { return of.cause == kNone ? Tick{-1} : causes_[of.cause].tick; };
  // an unset operation is the highest number
  if (tick(other) > tick(kept) || (tick(other) == tick(kept) && other.op < kept.op)) kept = other;
}

std::uint32_t Jobs::begin_cause(const Running& job, std::uint32_t op) const {
  return keeps_causes(job) ? causes_.later(job.causes[op].message, job.causes[op].ready.cause) : kNone;
}

void Jobs::forget_causes() {
  causes_.forget([&](auto&& visit) {
    for (Running& job : jobs_) {
      if (!keeps_causes(job)) continue;
      for (OpCauses& of : job.causes) {
        visit(of.ready.cause);
        visit(of.message);
      }
      for (Cpu& cpu : job.cpus) visit(cpu.cause);
      for (Rank& rank : job.ranks) visit(rank.last.cause);
      for (Entry& entry : job.heap) visit(entry.cause);
      job.early_message.for_each_value(visit);
      visit(job.finish.cause);
    }
    for (Flight& flight : flights_) visit(flight.cause);
  });
}

std::vector<PathStep> Jobs::critical_path(std::size_t number) const {
  const Running& job = jobs_[number];
  std::vector<PathStep> steps;
  if (job.record.finish < 0) return steps;
  for (std::uint32_t c = job.finish.cause; c != kNone; c = causes_[c].before) {
    const Cause& cause = causes_[c];
    const Tick begin = cause.before == kNone ? cause.tick : causes_[cause.before].tick;
    if (begin == cause.tick) continue;
    steps.push_back({begin, cause.tick, cause.kind, cause.op, cause.iteration, cause.node, cause.serial});
  }
  std::ranges::reverse(steps);
  return steps;
}

}  // namespace headway
