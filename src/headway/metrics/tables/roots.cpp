// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

// The maximum load of a link whose memory is smaller than the round trip of its credits needs.
struct CreditLoop {
  double round_trip_ns = kNaN;
  double load = kNaN;  // fraction of link rate
};

// A slow node returns the credit of a packet when it has consumed it.
CreditLoop loop_of_slow_node(const Network& network, NodeId node, const Port& link) {
  const double packet = static_cast<double>(network.packet_bytes) * link.ticks_per_byte;
  const double trip =
      packet + 2.0 * link.delay + static_cast<double>(network.consumption(node, network.packet_bytes));
  const double slots = network.receive_capacity / network.credits_of_packet();
  return {network.ns(trip), std::min(1.0, slots * packet / trip)};
}

CreditLoop loop_of(const Network& network, const Root& root) {
  if (root.kind != RootKind::window) return {};
  const Port& input = network.ports[root.port];
  const Port& link = network.ports[network.link_port(network.graph.source_of(root.port))];
  if (network.is_adapter_port(root.port))
    return loop_of_slow_node(network, input.owner - network.switches(), link);
  const Port& back = network.ports[network.link_port(root.port)];
  const double packet = static_cast<double>(network.packet_bytes) * link.ticks_per_byte;
  const double stored = network.store_and_forward ? packet : 0;
  const double trip = static_cast<double>(link.delay) + static_cast<double>(network.routing_delay) + stored +
                      packet + static_cast<double>(back.delay);
  const double slots = input.capacity * (network.is_pooled() ? 1.0 : network.queue_map.channels);
  return {network.ns(trip), std::min(1.0, slots * packet / trip)};
}

constexpr ColumnOf<RootRow> kSumsOfRoots[] = {
    {{"share", "fraction of photographs", "photographs in which packets waited for this root",
      OverSeeds::sum},
     &RootRow::share},
    {{"packets", "packets", "mean number of packets in the network that wait for this root", OverSeeds::sum},
     &RootRow::packets},
    {{"admittance_packets", "packets", "mean number of packets at nodes that wait for this root",
      OverSeeds::sum},
     &RootRow::admittance_packets},
    {{"victim_packets", "packets", "of all these, packets that do not have to cross the root",
      OverSeeds::sum},
     &RootRow::victim_packets},
    {{"tree_share", "fraction of photographs", "photographs in which the root had a congestion tree",
      OverSeeds::sum},
     &RootRow::tree_share},
    {{"tree_queues", "queues", "mean number of queues in the tree", OverSeeds::sum}, &RootRow::tree_queues},
    {{"tree_depth", "queues",
      "maximum number of queues in a chain of queues that wait for room in the next one", OverSeeds::maximum},
     &RootRow::tree_depth},
    {{"round_trip_ns", "ns",
      "kind `window`: time from the start of a packet on the link to the return of its credit, if nothing "
      "waits",
      OverSeeds::same},
     &RootRow::round_trip_ns},
    {{"window_load", kLoad,
      "kind `window`: maximum load of the link, limited by the slots of the memory and the round-trip time",
      OverSeeds::same},
     &RootRow::window_load},
};

constexpr ColumnOf<RootRow> kStagesOfRoot[] = {
    {{"from_stage", kNumber, "stage of the port's switch; -1: a node; empty in networks without stages",
      OverSeeds::same},
     &RootRow::from_stage},
    {{"to_stage", kNumber, "stage at the other end of its link; -1: a node; empty in networks without stages",
      OverSeeds::same},
     &RootRow::to_stage},
};

constexpr auto kColumnsOfRoots = joined(kRootColumns<RootRow>, kStagesOfRoot, kSumsOfRoots);

// As in the table per_stage: -1 stands for nodes.
double stage_of_device(const Graph& graph, PortId port) {
  if (graph.stages() == 0 || port == kNone) return kNaN;
  return graph.is_node_port(port) ? -1 : graph.stage_of(graph.switch_of(port));
}

void add_roots(const MeasuredRun& run, TableRows<RootRow>& rows) {
  const Graph& graph = run.network().graph;
  for (const auto& [root, seen] : run.observer->sums().roots) {
    const CreditLoop loop = loop_of(run.network(), root);
    RootRow row{place_of(run, root)};
    row.from_stage = stage_of_device(graph, root.port);
    row.to_stage = stage_of_device(graph, graph.peer_of(root.port));
    row.share = run.mean(seen.photographs);
    row.packets = run.mean(seen.packets);
    row.admittance_packets = run.mean(seen.admittance);
    row.victim_packets = run.mean(seen.victims);
    row.tree_share = run.mean(seen.tree_photographs);
    row.tree_queues = run.mean(seen.tree_queues);
    row.tree_depth = seen.depth;
    row.round_trip_ns = loop.round_trip_ns;
    row.window_load = loop.load;
    rows.add(row);
  }
}

}  // namespace

std::span<const ColumnOf<RootRow>> RootRow::columns() { return kColumnsOfRoots; }

TableKind roots_table() {
  return table_of<kColumnsOfRoots, add_roots>(
      {.rows = "the roots that packets waited for, from the photographs of the window (docs/waiting.md)",
       .when = "`observe.waiting`",
       .needs = Needs::waiting,
       .most_cells = [](const TableBounds& most, double columns) { return most.roots * columns; }});
}

}  // namespace headway
