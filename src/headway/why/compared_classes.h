// SPDX-License-Identifier: Apache-2.0
// What waits for the classes of roots in two runs.
#pragma once

#include <vector>

#include "headway/run/results.h"
#include "headway/why/root_groups.h"

namespace headway {

// By Little's law, the time that packets wait for every delivered packet, from the mean number of those that
// wait. Numbers of packets in runs of different length do not compare. Not finite if nothing is delivered.
double ns_per_packet(const PointResult& point, double packets);

// Times per delivered packet.
struct ComparedClass {
  RootClass of;
  double first_ns = 0, second_ns = 0;
  double first_victim_ns = 0, second_victim_ns = 0;  // of these

  double change() const { return second_ns - first_ns; }
};

// The classes of both runs, those with the largest change first.
std::vector<ComparedClass> compared_classes(const PointResult& first,
                                            const std::vector<RootGroup>& classes_of_first,
                                            const PointResult& second,
                                            const std::vector<RootGroup>& classes_of_second);

}  // namespace headway
