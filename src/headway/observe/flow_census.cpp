// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/flow_census.h"

#include <algorithm>

namespace headway {
namespace {

// The only destination of a source, or kNone if there are several or none.
NodeId only_destination(const Destinations& destinations, NodeId source) {
  NodeId only = kNone;
  bool several = false;
  destinations.shares(source, [&](NodeId destination, double share) {
    if (share <= 0) return;
    several |= only != kNone && only != destination;
    only = destination;
  });
  return several ? kNone : only;
}

}  // namespace

FlowOf::FlowOf(const Workload& workload, std::span<const std::uint32_t> flow_of_spec, std::uint32_t nodes)
    : of_(nodes) {
  std::uint32_t traces = 0;
  for (const std::uint32_t flow : flow_of_spec) traces = std::max(traces, flow + 1);
  flows_ = traces + static_cast<std::uint32_t>(workload.traces.size());
  std::vector<std::uint32_t> senders(nodes);
  for (const Source& source : workload.sources) ++senders[source.node];
  for (const Trace& trace : workload.traces)
    for (const NodeId node : trace.senders) ++senders[node];
  for (const Source& source : workload.sources) {
    const bool alone = senders[source.node] == 1;  // then its destinations do not matter
    of_[source.node].push_back(
        {flow_of_spec[source.flow],
         alone ? kNone : only_destination(*workload.flows[source.flow].destinations, source.node)});
  }
  for (std::uint32_t trace = 0; trace < workload.traces.size(); ++trace)
    for (const NodeId node : workload.traces[trace].senders) of_[node].push_back({traces + trace, kNone});
  for (const std::vector<Sender>& own : of_) only_.push_back(own.size() == 1 ? own.front().flow : kNone);
  shared_ = std::ranges::any_of(senders, [](std::uint32_t count) { return count > 1; });
}

std::uint32_t FlowOf::find(const std::vector<Sender>& senders, NodeId destination) const {
  std::uint32_t found = several();
  for (const Sender& sender : senders) {
    if (sender.destination != kNone && sender.destination != destination) continue;
    if (found != several()) return several();
    found = sender.flow;
  }
  return found;
}

void FlowCensus::charge(std::uint32_t root, NodeId source, NodeId destination, std::uint64_t packets,
                        bool crosses) {
  const std::uint32_t flow = flow_of_.of(source, destination);
  if (latest_ >= seen_.size() || seen_[latest_].root != root || seen_[latest_].flow != flow) {
    latest_ = number_of_.at(key_of(root, flow), static_cast<std::uint32_t>(seen_.size()));
    if (latest_ == seen_.size()) seen_.push_back({root, flow, {}});
  }
  AtRoot& at = seen_[latest_].packets;
  at.packets += packets;
  if (!crosses) at.victims += packets;
  if (!counts_pairs_) return;
  Packets& pair = pair_at(source, destination);
  pair.waiting += packets;
  if (!crosses) pair.victims += packets;
}

void FlowCensus::block(NodeId source, NodeId destination) {
  ++flows_[flow_of_.of(source, destination)].hol;
  if (counts_pairs_) ++pair_at(source, destination).hol;
}

void FlowCensus::end_photograph(const std::vector<RootSeen>& roots) {
  for (const Seen& seen : seen_) {
    AtRoot& sums = roots_[{seen.flow, roots[seen.root].root}];
    sums.packets += seen.packets.packets;
    sums.victims += seen.packets.victims;
    flows_[seen.flow].waiting += seen.packets.packets;
    flows_[seen.flow].victims += seen.packets.victims;
  }
  seen_.clear();
  number_of_.clear();
}

void FlowCensus::count(std::span<const Delivery> deliveries) {
  for (const Delivery& delivery : deliveries) {
    ++flows_[flow_of_.of(delivery.source, delivery.destination)].delivered;
    if (counts_pairs_) ++pair_at(delivery.source, delivery.destination).delivered;
  }
}

void FlowCensus::begin_measurement() {
  flows_.assign(flow_of_.flows() + 1, {});
  roots_.clear();
  number_of_pair_.clear();
  pairs_.clear();
}

FlowCensus::Packets FlowCensus::pair(NodeId source, NodeId destination) const {
  const std::uint32_t number = number_of_pair_.value(key_of(source, destination), kNone);
  return number == kNone ? Packets{} : pairs_[number];
}

FlowCensus::Packets& FlowCensus::pair_at(NodeId source, NodeId destination) {
  const std::uint32_t number =
      number_of_pair_.at(key_of(source, destination), static_cast<std::uint32_t>(pairs_.size()));
  if (number == pairs_.size()) pairs_.emplace_back();
  return pairs_[number];
}

}  // namespace headway
