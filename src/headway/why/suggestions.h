// SPDX-License-Identifier: Apache-2.0
// Which change of a spec removes a part of the critical path of a job: what to run next.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/run/results.h"

namespace headway {

// The part of the path that a change removes.
enum class PathPart : std::uint8_t {
  slow_link,     // links that are slower than most of their role: transfer over them and waiting for them
  others,        // waiting behind another flow, trace or job
  receiver,      // waiting for a node that consumes packets slowly
  own_rate,      // waiting at nodes that have slowed their flows down
  collisions,    // waiting behind the job itself for links between switches
  credits,       // waiting for memories whose slots are all on the wire
  narrow_links,  // transfer over links of narrower roles
};

struct Suggestion {
  PathPart part;
  double share;      // of the path: the part
  std::string what;  // "the link of node gpu13 at the rate of its peers"
  // A run with the change is at most so many times as fast, if the program has the same steps
  // (docs/waiting.md, "What a change can gain"); can be infinite.
  double most_gain;
  std::vector<std::pair<std::string, std::string>> set;  // keys of the spec, and values as --set reads them
};

// One for each part that is at least a tenth of the path, the largest part first. The same waiting can be in
// two parts: for a slow link, and behind another flow. Of equal parts, those that are there (links, traffic,
// receivers) come before mechanisms. Empty without a critical path of the job, and if its path consists of
// what no change of the network removes: computing, overhead, its own bytes, propagation.
//
// Members of families stand for others: collisions are removed by any routing that spreads the packets of a
// pair (`spray`), narrow links by any that uses wider ones (`up-down`).
std::vector<Suggestion> suggestions(const PointResult& point, std::string_view job);
// The same for the packets of a flow, or of all traffic if it has no name. Most gains hold for times of
// packets.
std::vector<Suggestion> suggestions_for_flow(const PointResult& point, std::string_view flow);

}  // namespace headway
