// SPDX-License-Identifier: Apache-2.0
// One HTML file that shows runs of a network over time (docs/view.md). It contains its own program (viewer/)
// and all data; it loads nothing, and its Content-Security-Policy forbids that it does.
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
  std::uint32_t lanes = 1;  // of a port, each with the same number of its queues
  std::string snapshots;    // a file of them
};

// Snapshots of a run in a page: more bytes are thinned.
inline constexpr std::size_t kMostSnapshotBytes = 5'000'000;

// All runs are of this network. Throws BadSnapshots if the snapshots are not valid, or not of this network.
std::string view_page(const Graph& graph, std::span<const ViewedRun> runs,
                      std::size_t most_snapshot_bytes = kMostSnapshotBytes);

}  // namespace headway
