// SPDX-License-Identifier: Apache-2.0
// What the operations of jobs waited for, as far as critical paths need it.
#include <algorithm>
#include <vector>

#include "headway/engine/jobs.h"

namespace headway {

void Jobs::take_later(CauseBy& kept, const CauseBy& other) const {
  const auto tick = [&](const CauseBy& of) { return of.cause == kNone ? Tick{-1} : causes_[of.cause].tick; };
  // an unset operation is the highest number
  if (tick(other) > tick(kept) || (tick(other) == tick(kept) && other.op < kept.op)) kept = other;
}

std::uint32_t Jobs::begin_cause(const Running& job, std::uint32_t place) const {
  return keeps_causes(job) ? causes_.later(job.causes[place].message, job.causes[place].ready.cause) : kNone;
}

template <class Visit>
void Jobs::for_each_cause(Visit&& visit_of_part) {
  const auto visit = [&](std::uint32_t& cause) { visit_of_part(cause, number_); };
  for (Running& job : jobs_) {
    if (!keeps_causes(job)) continue;
    for (OpCauses& of : job.causes) {
      visit(of.ready.cause);
      visit(of.message);
    }
    for (std::uint32_t r = 0; r < job.ranks.size(); ++r) {
      if (!has_rank(job, r)) continue;
      Rank& rank = job.ranks[r];
      visit(rank.last.cause);
      visit(rank.begin_cause);
      for (Cpu& cpu : job.cpus.subspan(rank.first_cpu, job.program->cpus(r))) visit(cpu.cause);
    }
    for (Entry& entry : job.heap) visit(entry.cause);
    job.early_message.for_each_value(visit);
    visit(job.finish.cause);
  }
  for (Flight& flight : flights_) visit_of_part(flight.cause, flight.cause_part);
}

void Jobs::forget_causes(std::span<Jobs* const> parts) {
  if (std::ranges::none_of(parts, [](const Jobs* part) { return part->causes_.is_full(); })) return;
  std::vector<Causes*> causes;
  for (Jobs* part : parts) causes.push_back(&part->causes_);
  forget_unused(causes, [&](auto&& visit) {
    for (Jobs* part : parts) part->for_each_cause(visit);
  });
}

std::vector<PathStep> path_to(std::span<const Causes* const> parts, std::uint32_t last, std::uint8_t part) {
  std::vector<PathStep> steps;
  for (std::uint32_t c = last; c != kNone;) {
    const Cause& cause = (*parts[part])[c];
    c = cause.before;
    part = cause.before_part;
    const Tick begin = c == kNone ? cause.tick : (*parts[part])[c].tick;
    if (begin == cause.tick) continue;
    steps.push_back({begin, cause.tick, cause.kind, cause.op, cause.iteration, cause.node, cause.serial});
  }
  std::ranges::reverse(steps);
  return steps;
}

std::vector<PathStep> Jobs::critical_path(std::size_t number) const {
  const Running& job = jobs_[number];
  const Causes* const causes = &causes_;
  if (job.record.finish < 0) return {};
  return path_to({&causes, 1}, job.finish.cause, number_);
}

}  // namespace headway
