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

struct OneRoot {
  const MeasuredRun& run;
  const Root& root;
  const RootSums& seen;
  CreditLoop loop;
};

constexpr ColumnOf<OneRoot> kOneRootColumns[] = {
    {{"share", "fraction of photographs", "photographs in which packets waited for this root",
      OverSeeds::sum},
     [](const OneRoot& r) -> Cell { return r.run.mean(r.seen.photographs); }},
    {{"packets", "packets", "mean number of packets in the network that wait for this root", OverSeeds::sum},
     [](const OneRoot& r) -> Cell { return r.run.mean(r.seen.packets); }},
    {{"admittance_packets", "packets", "mean number of packets at nodes that wait for this root",
      OverSeeds::sum},
     [](const OneRoot& r) -> Cell { return r.run.mean(r.seen.admittance); }},
    {{"victim_packets", "packets", "of all these, packets that do not have to cross the root",
      OverSeeds::sum},
     [](const OneRoot& r) -> Cell { return r.run.mean(r.seen.victims); }},
    {{"tree_share", "fraction of photographs", "photographs in which the root had a congestion tree",
      OverSeeds::sum},
     [](const OneRoot& r) -> Cell { return r.run.mean(r.seen.tree_photographs); }},
    {{"tree_queues", "queues", "mean number of queues in the tree", OverSeeds::sum},
     [](const OneRoot& r) -> Cell { return r.run.mean(r.seen.tree_queues); }},
    {{"tree_depth", "queues",
      "maximum number of queues in a chain of queues that wait for room in the next one", OverSeeds::maximum},
     [](const OneRoot& r) -> Cell { return r.seen.depth; }},
    {{"round_trip_ns", "ns",
      "kind `window`: time from the start of a packet on the link to the return of its credit, if nothing "
      "waits",
      OverSeeds::same},
     [](const OneRoot& r) -> Cell { return r.loop.round_trip_ns; }},
    {{"window_load", kLoad,
      "kind `window`: maximum load of the link, limited by the slots of the memory and the round-trip time",
      OverSeeds::same},
     [](const OneRoot& r) -> Cell { return r.loop.load; }},
};

// As in the table per_stage: -1 stands for nodes.
Cell stage_of_device(const Graph& graph, PortId port) {
  if (graph.stages() == 0 || port == kNone) return kNaN;
  return graph.is_node_port(port) ? -1 : graph.stage_of(graph.switch_of(port));
}

constexpr ColumnOf<OneRoot> kStagesOfRoot[] = {
    {{"from_stage", kNumber, "stage of the port's switch; -1: a node; empty in networks without stages",
      OverSeeds::same},
     [](const OneRoot& r) -> Cell { return stage_of_device(r.run.network().graph, r.root.port); }},
    {{"to_stage", kNumber, "stage at the other end of its link; -1: a node; empty in networks without stages",
      OverSeeds::same},
     [](const OneRoot& r) -> Cell {
       const Graph& graph = r.run.network().graph;
       return stage_of_device(graph, graph.peer_of(r.root.port));
     }},
};

constexpr auto kAllOneRootColumns = joined(kRootColumns<OneRoot>, kStagesOfRoot, kOneRootColumns);

void add_roots(const MeasuredRun& run, TableRows<OneRoot>& rows) {
  for (const auto& [root, seen] : run.observer->sums().roots)
    rows.add({run, root, seen, loop_of(run.network(), root)});
}

}  // namespace

TableKind roots_table() {
  return {.name = "roots",
          .rows = "the roots that packets waited for, from the photographs of the window (docs/waiting.md)",
          .when = "`observe.waiting`",
          .columns = metrics_of(kAllOneRootColumns),
          .needs = Needs::waiting,
          .made = table_of<OneRoot, kAllOneRootColumns, add_roots>,
          .most_cells = [](const TableBounds& most, double columns) { return most.roots * columns; }};
}

}  // namespace headway
