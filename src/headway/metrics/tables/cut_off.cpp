// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

struct CutOffNode {
  NodeId node;
  std::uint32_t sends_to, receives_from;  // other nodes
};

constexpr ColumnOf<CutOffNode> kCutOffColumns[] = {
    {{"at_node", kNumber, "number of a node that has no path to some other node, or from one",
      OverSeeds::key},
     [](const CutOffNode& n) -> Cell { return n.node; }},
    {{"sends_to", "nodes", "other nodes that it has a path to", OverSeeds::same},
     [](const CutOffNode& n) -> Cell { return n.sends_to; }},
    {{"receives_from", "nodes", "other nodes that have a path to it", OverSeeds::same},
     [](const CutOffNode& n) -> Cell { return n.receives_from; }},
};

void add_cut_off_rows(const MeasuredRun& run, TableRows<CutOffNode>& rows) {
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
      rows.add({node, sends_to[node] - 1, receives_from[node] - 1});
}

}  // namespace

TableKind cut_off_table() {
  return {.name = "cut_off",
          .rows = "nodes that have no path to or from some other node",
          .when = "`network.failures.unreachable = \"reported\"`",
          .columns = metrics_of(kCutOffColumns),
          .needs = Needs::cut_off,
          .made = table_of<CutOffNode, kCutOffColumns, add_cut_off_rows>,
          .most_cells = [](const TableBounds& most, double columns) { return most.nodes * columns; }};
}

}  // namespace headway
