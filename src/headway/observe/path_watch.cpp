// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/path_watch.h"

#include <algorithm>

#include "headway/base/error.h"

namespace headway {

PathWatch::PathWatch(const Network& network, const FlowNumbers& flows, std::uint64_t seed)
    : network_(network),
      flows_(flows),
      heads_(network, seed),
      roots_(network, heads_),
      charges_(network, heads_, roots_, nullptr) {
  photograph_.holders.resize(network.ports.size(), Photograph::kNobody);
  photograph_.sends_by.resize(network.ports.size(), Photograph::kNobody);
}

std::optional<PacketWait> PathWatch::look(const StateView& view, FollowedPacket& packet) {
  heads_.begin(view, photograph_);
  charges_.begin(photograph_);
  if (packet.id == kNone) {
    if (const std::optional<AdmittanceView> waiting = view.admittance_of(packet.node, packet.serial)) {
      if (waiting->limited) {
        const PortId node = network_.adapter_port(packet.node);
        return found(view, packet, Waiting::limited, node, {RootKind::limiter, node}, false);
      }
      const Root root = root_of(heads_.entrance(view, *waiting));
      const PortId at = network_.adapter_port(packet.node);
      return found(view, packet, Waiting::admittance, at, root, !charges_.crosses(root, *waiting));
    }
    packet.id = view.find(packet.node, packet.serial);
    if (packet.id == kNone) throw InvariantError("a packet on a critical path is not in the network");
  }
  packet.input = input_of(view, packet.id);
  const std::uint32_t queue = view.queue_of(packet.id);
  if (view.waits_in_receive_memory(packet.id)) {
    const PortId node = network_.adapter_port(view.packet(packet.id).destination);
    return found(view, packet, Waiting::output, node, {RootKind::receiver, node}, false);
  }
  if (queue == kNone) return std::nullopt;
  const QueueSeen seen = heads_.look_at(queue);
  view.packets({&queue, 1}, packets_);
  const WaitingPacket& own = *std::ranges::find(packets_[0], packet.id, &WaitingPacket::id);
  const Waiting waiting = own.id == seen.head.id ? seen.waiting : charges_.behind(view, seen, own);
  const PortId input = heads_.port_of(queue);
  const PortId at = network_.graph_port(input);
  // in a queue that moves, it waits for its own link or input
  if (waiting == Waiting::serial)
    return found(view, packet, waiting, at, heads_.holding(photograph_.sends_by[input]), false);
  if (waiting == Waiting::input) return found(view, packet, waiting, at, {RootKind::input, at}, false);
  const Root root = root_of(seen);
  return found(view, packet, waiting, at, root, !charges_.crosses(view, root, input, own));
}

PortId PathWatch::input_of(const StateView& view, PacketId packet) const {
  const std::uint32_t queue = view.bound_for(packet);
  if (queue >= view.sink()) return kNone;
  const PortId port = heads_.port_of(queue);
  return network_.is_adapter_port(port) || network_.graph_port(port) != port ? kNone : port;
}

PacketWait PathWatch::found(const StateView& view, const FollowedPacket& packet, Waiting waiting, PortId at,
                            const Root& root, bool victim) {
  PacketWait wait{waiting, at, root, victim};
  const PortId output = heads_.sends_for(root);
  if (output == kNone) return wait;
  const SentView sent = view.sent(output);
  wait.own = view.is_of_message(sent.packet, packet.node, packet.serial);
  wait.flow = flows_.of_generator[sent.generator];
  wait.destination = view.packet(sent.packet).destination;
  return wait;
}

// Follows the queues in which heads need room, as WaitRoots does for all queues.
Root PathWatch::root_of(const QueueSeen& seen) {
  chain_.clear();
  QueueSeen last = seen;
  while (last.next != kNone) {
    const auto before = std::ranges::find(chain_, last.next);
    if (before != chain_.end()) {
      PortId lowest = kNone;
      for (auto queue = before; queue != chain_.end(); ++queue)
        lowest = std::min(lowest, network_.graph_port(heads_.port_of(*queue)));
      return {RootKind::cycle, lowest};
    }
    chain_.push_back(last.next);
    last = heads_.look_at(last.next);
  }
  return last.ends_in;
}

}  // namespace headway
