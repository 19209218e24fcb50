// SPDX-License-Identifier: Apache-2.0
// Finds switches by the names or numbers that users write.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "headway/topology/graph.h"

namespace headway {

class SwitchNames {
 public:
  explicit SwitchNames(const Graph& graph);
  // The switch with this name, or else with this number.
  std::optional<SwitchId> find(const std::string& name) const;
  // A hint for a name that no switch has.
  std::string meant(const std::string& name) const;

 private:
  std::uint32_t switches_;
  std::map<std::string, SwitchId> switch_of_;
};

}  // namespace headway
