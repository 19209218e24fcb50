// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/cut_off.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headway/metrics/columns.h"

namespace headway {
namespace {

constexpr std::string_view kCutOffTable = "cut_off";

constexpr Metric kCutOffMetrics[] = {
    {"cut_off_pairs", "pairs", "pairs of source and destination between which failed links leave no path",
     Needs::cut_off},
    {"cut_off_share", "1",
     "share of the messages of flows that are not generated because no path leads to their destination; mean "
     "over the sources of flows; not included in the offered load",
     Needs::cut_off},
};

constexpr Metric kCutOffColumns[] = {
    {"at_node", kNumber, "number of a node that has no path to some other node, or from one", Needs::cut_off,
     kCutOffTable},
    {"sends_to", "nodes", "other nodes that it has a path to", Needs::cut_off, kCutOffTable},
    {"receives_from", "nodes", "other nodes that have a path to it", Needs::cut_off, kCutOffTable},
};

}  // namespace

std::span<const Metric> cut_off_metrics() { return kCutOffMetrics; }
std::span<const Metric> cut_off_columns() { return kCutOffColumns; }

void add_cut_off(const CutOff& cut_off, Result& result) {
  result.cut_off = table_of({kCutOffColumns});
  const PathsLeft& paths = *cut_off.paths;
  const std::uint32_t nodes = paths.nodes();
  std::uint64_t pairs = 0;
  if (!paths.has_all()) {
    std::vector<std::uint32_t> sends_to(nodes), receives_from(nodes);  // including the node itself
    for (NodeId source = 0, next = 0; source < nodes; source = next) {
      while (next < nodes && paths.switch_of(next) == paths.switch_of(source)) ++next;
      std::uint32_t count = 0;
      for (NodeId node = 0; node < nodes; ++node)
        if (paths.has_path(source, node)) {
          ++count;
          receives_from[node] += next - source;
        }
      std::fill(sends_to.begin() + source, sends_to.begin() + next, count);
    }
    for (NodeId node = 0; node < nodes; ++node) {
      pairs += nodes - sends_to[node];
      if (sends_to[node] < nodes || receives_from[node] < nodes)
        add_row(result.cut_off, {static_cast<double>(node), static_cast<double>(sends_to[node] - 1),
                                 static_cast<double>(receives_from[node] - 1)});
    }
  }
  result.metrics.emplace_back(kCutOffMetrics[0].name, static_cast<double>(pairs));
  result.metrics.emplace_back(kCutOffMetrics[1].name, cut_off.share);
}

}  // namespace headway
