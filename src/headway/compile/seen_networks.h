// SPDX-License-Identifier: Apache-2.0
// The networks and routes that checks have looked at: each is built once for all specs that have it, as the
// points of a sweep do.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/compile/memory.h"
#include "headway/config/document.h"
#include "headway/spec/spec.h"

namespace headway {

// Routes of a network.
struct SeenRoutes {
  std::vector<Mistake> wrong;  // why there are none
  std::optional<RouteTable> routes;
  std::optional<std::uint64_t> reachable;  // reachable_inputs, counted when first asked for
};

// How many sources the flows of a spec have, chosen among the nodes of a network.
struct SeenSources {
  std::vector<Mistake> wrong;
  std::vector<std::size_t> count;  // [flow]
};

struct SeenNetwork {
  std::vector<Mistake> wrong;  // with its topology; then there is nothing more
  std::uint32_t nodes = 0;
  std::uint64_t memory = 0;                    // network_memory
  std::optional<Graph> graph;                  // none if it was too large to build
  std::map<std::string, SeenRoutes> routes;    // by their table in the spec
  std::map<std::string, SeenSources> sources;  // by their texts in the spec, and its seed
};

class SeenNetworks {
 public:
  // Builds graphs of at most `most` bytes altogether, which bounds the time that checks of large networks
  // take.
  explicit SeenNetworks(std::uint64_t most) : to_build_(most) {}

  // The network of the spec; `written` is the resolved spec. Valid until the next call.
  SeenNetwork& network(const NetworkSpec& spec, const Document& written);
  // Its routes, of a network with a graph.
  static SeenRoutes& routes(SeenNetwork& network, const RoutingSpec& spec, const Document& written);
  static SeenSources& sources(SeenNetwork& network, const EventSpec& spec, const Document& written);
  std::uint64_t held() const { return held_; }
  bool left_out() const { return left_out_; }  // was a graph not built for its size?

 private:
  void build(const NetworkSpec& spec, SeenNetwork& network);

  std::map<std::string, SeenNetwork> networks_;  // by their table in the spec
  std::uint64_t to_build_;                       // bytes of graphs that may still be built
  bool left_out_ = false;
  std::uint64_t held_ = 0;  // bytes of the graphs
};

}  // namespace headway
