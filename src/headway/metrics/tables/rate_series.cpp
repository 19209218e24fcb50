// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

struct RateOfBin {
  const Bin& bin;
  const LimitedFlowView& flow;
};

constexpr ColumnOf<RateOfBin> kRateSeriesColumns[] = {
    {kEndOfBin, [](const RateOfBin& r) -> Cell { return r.bin.end_ns(); }},
    {{"source", kNumber, "number of the sending node", OverSeeds::key},
     [](const RateOfBin& r) -> Cell { return r.flow.source; }},
    {{"destination", kNumber,
      "number of the receiving node; none with throttle = \"service-level\", where a rate is that of all "
      "flows "
      "of a node and service level",
      OverSeeds::key},
     [](const RateOfBin& r) -> Cell {
       return r.flow.destination == kNone ? Cell(kNaN) : Cell(r.flow.destination);
     }},
    {{"service_level", kNumber, "service level of its packets", OverSeeds::key},
     [](const RateOfBin& r) -> Cell { return r.flow.service_level; }},
    {{"rate", kLoad, "rate at which the flow may send full packets, at the end of the bin", OverSeeds::listed,
      Needs::rates},
     [](const RateOfBin& r) -> Cell { return r.flow.rate; }},
    {{"notifications", "notifications",
      "notifications that its source has got since the flow has been limited (with the reaction window, "
      "since "
      "it last had nothing in flight)",
      OverSeeds::listed},
     [](const RateOfBin& r) -> Cell { return r.flow.notifications; }},
};
static_assert(kMostRatesOfABin == 64, "the text says it");

void add_rate_series(const MeasuredRun& run, TableRows<RateOfBin>& rows) {
  for_each_bin(run, [&](const Bin& bin) {
    for (const LimitedFlowView& flow : bin.window.rates(bin.reading)) rows.add({bin, flow});
  });
}

}  // namespace

TableKind rate_series_table() {
  return table_of<kRateSeriesColumns, add_rate_series>(
      {.name = "rate_series",
       .rows = "bins and the flows that are limited at their ends, the 64 slowest of a bin; with several "
               "seeds, those of every run",
       .when = "`node.reaction`, and `\"rate-series\"` in `measure.tables`",
       .needs = Needs::reaction,
       .most_cells = [](const TableBounds& most, double columns) { return most.rate_rows * columns; },
       .on_request = "rates and notifications of limited flows over time, of the 64 slowest ones in a bin"});
}

}  // namespace headway
