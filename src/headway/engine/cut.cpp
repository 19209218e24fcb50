// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/cut.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "headway/base/together.h"
#include "headway/engine/wheel.h"

namespace headway {
namespace {

constexpr std::uint8_t kNoPart = 0xff;
// Choice: the longest chain of a program with more operations in memory is not looked for.
constexpr std::uint64_t kMostElements = 1 << 20;

// Choice: what a node counts when nodes are shared out, if it sends nothing, and if none sends more.
constexpr std::uint64_t kWeightOfIdle = 64, kMostWeight = 4096;

// How good it is for a switch to join a part to which it has so many links.
auto preference(std::uint32_t links, std::size_t size, std::size_t share) {
  const bool has_room = size < share;
  return std::tuple(links > 0, has_room, has_room ? links : 0, has_room ? 0 : share - size);
}

// The part of every switch.
class SwitchParts {
 public:
  SwitchParts(const Network& network, const std::vector<double>& packets_per_tick, std::uint32_t parts)
      : network_(network), parts_(parts), part_of_(network.switches(), kNoPart) {
    share_out_nodes(packets_per_tick);
    while (join_neighbours()) {
    }
    for (std::uint8_t& part : part_of_)
      if (part == kNoPart) part = 0;  // no link leads to it
  }

  std::vector<std::uint8_t> take() { return std::move(part_of_); }

 private:
  // Shares out the switches with nodes, in the order of their first nodes: about as many of the packets that
  // nodes send for each part, and one switch at least.
  void share_out_nodes(const std::vector<double>& packets_per_tick) {
    const double most = std::ranges::max(packets_per_tick);
    std::vector<std::uint64_t> weight(network_.switches());
    std::vector<SwitchId> with_nodes;
    std::uint64_t total = 0;
    for (NodeId node = 0; node < network_.nodes(); ++node) {
      const SwitchId sw = network_.switch_of(node);
      if (weight[sw] == 0) with_nodes.push_back(sw);
      const double of_most = most > 0 ? packets_per_tick[node] / most : 0;
      const auto its = kWeightOfIdle + static_cast<std::uint64_t>(std::lround(of_most * kMostWeight));
      weight[sw] += its;
      total += its;
    }
    std::uint64_t before = 0, begun = 0;  // the weight of earlier switches; parts that have a switch
    for (std::uint64_t i = 0; i < with_nodes.size(); ++i) {
      std::uint64_t part = std::min(before * parts_ / total, begun);
      if (with_nodes.size() - i <= parts_ - begun) part = begun;  // each of these has one switch
      before += weight[with_nodes[i]];
      begun = std::max(begun, part + 1);
      part_of_[with_nodes[i]] = static_cast<std::uint8_t>(part);
    }
  }

  // All switches that have neighbours with a part join one: the part of most neighbours that does not have
  // its share of those that join now, or else the smallest. Of equally good ones the first, so the switches
  // of a part have consecutive numbers, and parts rarely use the same cache lines. Returns false if there is
  // none.
  bool join_neighbours() {
    std::vector<SwitchId> open;  // without a part
    for (SwitchId sw = 0; sw < network_.switches(); ++sw)
      if (part_of_[sw] == kNoPart) open.push_back(sw);
    std::vector<std::uint32_t> links_to(open.size() * parts_);  // [open switch][part]
    const auto links_of = [&](std::size_t i) { return std::span(links_to).subspan(i * parts_, parts_); };
    together_in_ranges(static_cast<std::uint32_t>(open.size()), [&](std::uint32_t first, std::uint32_t end) {
      for (std::uint32_t i = first; i < end; ++i) count_links(open[i], links_of(i));
    });
    std::vector<std::uint32_t> joining;  // numbers of open switches
    for (std::uint32_t i = 0; i < open.size(); ++i)
      if (std::ranges::any_of(links_of(i), [](std::uint32_t links) { return links > 0; }))
        joining.push_back(i);
    const std::size_t share = (joining.size() + parts_ - 1) / parts_;
    std::vector<std::size_t> size(parts_);
    for (const std::uint32_t i : joining) {
      const std::span<const std::uint32_t> links = links_of(i);
      std::uint32_t best = 0;
      for (std::uint32_t part = 1; part < parts_; ++part)
        if (preference(links[part], size[part], share) > preference(links[best], size[best], share))
          best = part;
      part_of_[open[i]] = static_cast<std::uint8_t>(best);
      ++size[best];
    }
    return !joining.empty();
  }

