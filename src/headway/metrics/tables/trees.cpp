// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

struct Tree {
  const MeasuredRun& run;
  const Root& root;
  const TreeLife& life;

  double mean(std::uint64_t sum) const {
    return static_cast<double>(sum) / static_cast<double>(life.photographs);
  }
};

constexpr ColumnOf<Tree> kTreeNumberColumn[] = {
    {{kTreeNumber, kNumber,
      "number of the congestion tree, in the order of birth in its run: its row in the table trees",
      OverSeeds::key},
     [](const Tree& t) -> Cell { return &t.life - t.run.observer->trees().data(); }},
};
constexpr ColumnOf<Tree> kTreeColumns[] = {
    {{"birth_ns", "ns", "first photograph that shows the tree", OverSeeds::listed},
     [](const Tree& t) -> Cell { return t.run.ns(t.life.birth); }},
    {{"death_ns", "ns", "first photograph after that without it; empty if the tree lived at the end",
      OverSeeds::listed},
     [](const Tree& t) -> Cell { return t.life.death ? t.run.ns(*t.life.death) : kNaN; }},
    {{"photographs", "photographs", "photographs that show the tree", OverSeeds::listed},
     [](const Tree& t) -> Cell { return t.life.photographs; }},
    {{"packets", "packets", "mean number of packets, also at nodes, that waited for its root then",
      OverSeeds::listed},
     [](const Tree& t) -> Cell { return t.mean(t.life.packets); }},
    {{"victim_packets", "packets", "of these, packets that did not have to cross the root",
      OverSeeds::listed},
     [](const Tree& t) -> Cell { return t.mean(t.life.victims); }},
    {{"victim_share", "fraction of packets",
      "victim_packets divided by all packets that waited then and did not wait to cross the root",
      OverSeeds::listed},
     [](const Tree& t) -> Cell {
       return static_cast<double>(t.life.victims) / static_cast<double>(t.life.others);
     }},
    {{"most_packets", "packets", "most packets in its queues", OverSeeds::listed},
     [](const Tree& t) -> Cell { return t.life.most_packets; }},
    {{"most_victims", "packets", "most packets, also at nodes, that waited for its root and did not cross it",
      OverSeeds::listed},
     [](const Tree& t) -> Cell { return t.life.most_victims; }},
    {{"most_queues", "queues", "most queues", OverSeeds::listed},
     [](const Tree& t) -> Cell { return t.life.most_queues; }},
    {{"most_ports", "ports", "most ports with such queues", OverSeeds::listed},
     [](const Tree& t) -> Cell { return t.life.most_ports; }},
    {{"most_depth", "queues",
      "maximum number of queues in a chain of queues that waited for room in the next one",
      OverSeeds::listed},
     [](const Tree& t) -> Cell { return t.life.most_depth; }},
};

constexpr auto kAllTreeColumns = joined(kTreeNumberColumn, kRootColumns<Tree>, kTreeColumns);

void add_trees(const MeasuredRun& run, TableRows<Tree>& rows) {
  for (const TreeLife& life : run.observer->trees()) rows.add({run, life.root, life});
}

}  // namespace

TableKind trees_table() {
  return {.name = "trees",
          .rows =
              "congestion trees of the whole run, with their times; with several seeds, those of every "
              "run",
          .when = "`observe.waiting`",
          .columns = metrics_of(kAllTreeColumns),
          .needs = Needs::waiting,
          .made = table_of<Tree, kAllTreeColumns, add_trees>,
          .most_cells = [](const TableBounds& most, double columns) { return most.roots * columns; }};
}

}  // namespace headway
