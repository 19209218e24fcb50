// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/node_allocation.h"

#include <algorithm>

namespace headway {

NodeAllocation::NodeAllocation(const Workload& workload, std::uint32_t nodes)
    : workload_(workload), is_taken_(nodes) {
  for (std::uint32_t job = 0; job < workload.jobs.size(); ++job)
    if (workload.jobs[job].pool != nullptr) jobs_.push_back(job);
  std::ranges::stable_sort(jobs_, {}, [&](std::uint32_t job) { return workload.jobs[job].start; });
  next_ = next_submission();
}

std::vector<NodeId> NodeAllocation::nodes_for(const Job& job) const {
  std::vector<NodeId> nodes;
  for (const NodeId node : *job.pool) {
    if (is_taken_[node]) continue;
    nodes.push_back(node);
    if (nodes.size() == job.nodes_needed()) return nodes;
  }
  return {};
}

}  // namespace headway
