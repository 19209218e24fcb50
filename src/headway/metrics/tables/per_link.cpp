// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

struct OneLink {
  const MeasuredRun& run;
  PortId port;  // that sends

  PortId peer() const { return run.network().graph.peer_of(port); }
};

// Share of the window, from the photographs.
template <LinkTime kOfTime>
Cell share(const OneLink& link) {
  return static_cast<double>(link.run.observer->sums().links[link.port][static_cast<std::size_t>(kOfTime)]) /
         link.run.photographs();
}

constexpr ColumnOf<OneLink> kLinkColumns[] = {
    {{"port", kNumber, "number of the sending port among all ports of the network", OverSeeds::key},
     [](const OneLink& link) -> Cell { return link.port; }},
    {{"from_switch", kNumber, "switch of this port; empty for the port of a node", OverSeeds::same},
     [](const OneLink& link) -> Cell { return link.run.switch_at(link.port); }},
    {{"from_node", kNumber, "node of this port; empty for the port of a switch", OverSeeds::same},
     [](const OneLink& link) -> Cell { return link.run.node_at(link.port); }},
    {{"from_port", kNumber, "number of this port at its switch or node", OverSeeds::same},
     [](const OneLink& link) -> Cell { return link.run.port_number(link.port); }},
    {{"to_switch", kNumber, "switch at the other end of the link; empty for a node", OverSeeds::same},
     [](const OneLink& link) -> Cell { return link.run.switch_at(link.peer()); }},
    {{"to_node", kNumber, "node at the other end of the link; empty for a switch", OverSeeds::same},
     [](const OneLink& link) -> Cell { return link.run.node_at(link.peer()); }},
    {{"utilisation", kTime, "fraction of the window in which the link carried data"},
     [](const OneLink& link) -> Cell { return link.run.window().utilisation(link.port); }},
    {{"demand", "fraction of capacity",
      "traffic that has to cross the link if all that is offered in the window is delivered; above 1, the "
      "link limits the "
      "network; empty: packets choose their routes during the run, or traces, jobs or saturated sources "
      "generate the traffic"},
     [](const OneLink& link) -> Cell { return link.run.demand.empty() ? kNaN : link.run.demand[link.port]; }},
    {{"marks", "packets", "packets for this link that the switch marked in the window", Needs::marking},
     [](const OneLink& link) -> Cell {
       return link.run.network().graph.is_node_port(link.port)
                  ? kNaN
                  : static_cast<double>(link.run.window().marks_at(link.port));
     }},
    {{"pauses", "pauses", "pauses that this port began to obey in the window, over all lanes", Needs::pauses},
     [](const OneLink& link) -> Cell {
       std::uint64_t pauses = 0;
       for (std::uint32_t lane = 0; lane < link.run.network().lanes; ++lane)
         if (link.run.window().has_lane(link.port, lane))
           pauses += link.run.window().pauses_of(link.port, lane);
       return pauses;
     }},
    {{"paused", kTime, "share of the window in which a lane of the link was paused, mean over its lanes",
      Needs::pauses},
     [](const OneLink& link) -> Cell {
       double share = 0;
       for (std::uint32_t lane = 0; lane < link.run.network().lanes; ++lane)
         if (link.run.window().has_lane(link.port, lane))
           share += link.run.window().paused_share(link.port, lane);
       return share / link.run.network().lanes;
     }},
    {{"busy", kTime, "share of the window in which the link carried packets", Needs::waiting},
     &share<LinkTime::busy>},
    {{"feedback", kTime, "share of the window in which the link carried credits or notifications",
      Needs::waiting},
     &share<LinkTime::feedback>},
    {{"unwanted", kTime, "share of the window in which the link was idle and no packet was to cross it",
      Needs::waiting},
     &share<LinkTime::unwanted>},
    {{"starved", kTime,
      "share of the window in which the link was idle and the packets for it waited elsewhere",
      Needs::waiting},
     &share<LinkTime::starved>},
    {{"lost_hol", kTime, "share of the window in which the link was idle because of head-of-line blocking",
      Needs::waiting},
     &share<LinkTime::lost_hol>},
    {{"lost_input", kTime,
      "share of the window in which the link was idle because the inputs of the packets for it were busy",
      Needs::waiting},
     &share<LinkTime::lost_input>},
    {{"lost_room", kTime,
      "share of the window in which the link was idle because no packet for it had room at the next port, "
      "and "
      "one of these packets was a victim",
      Needs::waiting},
     &share<LinkTime::lost_room>},
    {{"throttled", kTime,
      "share of the window in which the link was idle because no packet for it had room at the next port, "
      "and "
      "none of these packets was a victim",
      Needs::waiting},
     &share<LinkTime::throttled>},
};

void add_per_link(const MeasuredRun& run, TableRows<OneLink>& rows) {
  const Graph& graph = run.network().graph;
  for (PortId port = 0; port < graph.ports(); ++port)
    if (graph.peer_of(port) != kNone) rows.add({run, port});
}

}  // namespace

TableKind per_link_table() {
  return {
      .name = "per_link",
      .rows = "directed links: output ports",
      .when = "`\"per-link\"` in `measure.tables`, or `observe.waiting`",
      .columns = metrics_of(kLinkColumns),
      .made_if = [](const RunScope& scope) { return scope.asks("per-link") || scope.meets(Needs::waiting); },
      .made = table_of<OneLink, kLinkColumns, add_per_link>,
      .most_cells = [](const TableBounds& most, double columns) { return most.links * columns; },
      .on_request = "utilisation and demand of every link"};
}

}  // namespace headway
