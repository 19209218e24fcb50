// SPDX-License-Identifier: Apache-2.0
// The part of Generators (generators.h) that chooses the links of a message between nodes with several
// (docs/modelling.md, "Nodes with several links").
#include <cstdint>
#include <tuple>
#include <utility>

#include "headway/engine/generators.h"

namespace headway {

std::uint64_t Generators::waiting_time(NodeId node) const {
  const Port& adapter = state_.network.ports[state_.network.adapter_port(node)];
  std::uint64_t packets = waits_.nodes[node].waiting_packets;
  for (std::uint32_t q = adapter.first_queue; q < adapter.first_queue + adapter.queues; ++q)
    packets += state_.queues[q].length;
  return packets * adapter.ticks_per_byte;
}

void Generators::choose_way(NodeId& from, NodeId& to) {
  const Network& network = state_.network;
  const Hosts& hosts = network.graph.hosts();
  const std::uint32_t ways = hosts.ways(from, to);
  std::uint32_t number = 0;
  if (ways > 1 && network.link_rule == LinkRule::hash)
    number = static_cast<std::uint32_t>(
        hash_of_hosts(hosts.host_of(from), hosts.host_of(to), network.link_salt) % ways);
  else if (ways > 1)
    number = link_turns_[hosts.home_of(from)]++ % ways;
  if (ways > 1) {
    const auto is_down = [&](NodeId node) {
      return state_.is_down(network.link_port(network.graph.node_port(node)));
    };
    std::pair least(true, UINT64_MAX);
    const std::uint32_t first = number;
    for (std::uint32_t i = 0; i < ways; ++i) {
      const std::uint32_t next = (first + i) % ways;
      const auto [at, to_link] = hosts.way(from, to, next);
      const std::pair waits(is_down(at) || is_down(to_link),
                            network.link_rule == LinkRule::load ? waiting_time(at) : 0);
      if (waits < least) least = waits, number = next;
    }
  }
  std::tie(from, to) = hosts.way(from, to, number);
}

}  // namespace headway
