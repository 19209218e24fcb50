// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/jobs.h"

#include <algorithm>

#include "tests/support/stored_program.h"

namespace headway::reference {

NaiveJobs::NaiveJobs(const Workload& workload, std::uint32_t most_carried)
    : most_carried_(most_carried), allocation_(workload.allocation) {
  std::uint32_t generator = workload.first_job_generator();
  for (const Job& job : workload.jobs) {
    OneJob& one = jobs_.emplace_back();
    one.job = &job;
    one.program = std::make_shared<const Program>(test::stored(*job.program));
    const Program& program = *one.program;
    one.generator = generator++;
    one.ranks.resize(program.ranks());
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      one.members += program.first_of_rank[rank] < program.first_of_rank[rank + 1] ? 1 : 0;
    one.needs_complete.resize(program.size());
    one.needs_start.resize(program.size());
    one.times.resize(program.size());
    for (std::uint32_t op = 0; op < program.size(); ++op)
      for (const Dependent dependent : program.dependents_of(op))
        (dependent.on_start() ? one.needs_start
                              : one.needs_complete)[first(one, program.rank_of(op)) + dependent.op()]
            .insert(op);
  }
}

bool NaiveJobs::done() const {
  bool any = false;
  for (const OneJob& job : jobs_) {
    if (job.job->background) continue;
    any = true;
    if (!is_finished(job)) return false;
  }
  return any;
}

bool NaiveJobs::is_announced(const OneJob& job, std::uint32_t send) const {
  return job.program->ops[send].amount > job.job->rendezvous;
}

void NaiveJobs::act(Tick now, const Make& make) {
  now_ = now;
  make_ = &make;
  give_nodes();
  for (OneJob& job : jobs_) {
    if (job.begin < 0) continue;
    const auto has_something_to_do = [&](const Rank& rank) {
      const auto number = static_cast<std::uint32_t>(&rank - job.ranks.data());
      if (now < job.begin + job.job->stagger_of(number)) return false;
      return !rank.begun || (!rank.events.empty() && rank.events.begin()->first <= now);
    };
    for (auto rank = job.ranks.begin();
         (rank = std::ranges::find_if(job.ranks, has_something_to_do)) != job.ranks.end();)
      act(job, static_cast<std::uint32_t>(rank - job.ranks.begin()));
  }
}

// Before ranks act. Jobs that end in this tick have their nodes to its end.
void NaiveJobs::give_nodes() {
  std::set<NodeId> taken, awaited;
  for (OneJob& job : jobs_) {
    if (job.job->pool != nullptr && job.begin >= 0 && !is_finished(job))
      taken.insert(job.nodes.begin(), job.nodes.end());
    if (job.job->pool == nullptr && job.begin < 0 && now_ >= job.job->start) {
      job.begin = now_;
      job.nodes = job.job->nodes;
    }
  }
  std::vector<OneJob*> waiting;
  for (OneJob& job : jobs_)
    if (job.job->pool != nullptr && job.begin < 0 && now_ >= job.job->start) waiting.push_back(&job);
  std::ranges::stable_sort(waiting, {}, [](const OneJob* job) { return job->job->start; });
  for (OneJob* job : waiting) {
    std::vector<NodeId> nodes;  // that are free
    bool may_overtake = true;
    for (const NodeId node : *job->job->pool) {
      if (!taken.contains(node)) nodes.push_back(node);
      if (allocation_ == Allocation::fifo && awaited.contains(node)) may_overtake = false;
    }
    if (!may_overtake || nodes.size() < job->job->nodes_needed()) {
      awaited.insert(job->job->pool->begin(), job->job->pool->end());
      continue;
    }
    job->begin = now_;
    for (std::uint32_t rank = 0; rank < job->program->ranks(); ++rank) {
      job->nodes.push_back(nodes[rank / job->job->ranks_per_node]);
      taken.insert(job->nodes.back());
    }
  }
}

// The steps a, b and c of a rank.
void NaiveJobs::act(OneJob& job, std::uint32_t number) {
  Rank& rank = job.ranks[number];
  const std::uint32_t end = first(job, number + 1);
  if (!rank.begun) {
    rank.begun = true;
    rank.finished = first(job, number) == end;
    if (rank.finished) return;
    begin_iteration(job, number);
  }
  std::multiset<Event> happened;
  while (!rank.events.empty() && rank.events.begin()->first <= now_) {
    happened.insert(rank.events.begin()->second);
    rank.events.erase(rank.events.begin());
  }
  for (const Event& event : happened) apply(job, rank, event);
  while (!rank.finished) {
    std::uint32_t taken = end;
    for (const std::uint32_t op : rank.waiting) {
      const auto cpu_of = [&](std::uint32_t of) { return job.program->ops[of].cpu; };
      if (rank.busy.contains(cpu_of(op))) continue;
      if (taken == end || cpu_of(op) < cpu_of(taken)) taken = op;
    }
    if (taken < end) {
      rank.waiting.erase(taken);
      const ProgramOp op = job.program->ops[taken];
      OpHistory& history = job.history[{taken, rank.iteration}];
      history.turn = now_;
      if (const auto last = job.last_turn.find({number, op.cpu}); last != job.last_turn.end())
        history.turn_before = last->second;
      rank.busy.insert(op.cpu);
      rank.events.insert(
          {now_ + job.job->turn(number, op.kind, op.amount), {taken, turn_ended, rank.iteration}});
      if (op.kind != ProgramOpKind::receive) start(job, rank, taken);
    } else if (rank.complete.size() == end - first(job, number)) {
      if (++job.ended[rank.iteration] == job.members) job.iterations[rank.iteration].second = now_;
      ++rank.iteration;
      rank.finished = !job.job->background && rank.iteration == job.job->iterations;
      if (!rank.finished) begin_iteration(job, number);
    } else {
      return;
    }
  }
}

void NaiveJobs::begin_iteration(OneJob& job, std::uint32_t number) {
  Rank& rank = job.ranks[number];
  if (rank.iteration == job.iterations.size()) {
    job.iterations.emplace_back(now_, -1);
    job.ended.push_back(0);
  }
  rank.started.clear();
  rank.complete.clear();
  rank.ready.clear();
  for (std::uint32_t op = first(job, number); op < first(job, number + 1); ++op) job.times[op] = {};
  for (std::uint32_t op = first(job, number); op < first(job, number + 1); ++op)
    if (job.needs_complete[op].empty() && job.needs_start[op].empty()) make_ready(job, rank, op);
}

void NaiveJobs::apply(OneJob& job, Rank& rank, const Event& event) {
  const ProgramOp op = job.program->ops[event.op];
  switch (event.kind) {
    case turn_ended:
      rank.busy.erase(op.cpu);
      job.history[{event.op, event.iteration}].turn_end = now_;
      job.last_turn[{job.program->rank_of(event.op), op.cpu}] = {event.op, event.iteration};
      if (op.kind == ProgramOpKind::send)
        send(job, event.op, is_announced(job, event.op) ? request_delivered : data_delivered);
      if (op.kind != ProgramOpKind::send || (job.job->buffered && !is_announced(job, event.op)))
        complete(job, rank, event.op);
      return;
    case left:
      if (!job.job->buffered || is_announced(job, event.op)) complete(job, rank, event.op);
      return;
    case data_delivered:
      rank.data.insert({event.op, event.iteration});
      if (event.iteration == rank.iteration && rank.ready.contains(event.op)) rank.waiting.insert(event.op);
      return;
    case request_delivered:
      rank.requests.insert({event.op, event.iteration});
      if (event.iteration == rank.iteration && rank.ready.contains(event.op))
        send(job, op.partner, clearance_delivered);
      return;
    case clearance_delivered:
      return send(job, event.op, data_delivered);
  }
}

void NaiveJobs::make_ready(OneJob& job, Rank& rank, std::uint32_t op) {
  rank.ready.insert(op);
  job.history[{op, rank.iteration}].ready = now_;
  if (job.program->ops[op].kind != ProgramOpKind::receive) {
    rank.waiting.insert(op);
    return;
  }
  if (rank.data.contains({op, rank.iteration})) rank.waiting.insert(op);
  if (rank.requests.contains({op, rank.iteration}))
    send(job, job.program->ops[op].partner, clearance_delivered);
  start(job, rank, op);
}

void NaiveJobs::start(OneJob& job, Rank& rank, std::uint32_t op) {
  job.times[op].start = now_;
  rank.started.insert(op);
  release(job, rank, job.needs_start, op);
}

void NaiveJobs::complete(OneJob& job, Rank& rank, std::uint32_t op) {
  job.times[op].finish = now_;
  job.history[{op, rank.iteration}].complete = now_;
  rank.complete.insert(op);
  release(job, rank, job.needs_complete, op);
}

void NaiveJobs::release(OneJob& job, Rank& rank, const std::vector<std::set<std::uint32_t>>& needs,
                        std::uint32_t op) {
  const std::uint32_t number = job.program->rank_of(op);
  for (std::uint32_t other = first(job, number); other < first(job, number + 1); ++other)
    if (needs[other].contains(op) && !rank.ready.contains(other) &&
        std::ranges::includes(rank.complete, job.needs_complete[other]) &&
        std::ranges::includes(rank.started, job.needs_start[other]))
      make_ready(job, rank, other);
}

void NaiveJobs::send(OneJob& job, std::uint32_t op, Kind arrives_as) {
  const ProgramOp it = job.program->ops[op];
  const std::uint32_t rank = job.program->rank_of(op), partner_rank = job.program->rank_of(it.partner);
  const bool is_back = arrives_as == clearance_delivered;
  const std::uint32_t from = is_back ? partner_rank : rank, to = is_back ? rank : partner_rank;
  const std::uint32_t iteration = job.ranks[from].iteration;
  NodeId node = job.nodes[from], destination = job.nodes[to];
  MessageHistory& history = job.history[{op, iteration}].messages[arrives_as];
  history.generated = now_;
  if (node == destination) {
    const Tick then = now_ + job.job->local_delay;
    history.left = history.delivered = then;
    if (arrives_as == data_delivered) job.ranks[from].events.insert({then, {op, left, iteration}});
    job.ranks[to].events.insert({then, {is_back ? op : it.partner, arrives_as, iteration}});
    return;
  }
  const std::uint64_t bytes =
      arrives_as == data_delivered ? std::max<std::uint64_t>(it.amount, 1) : job.job->control_bytes;
  const auto packets = static_cast<std::uint32_t>((bytes + most_carried_ - 1) / most_carried_);
  const std::uint32_t serial = (*make_)(job.generator, node, destination, bytes);
  history.node = node;
  messages_[{node, serial}] = {&job, op, iteration, arrives_as, packets, packets};
}

void NaiveJobs::leaves(NodeId node, std::uint32_t number, std::uint32_t serial, Tick end) {
  const auto found = messages_.find({node, number});
  if (found == messages_.end()) return;
  Message& message = found->second;
  if (--message.to_leave > 0 || message.arrives_as != data_delivered) return;
  MessageHistory& history = message.job->history[{message.send, message.iteration}].messages[data_delivered];
  history.left = end;
  history.last_to_leave = serial;
  const std::uint32_t rank = message.job->program->rank_of(message.send);
  message.job->ranks[rank].events.insert({end, {message.send, left, message.iteration}});
}

void NaiveJobs::delivered(NodeId source, std::uint32_t number, std::uint32_t serial, Tick now) {
  const auto found = messages_.find({source, number});
  if (found == messages_.end()) return;
  Message& message = found->second;
  if (--message.to_arrive > 0) return;
  MessageHistory& history =
      message.job->history[{message.send, message.iteration}].messages[message.arrives_as];
  history.delivered = now;
  history.last_to_arrive = serial;
  const Program& program = *message.job->program;
  if (message.arrives_as == data_delivered)
    delivered_messages_.push_back({static_cast<std::uint32_t>(message.job - jobs_.data()),
                                   of_rank(*message.job->program, message.send), message.iteration,
                                   message.job->history[{message.send, message.iteration}].turn_end, now,
                                   message.job->nodes[program.rank_of(message.send)],
                                   message.job->nodes[program.rank_of(program.ops[message.send].partner)]});
  const std::uint32_t op =
      message.arrives_as == clearance_delivered ? message.send : program.ops[message.send].partner;
  message.job->ranks[program.rank_of(op)].events.insert({now, {op, message.arrives_as, message.iteration}});
  messages_.erase(found);
}

}  // namespace headway::reference
