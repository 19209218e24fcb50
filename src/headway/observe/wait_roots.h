// SPDX-License-Identifier: Apache-2.0
// The second step of a photograph: follows from every queue the queues in which heads need room, to the root.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "headway/observe/head_waits.h"

namespace headway {

class WaitRoots {
 public:
  WaitRoots(const Network& network, const HeadWaits& heads) : network_(network), heads_(heads) {}

  // Lists the roots, and sets root and depth of every queue.
  void find(Photograph& photograph);
  // The index of a root in Photograph::roots, which gets it if it is not there.
  std::uint32_t number(const Root& root, Photograph& photograph);

 private:
  void close_cycle(std::vector<std::uint32_t>::iterator first, Photograph& photograph);

  const Network& network_;
  const HeadWaits& heads_;
  std::unordered_map<std::uint64_t, std::uint32_t> number_of_;  // of the photograph being taken
  std::vector<std::uint32_t> path_;                             // a member only to reuse its memory
};

}  // namespace headway
