// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

constexpr ColumnOf<RemedyRow> kColumnsOfRemedies[] = {
    {{"change", kName, "change of the spec", OverSeeds::key}, &RemedyRow::change},
    {{"kind", kName,
      "cause: takes away something that is there; bound: makes something better than it can be; remedy; "
      "pair: "
      "two of these; own: given by the user",
      OverSeeds::key},
     &RemedyRow::kind},
    {{"group", kName, "what the change is about", OverSeeds::key}, &RemedyRow::group},
    {{"settings", kName, "options of `headway run` that make the change", OverSeeds::key},
     &RemedyRow::settings},
    {{"metric", kName, "metric that changes are judged by", OverSeeds::key}, &RemedyRow::metric},
    {{"value", kNumber, "this metric with the change and the seed of the spec", OverSeeds::same},
     &RemedyRow::value},
    {{"base", kNumber,
      "its value without changes; empty: it has none, because the run deadlocks or does not end",
      OverSeeds::same},
     &RemedyRow::base},
    {{"effect", kNumber,
      "least effect that is one: gains below 1 + effect are none; 5 %, or twice what a neutral change has",
      OverSeeds::same},
     &RemedyRow::effect},
    {{"gain", kNumber,
      "how many times better the metric is; below 1, worse; 0: the job was not done at 1.1 times the end of "
      "the "
      "base; of accepted loads, packets per time are compared, because links can be faster",
      OverSeeds::same},
     &RemedyRow::gain},
    {{"gain_low", kNumber, "smallest gain over the seeds, each compared with the base of its seed",
      OverSeeds::same},
     &RemedyRow::gain_low},
    {{"gain_high", kNumber, "largest gain over the seeds", OverSeeds::same}, &RemedyRow::gain_high},
    {{"seeds", kNumber, "number of seeds that were run", OverSeeds::same}, &RemedyRow::seeds},
    {{"status", kName, "status of the run", OverSeeds::key}, &RemedyRow::status},
    {{"others_worst", kNumber,
      "smallest gain of all other flows (packets per time) and jobs (completion time): below 1, the change "
      "harms "
      "one of them",
      OverSeeds::same},
     &RemedyRow::others_worst},
    {{"accepted_load", kLoad, "accepted load of all traffic", OverSeeds::same}, &RemedyRow::accepted_load},
    {{metrics::queues_per_port, "queues", "queues of an input port", OverSeeds::same},
     &RemedyRow::queues_per_port},
    {{metrics::cam_lines_per_port, "lines", "lines of content-addressable memory of a port", OverSeeds::same},
     &RemedyRow::cam_lines_per_port},
    {{"port_memory_bytes", "bytes", "memory of an input port", OverSeeds::same},
     &RemedyRow::port_memory_bytes},
    {{metrics::lanes, kNumber, "virtual lanes of a link", OverSeeds::same}, &RemedyRow::lanes},
    {{metrics::out_of_order_packets, "packets", "packets that overtook others of their pair of nodes",
      OverSeeds::same},
     &RemedyRow::out_of_order_packets},
    {{"most_gain", kNumber,
      "largest gain that the account of the base leaves to changes of the network with the same program, "
      "placement and routes",
      OverSeeds::same},
     &RemedyRow::most_gain},
    {{metrics::events, "events", "events of the run, which say what it cost", OverSeeds::same},
     &RemedyRow::events},
    {{"skipped", kName, "why the change was not run; empty: it was", OverSeeds::key}, &RemedyRow::skipped},
};

}  // namespace

std::span<const ColumnOf<RemedyRow>> RemedyRow::columns() { return kColumnsOfRemedies; }

Table remedies_of_rows(std::span<const RemedyRow> rows) {
  TableRows<RemedyRow> all(kColumnsOfRemedies, RunScope());
  for (const RemedyRow& row : rows) all.add(row);
  return all.take();
}

TableKind remedies_table() {
  return {.name = RemedyRow::kTable,
          .rows = "changes of the spec that were tried, with their gains and costs",
          .when = "`headway why SPEC --try`",
          .columns = metrics_of(kColumnsOfRemedies),
          .needs = Needs::changes,
          .made = [](const MeasuredRun&) { return Table(); },
          .most_cells = [](const TableBounds&, double) { return 0.0; }};
}

}  // namespace headway
