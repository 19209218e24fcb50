// SPDX-License-Identifier: Apache-2.0
#include "headway/analysis/alone_time.h"

#include <algorithm>

namespace headway {

// Choice: behind so many packets, a slower link gets ever more, and all are sent one by one.
constexpr std::uint32_t kCompared = 64;

Tick AloneTime::of(NodeId source, NodeId destination, const PacketsOfMessage& message) {
  const std::uint32_t packets = message.packets;
  find_path(source, destination);
  destination_ = destination;
  consumed_ = 0;
  for (std::uint32_t packet = 1; packet < packets; ++packet) {
    const Tick consumed_before = consumed_;
    if (packet <= kCompared) before_ = path_;
    send(network_.packet_bytes);
    if (packet > kCompared) continue;
    // What a packet finds is what the one before it found, later by as much everywhere. So it is for all full
    // packets behind it, because only the source is ready at a time that does not depend on that, before all.
    const Tick later = path_.front().link_free - before_.front().link_free;
    const auto is_later = [&](const Hop& now, const Hop& before) {
      return now.link_free - before.link_free == later &&
             (now.crossbar_ticks_per_byte == 0 || now.crossbar_free - before.crossbar_free == later);
    };
    if (packet == 1 || !std::ranges::equal(path_, before_, is_later) ||
        (network_.is_slow(destination) && consumed_ - consumed_before != later))
      continue;
    const Tick more = later * (packets - 1 - packet);
    for (Hop& hop : path_) {
      hop.link_free += more;
      hop.crossbar_free += more;
    }
    consumed_ += more;
    break;
  }
  return send(network_.framing().frame(message.last));
}

Tick AloneTime::along(std::span<const PortId> links, std::uint32_t bytes) {
  path_.clear();
  PortId input = kNone;
  for (const PortId link : links) {
    add(input, link);
    input = network_.graph.peer_of(link);
  }
  destination_ = network_.graph.node_of(input);
  consumed_ = 0;
  return send(bytes);
}

// `input` of the switch whose output it is; kNone: of the source.
void AloneTime::add(PortId input, PortId output) {
  const Port& link = network_.ports[network_.link_port(output)];
  const bool is_faster = !path_.empty() && link.ticks_per_byte < path_.back().ticks_per_byte;
  const bool stores =
      !path_.empty() && (network_.store_and_forward || (network_.stores_slow_packets() && is_faster));
  const bool crosses = network_.link_port(output) != output;
  path_.push_back(
      {.ticks_per_byte = link.ticks_per_byte,
       .crossbar_ticks_per_byte =
           crosses ? network_.crossing_ticks_per_byte(input, network_.ports[output].ticks_per_byte) : 0,
       .delay = link.delay,
       .stores = stores});
}

void AloneTime::find_path(NodeId source, NodeId destination) {
  path_.clear();
  const Graph& graph = network_.graph;
  const RouteTable& routes = network_.routes.table;
  PortId link = graph.node_port(source);
  add(kNone, link);
  for (PortId input = graph.peer_of(link); !graph.is_node_port(input); input = graph.peer_of(link)) {
    const SwitchId sw = graph.switch_of(input);
    const PortRange candidates = routes.of_pair(sw, source, destination);
    const auto port_of = [&](std::uint32_t i) {
      return network_.first_port[sw] + routes.port(sw, destination, candidates, i);
    };
    const auto slowness = [&](PortId output) {
      return network_.ports[network_.link_port(output)].ticks_per_byte;
    };
    link = port_of(0);
    for (std::uint32_t i = 1; i < candidates.count; ++i)
      if (slowness(port_of(i)) < slowness(link)) link = port_of(i);
    add(input, link);
  }
}

// The rules of docs/modelling.md, "Grant" and "Links that differ", for packets that meet only each other.
Tick AloneTime::send(Tick bytes) {
  Tick header = 0, tail = 0;  // when they are at the next device
  for (Hop& hop : path_) {
    const bool is_adapter = &hop == path_.data();
    Tick ready = hop.stores ? tail : header;
    if (!is_adapter) ready += network_.routing_delay;
    Tick start = std::max(ready, hop.link_free);
    if (hop.crossbar_ticks_per_byte > 0) {
      const Tick crosses = std::max(ready, hop.crossbar_free);
      tail = hop.crossbar_free = std::max(crosses + bytes * hop.crossbar_ticks_per_byte, tail);
      start = std::max(crosses, hop.link_free);
    }
    const Tick end = std::max(start + bytes * hop.ticks_per_byte, tail);
    hop.link_free = end;
    header = start + hop.delay;
    tail = end + hop.delay;
  }
  if (!network_.is_slow(destination_)) return tail;
  consumed_ =
      std::max(consumed_, tail) + network_.consumption(destination_, static_cast<std::uint32_t>(bytes));
  return consumed_;
}

}  // namespace headway
