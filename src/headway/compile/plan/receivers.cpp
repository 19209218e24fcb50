// SPDX-License-Identifier: Apache-2.0
// The slow nodes of a spec (docs/modelling.md, "Slow nodes").
#include "headway/compile/plan/parts.h"

#include <fmt/format.h>

#include "headway/traffic/sources.h"

namespace headway {

std::vector<Rational> receive_rates(const EventSpec& spec, std::uint32_t nodes, Mistakes& mistakes) {
  const NodeSpec& node = spec.node;
  if (!node.receive_rate && node.receivers.empty()) {
    if (node.receive_memory)
      mistakes.add("node.receive_memory", "no node has a receive rate, so all consume packets at once",
                   "give node.receive_rate or [[node.receiver]]");
    return {};
  }
  std::vector<FlowSources> wanted;
  for (std::size_t r = 0; r < node.receivers.size(); ++r)
    wanted.push_back({node.receivers[r].nodes, fmt::format("node.receiver[{}].nodes", r)});
  const auto chosen = choose_sources(wanted, nodes, spec.seed, mistakes);
  const Rational others = node.receive_rate ? to_four_decimals(*node.receive_rate) : Rational(0);
  std::vector<Rational> rates(nodes, others);
  for (std::size_t r = 0; r < chosen.size(); ++r)
    for (const NodeId slow : chosen[r]) rates[slow] = to_four_decimals(node.receivers[r].rate);
  return rates;
}

}  // namespace headway
