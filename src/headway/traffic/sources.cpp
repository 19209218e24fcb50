// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/sources.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "headway/base/rng.h"

namespace headway {
namespace {

// Chooses `count` of the nodes at even distances: the i-th iff floor((i+1) f) > floor(i f) with f = count /
// nodes. A quarter of all nodes is the last one of every four.
std::vector<NodeId> spread(const std::vector<NodeId>& nodes, std::uint64_t count) {
  std::vector<NodeId> result;
  for (std::uint64_t i = 0; i < nodes.size(); ++i)
    if ((i + 1) * count / nodes.size() > i * count / nodes.size()) result.push_back(nodes[i]);
  return result;
}

std::vector<NodeId> draw(std::vector<NodeId> nodes, std::uint64_t count, Rng rng) {
  for (std::uint32_t i = 0; i < count; ++i)
    std::swap(nodes[i], nodes[i + rng.below(static_cast<std::uint32_t>(nodes.size()) - i)]);
  nodes.resize(count);
  std::ranges::sort(nodes);
  return nodes;
}

std::vector<NodeId> all_of(std::uint32_t nodes) {
  std::vector<NodeId> result(nodes);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

// Chooses the nodes of one set.
class Chooser {
 public:
  Chooser(const NodeSet& set, const std::string& key, std::uint32_t nodes, Mistakes& mistakes)
      : set_(set), key_(key), nodes_(nodes), mistakes_(mistakes) {}

  std::vector<NodeId> choose(const std::vector<NodeId>& left, Rng rng) {
    switch (set_.kind) {
      case NodeSet::Kind::all:
        return all_of(nodes_);
      case NodeSet::Kind::fraction:
        if (const auto count = share(left.size())) return spread(left, count);
        return {};
      case NodeSet::Kind::random:
        if (const auto count = share(left.size())) return draw(left, count, rng);
        return {};
      case NodeSet::Kind::first:
        return first();
      case NodeSet::Kind::nodes:
        return listed();
      case NodeSet::Kind::rest:
        if (left.empty()) mistakes_.add(key_, "earlier flows use all nodes");
        return left;
    }
    return {};
  }

 private:
  // Number of nodes of a fraction; 0 and a mistake if this is less than one or more than are left.
  std::uint64_t share(std::size_t available) {
    const auto count = static_cast<std::uint64_t>(std::llround(set_.fraction * static_cast<double>(nodes_)));
    if (count == 0)
      mistakes_.add(key_, "is less than one of the " + std::to_string(nodes_) + " nodes");
    else if (count > available)
      mistakes_.add(key_, "asks for " + std::to_string(count) + " nodes, but earlier flows leave " +
                              std::to_string(available));
    return count <= available ? count : 0;
  }

  std::vector<NodeId> first() {
    if (set_.first < 1 || set_.first > static_cast<std::int64_t>(nodes_)) {
      mistakes_.add(key_, "the first " + std::to_string(set_.first) + " nodes do not exist",
                    "the network has " + std::to_string(nodes_) + " nodes");
      return {};
    }
    return all_of(static_cast<std::uint32_t>(set_.first));
  }

  std::vector<NodeId> listed() {
    const auto nodes = static_cast<std::int64_t>(nodes_);
    std::vector<std::int64_t> ids = set_.nodes;
    std::ranges::sort(ids);
    if (ids.empty()) mistakes_.add(key_, "contains no node");
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] < 0 || ids[i] >= nodes)
        mistakes_.add(key_, "node " + std::to_string(ids[i]) + " is outside the network",
                      "nodes are 0 to " + std::to_string(nodes - 1));
      else if (i > 0 && ids[i] == ids[i - 1])
        mistakes_.add(key_, "node " + std::to_string(ids[i]) + " is listed twice");
    }
    std::erase_if(ids, [&](std::int64_t id) { return id < 0 || id >= nodes; });
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return {ids.begin(), ids.end()};
  }

  const NodeSet& set_;
  const std::string& key_;
  std::uint32_t nodes_;
  Mistakes& mistakes_;
};

}  // namespace

std::vector<NodeId> choose_nodes(const NodeSet& set, const std::string& key, std::uint32_t nodes,
                                 const std::vector<NodeId>& left, Rng rng, Mistakes& mistakes) {
  return Chooser(set, key, nodes, mistakes).choose(left, rng);
}

std::vector<NodeId> senders(std::vector<NodeId> chosen, const Destinations& destinations) {
  Rng any(0, 0);  // whether a node sends does not depend on the draws
  std::erase_if(chosen, [&](NodeId node) { return destinations.next(node, any) == kNone; });
  return chosen;
}

std::vector<std::vector<NodeId>> choose_sources(const std::vector<FlowSources>& flows, std::uint32_t nodes,
                                                std::uint64_t seed, Mistakes& mistakes) {
  std::vector<NodeId> left = all_of(nodes);
  std::vector<std::vector<NodeId>> result;
  for (const FlowSources& flow : flows) {
    const Rng rng(seed, StreamKind::placement, result.size());
    result.push_back(choose_nodes(flow.spec, flow.key, nodes, left, rng, mistakes));
    if (flow.spec.kind == NodeSet::Kind::all) continue;
    std::vector<NodeId> others;
    std::ranges::set_difference(left, result.back(), std::back_inserter(others));
    left = std::move(others);
  }
  return result;
}

}  // namespace headway
