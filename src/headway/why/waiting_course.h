// SPDX-License-Identifier: Apache-2.0
// Since when packets wait, and whether this ends: read from the table series.
#pragma once

#include <optional>

#include "headway/metrics/result.h"

namespace headway {

// The course of the number of victims, or of all waiting packets.
struct WaitingCourse {
  bool counts_victims = false;
  std::optional<double> since_ns;  // empty: from the start of the run on
  std::optional<double> until_ns;  // empty: it is there at the end
  double at_end = 0;               // mean number of packets in the last quarter of the window
  double growth = 0;               // at_end, relative to the quarter before; NaN: not known
  // The end of the shortest of several runs, if they differ in length: the course of all of them ends there.
  std::optional<double> shortest_ns = {};
};

// Nothing if the series has too few photographs.
std::optional<WaitingCourse> course_of(const Result& result, bool counts_victims);

}  // namespace headway
