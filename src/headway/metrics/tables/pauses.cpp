// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

// A lane of a link that has been paused.
struct PausedLane {
  const MeasuredRun& run;
  PortId port;  // that sends
  std::uint32_t lane;

  PortId peer() const { return run.network().graph.peer_of(port); }
};

constexpr ColumnOf<PausedLane> kPauseColumns[] = {
    {{"port", kNumber, "number of the paused port among all ports of the network, as in per_link",
      OverSeeds::key},
     [](const PausedLane& at) -> Cell { return at.port; }},
    {{"lane", kNumber, "lane of the link", OverSeeds::key},
     [](const PausedLane& at) -> Cell { return at.lane; }},
    {{"from_switch", kNumber, "switch of this port; empty for the port of a node", OverSeeds::same},
     [](const PausedLane& at) -> Cell { return at.run.switch_at(at.port); }},
    {{"from_node", kNumber, "node of this port; empty for the port of a switch", OverSeeds::same},
     [](const PausedLane& at) -> Cell { return at.run.node_at(at.port); }},
    {{"to_switch", kNumber, "switch at the other end of the link; empty for a node", OverSeeds::same},
     [](const PausedLane& at) -> Cell { return at.run.switch_at(at.peer()); }},
    {{"to_node", kNumber, "node at the other end of the link; empty for a switch", OverSeeds::same},
     [](const PausedLane& at) -> Cell { return at.run.node_at(at.peer()); }},
    {{"class", "name", "class of traffic that has the lane; empty without classes", OverSeeds::same},
     [](const PausedLane& at) -> Cell {
       if (at.run.classes.empty()) return std::string_view{};
       const std::vector<std::uint8_t>& of_lane = at.run.class_numbers.of_lane;
       return std::string_view(at.run.classes[of_lane[at.lane % of_lane.size()]]);
     }},
    {{"pauses", "pauses", "pauses that the port began to obey in the window", OverSeeds::sum},
     [](const PausedLane& at) -> Cell { return at.run.window().pauses_of(at.port, at.lane); }},
    {{"paused", kTime, "share of the window in which the lane was paused", OverSeeds::sum},
     [](const PausedLane& at) -> Cell { return at.run.window().paused_share(at.port, at.lane); }},
};

void add_pauses(const MeasuredRun& run, TableRows<PausedLane>& rows) {
  run.window().for_each_lane([&](PortId output, std::uint32_t lane) {
    if (run.window().paused_share(output, lane) > 0) rows.add({run, output, lane});
  });
}

}  // namespace

TableKind pauses_table() {
  return {.name = "pauses",
          .rows = "lanes of links that were paused in the window",
          .when = "`switch.flow_control` \"pfc\" or \"pfc-shared\"",
          .columns = metrics_of(kPauseColumns),
          .needs = Needs::pauses,
          .made = table_of<PausedLane, kPauseColumns, add_pauses>,
          .most_cells = [](const TableBounds& most, double columns) { return most.lanes * columns; }};
}

}  // namespace headway
