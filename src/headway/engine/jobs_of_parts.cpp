// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/jobs_of_parts.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace headway {

JobsOfParts::JobsOfParts(const Network& network, const Workload& workload, const NetworkCut& cut,
                         JobTables& tables, std::vector<Jobs*> parts, std::uint32_t parts_of_process, Ask ask)
    : network_(network),
      workload_(workload),
      cut_(cut),
      tables_(tables),
      parts_(std::move(parts)),
      parts_of_process_(parts_of_process),
      ask_(std::move(ask)),
      jobs_(workload.jobs.size()) {
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const Job& job = workload.jobs[j];
    has_end_ |= !job.background;
    jobs_[j].parts.resize(cut.parts);
    for (std::uint32_t rank = 0; rank < job.nodes.size(); ++rank) {
      OfPart& part = jobs_[j].parts[part_of(job, rank)];
      ++part.ranks;
      part.members += job.program->operations(rank) > 0;
      if (!job.background) ++progress_.unfinished;
    }
  }
}

void JobsOfParts::end_piece(const JobsProgress& of_run) {
  progress_ = of_run;
  is_old_ = true;
  collect();
  if (parts_of_process_ == cut_.parts)
    for (OfJob& job : jobs_) end_iterations(job);
}

// Takes the iterations that parts of this process have ended.
void JobsOfParts::collect() {
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    if (parts_[part] == nullptr) continue;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      std::vector<IterationTimes>& ended = parts_[part]->jobs_[j].ended;
      std::vector<IterationTimes>& all = jobs_[j].parts[part].ended;
      all.insert(all.end(), ended.begin(), ended.end());
      ended.clear();
    }
  }
}

// Ends those that all parts have ended.
void JobsOfParts::end_iterations(OfJob& job) {
  std::size_t count = std::numeric_limits<std::size_t>::max();
  for (const OfPart& part : job.parts)
    if (part.members > 0) count = std::min(count, part.ended.size());
  if (count == std::numeric_limits<std::size_t>::max() || count == 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    IterationTimes times{std::numeric_limits<Tick>::max(), 0};
    for (const OfPart& part : job.parts) {
      if (part.members == 0) continue;
      times.begin = std::min(times.begin, part.ended[i].begin);
      times.end = std::max(times.end, part.ended[i].end);
    }
    job.iterations.end_iteration(times);
  }
  for (OfPart& part : job.parts)
    if (part.members > 0)
      part.ended.erase(part.ended.begin(), part.ended.begin() + static_cast<std::ptrdiff_t>(count));
}

std::vector<WaitingOp> JobsOfParts::waiting_here(const JobsQuestion& question) const {
  std::vector<WaitingOp> all;
  for (const Jobs* part : parts_) {
    if (part == nullptr || question.most == 0) continue;
    const std::vector<WaitingOp> here = part->waiting(question.job, question.most);
    all.insert(all.end(), here.begin(), here.end());
  }
  return all;
}

template <class Io>
void JobsOfParts::serialize(Io& io, std::uint32_t first, std::vector<WaitingOp>& waiting) {
  const std::uint32_t end = first + parts_of_process_;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    for (std::uint32_t p = first; p < end; ++p) {
      OfPart& part = jobs_[j].parts[p];
      part.counts.serialize_counts(io);
      std::vector<IterationTimes> ended = part.ended;
      io.list(ended);
      if constexpr (Io::kReads)
        part.ended.insert(part.ended.end(), ended.begin(), ended.end());
      else
        part.ended.clear();
    }
    const Job& job = workload_.jobs[j];
    JobTables::OfJob& tables = tables_.jobs[j];
    for (std::uint32_t rank = 0; rank < job.nodes.size(); ++rank) {
      if (const std::uint32_t p = part_of(job, rank); p < first || p >= end) continue;
      io.value(tables.times[rank]);
      if (!tables.ops.empty())
        io.table(std::span(tables.ops).subspan(tables.first_op(rank), job.program->operations(rank)));
    }
  }
  io.list(waiting);
}

Parcel JobsOfParts::answer(const JobsQuestion& question) {
  sum_up();
  std::vector<WaitingOp> waiting = waiting_here(question);
  const auto first = static_cast<std::uint32_t>(
      std::ranges::find_if(parts_, [](const Jobs* part) { return part != nullptr; }) - parts_.begin());
  ParcelWriter writer;
  serialize(writer, first, waiting);
  return writer.take();
}

std::vector<WaitingOp> JobsOfParts::learn(const JobsQuestion& question) {
  std::vector<WaitingOp> all = waiting_here(question);
  if (ask_) {
    const std::vector<Parcel> answers = ask_(question);
    for (std::uint32_t process = 1; process < answers.size(); ++process) {
      ParcelReader reader(answers[process]);
      std::vector<WaitingOp> there;
      serialize(reader, process * parts_of_process_, there);
      all.insert(all.end(), there.begin(), there.end());
    }
    for (OfJob& job : jobs_) end_iterations(job);
  }
  sum_up();
  return all;
}

void JobsOfParts::sum_up() {
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    OfJob& job = jobs_[j];
    job.sum = job.iterations;
    bool is_first = true;
    for (std::size_t p = 0; p < job.parts.size(); ++p) {
      OfPart& part = job.parts[p];
      if (parts_[p] != nullptr) part.counts = parts_[p]->record(j);
      if (part.ranks == 0) continue;
      if (std::exchange(is_first, false)) job.sum.finish = part.counts.finish;
      job.sum.add(part.counts);
    }
    job.sum.start = workload_.jobs[j].start;
    job.sum.nodes = workload_.jobs[j].nodes;
    job.sum.ranks = tables_.jobs[j].times;
    job.sum.ops = tables_.jobs[j].ops;
  }
  is_old_ = false;
}

const JobRecord& JobsOfParts::record(std::size_t job) const {
  // the sums are no state that an observer could tell from the counts
  if (is_old_) const_cast<JobsOfParts*>(this)->learn({});
  return jobs_[job].sum;
}

std::vector<WaitingOp> JobsOfParts::waiting(std::size_t job, std::size_t most) const {
  std::vector<WaitingOp> all = const_cast<JobsOfParts*>(this)->learn({.job = job, .most = most});
  std::ranges::sort(all, {}, [](const WaitingOp& it) { return std::pair(it.op.rank, it.op.number); });
  if (all.size() > most) all.resize(most);
  return all;
}

std::vector<PathStep> JobsOfParts::critical_path(std::size_t job) const {
  if (ask_ || record(job).finish < 0) return {};  // several processes keep no causes
  std::vector<const Causes*> causes;
  for (const Jobs* part : parts_) causes.push_back(&part->causes_);
  std::uint32_t last = 0;  // the part of the last event, or of the lowest rank with such an event
  for (std::uint32_t p = 1; p < parts_.size(); ++p) {
    const Jobs::CauseBy &first = parts_[last]->jobs_[job].finish, &other = parts_[p]->jobs_[job].finish;
    const Tick tick = first.cause == kNone ? -1 : (*causes[last])[first.cause].tick;
    const Tick at = other.cause == kNone ? -1 : (*causes[p])[other.cause].tick;
    if (at > tick || (at == tick && other.op < first.op)) last = p;
  }
  return path_to(causes, parts_[last]->jobs_[job].finish.cause, static_cast<std::uint8_t>(last));
}

std::uint64_t JobsOfParts::operations_in_memory(std::size_t job) const {
  std::uint64_t sum = 0;
  for (const Jobs* part : parts_)
    if (part != nullptr) sum += part->operations_in_memory(job);
  return sum;
}

}  // namespace headway
