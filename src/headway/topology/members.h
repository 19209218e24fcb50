// SPDX-License-Identifier: Apache-2.0
// The switches and nodes of a network by the names or numbers that users write.
#pragma once

#include <string>
#include <vector>

#include "headway/config/row_reader.h"
#include "headway/topology/graph.h"

namespace headway {

inline NumberedNames switches_of(const Graph& graph) {
  const auto* names = std::get_if<IrregularShape>(&graph.shape());
  return {"switch", graph.switches(), names == nullptr ? std::vector<std::string>{} : names->switch_names};
}
// `what` is the word for a node ("destination").
inline NumberedNames nodes_of(const Graph& graph, std::string what = "node") {
  const auto* names = std::get_if<IrregularShape>(&graph.shape());
  return {std::move(what), graph.nodes(), names == nullptr ? std::vector<std::string>{} : names->node_names};
}

// Those of the spec. Where these have several links, only the links have names in the graph.
inline NumberedNames nodes_of_spec(const Graph& graph) {
  const auto* names = std::get_if<IrregularShape>(&graph.shape());
  const bool are_named = names != nullptr && graph.has_one_link_per_node();
  return {"node", graph.nodes_of_spec(), are_named ? names->node_names : std::vector<std::string>{}};
}

}  // namespace headway
