// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/transit_split.h"

#include <algorithm>
#include <array>
#include <map>

#include "headway/engine/packet.h"

namespace headway {

TransitSplit::TransitSplit(const Network& network, std::uint64_t seed)
    : network_(network),
      is_known_(!network.selection && !network.routes.detours && !network.changes_routes() &&
                !network.changes_rates &&
                (!network.links_differ || network.store_and_forward || network.stores_slow_packets())),
      seed_mix_(mix64(seed)),
      split_(network),
      alone_(network),
      port_of_(network.ports_of_queues()),
      kinds_(1) {
  number_links();
}

const TransferParts& TransitSplit::of_delivered(const Delivery& delivery) {
  const std::uint32_t number = kind_of_path(delivery);
  Kind& kind = kinds_[number];
  const std::uint32_t length = network_.framing().frame(delivery.bytes);
  if (kind.bytes == length) return kind.parts;  // most packets of a path have one length
  kind.bytes = length;
  const std::uint32_t known =
      number_of_parts_.at(std::uint64_t{number} << 32 | length, static_cast<std::uint32_t>(parts_.size()));
  if (known == parts_.size())
    parts_.push_back(split_.parts_of(length, kind.links, alone_.along(kind.links, length)));
  return kind.parts = parts_[known];
}

void TransitSplit::number_links() {
  std::map<std::array<std::uint64_t, 3>, std::uint32_t> kinds;
  const Graph& graph = network_.graph;
  link_kind_.resize(graph.ports());
  for (PortId link = 0; link < graph.ports(); ++link) {
    if (graph.peer_of(link) == kNone) continue;
    const auto delay = static_cast<std::uint64_t>(network_.ports[network_.link_port(link)].delay);
    const std::array<std::uint64_t, 3> times = {split_.ticks_per_byte(link),
                                                split_.usual_ticks_per_byte(link), delay};
    link_kind_[link] = kinds.try_emplace(times, static_cast<std::uint32_t>(kinds.size())).first->second;
  }
  link_kinds_ = static_cast<std::uint32_t>(kinds.size());
}

std::uint32_t TransitSplit::kind_of_path(const Delivery& delivery) {
  const Graph& graph = network_.graph;
  const PortId first = graph.node_port(delivery.source);
  const std::uint32_t from =
      network_.by_destination ? graph.switch_of(graph.peer_of(first)) : delivery.source;
  const std::uint64_t pair = std::uint64_t{from} << 32 | delivery.destination;
  if (const std::uint32_t rest = kind_behind_first_.value(pair, kNone); rest != kNone)
    if (const std::uint32_t kind = joined(link_kind_[first], rest); !kinds_[kind].links.empty()) return kind;
  const bool is_only_path = walk(delivery);
  // a slow node at the end is like a link of a kind of its own
  std::uint32_t rest = 0;
  if (network_.is_slow(delivery.destination)) rest = joined(link_kinds_ + delivery.destination, rest);
  for (std::size_t i = links_.size(); i-- > 1;) rest = joined(link_kind_[links_[i]], rest);
  if (is_only_path && kind_behind_first_.size() < kMostPairs) kind_behind_first_.at(pair, rest);
  const std::uint32_t kind = joined(link_kind_[first], rest);
  if (kinds_[kind].links.empty()) kinds_[kind].links = links_;
  return kind;
}

std::uint64_t TransitSplit::draw_at(SwitchId sw, const Delivery& delivery) const {
  const RouteTable& routes = network_.routes.table;
  const std::uint32_t serial = network_.drawn_by(delivery.serial, delivery.message);
  if (routes.labels() == 0) return draw_of_packet(seed_mix_, sw, delivery.source, serial);
  return draw_by_label(routes, seed_mix_, sw, delivery.source, delivery.destination, serial);
}

bool TransitSplit::walk(const Delivery& delivery) {
  const Graph& graph = network_.graph;
  bool is_only_path = true;
  links_.clear();
  for (PortId link = graph.node_port(delivery.source);;) {
    links_.push_back(link);
    const PortId input = graph.peer_of(link);
    if (graph.is_node_port(input)) return is_only_path;
    const SwitchId sw = graph.switch_of(input);
    link = graph.port(sw, output_at(network_.routes.table, sw, delivery.source, delivery.destination, [&] {
                        is_only_path = false;
                        return draw_at(sw, delivery);
                      }));
  }
}

std::uint32_t TransitSplit::joined(std::uint32_t link_kind, std::uint32_t rest) {
  std::vector<std::uint32_t>& before = kinds_[rest].before;
  if (before.size() <= link_kind) before.resize(link_kind + 1, kNone);
  if (before[link_kind] != kNone) return before[link_kind];
  const auto fresh = before[link_kind] = static_cast<std::uint32_t>(kinds_.size());
  kinds_.emplace_back();
  return fresh;
}

TransferParts TransitSplit::of_moving(const StateView& view, const MovingPacket& packet) const {
  if (packet.is_consumed) return {.rest = 1};
  const Graph& graph = network_.graph;
  const bool is_last = packet.queue == kNone;
  const PortId last = graph.source_of(graph.node_port(packet.destination));
  const PortId link = is_last ? last : graph.source_of(port_of_[packet.queue]);
  Tick left = packet.end - view.now();  // instants after this one
  if (!is_last && (left -= network_.routing_delay) < 0) return {.switching = 1};
  if ((left -= network_.ports[network_.link_port(link)].delay) < 0) return {.propagation = 1};
  const auto length = static_cast<Tick>(view.bytes(packet.id));
  const Tick own = std::max(split_.usual_ticks_per_byte(graph.node_port(packet.source)),
                            split_.usual_ticks_per_byte(last));
  if (left < length * own) return is_last ? TransferParts{.serialisation = 1} : TransferParts{.rest = 1};
  if (left < length * split_.usual_ticks_per_byte(link)) return {.narrow = 1};
  if (left < length * split_.ticks_per_byte(link)) return {.slow = 1};
  return {.rest = 1};
}

}  // namespace headway
