// SPDX-License-Identifier: Apache-2.0
// EMPTIEST: the upstream port sends each packet to the queue of the next input port with the most room. It
// balances load but ignores destinations, so congestion fills all queues. Packets of a pair can overtake each
// other. Source: Nachiondo et al. (DBBM), Euro-Par 2005, section 5 (EMPTIEST 8Q).
#include "headway/queueing/scheme.h"

namespace headway {
namespace {

class Emptiest final : public Scheme {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "queues", .help = "queues per input port", .bounds = Bounds::from(1, kMostQueuesPerPort)},
        queues_);
  }
  QueueMap build(const Graph&) const override {
    return QueueMap::most_room(static_cast<std::uint32_t>(queues_));
  }
  bool in_order() const override { return queues_ == 1; }

 private:
  std::int64_t queues_ = 8;
};

}  // namespace

Entry<Scheme> emptiest() {
  return {"emptiest", "every packet joins the queue with the most room", "DBBM (Euro-Par 2005), section 5",
          make_entry<Scheme, Emptiest>};
}

}  // namespace headway
