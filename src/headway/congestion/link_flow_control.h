// SPDX-License-Identifier: Apache-2.0
// The family of link-level flow control: what keeps a sender from filling the memory behind its link beyond
// its capacity.
#pragma once

#include <optional>

#include "headway/base/error.h"
#include "headway/base/units.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"

namespace headway {

// How lanes pause their senders (PauseRules), in bytes. What is not set depends on the network.
struct PausePlan {
  std::optional<Bytes> xoff, xon, headroom;
  double alpha = 0;  // of shared memory; 0: thresholds of each lane
  std::optional<Duration> delay;
  bool loses = false;
};

class LinkFlowControl {
 public:
  virtual ~LinkFlowControl() = default;
  virtual void describe(Parameters&) {}
  // None: senders count credits.
  virtual std::optional<PausePlan> pauses() const { return std::nullopt; }
  // Returns true if the queues of a lane share its memory.
  virtual bool shares_lanes() const { return pauses().has_value(); }
};

Registry<LinkFlowControl> link_flow_controls();

}  // namespace headway
