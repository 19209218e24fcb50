// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/root_name.h"

#include <fmt/format.h>

#include <cmath>

#include "headway/observe/photograph.h"

namespace headway {

std::string root_name(const std::function<double(std::string_view column)>& cell, const NetworkNames& names) {
  const auto named = [](std::string_view what, const std::vector<std::string>& list, double number) {
    const auto index = static_cast<std::size_t>(number);
    return fmt::format("{} {}", what, index < list.size() ? list[index] : std::to_string(index));
  };
  const auto device = [&](std::string_view node, std::string_view sw) {
    if (!std::isnan(cell(node))) return named("node", names.nodes, cell(node));
    return std::isnan(cell(sw)) ? std::string() : named("switch", names.switches, cell(sw));
  };
  std::string from = device("from_node", "from_switch");
  if (std::isnan(cell("from_node"))) from += fmt::format(" port {:g}", cell("from_port"));
  const std::string to = device("to_node", "to_switch");
  switch (static_cast<RootKind>(static_cast<int>(cell("kind")))) {
    case RootKind::link:
      return to.empty() ? from : from + " → " + to;
    case RootKind::crossbar:
      return "crossbar to " + from;
    case RootKind::input:
      return "input of " + from;
    case RootKind::window:
      return "memory of " + from;
    case RootKind::cycle:
      return "cycle through " + from;
  }
  return from;
}

}  // namespace headway
