// SPDX-License-Identifier: Apache-2.0
// Credits of queues or of lanes, and pauses of priorities (PFC). IEEE 802.1Qbb; thresholds of shared memory:
// Choudhury and Hahne, IEEE/ACM ToN 1998. Headroom: docs/modelling.md, "Pauses".
#include "headway/congestion/link_flow_control.h"

namespace headway {
namespace {

class LaneCredits final : public LinkFlowControl {
 public:
  bool shares_lanes() const override { return true; }
};

template <bool kIsShared>
class Pfc final : public LinkFlowControl {
 public:
  Pfc() { plan_.alpha = kIsShared ? 1 : 0; }
  void describe(Parameters& parameters) override {
    if (kIsShared) {
      parameters.field({.name = "alpha",
                        .help = "a lane pauses its sender when it would hold more than alpha times the free "
                                "part of the memory that the lanes of a switch share",
                        .bounds = Bounds::from(0.0001, 1000)},
                       plan_.alpha);
    } else {
      parameters.field(
          {.name = "xoff",
           .help = "a lane of an input port that holds this much pauses its sender; default: its "
                   "memory less its headroom",
           .bounds = Bounds::from(1, 1e12)},
          plan_.xoff);
      parameters.field({.name = "xon",
                        .help = "a lane lets its sender resume when it holds no more than this; default: two "
                                "full packets less than xoff",
                        .bounds = Bounds::from(0, 1e12)},
                       plan_.xon);
    }
    parameters.field({.name = "headroom",
                      .help = "memory of a lane for packets that arrive although it has paused its sender; "
                              "default: the least with which no packet is lost",
                      .bounds = Bounds::from(0, 1e12)},
                     plan_.headroom);
    parameters.field(
        {.name = "pause_delay",
         .help = "time until a pause or a resume has effect at the sender, unless they share the links "
                 "with packets (credit_packet); default: the delay of the link",
         .bounds = Bounds::from(0, 4e15)},
        plan_.delay);
    parameters.field({.name = "losses",
                      .help = "true: packets that find no room are lost and counted, so that the headroom "
                              "may be too small; nobody sends them again"},
                     plan_.loses);
  }
  std::optional<PausePlan> pauses() const override { return plan_; }

 private:
  PausePlan plan_;
};

}  // namespace

Registry<LinkFlowControl> link_flow_controls() {
  static const Entry<LinkFlowControl> entries[] = {
      {"credits", "a sender sends a packet only if it has a credit for its room in the queue that it enters",
       "Headway", make_entry<LinkFlowControl, LinkFlowControl>},
      {"lane-credits",
       "the queues of a lane share its memory; a sender sends a packet only if it has a credit of the lane",
       "InfiniBand Architecture Specification 1.3, section 7.9", make_entry<LinkFlowControl, LaneCredits>},
      {"pfc", "a lane that holds too much pauses its sender (priority flow control), by its own thresholds",
       "IEEE 802.1Qbb", make_entry<LinkFlowControl, Pfc<false>>},
      {"pfc-shared",
       "likewise, by a threshold that follows the free memory of the switch, which its lanes share",
       "IEEE 802.1Qbb; Choudhury and Hahne, IEEE/ACM ToN 1998", make_entry<LinkFlowControl, Pfc<true>>},
  };
  return entries;
}

}  // namespace headway
