// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

constexpr ColumnOf<TreeRow> kTreeNumberColumn[] = {
    {{kTreeNumber, kNumber,
      "number of the congestion tree, in the order of birth in its run: its row in the table trees",
      OverSeeds::key},
     &TreeRow::tree},
};
constexpr ColumnOf<TreeRow> kLifeColumns[] = {
    {{"birth_ns", "ns", "first photograph that shows the tree", OverSeeds::listed}, &TreeRow::birth_ns},
    {{"death_ns", "ns", "first photograph after that without it; empty if the tree lived at the end",
      OverSeeds::listed},
     &TreeRow::death_ns},
    {{"photographs", "photographs", "photographs that show the tree", OverSeeds::listed},
     &TreeRow::photographs},
    {{"packets", "packets", "mean number of packets, also at nodes, that waited for its root then",
      OverSeeds::listed},
     &TreeRow::packets},
    {{"victim_packets", "packets", "of these, packets that did not have to cross the root",
      OverSeeds::listed},
     &TreeRow::victim_packets},
    {{"victim_share", "fraction of packets",
      "victim_packets divided by all packets that waited then and did not wait to cross the root",
      OverSeeds::listed},
     &TreeRow::victim_share},
    {{"most_packets", "packets", "most packets in its queues", OverSeeds::listed}, &TreeRow::most_packets},
    {{"most_victims", "packets", "most packets, also at nodes, that waited for its root and did not cross it",
      OverSeeds::listed},
     &TreeRow::most_victims},
    {{"most_queues", "queues", "most queues", OverSeeds::listed}, &TreeRow::most_queues},
    {{"most_ports", "ports", "most ports with such queues", OverSeeds::listed}, &TreeRow::most_ports},
    {{"most_depth", "queues",
      "maximum number of queues in a chain of queues that waited for room in the next one",
      OverSeeds::listed},
     &TreeRow::most_depth},
};

constexpr auto kColumnsOfTrees = joined(kTreeNumberColumn, kRootColumns<TreeRow>, kLifeColumns);

void add_trees(const MeasuredRun& run, TableRows<TreeRow>& rows) {
  const std::vector<TreeLife>& trees = run.observer->trees();
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    const TreeLife& life = trees[tree];
    const auto packets = static_cast<double>(life.packets), victims = static_cast<double>(life.victims);
    const auto photographs = static_cast<double>(life.photographs);
    TreeRow row{place_of(run, life.root)};
    row.tree = static_cast<double>(tree);
    row.birth_ns = run.ns(life.birth);
    row.death_ns = life.death ? run.ns(*life.death) : kNaN;
    row.photographs = photographs;
    row.packets = packets / photographs;
    row.victim_packets = victims / photographs;
    row.victim_share = victims / static_cast<double>(life.others);
    row.most_packets = static_cast<double>(life.most_packets);
    row.most_victims = static_cast<double>(life.most_victims);
    row.most_queues = static_cast<double>(life.most_queues);
    row.most_ports = static_cast<double>(life.most_ports);
    row.most_depth = static_cast<double>(life.most_depth);
    rows.add(row);
  }
}

}  // namespace

std::span<const ColumnOf<TreeRow>> TreeRow::columns() { return kColumnsOfTrees; }

TableKind trees_table() {
  return table_of<kColumnsOfTrees, add_trees>(
      {.rows = "congestion trees of the whole run, with their times; with several seeds, those of every "
               "run",
       .when = "`observe.waiting`",
       .needs = Needs::waiting,
       .most_cells = [](const TableBounds& most, double columns) { return most.roots * columns; }});
}

}  // namespace headway
