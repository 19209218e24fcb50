// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/flow_census.h"

namespace headway {

void FlowCensus::charge(std::uint32_t root, const CountedPacket& packet, std::uint64_t packets,
                        bool crosses) {
  const std::uint32_t flow = numbers_.of_generator[packet.generator];
  if (latest_ >= seen_.size() || seen_[latest_].root != root || seen_[latest_].flow != flow) {
    latest_ = number_of_.at(key_of(root, flow), static_cast<std::uint32_t>(seen_.size()));
    if (latest_ == seen_.size()) seen_.push_back({root, flow, {}});
  }
  AtRoot& at = seen_[latest_].packets;
  at.packets += packets;
  if (!crosses) at.victims += packets;
  if (!counts_pairs_) return;
  Packets& pair = pair_at(packet.source, packet.destination);
  pair.waiting += packets;
  if (!crosses) pair.victims += packets;
}

void FlowCensus::block(const CountedPacket& packet) {
  ++flows_[numbers_.of_generator[packet.generator]].hol;
  if (counts_pairs_) ++pair_at(packet.source, packet.destination).hol;
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
  for (const Delivery& delivery : deliveries) ++pair_at(delivery.source, delivery.destination).delivered;
}

void FlowCensus::close_bin() {
  std::vector<Packets>& bin = bins_.emplace_back(flows_);
  for (std::size_t flow = 0; flow < bin.size(); ++flow) {
    bin[flow].waiting -= flows_before_[flow].waiting;
    bin[flow].hol -= flows_before_[flow].hol;
    bin[flow].victims -= flows_before_[flow].victims;
  }
  flows_before_ = flows_;
}

void FlowCensus::begin_measurement() {
  flows_.assign(numbers_.flows, {});
  flows_before_ = flows_;
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
