// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/wait_roots.h"

#include <algorithm>

namespace headway {

void WaitRoots::find(Photograph& photograph) {
  constexpr std::uint32_t kUnknown = kNone, kOnTheWay = kNone - 1;
  std::vector<QueueSeen>& queues = photograph.queues;
  photograph.roots.clear();
  number_of_.clear();
  for (QueueSeen& seen : queues) seen.root = kUnknown;
  for (std::uint32_t start = 0; start < queues.size(); ++start) {
    path_.clear();
    std::uint32_t at = start;
    while (queues[at].root == kUnknown && queues[at].next != kNone) {
      queues[at].root = kOnTheWay;
      path_.push_back(at);
      at = heads_.place_of(queues[at].next);
    }
    if (queues[at].root == kOnTheWay)
      close_cycle(std::ranges::find(path_, at), photograph);
    else if (queues[at].root == kUnknown)
      queues[at].root = number(queues[at].ends_in, photograph);
    for (; !path_.empty(); path_.pop_back()) {
      queues[path_.back()].root = queues[at].root;
      queues[path_.back()].depth = queues[at].depth + 1;
      at = path_.back();
    }
  }
}

// The queues of the path from `first` on wait for each other. Removes them from the path.
void WaitRoots::close_cycle(std::vector<std::uint32_t>::iterator first, Photograph& photograph) {
  PortId lowest = kNone;
  for (auto place = first; place != path_.end(); ++place)
    lowest = std::min(lowest, network_.graph_port(heads_.port_of(photograph.queues[*place].queue)));
  const std::uint32_t root = number({RootKind::cycle, lowest}, photograph);
  for (auto place = first; place != path_.end(); ++place) {
    photograph.queues[*place].root = root;
    photograph.queues[*place].depth = static_cast<std::uint32_t>(path_.end() - first);
  }
  path_.erase(first, path_.end());
}

std::uint32_t WaitRoots::number(const Root& root, Photograph& photograph) {
  const std::uint64_t key = std::uint64_t{root.port} << 8 | static_cast<std::uint8_t>(root.kind);
  const auto [found, fresh] =
      number_of_.try_emplace(key, static_cast<std::uint32_t>(photograph.roots.size()));
  if (fresh) photograph.roots.push_back({.root = root, .culprits = {}});
  return found->second;
}

}  // namespace headway
