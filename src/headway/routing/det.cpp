// SPDX-License-Identifier: Apache-2.0
// DET: deterministic routing in fat-trees. Going up, a switch of stage s takes up port k + d_s, the
// destination's digit of that stage; so consecutive destinations are shuffled over the up ports, every link
// of a stage carries equally many pairs, and every link down carries a single destination. Going down there
// is no choice. Source: Gomez et al., "Deterministic versus adaptive routing in fat-trees", IPDPS 2007; as
// used by OBQA (Euro-Par 2010), section 2. The formula is the preferred port of SADP (Gilabert et al.,
// Euro-Par 2006, section 4), and agrees with OBQA's worked example. In trees whose levels differ, it is
// D-mod-K (Zahavi, CCIT report 776, 2010). A tree from a file has no digits; tree_by_levels.h routes it.
#include "headway/routing/around_failures.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/routing/tree_by_levels.h"

namespace headway {
namespace {

class Det final : public Routing {
 public:
  bool single_path() const override { return true; }

  bool routes(const Shape& shape) const override {
    return std::holds_alternative<TreeShape>(shape) || std::holds_alternative<SingleSwitchShape>(shape) ||
           std::holds_alternative<StagesShape>(shape) || std::holds_alternative<IrregularShape>(shape);
  }
  bool avoids_failures(const Shape& shape) const override { return std::holds_alternative<TreeShape>(shape); }

 private:
  Routes routes_of(const Graph& graph) const override {
    if (graph.has_failures()) return tree_around_failures(graph, /*by_destination=*/true);
    if (const auto* tree = std::get_if<TreeShape>(&graph.shape()))
      return RouteTable::tree(*tree, RouteTable::TreeUp::destination_digit);
    if (std::holds_alternative<SingleSwitchShape>(graph.shape()))
      return by_digits(graph.nodes(), {graph.nodes(), 1, {0}});
    if (std::holds_alternative<IrregularShape>(graph.shape())) return tree_by_levels(graph);
    return by_digits(graph.nodes(), std::get<StagesShape>(graph.shape()));
  }

  // All switches of a stage route by the same digit: the self-routing of banyan networks.
  static RouteTable by_digits(std::uint32_t nodes, const StagesShape& shape) {
    std::vector<PortRange> candidates;
    for (const std::uint32_t digit : shape.digit_of) {
      std::uint32_t weight = nodes;
      for (std::uint32_t i = 0; i <= digit; ++i) weight /= shape.radix;
      for (NodeId node = 0; node < nodes; ++node)
        candidates.push_back({static_cast<std::uint16_t>(node / weight % shape.radix), 1});
    }
    return RouteTable::from_table(nodes, std::move(candidates), nodes / shape.radix);
  }
};

}  // namespace

Entry<Routing> det() {
  return {
      "det",
      "deterministic: one path per pair; consecutive destinations are distributed over the up ports; also in "
      "networks from files that are trees",
      "Gomez et al., IPDPS 2007; OBQA (Euro-Par 2010), section 2; Zahavi 2010 (D-mod-K)",
      make_entry<Routing, Det>};
}

}  // namespace headway
