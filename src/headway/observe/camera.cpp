// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/camera.h"

#include <algorithm>

#include "headway/observe/flow_census.h"

namespace headway {

Camera::Camera(const Network& network, std::uint64_t seed, FlowCensus* census)
    : network_(network),
      census_(census),
      heads_(network, seed),
      roots_(network, heads_),
      charges_(network, heads_, roots_, census) {
  photograph_.holders.resize(network.ports.size());
  photograph_.sends_by.resize(network.ports.size());
  photograph_.links.resize(network.graph.ports());
  photograph_.admittance_at.resize(network.nodes());
  photograph_.hol_to.resize(network.nodes());
  photograph_.victims_to.resize(network.nodes());
  photograph_.culprits_to.resize(network.nodes());
}

std::uint64_t Camera::bytes(const Layout& layout) {
  constexpr std::uint64_t kPerPort = 2 * sizeof(PortId) + sizeof(LinkTime);
  constexpr std::uint64_t kPerQueue = 2 * sizeof(std::uint32_t);
  return Charges::bytes(layout) + layout.ports * kPerPort + layout.queues * kPerQueue +
         layout.nodes * (3 * sizeof(std::uint64_t) + sizeof(std::uint32_t));
}

const Photograph& Camera::take(const StateView& view) {
  photograph_.packets = {};
  photograph_.movable = photograph_.drain = photograph_.victims = 0;
  std::ranges::fill(photograph_.admittance_at, 0);
  std::ranges::fill(photograph_.hol_to, 0);
  std::ranges::fill(photograph_.victims_to, 0);
  std::ranges::fill(photograph_.culprits_to, 0);

  heads_.read(view, photograph_);
  roots_.find(photograph_);
  charges_.charge(view, photograph_);
  grow_trees();
  charges_.list_culprits(photograph_);
  if (census_ != nullptr) {
    note_senders(view);
    census_->end_photograph(photograph_.roots);
  }
  put_roots_in_order();
  for (PortId port = 0; port < photograph_.links.size(); ++port)
    if (network_.graph.peer_of(port) != kNone) photograph_.links[port] = charges_.time_of(port, photograph_);
  return photograph_;
}

void Camera::note_senders(const StateView& view) {
  if (network_.has_slow_nodes()) {
    consumed_.assign(network_.nodes(), kNone);
    for (const MovingPacket& packet : charges_.moving())
      if (packet.is_consumed) consumed_[packet.destination] = view.generator(packet.id);
  }
  for (RootSeen& seen : photograph_.roots)
    if (seen.root.kind == RootKind::receiver)
      seen.sends = consumed_[network_.graph.node_of(seen.root.port)];
    else if (const PortId output = heads_.sends_for(seen.root); output != kNone)
      seen.sends = census_->tells_flows_apart() ? view.sent(output).generator : 0;
}

void Camera::grow_trees() {
  last_port_.assign(photograph_.roots.size(), kNone);
  for (const QueueSeen& queue : photograph_.queues) {
    RootSeen& seen = photograph_.roots[queue.root];
    const PortId input = heads_.port_of(queue.queue);
    ++seen.tree_queues;
    seen.depth = std::max(seen.depth, queue.depth);
    if (last_port_[queue.root] != input) ++seen.tree_ports;
    last_port_[queue.root] = input;
  }
  for (RootSeen& seen : photograph_.roots) {
    seen.tree_packets = seen.packets;
    if (seen.depth == 0) seen.tree_queues = seen.tree_ports = 0, seen.tree_packets = 0;
  }
}

void Camera::put_roots_in_order() {
  std::vector<RootSeen>& roots = photograph_.roots;
  std::vector<std::uint32_t> order;
  for (std::uint32_t r = 0; r < roots.size(); ++r)
    if (roots[r].packets + roots[r].admittance > 0) order.push_back(r);
  std::ranges::sort(order, {}, [&](std::uint32_t r) { return roots[r].root; });
  unordered_.swap(roots);
  roots.clear();
  std::vector<std::uint32_t> place(unordered_.size(), kNone);
  for (const std::uint32_t r : order) {
    place[r] = static_cast<std::uint32_t>(roots.size());
    roots.push_back(std::move(unordered_[r]));
  }
  for (QueueSeen& seen : photograph_.queues) seen.root = place[seen.root];
}

}  // namespace headway