  // Counts the links of the switch to each part.
  void count_links(SwitchId sw, std::span<std::uint32_t> links) const {
    for (PortId port = network_.first_port[sw]; port < network_.first_port[sw + 1]; ++port) {
      const PortId peer = network_.graph.peer_of(port);
      if (peer == kNone || network_.is_adapter_port(peer)) continue;
      const std::uint8_t part = part_of_[network_.ports[peer].owner];
      if (part != kNoPart) ++links[part];
    }
  }

  const Network& network_;
  std::uint32_t parts_;
  std::vector<std::uint8_t> part_of_;  // [switch]
};

// Bytes of the shortest packet.
std::uint32_t shortest_packet(const Network& network, const Workload& workload) {
  if (!workload.traces.empty() || !workload.jobs.empty() || workload.notifies)
    return network.framing().frame(1);
  std::uint64_t shortest = network.packet_bytes;
  for (const Flow& flow : workload.flows)
    shortest = std::min<std::uint64_t>(
        shortest, network.framing().frame(flow.sizes ? flow.sizes->shortest_packet(network.framing().payload)
                                                     : flow.last_bytes));
  return static_cast<std::uint32_t>(shortest);
}

// Over links between parts: packets arrive after the delays of link and switch. The news of free memory
// follows the transfer of a packet, or shares the link, or is a pause.
Tick look_ahead_of(const Network& network, const Workload& workload,
                   const std::vector<std::uint8_t>& part_of) {
  Tick fastest = std::numeric_limits<Tick>::max(), delay = fastest;
  for (PortId id = 0; id < network.ports.size(); ++id) {
    const Port& port = network.ports[id];
    fastest = std::min<Tick>(fastest, port.ticks_per_byte);
    if (port.read_ticks_per_byte > 0) fastest = std::min<Tick>(fastest, port.read_ticks_per_byte);
    if (port.peer != kNone && part_of[port.owner] != part_of[network.ports[port.peer].owner])
      delay = std::min<Tick>(delay, port.delay);
  }
  if (network.layout.horizon >= Wheel::kAbroad) return 0;  // the wheel could not tell whose an event is
  if (delay == std::numeric_limits<Tick>::max()) return Wheel::kAbroad;  // no link connects parts
  Tick back = delay + fastest * shortest_packet(network, workload);
  if (network.credit_bytes > 0)
    back = delay + fastest * network.credit_bytes;
  else if (network.pause)
    back = network.pause->delay.value_or(delay);
  if (network.reaction && network.reaction->notification_bytes == 0)
    back = std::min(back, network.reaction->notification_delay);
  if (network.isolation) back = std::min(back, network.isolation->signal_delay.value_or(delay));
  return std::min(delay + network.routing_delay, back);
}

}  // namespace

std::uint32_t most_parts(const Network& network) {
  std::uint32_t with_nodes = 0;
  SwitchId last = kNone;  // the nodes of a switch are mostly consecutive
  for (NodeId node = 0; node < network.nodes() && with_nodes < kMostParts; ++node)
    if (const SwitchId sw = network.switch_of(node); std::exchange(last, sw) != sw) ++with_nodes;
  return with_nodes;
}

namespace {

// Adds what the ranks of a job send: the packets of an iteration, over the time that its messages and
// computations take at least.
// Choice: a message crosses two switches, at the delays of the first node; packets have as many bytes on all
// ranks.
void add_job(const Job& job, const Network& network, std::vector<double>& packets_per_tick) {
  const CompiledProgram& program = *job.program;
  const Port& adapter = network.ports[network.adapter_port(job.nodes.front())];
  double packets = 0, bytes = 0, ticks = 1;
  program.for_each_size([&](std::uint64_t size, std::uint64_t messages) {
    packets += static_cast<double>(messages) * network.framing().cut(size).packets;
  });
  const double ns = network.ns(1);
  std::vector<double> sent(program.ranks());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankTotals totals = program.totals(rank);
    sent[rank] = static_cast<double>(totals.sent) + 1;  // messages may be empty
    bytes += sent[rank];
    ticks =
        std::max(ticks, static_cast<double>(std::max(totals.sent, totals.received)) * adapter.ticks_per_byte +
                            totals.computed / 1000 / ns);
  }
  if (program.elements() <= kMostElements) {
    const double latency = 3.0 * adapter.delay + 2.0 * static_cast<double>(network.routing_delay);
    ticks = std::max(ticks, program.time_ns({latency * ns, adapter.ticks_per_byte * ns}) / ns);
  }
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    packets_per_tick[job.nodes[rank]] += packets / ticks * sent[rank] / bytes;
}

// The destinations that a source names one by one, with its share for each.
class NamedDestinations final : public Destinations::Components {
 public:
  explicit NamedDestinations(Destinations::Visit visit) : visit_(std::move(visit)) {}
  void one(NodeId destination, double share) override { visit_(destination, share); }
  void spread(const Spread&, double) override {}

