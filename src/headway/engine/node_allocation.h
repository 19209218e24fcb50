// SPDX-License-Identifier: Apache-2.0
// Gives nodes to the jobs that have theirs for themselves (docs/programs.md, "Jobs that wait for nodes").
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "headway/base/ids.h"
#include "headway/engine/workload.h"

namespace headway {

class NodeAllocation {
 public:
  NodeAllocation(const Workload& workload, std::uint32_t nodes);

  // Returns true if jobs have been submitted, or nodes become free, since it last gave some.
  bool is_due(Tick now) const { return now >= next_; }
  // Submits the jobs of this tick, and gives nodes to those that can have them: calls begin(job, nodes).
  template <class Begin>
  void allocate(Tick now, Begin&& begin);
  // The nodes of a job are free from the next tick on. Calls wake(job) for all jobs that wait.
  template <class Wake>
  void give_back(Tick now, std::span<const NodeId> nodes, Wake&& wake);

 private:
  // As many free nodes as the job needs, in the order of its pool; empty: there are too few.
  std::vector<NodeId> nodes_for(const Job& job) const;
  Tick next_submission() const {
    return submitted_ < jobs_.size() ? workload_.jobs[jobs_[submitted_]].start
                                     : std::numeric_limits<Tick>::max();
  }

  const Workload& workload_;
  std::vector<std::uint32_t> jobs_;     // in the order of their starts
  std::size_t submitted_ = 0;           // of them
  std::vector<std::uint32_t> waiting_;  // jobs, likewise
  std::vector<bool> is_taken_;          // [node]
  Tick next_ = std::numeric_limits<Tick>::max();
};

template <class Begin>
void NodeAllocation::allocate(Tick now, Begin&& begin) {
  for (; next_submission() <= now; ++submitted_) waiting_.push_back(jobs_[submitted_]);
  next_ = next_submission();
  std::vector<bool> is_awaited;  // [node] by a job that is not overtaken; empty: none is
  std::erase_if(waiting_, [&](std::uint32_t number) {
    const Job& job = workload_.jobs[number];
    const auto waits_for = [&](NodeId node) { return is_awaited[node]; };
    const bool is_behind = !is_awaited.empty() && std::ranges::any_of(*job.pool, waits_for);
    const std::vector<NodeId> nodes = is_behind ? std::vector<NodeId>() : nodes_for(job);
    if (!nodes.empty()) {
      for (const NodeId node : nodes) is_taken_[node] = true;
      begin(number, std::span(nodes));
      return true;
    }
    if (workload_.allocation == Allocation::first_fit) return false;
    is_awaited.resize(is_taken_.size());
    for (const NodeId node : *job.pool) is_awaited[node] = true;
    return false;
  });
}

template <class Wake>
void NodeAllocation::give_back(Tick now, std::span<const NodeId> nodes, Wake&& wake) {
  for (const NodeId node : nodes) is_taken_[node] = false;
  if (waiting_.empty()) return;
  next_ = std::min(next_, now + 1);
  for (const std::uint32_t job : waiting_) wake(job);
}

}  // namespace headway
