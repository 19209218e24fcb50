// SPDX-License-Identifier: Apache-2.0
// The networks and routes that checks and runs have looked at: each is built once for all that have it, as
// the points of a sweep do. Any number of threads may ask.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/kept.h"
#include "headway/config/document.h"
#include "headway/routing/route_table.h"
#include "headway/selection/rule.h"
#include "headway/spec/spec.h"

namespace headway {

// How many sources the flows of a spec have, chosen among the nodes of a network.
struct SeenSources {
  std::vector<Mistake> wrong;
  std::vector<std::size_t> count;  // [flow]
};

// How an adaptive routing selects among the outputs of a network.
struct SeenSelection {
  std::vector<Mistake> wrong;  // why the function cannot work; then the rule is the default one
  SelectionRule rule;
};

class SeenNetwork {
 public:
  std::vector<Mistake> wrong;  // with its topology; then there is nothing more
  std::uint32_t nodes = 0;
  std::uint64_t memory = 0;            // network_memory
  std::shared_ptr<const Graph> graph;  // null if it was too large to build

  // `written` is the resolved spec.
  SeenSources sources(const EventSpec& spec, const Document& written);
  SeenSelection selection(const EventSpec& spec, const Document& written);
  std::uint64_t bytes() const { return bytes_; }

 private:
  friend class SeenNetworks;
  std::mutex mutex_;  // while it is filled; guards what follows
  bool filled_ = false;
  std::map<std::string, SeenSources> sources_;       // by their texts in the spec, and its seed
  std::map<std::string, SeenSelection> selections_;  // by the spec's [routing]
  std::atomic<std::uint64_t> bytes_ = 0;
};

// Routes of a network.
class SeenRoutes {
 public:
  std::vector<Mistake> wrong;  // why there are none
  std::optional<RouteTable> routes;

  // As reachable_inputs, of that network.
  const std::vector<std::uint32_t>& reachable(const Graph& graph);
  std::uint64_t bytes() const { return bytes_; }

 private:
  friend class SeenNetworks;
  std::mutex mutex_;  // while they are filled; guards what follows
  bool filled_ = false;
  std::vector<std::uint32_t> reachable_;  // counted when first asked for
  std::atomic<std::uint64_t> bytes_ = 0;
};

class SeenNetworks {
 public:
  // Builds graphs of at most `most` bytes altogether, which bounds the time that checks of large networks
  // take.
  explicit SeenNetworks(std::uint64_t most = UINT64_MAX) : to_build_(most) {}

  // The network of the spec, and its routes where there is a graph; `written` is the resolved spec.
  std::shared_ptr<SeenNetwork> network(const EventSpec& spec, const Document& written);
  std::shared_ptr<SeenRoutes> routes(const SeenNetwork& network, const EventSpec& spec,
                                     const Document& written);
  // Keeps graphs, and routes, of at most so many bytes that nobody uses; the last ones whatever they take.
  void keep_at_most(std::uint64_t bytes) {
    networks_.keep_at_most(bytes);
    routes_.keep_at_most(bytes);
  }
  std::uint64_t held() const { return networks_.bytes() + routes_.bytes(); }  // bytes
  bool left_out() const { return left_out_; }  // was a graph not built for its size?
  unsigned graphs_built() const { return graphs_built_; }
  unsigned routes_built() const { return routes_built_; }

 private:
  static constexpr std::size_t kMostKept = 16;
  static constexpr std::uint64_t kMostBytesKept = 256 << 20;

  void build(const NetworkSpec& spec, SeenNetwork& network);
  bool may_build(std::uint64_t bytes);

  Kept<SeenNetwork> networks_{kMostKept, kMostBytesKept};  // by table and files in the spec
  Kept<SeenRoutes> routes_{kMostKept, kMostBytesKept};     // likewise, those of their network included
  std::atomic<std::uint64_t> to_build_;                    // bytes of graphs that may still be built
  std::atomic<bool> left_out_ = false;
  std::atomic<unsigned> graphs_built_ = 0, routes_built_ = 0;
};

}  // namespace headway