 private:
  Destinations::Visit visit_;
};

// Adds what sources send, but no more to a node that they name than its link carries.
void add_flows(const Workload& workload, const Network& network, std::vector<double>& packets_per_tick) {
  std::vector<double> bytes_per_tick;  // of a source of each flow
  for (const Flow& flow : workload.flows) {
    double load = flow.arrivals == nullptr ? 1 : 0;
    for (const LoadProfile::Piece& piece : flow.load.pieces) load = std::max(load, piece.load);
    bytes_per_tick.push_back(load * flow.bytes_per_tick);
  }
  std::vector<double> demand(network.nodes());  // of its link
  for (const Source& source : workload.sources) {
    NamedDestinations add([&](NodeId destination, double share) {
      demand[destination] += bytes_per_tick[source.flow] * share *
                             network.ports[network.adapter_port(destination)].ticks_per_byte;
    });
    workload.flows[source.flow].destinations->visit_components(source.node, add);
  }
  for (const auto& [node, flow] : workload.sources) {
    double part = 1;
    NamedDestinations take([&](NodeId destination, double share) {
      if (demand[destination] > 1) part -= share * (1 - 1 / demand[destination]);
    });
    workload.flows[flow].destinations->visit_components(node, take);
    packets_per_tick[node] += std::max(part, 0.0) * bytes_per_tick[flow] / network.packet_bytes;
  }
}

// [node] what it sends, on average over the time in which it sends.
std::vector<double> packets_per_tick_of_nodes(const Workload& workload, const Network& network) {
  std::vector<double> packets_per_tick(network.nodes());
  add_flows(workload, network, packets_per_tick);
  // Choice: of traces, nothing is known but the links of their nodes; they count as half busy.
  for (const Trace& trace : workload.traces)
    for (NodeId i = 0; i < (trace.senders.empty() ? network.nodes() : trace.senders.size()); ++i) {
      const NodeId node = trace.senders.empty() ? i : trace.senders[i];
      packets_per_tick[node] += 0.5 / (static_cast<double>(network.packet_bytes) *
                                       network.ports[network.adapter_port(node)].ticks_per_byte);
    }
  for (const Job& job : workload.jobs) add_job(job, network, packets_per_tick);
  return packets_per_tick;
}

}  // namespace

NetworkCut cut_of(const Network& network, const Workload& workload, std::uint32_t parts) {
  const std::vector<double> packets_per_tick = packets_per_tick_of_nodes(workload, network);
  NetworkCut cut{.part_of = SwitchParts(network, packets_per_tick, parts).take(), .parts = parts};
  cut.part_of.resize(network.devices());
  for (NodeId node = 0; node < network.nodes(); ++node)
    cut.part_of[network.switches() + node] = cut.part_of[network.switch_of(node)];
  for (PortId id = network.layout.graph_ports; id < network.ports.size(); ++id)
    cut.part_of[network.ports[id].owner] = cut.part_of[network.ports[id - network.layout.graph_ports].owner];
  cut.look_ahead = look_ahead_of(network, workload, cut.part_of);
  cut.packets_in_epoch = std::accumulate(packets_per_tick.begin(), packets_per_tick.end(), 0.0) *
                         static_cast<double>(cut.look_ahead);
  return cut;
}

}  // namespace headway
