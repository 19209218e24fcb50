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

struct SeenNetwork {
  std::vector<Mistake> wrong;  // with its topology; then there is nothing more
  std::uint32_t nodes = 0;
  std::uint64_t memory = 0;                  // network_memory
  std::optional<Graph> graph;                // none if it is too large to build
  std::map<std::string, SeenRoutes> routes;  // by their table in the spec
};

class SeenNetworks {
 public:
  // Graphs of more than `largest` bytes are not built.
  explicit SeenNetworks(std::uint64_t largest) : largest_(largest) {}

  // The network of the spec; `written` is the resolved spec. Valid until the next call.
  SeenNetwork& network(const NetworkSpec& spec, const Document& written);
  // Its routes, of a network with a graph.
  static SeenRoutes& routes(SeenNetwork& network, const RoutingSpec& spec, const Document& written);
  std::uint64_t held() const { return held_; }
  bool left_out() const { return left_out_; }  // a graph of more than `largest` bytes

 private:
  std::map<std::string, SeenNetwork> networks_;  // by their table in the spec
  std::uint64_t largest_;
  bool left_out_ = false;
  std::uint64_t held_ = 0;  // bytes of the graphs
};

}  // namespace headway
