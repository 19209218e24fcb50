// SPDX-License-Identifier: Apache-2.0
#include "headway/run/load_changes.h"

#include <algorithm>

namespace headway {

std::vector<LoadChange> load_changes(const Workload& workload) {
  std::vector<bool> sends(workload.flows.size(), false);
  for (const Source& source : workload.sources) sends[source.flow] = true;
  std::vector<LoadChange> changes;
  for (std::uint32_t flow = 0; flow < workload.flows.size(); ++flow) {
    const std::vector<LoadProfile::Piece>& pieces = workload.flows[flow].load.pieces;
    for (std::size_t piece = 1; sends[flow] && piece < pieces.size(); ++piece)
      if (pieces[piece].load != pieces[piece - 1].load)
        changes.push_back({tick_of(pieces[piece].from), flow, pieces[piece - 1].load, pieces[piece].load});
  }
  std::ranges::stable_sort(changes, {}, &LoadChange::at);
  return changes;
}

}  // namespace headway
