// SPDX-License-Identifier: Apache-2.0
// All routing functions, in the order in which they are listed. One line per file in this directory.
#include <algorithm>
#include <string>
#include <typeinfo>

#include "headway/config/parameter_values.h"
#include "headway/routing/paths_left.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"

namespace headway {

Entry<Routing> det(), random_up(), turnaround(), dor(), table(), adaptive(), up_down();
Entry<Routing> minimal(), valiant(), ugal(), par();  // detours.cpp
Entry<Routing> ecmp(), spray(), lash(), dfsssp();    // any_graph.cpp

Registry<Routing> routings() {
  static const Entry<Routing> entries[] = {det(),     random_up(), turnaround(), dor(),  minimal(),
                                           table(),   adaptive(),  valiant(),    ugal(), par(),
                                           up_down(), ecmp(),      spray(),      lash(), dfsssp()};
  return entries;
}

std::vector<std::string_view> routings_for(const Shape& shape,
                                           const std::function<bool(const Routing&)>& also) {
  std::vector<std::string_view> names;
  for (const Entry<Routing>& entry : routings())
    if (const auto routing = entry.make(); routing->routes(shape) && also(*routing))
      names.push_back(entry.name);
  return names;
}

namespace {

void check_all_reach(const Graph& graph, const RouteTable& table) {
  if (const auto pair = pair_without_path(graph, table))
    throw SpecError("network.failures",
                    "without these links, this routing has no path from node " +
                        graph.node_name(pair->first) + " to node " + graph.node_name(pair->second),
                    "routing.algorithm = \"up-down\" or \"dfsssp\" finds other paths");
}

}  // namespace

Routes Routing::build(const Graph& graph, Unreachable unreachable) const {
  check(graph);
  Routes routes = routes_of(graph);
  if (graph.has_failures() && unreachable == Unreachable::mistake) check_all_reach(graph, routes.table);
  return routes;
}

void Routing::check(const Graph& graph) const {
  const Shape& shape = graph.shape();
  const bool knows = routes(shape);
  if (knows && (!graph.has_failures() || avoids_failures(shape))) return;
  std::string name = "it";
  for (const Entry<Routing>& entry : routings()) {
    const auto routing = entry.make();
    const Routing& same = *routing;
    if (typeid(same) == typeid(*this)) name = '"' + std::string(entry.name) + '"';
  }
  const auto avoids = [&](const Routing& routing) {
    return !graph.has_failures() || routing.avoids_failures(shape);
  };
  throw SpecError(
      "routing.algorithm",
      name + " cannot route " + (knows ? "around failed links in " : "") + std::string(kind_of(shape)),
      list_text(routings_for(shape, avoids), "or") + " can");
}

}  // namespace headway
