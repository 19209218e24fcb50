// SPDX-License-Identifier: Apache-2.0
// All routing functions, in the order in which they are listed. One line per file in this directory.
#include <algorithm>
#include <string>
#include <typeinfo>

#include "headway/config/parameter_values.h"
#include "headway/routing/routing.h"

namespace headway {

Entry<Routing> det(), random_up(), turnaround(), dor(), minimal(), table(), adaptive();
Entry<Routing> valiant(), ugal(), par();                      // detours.cpp
Entry<Routing> up_down(), ecmp(), spray(), lash(), dfsssp();  // any_graph.cpp

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

Routes Routing::build(const Graph& graph) const {
  if (routes(graph.shape())) return routes_of(graph);
  std::string name = "it";
  for (const Entry<Routing>& entry : routings()) {
    const auto routing = entry.make();
    const Routing& same = *routing;
    if (typeid(same) == typeid(*this)) name = '"' + std::string(entry.name) + '"';
  }
  throw SpecError({{.key = "routing.algorithm",
                    .message = name + " cannot route " + std::string(kind_of(graph.shape())),
                    .hint = list_text(routings_for(graph.shape()), "or") + " can",
                    .where = ""}});
}

}  // namespace headway
