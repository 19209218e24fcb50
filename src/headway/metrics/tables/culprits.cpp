// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

struct Culprit {
  const MeasuredRun& run;
  const Root& root;
  NodeId destination;
  std::uint64_t packets;
};

constexpr ColumnOf<Culprit> kCulpritColumns[] = {
    kRootKind<Culprit>,
    kRootPort<Culprit>,
    {{"destination", kNumber, "number of the node", OverSeeds::key},
     [](const Culprit& c) -> Cell { return c.destination; }},
    {{"packets", "packets",
      "mean number of packets to this node that wait for the root and will cross it, and thus cause it; not "
      "listed for links from nodes",
      OverSeeds::sum},
     [](const Culprit& c) -> Cell { return c.run.mean(c.packets); }},
};

void add_culprits(const MeasuredRun& run, TableRows<Culprit>& rows) {
  for (const auto& [root, seen] : run.observer->sums().roots)
    for (const auto& [destination, packets] : seen.culprits) rows.add({run, root, destination, packets});
}

}  // namespace

TableKind culprits_table() {
  return {.name = "culprits",
          .rows = "roots and the destinations of the packets that cross them",
          .when = "`observe.waiting`",
          .columns = metrics_of(kCulpritColumns),
          .needs = Needs::waiting,
          .made = table_of<Culprit, kCulpritColumns, add_culprits>,
          .most_cells = [](const TableBounds& most, double columns) { return most.roots * columns; }};
}

}  // namespace headway
