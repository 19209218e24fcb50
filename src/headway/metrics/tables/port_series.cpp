// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

Table make_port_series(const MeasuredRun& run) {
  const Graph& graph = run.network().graph;
  Table table = {{std::string(kEndOfBin.name)}};
  for (PortId port = 0; port < graph.switch_ports(); ++port)
    table.push_back({fmt::format("cfqs_{}_{}", graph.switch_of(port), graph.local(port))});
  for (const IsolationReading& reading : run.isolation.subspan(1)) {
    table.front().values.push_back(run.ns(reading.tick));
    for (PortId port = 0; port < graph.switch_ports(); ++port)
      table[1 + port].values.push_back(reading.of_port[port]);
  }
  return table;
}

}  // namespace

TableKind port_series_table() {
  return {
      .name = "port_series",
      .rows = "bins; the congested-flow queues of every port",
      .when = "`\"port-series\"` in `measure.tables` and the schemes `fbicm` and `recn-iq`",
      .columns = {kEndOfBin,
                  {"cfqs_S_P", "queues",
                   "for every port P of every switch S: active congested-flow queues at the end of the bin"}},
      .needs = Needs::isolation,
      .made = make_port_series,
      .most_cells = [](const TableBounds& most, double) { return most.bins * (1 + most.switch_ports); },
      .on_request = "congested-flow queues of every port over time"};
}

}  // namespace headway
