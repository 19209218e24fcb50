// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"
#include "headway/metrics/metric_names.h"

namespace headway {
namespace {

struct PairOfBin {
  const Bin& bin;
  const Window::PairBytes& pair;
};

constexpr ColumnOf<PairOfBin> kPairSeriesColumns[] = {
    {kEndOfBin, [](const PairOfBin& p) -> Cell { return p.bin.end_ns(); }},
    {{"source", kNumber, "number of the sending node", OverSeeds::key},
     [](const PairOfBin& p) -> Cell { return p.pair.source; }},
    {{"destination", kNumber, "number of the receiving node", OverSeeds::key},
     [](const PairOfBin& p) -> Cell { return p.pair.destination; }},
    {{metrics::accepted_load, kLoad,
      "bytes delivered from source to destination in the bin, divided by the capacity of the destination's "
      "link",
      OverSeeds::sum},
     [](const PairOfBin& p) -> Cell { return p.bin.window.accepted_load(p.pair, p.bin.reading); }},
};

void add_pair_series(const MeasuredRun& run, TableRows<PairOfBin>& rows) {
  for_each_bin(run, [&](const Bin& bin) {
    for (const Window::PairBytes& pair : bin.window.pairs(bin.reading)) rows.add({bin, pair});
  });
}

}  // namespace

TableKind pair_series_table() {
  return table_of<kPairSeriesColumns, add_pair_series>(
      {.name = "pair_series",
       .rows = "bins and the pairs that received traffic in them",
       .when = "`\"pair-series\"` in `measure.tables`",
       .most_cells = [](const TableBounds& most, double columns) { return most.pair_rows * columns; },
       .on_request =
           "accepted load of every pair over time, with a row for each bin in which a pair received data"});
}

}  // namespace headway
