// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"
#include "headway/metrics/stage_census.h"

namespace headway {
namespace {

constexpr ColumnOf<StageCensus> kStageCensusColumns[] = {
    {{"stage", kNumber, "number of the stage; in networks without stages, 0 stands for all switches",
      OverSeeds::key},
     [](const StageCensus& s) -> Cell { return s.stage; }},
    {{"destinations_per_switch", "destinations",
      "maximum number of destinations to which a switch of the stage forwards", OverSeeds::maximum},
     [](const StageCensus& s) -> Cell { return s.destinations_per_switch; }},
    {{"destinations_per_link", "destinations",
      "maximum number of destinations that share a link towards the nodes", OverSeeds::maximum},
     [](const StageCensus& s) -> Cell { return s.destinations_per_link; }},
    {{"destinations_per_queue", "destinations",
      "maximum number of destinations that share a queue of an input port", OverSeeds::maximum},
     [](const StageCensus& s) -> Cell { return s.destinations_per_queue; }},
    {{"queues_used", "queues", "maximum number of queues of an input port that packets can use",
      OverSeeds::maximum},
     [](const StageCensus& s) -> Cell { return s.queues_used; }},
    {{"load_imbalance", "1",
      "ratio of the paths over the most used link to those over the least used one; the larger of the ratios "
      "for up and down links; empty if a link has no paths"},
     [](const StageCensus& s) -> Cell { return s.load_imbalance; }},
};

}  // namespace

Table structure_per_stage(std::span<const StageCensus> stages) {
  TableRows<StageCensus> rows(kStageCensusColumns, RunScope());
  for (const StageCensus& stage : stages) rows.add(stage);
  return rows.take();
}

TableKind structure_per_stage_table() {
  return {.name = "structure_per_stage",
          .rows = "stages of switches",
          .when = "figures of the network's structure, not runs",
          .columns = metrics_of(kStageCensusColumns),
          .needs = Needs::structure,
          .made = [](const MeasuredRun&) { return Table(); },
          .most_cells = [](const TableBounds&, double) { return 0.0; }};
}

}  // namespace headway
