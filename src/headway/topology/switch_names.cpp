// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/switch_names.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "headway/config/nearest.h"

namespace headway {

SwitchNames::SwitchNames(const Graph& graph) : switches_(graph.switches()) {
  for (SwitchId sw = 0; sw < switches_; ++sw) switch_of_.emplace(graph.switch_name(sw), sw);
  for (SwitchId sw = 0; sw < switches_; ++sw) switch_of_.emplace(std::to_string(sw), sw);
}

std::optional<SwitchId> SwitchNames::find(const std::string& name) const {
  const auto found = switch_of_.find(name);
  return found == switch_of_.end() ? std::nullopt : std::optional(found->second);
}

std::string SwitchNames::meant(const std::string& name) const {
  std::vector<std::string_view> names;
  for (const auto& [known, sw] : switch_of_) names.push_back(known);
  const auto found = nearest(name, names);
  const bool number = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  return found && !number ? "did you mean \"" + std::string(*found) + "\"?"
                          : "switches 0 to " + std::to_string(switches_ - 1);
}

}  // namespace headway
