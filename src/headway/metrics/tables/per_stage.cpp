// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <tuple>

#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

// Links of one position on a path through the last stage.
struct StageLinks {
  int link = 0, from = 0, to = 0;
  double count = 0, sum = 0, squares = 0, least = 2, most = 0;  // of utilisations

  double mean() const { return sum / count; }
};

constexpr ColumnOf<StageLinks> kStageColumns[] = {
    {{"link", kNumber, "position of the links on a path through the last stage; 0 is the link from a node",
      OverSeeds::key},
     [](const StageLinks& s) -> Cell { return s.link; }},
    {{"from_stage", kNumber, "stage at the sending end of the links; -1: nodes", OverSeeds::key},
     [](const StageLinks& s) -> Cell { return s.from; }},
    {{"to_stage", kNumber, "stage at the receiving end of the links; -1: nodes", OverSeeds::key},
     [](const StageLinks& s) -> Cell { return s.to; }},
    {{"links", "links", "number of these links", OverSeeds::same},
     [](const StageLinks& s) -> Cell { return s.count; }},
    {{"utilisation_mean", kTime, "mean fraction of the window in which these links carried data"},
     [](const StageLinks& s) -> Cell { return s.mean(); }},
    {{"utilisation_max", kTime, "fraction for the busiest of these links", OverSeeds::maximum},
     [](const StageLinks& s) -> Cell { return s.most; }},
    {{"utilisation_min", kTime, "fraction for the least busy of these links", OverSeeds::minimum},
     [](const StageLinks& s) -> Cell { return s.least; }},
    {{"utilisation_deviation", kTime, "standard deviation of the fraction over these links"},
     [](const StageLinks& s) -> Cell {
       return std::sqrt(std::max(0.0, s.squares / s.count - s.mean() * s.mean()));
     }},
};

Table make_per_stage(const MeasuredRun& run) {
  const Graph& graph = run.network().graph;
  if (graph.stages() == 0) return {};
  const auto stage = [&](PortId port) {
    return graph.is_node_port(port) ? -1 : graph.stage_of(graph.switch_of(port));
  };
  const int top = static_cast<int>(graph.stages()) - 1;
  std::map<std::tuple<int, int, int>, StageLinks> of;  // [link, from, to]
  for (PortId port = 0; port < graph.ports(); ++port) {
    if (graph.peer_of(port) == kNone) continue;
    const int from = stage(port), to = stage(graph.peer_of(port));
    const int link = to > from ? from + 1 : 2 * top + 1 - from;
    StageLinks& links = of.try_emplace({link, from, to}, StageLinks{link, from, to}).first->second;
    const double utilisation = run.window().utilisation(port);
    ++links.count;
    links.sum += utilisation;
    links.squares += utilisation * utilisation;
    links.least = std::min(links.least, utilisation);
    links.most = std::max(links.most, utilisation);
  }
  TableRows<StageLinks> rows(kStageColumns, run.scope);
  for (const auto& [key, links] : of) rows.add(links);
  return rows.take();
}

}  // namespace

TableKind per_stage_table() {
  return {.name = "per_stage",
          .rows = "links by their position on a path",
          .when = "networks with stages",
          .columns = metrics_of(kStageColumns),
          .made = make_per_stage,
          // Choice: a path has at most this many links
          .most_cells = [](const TableBounds&, double columns) { return 100 * columns; }};
}

}  // namespace headway
