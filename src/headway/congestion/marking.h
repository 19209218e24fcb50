// SPDX-License-Identifier: Apache-2.0
// The marking family: which packets a switch marks because of congestion.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"

namespace headway {

struct MarkingRules;

// What a network with a marking is like.
struct MarkingContext {
  std::int64_t lane_bytes = 0;                      // memory of a lane at an input port
  std::uint32_t stop_threshold = 0;                 // of isolation, in packets; 0: no isolation
  std::vector<std::string_view> isolating_schemes;  // the names of those with isolation
};

class Marking {
 public:
  virtual ~Marking() = default;
  virtual void describe(Parameters&) {}
  // Reports parameters that do not fit together or the network.
  virtual void check(const MarkingContext&, Mistakes&) const {}
  // Returns true unless no packet is marked.
  virtual bool marks() const { return false; }
  // None: no packet is marked.
  virtual std::optional<MarkingRules> build(const MarkingContext&) const;
};

// The key of the packets that are not marked between two marked ones.
inline void describe_marking_rate(std::int64_t& rate, Parameters& parameters) {
  parameters.field({.name = "marking_rate",
                    .help = "packets that may be marked and are not, after each marked one",
                    .bounds = Bounds::from(0, 65535)},
                   rate);
}

// Reports a marking of isolated packets without isolation.
void check_isolation(std::string_view marking, const MarkingContext& context, Mistakes& mistakes);

Registry<Marking> markings();

}  // namespace headway
