// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

constexpr ColumnOf<CulpritRow> kColumnsOfCulprits[] = {
    {kRootKindColumn, &CulpritRow::kind},
    {kRootPortColumn, &CulpritRow::port},
    {{"destination", kNumber, "number of the node", OverSeeds::key}, &CulpritRow::destination},
    {{"packets", "packets",
      "mean number of packets to this node that wait for the root and will cross it, and thus cause it; not "
      "listed for links from nodes",
      OverSeeds::sum},
     &CulpritRow::packets},
};

void add_culprits(const MeasuredRun& run, TableRows<CulpritRow>& rows) {
  for (const auto& [root, seen] : run.observer->sums().roots)
    for (const auto& [destination, packets] : seen.culprits)
      rows.add({.kind = name_of(root.kind),
                .port = static_cast<double>(root.port),
                .destination = static_cast<double>(destination),
                .packets = run.mean(packets)});
}

}  // namespace

std::span<const ColumnOf<CulpritRow>> CulpritRow::columns() { return kColumnsOfCulprits; }

TableKind culprits_table() {
  return table_of<kColumnsOfCulprits, add_culprits>(
      {.rows = "roots and the destinations of the packets that cross them",
       .when = "`observe.waiting`",
       .needs = Needs::waiting,
       .most_cells = [](const TableBounds& most, double columns) { return most.roots * columns; }});
}

}  // namespace headway
