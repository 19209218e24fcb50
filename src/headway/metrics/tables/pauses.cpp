// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

std::string_view class_of_lane(const MeasuredRun& run, std::uint32_t lane) {
  if (run.classes.empty()) return {};
  const std::vector<std::uint8_t>& of_lane = run.class_numbers.of_lane;
  return run.classes[of_lane[lane % of_lane.size()]];
}

constexpr ColumnOf<PauseRow> kColumnsOfPauses[] = {
    {{"port", kNumber, "number of the paused port among all ports of the network, as in per_link",
      OverSeeds::key},
     &PauseRow::port},
    {{"lane", kNumber, "lane of the link", OverSeeds::key}, &PauseRow::lane},
    {{"from_switch", kNumber, "switch of this port; empty for the port of a node", OverSeeds::same},
     &PauseRow::from_switch},
    {{"from_node", kNumber, "node of this port; empty for the port of a switch", OverSeeds::same},
     &PauseRow::from_node},
    {{"to_switch", kNumber, "switch at the other end of the link; empty for a node", OverSeeds::same},
     &PauseRow::to_switch},
    {{"to_node", kNumber, "node at the other end of the link; empty for a switch", OverSeeds::same},
     &PauseRow::to_node},
    {{"class", "name", "class of traffic that has the lane; empty without classes", OverSeeds::same},
     &PauseRow::traffic_class},
    {{"pauses", "pauses", "pauses that the port began to obey in the window", OverSeeds::sum},
     &PauseRow::pauses},
    {{"paused", kTime, "share of the window in which the lane was paused", OverSeeds::sum},
     &PauseRow::paused},
};

void add_pauses(const MeasuredRun& run, TableRows<PauseRow>& rows) {
  run.window().for_each_lane([&](PortId output, std::uint32_t lane) {
    const double paused = run.window().paused_share(output, lane);
    const PlaceRow link = place_of(run, output);
    if (paused > 0)
      rows.add({.port = link.port,
                .lane = static_cast<double>(lane),
                .from_switch = link.from_switch,
                .from_node = link.from_node,
                .to_switch = link.to_switch,
                .to_node = link.to_node,
                .traffic_class = class_of_lane(run, lane),
                .pauses = static_cast<double>(run.window().pauses_of(output, lane)),
                .paused = paused});
  });
}

}  // namespace

std::span<const ColumnOf<PauseRow>> PauseRow::columns() { return kColumnsOfPauses; }

TableKind pauses_table() {
  return table_of<kColumnsOfPauses, add_pauses>(
      {.rows = "lanes of links that were paused in the window",
       .when = "`switch.flow_control` \"pfc\" or \"pfc-shared\"",
       .needs = Needs::pauses,
       .most_cells = [](const TableBounds& most, double columns) { return most.lanes * columns; }});
}

}  // namespace headway
