// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

constexpr ColumnOf<LinkRow> kSendingPort[] = {
    {{"port", kNumber, "number of the sending port among all ports of the network", OverSeeds::key},
     &LinkRow::port},
};
constexpr ColumnOf<LinkRow> kUseColumns[] = {
    {{"utilisation", kTime, "fraction of the window in which the link carried data"}, &LinkRow::utilisation},
    {{"demand", "fraction of capacity",
      "traffic that has to cross the link if all that is offered in the window is delivered; above 1, the "
      "link limits the "
      "network; empty: packets choose their routes during the run, or traces, jobs or saturated sources "
      "generate the traffic"},
     &LinkRow::demand},
    {{"marks", "packets", "packets for this link that the switch marked in the window", Needs::marking},
     &LinkRow::marks},
    {{"pauses", "pauses", "pauses that this port began to obey in the window, over all lanes", Needs::pauses},
     &LinkRow::pauses},
    {{"paused", kTime, "share of the window in which a lane of the link was paused, mean over its lanes",
      Needs::pauses},
     &LinkRow::paused},
    {{"busy", kTime, "share of the window in which the link carried packets", Needs::waiting},
     &LinkRow::busy},
    {{"feedback", kTime, "share of the window in which the link carried credits or signals of isolation",
      Needs::waiting},
     &LinkRow::feedback},
    {{"unwanted", kTime, "share of the window in which the link was idle and no packet was to cross it",
      Needs::waiting},
     &LinkRow::unwanted},
    {{"starved", kTime,
      "share of the window in which the link was idle and the packets for it waited elsewhere",
      Needs::waiting},
     &LinkRow::starved},
    {{"lost_hol", kTime, "share of the window in which the link was idle because of head-of-line blocking",
      Needs::waiting},
     &LinkRow::lost_hol},
    {{"lost_input", kTime,
      "share of the window in which the link was idle because the inputs of the packets for it were busy",
      Needs::waiting},
     &LinkRow::lost_input},
    {{"lost_room", kTime,
      "share of the window in which the link was idle because no packet for it had room at the next port, "
      "and "
      "one of these packets was a victim",
      Needs::waiting},
     &LinkRow::lost_room},
    {{"throttled", kTime,
      "share of the window in which the link was idle because no packet for it had room at the next port, "
      "and "
      "none of these packets was a victim",
      Needs::waiting},
     &LinkRow::throttled},
    {{"down", kTime, "share of the window in which the link was down, and packets waited until it was up",
      Needs::waiting_events},
     &LinkRow::down},
};
constexpr auto kColumnsOfLinks = joined(kSendingPort, kEndColumns<LinkRow>, kUseColumns);

LinkRow link_row(const MeasuredRun& run, PortId port) {
  const Window& window = run.window();
  LinkRow row{place_of(run, port)};
  row.utilisation = window.utilisation(port);
  if (!run.demand.empty()) row.demand = run.demand[port];
  if (run.scope.meets(Needs::marking) && !run.network().graph.is_node_port(port))
    row.marks = static_cast<double>(window.marks_at(port));
  if (run.scope.meets(Needs::pauses)) {
    row.pauses = row.paused = 0;
    for (std::uint32_t lane = 0; lane < run.network().lanes; ++lane)
      if (window.has_lane(port, lane)) {
        row.pauses += static_cast<double>(window.pauses_of(port, lane));
        row.paused += window.paused_share(port, lane);
      }
    row.paused /= run.network().lanes;
  }
  if (!run.scope.meets(Needs::waiting)) return row;
  const auto share = [&](LinkTime time) {
    const auto& times = run.observer->sums().links[port];
    return static_cast<double>(times[static_cast<std::size_t>(time)]) / run.photographs();
  };
  row.busy = share(LinkTime::busy);
  row.feedback = share(LinkTime::feedback);
  row.unwanted = share(LinkTime::unwanted);
  row.starved = share(LinkTime::starved);
  row.lost_hol = share(LinkTime::lost_hol);
  row.lost_input = share(LinkTime::lost_input);
  row.lost_room = share(LinkTime::lost_room);
  row.throttled = share(LinkTime::throttled);
  row.down = share(LinkTime::down);
  return row;
}

void add_per_link(const MeasuredRun& run, TableRows<LinkRow>& rows) {
  const Graph& graph = run.network().graph;
  for (PortId port = 0; port < graph.ports(); ++port)
    if (graph.peer_of(port) != kNone) rows.add(link_row(run, port));
}

}  // namespace

std::span<const ColumnOf<LinkRow>> LinkRow::columns() { return kColumnsOfLinks; }

TableKind per_link_table() {
  return table_of<kColumnsOfLinks, add_per_link>(
      {.rows = "directed links: output ports",
       .when = "`\"per-link\"` in `measure.tables`, or `observe.waiting`",
       .made_if = [](const RunScope& scope) { return scope.asks("per-link") || scope.meets(Needs::waiting); },
       .most_cells = [](const TableBounds& most, double columns) { return most.links * columns; },
       .on_request = "utilisation and demand of every link"});
}

}  // namespace headway
