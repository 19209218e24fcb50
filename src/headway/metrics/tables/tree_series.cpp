// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

struct TreeOfBin : PlaceRow {
  const Bin& bin;
  const TreeSums& sums;

  double mean(std::uint64_t sum) const {
    return static_cast<double>(sum) / static_cast<double>(bin.photographs().photographs);
  }
};

constexpr ColumnOf<TreeOfBin> kTreeSeriesPlace[] = {
    {kEndOfBin, [](const TreeOfBin& t) -> Cell { return t.bin.end_ns(); }},
    {{kTreeNumber, kNumber,
      "number of the congestion tree, in the order of birth in its run: its row in the table trees",
      OverSeeds::key},
     [](const TreeOfBin& t) -> Cell { return t.sums.tree; }},
};
constexpr ColumnOf<TreeOfBin> kTreeSeriesColumns[] = {
    {{"packets", "packets",
      "mean number of packets in the queues of the tree, over all photographs of the bin; a bin has rows for "
      "the 64 trees with the most packets, and the series has the totals of all trees",
      OverSeeds::listed},
     [](const TreeOfBin& t) -> Cell { return t.mean(t.sums.packets); }},
    {{"queues", "queues", "mean number of queues that wait for room in another one because of its root",
      OverSeeds::listed},
     [](const TreeOfBin& t) -> Cell { return t.mean(t.sums.queues); }},
    {{"ports", "ports", "mean number of ports with such queues", OverSeeds::listed},
     [](const TreeOfBin& t) -> Cell { return t.mean(t.sums.ports); }},
    {{"depth", "queues", "mean length of the longest chain of queues that wait for room in the next one",
      OverSeeds::listed},
     [](const TreeOfBin& t) -> Cell { return t.mean(t.sums.depth); }},
    {{"victim_packets", "packets",
      "mean number of packets, also at nodes, that wait for its root and do not have to cross it",
      OverSeeds::listed},
     [](const TreeOfBin& t) -> Cell { return t.mean(t.sums.victims); }},
};
static_assert(kMostTreesOfABin == 64, "the help says it");

constexpr auto kAllTreeSeriesColumns = joined(kTreeSeriesPlace, kRootColumns<TreeOfBin>, kTreeSeriesColumns);

void add_tree_series(const MeasuredRun& run, TableRows<TreeOfBin>& rows) {
  for_each_bin(run, [&](const Bin& bin) {
    for (const TreeSums& tree : bin.photographs().largest_trees)
      rows.add({place_of(run, run.observer->trees()[tree.tree].root), bin, tree});
  });
}

}  // namespace

TableKind tree_series_table() {
  return table_of<kAllTreeSeriesColumns, add_tree_series>(
      {.name = "tree_series",
       .rows = "bins and the congestion trees seen in them, at most 64 per bin; with several seeds, those of "
               "every run",
       .when = "`observe.waiting`",
       .needs = Needs::waiting,
       .most_cells = [](const TableBounds& most, double columns) { return most.tree_rows * columns; }});
}

}  // namespace headway
