// SPDX-License-Identifier: Apache-2.0
// Runs in directories of results (run/results_dir.h), for a page.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "headway/topology/graph.h"
#include "headway/view/page.h"

namespace headway {

struct StoredRun {
  ViewedRun viewed;
  std::shared_ptr<const Graph> graph;
  std::size_t points = 1;  // of the directory
};

// The first run of a point, by its number from 0, with the network that its spec describes. Throws NoResult
// with the reason and a remedy, and SpecError if a file cannot be read.
StoredRun stored_run(const std::filesystem::path& directory, std::size_t point);

// The page of one run, or of two runs of the same network. Throws NoResult with the reason if the networks
// differ or the snapshots are not valid.
std::string view_page(std::vector<StoredRun> runs);

}  // namespace headway
