// SPDX-License-Identifier: Apache-2.0
// 1Q: a single queue per input port. The lower bound, because every packet waits for all packets ahead of it.
// Source: Nachiondo et al., "Cost / performance trade-offs and fairness evaluation of queue mapping
// policies", Euro-Par 2005, section 5; as a reference in OBQA (Euro-Par 2010), section 4.1.
#include "headway/queueing/scheme.h"

namespace headway {
namespace {

class OneQueue final : public Scheme {
 public:
  QueueMap build(const Graph&) const override { return QueueMap::single(); }
};

}  // namespace

Entry<Scheme> one_queue() {
  return {"1q", "a single queue per input port", "DBBM (Euro-Par 2005), section 5",
          make_entry<Scheme, OneQueue>};
}

}  // namespace headway
