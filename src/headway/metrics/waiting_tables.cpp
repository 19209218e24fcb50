// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/waiting_tables.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>

#include "headway/metrics/columns.h"

namespace headway {
namespace {

// The columns that name a root, in every table of roots.
constexpr Metric kRoot[] = {
    {"kind", kNumber,
     "what the packets wait for at the root: 0 a link, 1 an output of a crossbar, 2 an input port that sends "
     "by another output, 3 a memory whose slots are all on the wire, 4 queues that wait for each other"},
    {"port", kNumber, "number of the root's port among all ports of the network"},
    {"from_switch", kNumber, "switch of this port; empty for the port of a node"},
    {"from_node", kNumber, "node of this port; empty for the port of a switch"},
    {"from_port", kNumber, "number of this port at its switch or node"},
    {"to_switch", kNumber, "switch at the other end of the port's link; empty for a node"},
    {"to_node", kNumber, "node at the other end of the port's link; empty for a switch"},
};
constexpr Metric kRootColumns[] = {
    {"share", "fraction of photographs", "photographs in which packets waited for this root"},
    {"packets", "packets", "mean number of packets in the network that wait for this root"},
    {"admittance_packets", "packets", "mean number of packets at nodes that wait for this root"},
    {"victim_packets", "packets", "of all these, packets that do not have to cross the root"},
    {"tree_share", "fraction of photographs", "photographs in which the root had a congestion tree"},
    {"tree_queues", "queues", "mean number of queues in the tree"},
    {"tree_depth", "queues",
     "maximum number of queues in a chain of queues that wait for room in the next one"},
    {"round_trip_ns", "ns",
     "kind 3: time from the start of a packet on the link to the return of its credit, if nothing waits"},
    {"window_load", "fraction of link rate",
     "kind 3: maximum load of the link, limited by the slots of the memory and the round-trip time"},
};
constexpr Metric kCulpritColumns[] = {
    {"kind", kNumber, "kind of the root, as in the table roots"},
    {"port", kNumber, "port of the root, as in the table roots"},
    {"destination", kNumber, "number of the node"},
    {"packets", "packets",
     "mean number of packets to this node that wait for the root and will cross it, and thus cause it; not "
     "listed for links from nodes"},
};
constexpr Metric kTreeNumberColumn[] = {
    {kTreeNumber, kNumber,
     "number of the congestion tree, in the order of birth: its row in the table trees"},
};
constexpr Metric kTreeTimes[] = {
    {"time_ns", "ns", "end of the bin"},
};
constexpr Metric kTreeSizes[] = {
    {"packets", "packets",
     "mean number of packets in the queues of the tree, over all photographs of the bin; a bin has rows for "
     "the 64 trees with the most packets, and the series has the totals of all trees"},
    {"queues", "queues", "mean number of queues that wait for room in another one because of its root"},
    {"ports", "ports", "mean number of ports with such queues"},
    {"depth", "queues", "mean length of the longest chain of queues that wait for room in the next one"},
    {"victim_packets", "packets",
     "mean number of packets, also at nodes, that wait for its root and do not have to cross it"},
};
static_assert(kMostTreesOfABin == 64, "the help says it");
constexpr Metric kTreeColumns[] = {
    {"birth_ns", "ns", "first photograph that shows the tree"},
    {"death_ns", "ns", "first photograph after that without it; empty if the tree lived at the end"},
    {"photographs", "photographs", "photographs that show the tree"},
    {"packets", "packets", "mean number of packets, also at nodes, that waited for its root then"},
    {"victim_packets", "packets", "of these, packets that did not have to cross the root"},
    {"victim_share", "fraction of packets",
     "victim_packets divided by all packets that waited then and did not wait to cross the root"},
    {"most_packets", "packets", "most packets in its queues"},
    {"most_victims", "packets", "most packets, also at nodes, that waited for its root and did not cross it"},
    {"most_queues", "queues", "most queues"},
    {"most_ports", "ports", "most ports with such queues"},
    {"most_depth", "queues",
     "maximum number of queues in a chain of queues that waited for room in the next one"},
};
constexpr Metric kDestinationColumns[] = {
    {"hol_packets", "packets", "mean number of packets to the node in head-of-line blocking"},
    {"victim_packets", "packets",
     "mean number of packets to the node that waited for a root that they did not have to cross"},
    {"hol_blocking_ns", "ns", "head-of-line blocking per delivered packet to the node"},
    {"victim_wait_ns", "ns", "waiting as a victim per delivered packet to the node"},
};
constexpr Metric kLinkColumns[] = {
    {"busy", kTime, "share of the window in which the link carried packets"},
    {"feedback", kTime, "share of the window in which the link carried credits or notifications"},
    {"unwanted", kTime, "share of the window in which the link was idle and no packet was to cross it"},
    {"starved", kTime,
     "share of the window in which the link was idle and the packets for it waited elsewhere"},
    {"lost_hol", kTime, "share of the window in which the link was idle because of head-of-line blocking"},
    {"lost_input", kTime,
     "share of the window in which the link was idle because the inputs of the packets for it were busy"},
    {"lost_room", kTime,
     "share of the window in which the link was idle because no packet for it had room at the next port, and "
     "one of these packets was a victim"},
    {"throttled", kTime,
     "share of the window in which the link was idle because no packet for it had room at the next port, and "
     "none of these packets was a victim"},
};
static_assert(std::size(kLinkColumns) == kLinkTimes);

void add_columns(std::span<const Metric> columns, std::string_view table, std::vector<Metric>& all) {
  for (Metric column : columns) {
    column.needs = Needs::waiting;
    column.table = table;
    all.push_back(column);
  }
}

// The cells of kRoot.
std::array<double, std::size(kRoot)> name_of(const Network& network, const Root& root) {
  const Graph& graph = network.graph;
  const auto number = [](bool there, std::uint32_t value) {
    return there ? static_cast<double>(value) : kNaN;
  };
  const bool from_node = graph.is_node_port(root.port);
  const PortId peer = graph.peer_of(root.port);
  const bool to_node = peer != kNone && graph.is_node_port(peer);
  return {static_cast<double>(root.kind),
          static_cast<double>(root.port),
          number(!from_node, from_node ? 0 : graph.switch_of(root.port)),
          number(from_node, from_node ? graph.node_of(root.port) : 0),
          static_cast<double>(network.ports[root.port].local),
          number(peer != kNone && !to_node, peer == kNone || to_node ? 0 : graph.switch_of(peer)),
          number(to_node, to_node ? graph.node_of(peer) : 0)};
}

// The maximum load of a link whose memory is smaller than the round trip of its credits needs.
struct CreditLoop {
  double round_trip_ns = kNaN;
  double load = kNaN;  // fraction of link rate
};

CreditLoop loop_of(const Network& network, const Root& root) {
  if (root.kind != RootKind::window) return {};
  const Port& input = network.ports[root.port];
  const Port& link = network.ports[network.link_port(network.graph.source_of(root.port))];
  const Port& back = network.ports[network.link_port(root.port)];
  const double packet = static_cast<double>(network.packet_bytes) * link.ticks_per_byte;
  const double stored = network.store_and_forward ? packet : 0;
  const double trip = static_cast<double>(link.delay) + static_cast<double>(network.routing_delay) + stored +
                      packet + static_cast<double>(back.delay);
  const double slots = input.capacity * (network.is_pooled() ? 1.0 : network.queue_map.channels);
  return {network.ns(trip), std::min(1.0, slots * packet / trip)};
}

void add_roots(const Network& network, const PhotographSums& sums, Result& result) {
  result.roots = table_of({kRoot, kRootColumns});
  result.culprits = table_of({kCulpritColumns});
  const auto all = static_cast<double>(sums.photographs);
  const auto mean = [&](std::uint64_t sum) { return static_cast<double>(sum) / all; };
  for (const auto& [root, seen] : sums.roots) {
    const auto [kind, port, from_switch, from_node, from_port, to_switch, to_node] = name_of(network, root);
    const CreditLoop loop = loop_of(network, root);
    add_row(result.roots,
            {kind, port, from_switch, from_node, from_port, to_switch, to_node, mean(seen.photographs),
             mean(seen.packets), mean(seen.admittance), mean(seen.victims), mean(seen.tree_photographs),
             mean(seen.tree_queues), static_cast<double>(seen.depth), loop.round_trip_ns, loop.load});
    for (const auto& [destination, packets] : seen.culprits)
      add_row(result.culprits, {kind, port, static_cast<double>(destination), mean(packets)});
  }
}

void add_trees(const Network& network, const std::vector<TreeLife>& trees, Result& result) {
  result.trees = table_of({kTreeNumberColumn, kRoot, kTreeColumns});
  const auto ns = [&](Tick tick) { return network.ns(static_cast<double>(tick)); };
  for (const TreeLife& life : trees) {
    const auto [kind, port, from_switch, from_node, from_port, to_switch, to_node] =
        name_of(network, life.root);
    const auto mean = [&](std::uint64_t sum) {
      return static_cast<double>(sum) / static_cast<double>(life.photographs);
    };
    add_row(result.trees, {static_cast<double>(&life - trees.data()), kind, port, from_switch, from_node,
                           from_port, to_switch, to_node, ns(life.birth), life.death ? ns(*life.death) : kNaN,
                           static_cast<double>(life.photographs), mean(life.packets), mean(life.victims),
                           static_cast<double>(life.victims) / static_cast<double>(life.others),
                           static_cast<double>(life.most_packets), static_cast<double>(life.most_victims),
                           static_cast<double>(life.most_queues), static_cast<double>(life.most_ports),
                           static_cast<double>(life.most_depth)});
  }
}

// Adds rows for every bin of the series.
void add_tree_series(const Network& network, const Observer& observer, Result& result) {
  result.tree_series = table_of({kTreeTimes, kTreeNumberColumn, kRoot, kTreeSizes});
  const std::vector<double>& times = result.series.front().values;
  for (std::size_t bin = 0; bin < observer.bins().size(); ++bin) {
    const BinSums& sums = observer.bins()[bin];
    const auto mean = [&](std::uint64_t sum) {
      return static_cast<double>(sum) / static_cast<double>(sums.photographs);
    };
    for (const TreeSums& tree : sums.largest_trees) {
      const auto [kind, port, from_switch, from_node, from_port, to_switch, to_node] =
          name_of(network, observer.trees()[tree.tree].root);
      add_row(result.tree_series,
              {times[bin], static_cast<double>(tree.tree), kind, port, from_switch, from_node, from_port,
               to_switch, to_node, mean(tree.packets), mean(tree.queues), mean(tree.ports), mean(tree.depth),
               mean(tree.victims)});
    }
  }
}

void add_to_destinations(const PhotographSums& sums, const Window& window, Table& table) {
  const Network& network = window.network();
  Table columns = table_of({kDestinationColumns});
  const auto all = static_cast<double>(sums.photographs);
  const auto ticks = static_cast<double>(window.last().tick - window.first().tick);
  for (NodeId node = 0; node < network.nodes(); ++node) {
    const double hol = static_cast<double>(sums.hol_to[node]) / all;
    const double victims = static_cast<double>(sums.victims_to[node]) / all;
    const double packets = static_cast<double>(window.packets_to(node));
    const auto each = [&](double waiting) {
      return packets > 0 ? network.ns(waiting * ticks / packets) : kNaN;
    };
    add_row(columns, {hol, victims, each(hol), each(victims)});
  }
  for (Column& column : columns) table.push_back(std::move(column));
}

void add_to_links(const PhotographSums& sums, Table& table) {
  Table columns = table_of({kLinkColumns});
  for (const double port : table.front().values)
    for (std::size_t time = 0; time < kLinkTimes; ++time)
      columns[time].values.push_back(sums.links[static_cast<std::size_t>(port)][time] /
                                     static_cast<double>(sums.photographs));
  for (Column& column : columns) table.push_back(std::move(column));
}

}  // namespace

std::span<const Metric> waiting_table_columns() {
  static const std::vector<Metric> kAll = [] {
    std::vector<Metric> all;
    add_columns(kDestinationColumns, "per_destination", all);
    add_columns(kLinkColumns, "per_link", all);
    add_columns(kRoot, "roots", all);
    add_columns(kRootColumns, "roots", all);
    add_columns(kCulpritColumns, "culprits", all);
    add_columns(kTreeNumberColumn, "trees", all);
    add_columns(kRoot, "trees", all);
    add_columns(kTreeColumns, "trees", all);
    add_columns(kTreeTimes, "tree_series", all);
    add_columns(kTreeNumberColumn, "tree_series", all);
    add_columns(kRoot, "tree_series", all);
    add_columns(kTreeSizes, "tree_series", all);
    return all;
  }();
  return kAll;
}

void add_waiting_tables(const Observer& observer, const Window& window, Result& result) {
  const Network& network = window.network();
  add_roots(network, observer.sums(), result);
  add_trees(network, observer.trees(), result);
  add_tree_series(network, observer, result);
  add_to_destinations(observer.sums(), window, result.per_destination);
  add_to_links(observer.sums(), result.per_link);
}

}  // namespace headway
