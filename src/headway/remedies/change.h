// SPDX-License-Identifier: Apache-2.0
// A change of a spec that a run tests: keys and values, so that everybody can repeat the run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headway/config/names.h"
#include "headway/spec/overrides.h"

namespace headway {

enum class ChangeKind : std::uint8_t {
  cause,   // takes away something that is there: traffic, slow links, failures
  bound,   // makes something better than it can be: what no remedy of its group can surpass
  remedy,  // can be bought, or configured
  pair,    // two of these
  own,     // the user's
};
constexpr auto names_in_specs(ChangeKind) { return name_list("cause", "bound", "remedy", "pair", "own"); }

// What a change is about. A bound opens or closes its group.
enum class ChangeGroup : std::uint8_t {
  traffic,  // of others
  rates,    // of links
  failures,
  receivers,
  control,  // of congestion
  delay,
  memory,
  computing,  // and overheads
  program,
  allocation,  // of nodes to jobs
  placement,
  routing,
  lanes,
  queues,  // schemes, and admittance at nodes
  arbiters,
  crossbars,
  fabric,  // all of the network between the nodes
  own,
};
constexpr auto names_in_specs(ChangeGroup) {
  return name_list("traffic", "rates", "failures", "receivers", "control", "delay", "memory", "computing",
                   "program", "allocation", "placement", "routing", "lanes", "queues", "arbiters",
                   "crossbars", "fabric", "own");
}

struct Change {
  std::string what;  // "without storage"
  ChangeKind kind = ChangeKind::own;
  ChangeGroup group = ChangeGroup::own;
  std::vector<Override> set;
};

// Both changes. Lists of names, such as what_if.without, become one list; of other keys, the value of the
// second one counts.
std::vector<Override> merged(const std::vector<Override>& first, const std::vector<Override>& second);

}  // namespace headway
