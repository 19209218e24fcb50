// SPDX-License-Identifier: Apache-2.0
// One HTML file that shows runs of a network over time (docs/view.md). It contains its own program
// (view/viewer/) and all data; it loads nothing, which its Content-Security-Policy enforces.
//
// All data are in blocks of compressed JSON, as base64. So no text of a user is ever part of the HTML.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "headway/config/document.h"
#include "headway/run/results.h"
#include "headway/topology/graph.h"

namespace headway {

struct ViewedRun {
  std::string name;       // of its directory
  std::size_t point = 0;  // in the directory, from 0
  Document spec;          // of this point, resolved
  PointResult result;
  bool pooled = false;      // the queues of a port share its memory
  std::uint32_t lanes = 1;  // lanes of a port; each has the same number of queues
  std::string snapshots;    // the content of a snapshot file
};

// Maximum size of a run's snapshots in a page; larger files are thinned.
inline constexpr std::size_t kMostSnapshotBytes = 5'000'000;

// All runs are of this network. Throws BadSnapshots if the snapshots are not valid, or not of this network.
std::string view_page(const Graph& graph, std::span<const ViewedRun> runs,
                      std::size_t most_snapshot_bytes = kMostSnapshotBytes);

}  // namespace headway
