// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/sources.h"

#include <algorithm>
#include <cmath>
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

class Chooser {
 public:
  Chooser(std::uint32_t nodes, std::uint64_t seed, Mistakes& mistakes)
      : seed_(seed), mistakes_(mistakes), taken_(nodes, false) {}

  std::vector<NodeId> choose(const FlowSources& flow, std::uint64_t flow_number) {
    std::vector<NodeId> result;
    switch (flow.spec.kind) {
      case SourcesSpec::Kind::all:
        return all();
      case SourcesSpec::Kind::fraction:
        if (const auto count = share(flow)) result = spread(left(), count);
        break;
      case SourcesSpec::Kind::random:
        if (const auto count = share(flow))
          result = draw(left(), count, Rng(seed_, StreamKind::placement, flow_number));
        break;
      case SourcesSpec::Kind::first:
        result = first(flow);
        break;
      case SourcesSpec::Kind::nodes:
        result = listed(flow);
        break;
      case SourcesSpec::Kind::rest:
        result = left();
        if (result.empty()) mistakes_.add(flow.key, "earlier flows use all nodes");
        break;
    }
    for (const NodeId node : result) taken_[node] = true;
    return result;
  }

 private:
  std::vector<NodeId> all() const {
    std::vector<NodeId> result(taken_.size());
    std::iota(result.begin(), result.end(), 0);
    return result;
  }

  std::vector<NodeId> left() const {
    std::vector<NodeId> result = all();
    std::erase_if(result, [&](NodeId node) { return taken_[node]; });
    return result;
  }

  // Number of nodes of a fraction; 0 and a mistake if this is less than one or more than are left.
  std::uint64_t share(const FlowSources& flow) {
    const auto count =
        static_cast<std::uint64_t>(std::llround(flow.spec.fraction * static_cast<double>(taken_.size())));
    const std::size_t available = left().size();
    if (count == 0)
      mistakes_.add(flow.key, "is less than one of the " + std::to_string(taken_.size()) + " nodes");
    else if (count > available)
      mistakes_.add(flow.key, "asks for " + std::to_string(count) + " nodes, but earlier flows leave " +
                                  std::to_string(available));
    return count <= available ? count : 0;
  }

  std::vector<NodeId> first(const FlowSources& flow) {
    const auto nodes = static_cast<std::int64_t>(taken_.size());
    if (flow.spec.first < 1 || flow.spec.first > nodes) {
      mistakes_.add(flow.key, "the first " + std::to_string(flow.spec.first) + " nodes do not exist",
                    "the network has " + std::to_string(nodes) + " nodes");
      return {};
    }
    std::vector<NodeId> result = all();
    result.resize(static_cast<std::size_t>(flow.spec.first));
    return result;
  }

  std::vector<NodeId> listed(const FlowSources& flow) {
    const auto nodes = static_cast<std::int64_t>(taken_.size());
    std::vector<std::int64_t> ids = flow.spec.nodes;
    std::ranges::sort(ids);
    if (ids.empty()) mistakes_.add(flow.key, "contains no node");
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] < 0 || ids[i] >= nodes)
        mistakes_.add(flow.key, "node " + std::to_string(ids[i]) + " is outside the network",
                      "nodes are 0 to " + std::to_string(nodes - 1));
      else if (i > 0 && ids[i] == ids[i - 1])
        mistakes_.add(flow.key, "node " + std::to_string(ids[i]) + " is listed twice");
    }
    std::erase_if(ids, [&](std::int64_t id) { return id < 0 || id >= nodes; });
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return {ids.begin(), ids.end()};
  }

  std::uint64_t seed_;
  Mistakes& mistakes_;
  std::vector<bool> taken_;  // [node]
};

}  // namespace

std::vector<std::vector<NodeId>> choose_sources(const std::vector<FlowSources>& flows, std::uint32_t nodes,
                                                std::uint64_t seed, Mistakes& mistakes) {
  Chooser chooser(nodes, seed, mistakes);
  std::vector<std::vector<NodeId>> result;
  for (const FlowSources& flow : flows) result.push_back(chooser.choose(flow, result.size()));
  return result;
}

}  // namespace headway
