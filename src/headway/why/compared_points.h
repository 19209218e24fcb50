// SPDX-License-Identifier: Apache-2.0
// Pairs of stored points that differ in a part of their specs only, such as the scheme.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "headway/run/results.h"

namespace headway {

struct ComparedPair {
  PointResult first, second;
  // What the other one does not have: "fbicm" if both differ in their scheme, "switch.queues = 4", or the
  // name of the directory.
  std::string first_name, second_name;
  std::string heading;  // "1q compared with fbicm, both with traffic.flow.load = 0.4"
};

// A directory of results, and a point of it, from 0; without one, all points.
struct StoredPoints {
  std::filesystem::path directory;
  std::optional<std::size_t> point;
};

// The points of both that belong together: those with the same values of all swept keys that both have. A
// single point of each belongs together whatever its values are. Throws NoResult if points have no partner,
// with the points of both directories.
std::vector<ComparedPair> compared_points(const StoredPoints& first, const StoredPoints& second);

// The chosen points of a directory. Throws NoResult if there is no such point.
std::vector<PointResult> chosen_points(const StoredPoints& stored);

}  // namespace headway
