// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

constexpr ColumnOf<CutOffRow> kColumnsOfCutOff[] = {
    {{"at_node", kNumber, "number of a node that has no path to some other node, or from one",
      OverSeeds::key},
     &CutOffRow::at_node},
    {{"sends_to", "nodes", "other nodes that it has a path to", OverSeeds::same}, &CutOffRow::sends_to},
    {{"receives_from", "nodes", "other nodes that have a path to it", OverSeeds::same},
     &CutOffRow::receives_from},
};

void add_cut_off_rows(const MeasuredRun& run, TableRows<CutOffRow>& rows) {
  const PathsLeft& paths = *run.cut_off.paths;
  if (paths.has_all()) return;
  const std::uint32_t nodes = paths.nodes();
  std::vector<std::uint32_t> sends_to(nodes), receives_from(nodes);  // including the node itself
  for (NodeId source = 0, next = 0; source < nodes; source = next) {
    while (next < nodes && paths.switch_of(next) == paths.switch_of(source)) ++next;
    std::uint32_t count = 0;
    for (NodeId node = 0; node < nodes; ++node)
      if (paths.has_path(source, node)) {
        ++count;
        receives_from[node] += next - source;
      }
    std::fill(sends_to.begin() + source, sends_to.begin() + next, count);
  }
  for (NodeId node = 0; node < nodes; ++node)
    if (sends_to[node] < nodes || receives_from[node] < nodes)
      rows.add({.at_node = static_cast<double>(node),
                .sends_to = sends_to[node] - 1.0,
                .receives_from = receives_from[node] - 1.0});
}

}  // namespace

std::span<const ColumnOf<CutOffRow>> CutOffRow::columns() { return kColumnsOfCutOff; }

TableKind cut_off_table() {
  return table_of<kColumnsOfCutOff, add_cut_off_rows>(
      {.rows = "nodes that have no path to or from some other node",
       .when = "`network.failures.unreachable = \"reported\"`",
       .needs = Needs::cut_off,
       .most_cells = [](const TableBounds& most, double columns) { return most.nodes * columns; }});
}

}  // namespace headway
