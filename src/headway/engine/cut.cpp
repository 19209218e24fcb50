// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/cut.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

// How good it is for a switch to join a part to which it has so many links.
auto preference(std::uint32_t links, std::size_t size, std::size_t share) {
  const bool has_room = size < share;
  return std::tuple(links > 0, has_room, has_room ? links : 0, has_room ? 0 : share - size);
}

// The part of every switch.
class SwitchParts {
 public:
  SwitchParts(const Network& network, std::uint32_t parts)
      : network_(network), parts_(parts), part_of_(network.switches(), kNoPart) {
    share_out_nodes();
    while (join_neighbours()) {
    }
    for (std::uint8_t& part : part_of_)
      if (part == kNoPart) part = 0;  // no link leads to it
  }

  std::vector<std::uint8_t> take() { return std::move(part_of_); }

 private:
  void share_out_nodes() {
    for (NodeId node = 0; node < network_.nodes(); ++node) {
      std::uint8_t& part = part_of_[network_.switch_of(node)];
      if (part == kNoPart) part = static_cast<std::uint8_t>(std::uint64_t{node} * parts_ / network_.nodes());
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
  if (!workload.traces.empty() || !workload.jobs.empty() || workload.notifies) return 1;
  std::uint64_t shortest = network.packet_bytes;
  for (const Flow& flow : workload.flows)
    shortest = std::min<std::uint64_t>(
        shortest, flow.sizes ? flow.sizes->shortest_packet(network.packet_bytes) : flow.last_bytes);
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

// Packets of an iteration of a job, over the time that its messages and computations take at least.
// Choice: a message crosses two switches, at the delays of the first node.
double packets_per_tick_of(const Job& job, const Network& network) {
  const CompiledProgram& program = *job.program;
  const Port& adapter = network.ports[network.adapter_port(job.nodes.front())];
  double packets = 0, ticks = 1;
  program.for_each_size([&](std::uint64_t bytes, std::uint64_t messages) {
    packets += static_cast<double>(messages) *
               std::max(1.0, std::ceil(static_cast<double>(bytes) / network.packet_bytes));
  });
  const double ns = network.ns(1);
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankTotals totals = program.totals(rank);
    ticks =
        std::max(ticks, static_cast<double>(std::max(totals.sent, totals.received)) * adapter.ticks_per_byte +
                            totals.computed / 1000 / ns);
  }
  if (program.elements() <= kMostElements) {
    const double latency = 3.0 * adapter.delay + 2.0 * static_cast<double>(network.routing_delay);
    ticks = std::max(ticks, program.time_ns({latency * ns, adapter.ticks_per_byte * ns}) / ns);
  }
  return packets / ticks;
}

}  // namespace

double packets_in_epoch(const Workload& workload, const Network& network, Tick look_ahead) {
  std::vector<double> packets_per_tick;  // of a source of each flow
  for (const Flow& flow : workload.flows) {
    double load = flow.arrivals == nullptr ? 1 : 0;
    for (const LoadProfile::Piece& piece : flow.load.pieces) load = std::max(load, piece.load);
    packets_per_tick.push_back(load * flow.bytes_per_tick / network.packet_bytes);
  }
  double packets = 0;
  for (const Source& source : workload.sources) packets += packets_per_tick[source.flow];
  // Choice: of traces, nothing is known but the links of their nodes; they count as half busy.
  for (const Trace& trace : workload.traces)
    for (NodeId node = 0; node < (trace.senders.empty() ? network.nodes() : trace.senders.size()); ++node)
      packets +=
          0.5 / (static_cast<double>(network.packet_bytes) *
                 network.ports[network.adapter_port(trace.senders.empty() ? node : trace.senders[node])]
                     .ticks_per_byte);
  for (const Job& job : workload.jobs) packets += packets_per_tick_of(job, network);
  return packets * static_cast<double>(look_ahead);
}

NetworkCut cut_of(const Network& network, const Workload& workload, std::uint32_t parts) {
  NetworkCut cut{.part_of = SwitchParts(network, parts).take(), .parts = parts};
  cut.part_of.resize(network.devices());
  for (NodeId node = 0; node < network.nodes(); ++node)
    cut.part_of[network.switches() + node] = cut.part_of[network.switch_of(node)];
  for (PortId id = network.layout.graph_ports; id < network.ports.size(); ++id)
    cut.part_of[network.ports[id].owner] = cut.part_of[network.ports[id - network.layout.graph_ports].owner];
  cut.look_ahead = look_ahead_of(network, workload, cut.part_of);
  return cut;
}

}  // namespace headway
