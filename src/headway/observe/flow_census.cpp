// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/flow_census.h"

#include "headway/base/every_second.h"
#include "headway/base/rng.h"

namespace headway {

void FlowCensus::charge(std::uint32_t root, Waiting waiting, const CountedPacket& packet,
                        std::uint64_t packets, bool crosses) {
  const std::uint32_t flow = flow_of(packet.generator);
  if (latest_ >= seen_.size() || seen_[latest_].root != root || seen_[latest_].flow != flow) {
    latest_ = number_of_.at(key_of(root, flow), static_cast<std::uint32_t>(seen_.size()));
    if (latest_ == seen_.size()) seen_.push_back({root, flow, {}});
  }
  AtRoot& at = seen_[latest_].packets[static_cast<std::size_t>(waiting)];
  at.packets += packets;
  if (!crosses) at.victims += packets;
  if (!counts_pairs_) return;
  Packets& pair = pair_at(packet.source, packet.destination);
  pair.waiting += packets;
  if (waiting == Waiting::hol) pair.hol += packets;
  if (!crosses) pair.victims += packets;
}

void FlowCensus::pass(const StateView& view, std::span<const MovingPacket> packets) {
  if (transit_.is_known()) return;
  for (const MovingPacket& packet : packets)
    transits_[flow_of(view.generator(packet.id))] += transit_.of_moving(view, packet);
}

void FlowCensus::end_photograph(const std::vector<RootSeen>& roots) {
  for (const Seen& seen : seen_) {
    const RootSeen& root = roots[seen.root];
    const std::uint32_t behind = root.sends == kNone ? kNone : flow_of(root.sends);
    ByClass& sums = waits_[{seen.flow, root.root, behind}];
    Packets& flow = flows_[seen.flow];
    for (std::size_t waiting = 0; waiting < kWaitings; ++waiting) {
      const AtRoot& packets = seen.packets[waiting];
      sums[waiting].packets += packets.packets;
      sums[waiting].victims += packets.victims;
      flow.waiting += packets.packets;
      flow.victims += packets.victims;
    }
    flow.hol += seen.packets[static_cast<std::size_t>(Waiting::hol)].packets;
  }
  seen_.clear();
  number_of_.clear();
}

std::size_t FlowCensus::HashOfWait::operator()(const FlowWait& wait) const {
  const std::uint64_t root = std::uint64_t{wait.root.port} << 8 | static_cast<std::uint8_t>(wait.root.kind);
  return mix64(mix64(key_of(wait.flow, wait.behind)) ^ root);
}

std::map<FlowWait, FlowCensus::ByClass> FlowCensus::waits() const { return {waits_.begin(), waits_.end()}; }

std::map<std::pair<std::uint32_t, Root>, FlowCensus::AtRoot> FlowCensus::roots() const {
  std::map<std::pair<std::uint32_t, Root>, AtRoot> roots;
  for (const auto& [wait, by_class] : waits_) {
    AtRoot& at = roots[{wait.flow, wait.root}];
    for (const AtRoot& packets : by_class) {
      at.packets += packets.packets;
      at.victims += packets.victims;
    }
  }
  return roots;
}

void FlowCensus::count(std::span<const Delivery> deliveries) {
  if (counts_pairs_)
    for (const Delivery& delivery : deliveries) ++pair_at(delivery.source, delivery.destination).delivered;
  if (transit_.is_known())
    for (const Delivery& delivery : deliveries)
      transits_[flow_of(delivery.generator)] += transit_.of_delivered(delivery);
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

void FlowCensus::join_bins(std::size_t first) {
  for (std::size_t bin = first; bin + 1 < bins_.size(); bin += 2)
    for (std::size_t flow = 0; flow < flows_.size(); ++flow) {
      bins_[bin][flow].waiting += bins_[bin + 1][flow].waiting;
      bins_[bin][flow].hol += bins_[bin + 1][flow].hol;
      bins_[bin][flow].victims += bins_[bin + 1][flow].victims;
    }
  keep_every_second(bins_, first);
}

void FlowCensus::begin_measurement() {
  flows_.assign(numbers_.flows, {});
  transits_.assign(numbers_.flows, {});
  flows_before_ = flows_;
  waits_.clear();
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
