// SPDX-License-Identifier: Apache-2.0
// InfiniBand's reaction of one flow; infiniband_reaction.cpp has the parameters.
#include <algorithm>

#include "headway/congestion/limited_flow.h"

namespace headway {

GateChange infiniband_notification(LimitedFlow& flow, const ReactionAt& at) {
  flow.index = std::min(at.rules.most_index, flow.index + at.rules.increase);
  if (flow.next(FlowEvent::recovery) == kNoTick)
    at.events.set(flow, FlowEvent::recovery, at.now + at.rules.recovery_timer);
  return GateChange::moved;
}

GateChange infiniband_timer(LimitedFlow& flow, const ReactionAt& at) {
  if (flow.index > at.rules.least_index) --flow.index;
  if (flow.index == 0) return GateChange::removed;
  if (flow.index > at.rules.least_index)
    at.events.set(flow, FlowEvent::recovery, at.now + at.rules.recovery_timer);
  return GateChange::moved;
}

}  // namespace headway
