// SPDX-License-Identifier: Apache-2.0
// Adaptive routing: the selection function chooses among the ports of shortest paths, when a packet is at the
// head of its queue or when it arrives. At the head, in fat-trees every up port leads to the destination; on
// the way down there is one port, or one for each parallel link (Petrini and Vanneschi, "k-ary n-trees: high
// performance networks for massively parallel architectures", IPPS 1997; Gilabert et al., Euro-Par 2006,
// section 2). In grids and HyperX there is a port for each dimension in which the packet has to move, in a
// separate lane; dimension-order routing in the other lanes, in a torus with datelines, is the escape (Duato,
// IEEE TPDS 4(12), 1993). On arrival, the ports are all those of shortest paths, as with ecmp and spray:
// switches with output queues by port have to know the output then (NVIDIA, "Adaptive Routing", Quantum and
// Spectrum switches; Broadcom, "Dynamic load balancing", Tomahawk switches: by the load of ports in quantised
// steps).
#include "headway/routing/any_graph.h"
#include "headway/routing/choice_limits.h"
#include "headway/routing/cycle_rule.h"
#include "headway/routing/grids.h"
#include "headway/routing/routing.h"

namespace headway {
namespace {

enum class ChooseAt { head, arrival };
constexpr auto names_in_specs(ChooseAt) { return name_list("head", "arrival"); }

class Adaptive final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "choose",
         .help = "when a packet chooses its output at a switch: at the head of its queue, in "
                 "trees, meshes, tori and HyperX; or on arrival, among the shortest paths of any "
                 "network, and it then waits in the queue of this output"},
        choose_);
    parameters.field({.name = "free_load",
                      .help = "choose = \"arrival\": an output is free if no more than this waits for it; a "
                              "packet takes the output that routing.selection prefers, or else the next free "
                              "one, or else the one for which the least waits",
                      .bounds = Bounds::from(0, 1e12)},
                     free_load_);
    parameters.field({.name = "load_step",
                      .help = "choose = \"arrival\": what waits for outputs is compared in whole steps of "
                              "this size; default: a full packet",
                      .bounds = Bounds::from(1, 1e12)},
                     load_step_);
    limits_.describe(parameters);
    cycles_.describe(parameters);
  }
  bool single_path() const override { return false; }
  bool adaptive() const override { return true; }
  std::optional<AtArrival> at_arrival() const override {
    if (choose_ == ChooseAt::head) return std::nullopt;
    return AtArrival{free_load_.value_or(Bytes{0}), load_step_};
  }
  bool avoids_failures(const Shape&) const override { return choose_ == ChooseAt::arrival; }

  bool routes(const Shape& shape) const override {
    return choose_ == ChooseAt::arrival || std::holds_alternative<TreeShape>(shape) ||
           std::holds_alternative<GridShape>(shape) || std::holds_alternative<HyperXShape>(shape);
  }

 private:
  Routes routes_of(const Graph& graph) const override {
    if (choose_ == ChooseAt::arrival && !limits_.any()) {
      Routes routes = equal_paths(graph, /*per_pair=*/false, cycles_.refuses());
      cycles_.apply_to(routes);
      return routes;
    }
    if (choose_ == ChooseAt::head && (free_load_ || load_step_))
      throw SpecError(free_load_ ? "routing.free_load" : "routing.load_step",
                      "the head of a queue takes an output by routing.free_output, not by what waits for it",
                      "omit it, or set choose = \"arrival\"");
    if (limits_.any()) {
      const std::vector<TreeCandidates> candidates = limits_.of(graph);
      return RouteTable::tree(std::get<TreeShape>(graph.shape()), candidates);
    }
    if (const auto* tree = std::get_if<TreeShape>(&graph.shape()))
      return RouteTable::tree(*tree, RouteTable::TreeUp::random);
    Routes routes;
    if (const auto* hyperx = std::get_if<HyperXShape>(&graph.shape())) {
      routes.table = to_nodes(graph, HyperXRoutes(*hyperx, ascending(hyperx->sides.size()), false));
      routes.choices.emplace(*hyperx);
      return routes;
    }
    const auto& grid = std::get<GridShape>(graph.shape());
    routes.table = to_nodes(graph, GridRoutes(grid, ascending(grid.sides.size()), false));
    if (grid.wraps) routes.lanes = torus_lanes(graph, grid, 1);
    routes.choices.emplace(grid);
    return routes;
  }

  ChooseAt choose_ = ChooseAt::head;
  std::optional<Bytes> free_load_, load_step_;
  ChoiceLimits limits_;
  CycleRule cycles_;
};

}  // namespace

Entry<Routing> adaptive() {
  return {"adaptive",
          "adaptive routing: routing.selection chooses among the free ports of all shortest paths",
          "Petrini and Vanneschi 1997; Gilabert et al., Euro-Par 2006; Duato 1993",
          make_entry<Routing, Adaptive>};
}

}  // namespace headway
